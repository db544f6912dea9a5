# SPDX-License-Identifier: MIT
# One home per symbol. umd/exports/generate_lists.py lists what each public library offers, by the headers. libunpu.so holds the code of all of them under the version UNPU_1.0 and exports nothing else.
# Every other library is an ELF filter: it has the names, for the linker, and DT_FILTER libunpu.so,
# so that the loader takes each of them from there, whether by symbol or by dlsym. libunpu.so has a versioned SONAME;
# the filters have the names that the interface gives them, without one.
#
# libcuda.so.1 is none: its names are also those of a real device's driver, which a program that uses
# libunpu.so may have loaded. In libunpu.so they have the prefix unpu_; libcuda.so.1 stands in a folder
# of its own and jumps. It has no symbol versions, as programs that were linked elsewhere expect.

set(UNPU_EXPORTS ${CMAKE_BINARY_DIR}/made/exports)

# unpu_list_exports() - makes the lists, when the tree is configured.
function(unpu_list_exports)
	file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/umd/exports/*.py)
	file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
	list(FILTER headers EXCLUDE REGEX "/uapi/")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${headers}
		${PROJECT_SOURCE_DIR}/umd/cuda/entry_points.h ${PROJECT_SOURCE_DIR}/umd/cuda/refused_points.h)
	execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/umd/exports/generate_lists.py ${UNPU_EXPORTS}
		COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(unpu_read_exports list variable)
	file(STRINGS ${UNPU_EXPORTS}/${list}.txt lines)
	set(${variable} ${lines} PARENT_SCOPE)
endfunction()

# unpu_write_map(file symbol...) - a linker version script: these, and nothing else.
function(unpu_write_map file)
	set(globals "")
	foreach(symbol IN LISTS ARGN)
		string(APPEND globals "\t\t${symbol};\n")
	endforeach()
	if(globals)
		string(PREPEND globals "\tglobal:\n")
	endif()
	file(CONFIGURE OUTPUT ${file} CONTENT "UNPU_1.0 {\n${globals}\tlocal:\n\t\t*;\n};\n" @ONLY)
endfunction()

function(unpu_link_with_map target map)
	target_link_options(${target} PRIVATE -Wl,--version-script=${map})
	set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
	if(NOT UNPU_SANITIZE AND NOT UNPU_FUZZ)
		target_link_options(${target} PRIVATE -Wl,--no-undefined)
	endif()
endfunction()

# unpu_real_library(name LAYERS target...) - the library with the code. It is never unloaded: its
# threads and mappings outlive a dlclose.
function(unpu_real_library name)
	cmake_parse_arguments(real "" "" "LAYERS" ${ARGN})
	file(GLOB lists ${UNPU_EXPORTS}/*.txt)
	set(symbols "")
	foreach(file IN LISTS lists)
		cmake_path(GET file STEM list)
		unpu_read_exports(${list} more)
		if(list STREQUAL "libcuda")
			list(TRANSFORM more PREPEND unpu_)
		endif()
		list(APPEND symbols ${more})
	endforeach()
	list(REMOVE_DUPLICATES symbols)
	set(map ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.map)
	unpu_write_map(${map} ${symbols})
	file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.c "/* The code is in the layers. */\nstruct unpu_nothing;\n")
	add_library(${name} SHARED ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.c)
	set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX
		VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
	target_link_libraries(${name} PRIVATE ${real_LAYERS})
	foreach(layer IN LISTS real_LAYERS)
		set_property(TARGET ${name} PROPERTY LINK_LIBRARY_OVERRIDE_${layer} WHOLE_ARCHIVE)
	endforeach()
	target_link_options(${name} PRIVATE -Wl,-z,nodelete)
	# A wheel has the libraries of Debian beside this one.
	set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
	unpu_link_with_map(${name} ${map})
	install(TARGETS ${name} DESTINATION lib64)
endfunction()

# unpu_facade_library(name [LIST list]) - a filter over libunpu.so with the names of one list. The list "empty" has none:
# the library exists because programs name it.
function(unpu_facade_library name)
	cmake_parse_arguments(facade "" "LIST" "" ${ARGN})
	if(NOT facade_LIST)
		set(facade_LIST lib${name})
	endif()
	set(symbols "")
	if(NOT facade_LIST STREQUAL empty)
		unpu_read_exports(${facade_LIST} symbols)
	endif()
	set(map ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.map)
	unpu_write_map(${map} ${symbols})
	set(UNPU_STUBS "")
	foreach(symbol IN LISTS symbols)
		string(APPEND UNPU_STUBS "STUB(${symbol})\n")
	endforeach()
	set(UNPU_FACADE lib${name}.so)
	set(stubs ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.c)
	configure_file(${PROJECT_SOURCE_DIR}/cmake/facade.c.in ${stubs} @ONLY)
	add_library(${name} SHARED ${stubs})
	target_compile_options(${name} PRIVATE -fno-builtin -fno-sanitize=all)
	target_link_options(${name} PRIVATE -Wl,-F,libunpu.so.${PROJECT_VERSION_MAJOR} -Wl,--enable-new-dtags)
	set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN"
		BUILD_WITH_INSTALL_RPATH ON)
	unpu_link_with_map(${name} ${map})
	add_dependencies(${name} unpu)
	install(TARGETS ${name} DESTINATION lib64)
endfunction()

# unpu_cuda_library() - lib64/cuda/libcuda.so.1 and the link that linkers look for.
function(unpu_cuda_library)
	unpu_read_exports(libcuda symbols)
	set(globals "")
	set(UNPU_JUMPS "")
	foreach(symbol IN LISTS symbols)
		string(APPEND globals "\t\t${symbol};\n")
		string(APPEND UNPU_JUMPS "JUMP(${symbol})\n")
	endforeach()
	set(map ${CMAKE_CURRENT_BINARY_DIR}/libcuda.map)
	file(CONFIGURE OUTPUT ${map} CONTENT "{\n\tglobal:\n${globals}\tlocal:\n\t\t*;\n};\n" @ONLY)
	set(source ${CMAKE_CURRENT_BINARY_DIR}/libcuda.c)
	configure_file(${PROJECT_SOURCE_DIR}/cmake/libcuda.c.in ${source} @ONLY)
	add_library(cuda SHARED ${source})
	target_compile_options(cuda PRIVATE -fno-sanitize=all)
	set_target_properties(cuda PROPERTIES SOVERSION 1
		LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/cuda
		INSTALL_RPATH "$ORIGIN/.." BUILD_WITH_INSTALL_RPATH ON)
	target_link_options(cuda PRIVATE -Wl,--version-script=${map} -Wl,--enable-new-dtags
		-Wl,--no-as-needed)
	set_target_properties(cuda PROPERTIES LINK_DEPENDS ${map})
	target_link_libraries(cuda PRIVATE unpu)
	if(NOT UNPU_SANITIZE AND NOT UNPU_FUZZ)
		target_link_options(cuda PRIVATE -Wl,--no-undefined)
	endif()
	install(TARGETS cuda DESTINATION lib64/cuda)
endfunction()
