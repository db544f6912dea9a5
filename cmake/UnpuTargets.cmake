# SPDX-License-Identifier: MIT
# The shapes of target the tree is made of.

# unpu_sources(variable pattern...) - the files there are now, in subfolders too; looks again at each build. A layer
# without a file gets an empty one, so that the tree links at every commit.
function(unpu_sources variable)
	set(patterns ${ARGN})
	list(TRANSFORM patterns PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
	file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
	if(NOT files)
		set(files ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
		if(NOT EXISTS ${files})
			file(WRITE ${files} "// SPDX-License-Identifier: MIT\n")
		endif()
	endif()
	set(${variable} ${files} PARENT_SCOPE)
endfunction()

# unpu_layer(name SOURCES file... DEPENDS target...) - one layer, a static library of
# position-independent objects that ends in libunpu.so.
function(unpu_layer name)
	cmake_parse_arguments(layer "" "" "SOURCES;DEPENDS" ${ARGN})
	add_library(${name} STATIC ${layer_SOURCES})
	target_link_libraries(${name} PUBLIC ${layer_DEPENDS})
	# base/sync/thread_safety.h has the annotations.
	target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
	if(UNPU_FUZZ)
		target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
	endif()
	unpu_unify(${name} ${layer_SOURCES})
	# Builds without show that each file includes what it uses.
	if(UNPU_PRECOMPILE)
		target_precompile_headers(${name} PRIVATE <algorithm> <functional> <map> <memory> <mutex>
			<string> <thread> <vector>)
	endif()
endfunction()

# UNPU_SMALL - options of what runs once a program: options on a command line, reports. gcc takes a third less time for it.
set(UNPU_SMALL $<$<NOT:$<CONFIG:Debug>>:-Os>)

# unpu_unify(target file...) - with UNPU_UNITY, makes one unit of the files of each folder. A file with compile
# options of its own stays alone.
function(unpu_unify target)
	if(NOT UNPU_UNITY)
		return()
	endif()
	foreach(file IN LISTS ARGN)
		file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${file})
		get_filename_component(room ${room} DIRECTORY)
		string(MAKE_C_IDENTIFIER "${room}" room)
		set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${room})
	endforeach()
	set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# unpu_client(name SOURCES file... [PRIVATE_HEADERS]) - a program that is built as a user builds
# his: against the public headers and the libraries, with nothing else on the line.
# PRIVATE_HEADERS lets it see the headers of the layers and of the wire too.
function(unpu_client name)
	cmake_parse_arguments(client "PRIVATE_HEADERS" "" "SOURCES" ${ARGN})
	add_executable(${name} ${client_SOURCES})
	if(client_PRIVATE_HEADERS)
		unpu_as_client(${name} PRIVATE_HEADERS)
	else()
		unpu_as_client(${name})
	endif()
endfunction()

# unpu_as_client(target [PRIVATE_HEADERS]) - the same for a target that is there, as a library of what
# several programs share.
function(unpu_as_client target)
	cmake_parse_arguments(client "PRIVATE_HEADERS" "" "" ${ARGN})
	target_link_libraries(${target} PRIVATE ascendcl nnopbase opapi unpu)
	if(client_PRIVATE_HEADERS)
		target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
			${UNPU_MADE}/include ${PROJECT_SOURCE_DIR}/include/aclnn)
	else()
		target_include_directories(${target} PRIVATE ${UNPU_PUBLIC_INCLUDE}
			${UNPU_PUBLIC_INCLUDE}/aclnn)
	endif()
endfunction()

# unpu_kernel_object(VARIABLE SOURCE [OPTION...]) - sets VARIABLE to the object that unpu-ascendcc makes of a file with
# kernels, as a project without our CMake files does. It is made again when a header of the language changes.
function(unpu_kernel_object variable source)
	cmake_path(GET source STEM name)
	set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
	set(compiler "")
	if(CMAKE_CROSSCOMPILING)
		find_program(UNPU_KERNEL_COMPILER ${unpu_kernel_compiler} REQUIRED)
		set(compiler --compiler=${UNPU_KERNEL_COMPILER})
	endif()
	add_custom_command(OUTPUT ${object}
		COMMAND unpu-ascendcc ${compiler} -O2 ${ARGN} -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object} -MD -MF ${object}.d
		DEPENDS unpu-ascendcc ${source} DEPFILE ${object}.d VERBATIM)
	set(${variable} ${object} PARENT_SCOPE)
endfunction()
