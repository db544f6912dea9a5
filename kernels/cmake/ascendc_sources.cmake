# SPDX-License-Identifier: MIT
# The commands behind ascendc.cmake.

# CMake then turns the paths of dependency files into those of the generator.
if(POLICY CMP0116)
	cmake_policy(SET CMP0116 NEW)
endif()

# unpu_compile_words(target variable) - what the compiler of the host would get for a source of the target.
function(unpu_compile_words target variable)
	set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
	set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
	set(flags ${CMAKE_CXX_FLAGS})
	separate_arguments(flags)
	set(words ${unpu_chip_options} ${flags})
	foreach(config IN ITEMS Debug Release RelWithDebInfo MinSizeRel)
		string(TOUPPER ${config} upper)
		set(flags ${CMAKE_CXX_FLAGS_${upper}})
		separate_arguments(flags)
		if(flags)
			list(APPEND words "$<$<CONFIG:${config}>:${flags}>")
		endif()
	endforeach()
	list(APPEND words
		"$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
		"$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
		"$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
	set(device "$<TARGET_PROPERTY:${target},UNPU_DEVICE_OPTIONS>")
	list(APPEND words "$<$<BOOL:${device}>:--device-option=$<JOIN:${device},;--device-option=>>")
	set(${variable} ${words} PARENT_SCOPE)
endfunction()

# unpu_dependency_words(output variable command_variable) - options of unpu-ascendcc and of add_custom_command() for a
# file of dependencies, where this version of CMake can read one.
function(unpu_dependency_words output words rule)
	set(target ${output})
	set(${words} "" PARENT_SCOPE)
	set(${rule} "" PARENT_SCOPE)
	if(CMAKE_VERSION VERSION_LESS 3.20)
		if(NOT CMAKE_GENERATOR MATCHES Ninja)
			return()
		endif()
		file(RELATIVE_PATH target ${CMAKE_BINARY_DIR} ${output})
	endif()
	set(${words} -MD -MF ${output}.d -MQ ${target} PARENT_SCOPE)
	set(${rule} DEPFILE ${output}.d PARENT_SCOPE)
endfunction()

# unpu_kernel_sources(target headers variable source...) - the texts of the host objects of the sources. variable_names
# receives the arguments of ascendc_names.cmake.
function(unpu_kernel_sources target headers variable)
	unpu_compile_words(${target} options)
	set(fixed -w -fno-lto -x c++-cpp-output)
	if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
		# As unpu-ascendcc compiles the image: driver.cpp says why.
		list(APPEND fixed -fno-gnu-unique
			"$<$<VERSION_LESS:$<TARGET_PROPERTY:${target},CXX_STANDARD>,20>:-std=gnu++20;-fno-char8_t;-Wno-volatile>")
	endif()
	set(texts "")
	set(names "")
	foreach(source IN LISTS ARGN)
		get_filename_component(source "${source}" ABSOLUTE)
		file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
		string(REPLACE "../" "" name ${name})
		string(MAKE_C_IDENTIFIER ${name} name)
		set(folder ${CMAKE_CURRENT_BINARY_DIR}/unpu_kernels/${target})
		file(MAKE_DIRECTORY ${folder})
		set(text ${folder}/${name}.host.cpp)
		set(image ${folder}/${name}.so)
		set(list ${headers}/unpu/${name}.h)
		unpu_dependency_words(${text} dependencies rule)
		set(fallback "")
		if(NOT rule AND NOT CMAKE_GENERATOR MATCHES Ninja)
			set(fallback IMPLICIT_DEPENDS CXX ${source})
		endif()
		add_custom_command(OUTPUT ${text} ${image} BYPRODUCTS ${list}
			COMMAND ${UNPU_ASCENDCC} --compiler=${CMAKE_CXX_COMPILER} --cpu=${UNPU_KERNEL_CPU}
			--host=${text} --image=${image} --headers=${headers} --header-list=${list}
			${dependencies} "${options}" "-std=gnu++$<TARGET_PROPERTY:${target},CXX_STANDARD>"
			-c ${source}
			DEPENDS ${source} ${UNPU_ASCENDCC} ${rule} ${fallback}
			COMMENT "Compiling kernels of ${name}" VERBATIM COMMAND_EXPAND_LISTS)
		set_source_files_properties(${text} PROPERTIES OBJECT_DEPENDS ${image} GENERATED TRUE SKIP_AUTOGEN TRUE
			COMPILE_OPTIONS "${unpu_cpu_options};$<TARGET_PROPERTY:${target},UNPU_HOST_OPTIONS>;${fixed}")
		list(APPEND texts ${text})
		list(APPEND names ${source} ${list})
	endforeach()
	set(${variable} ${texts} PARENT_SCOPE)
	set(${variable}_names ${names} PARENT_SCOPE)
endfunction()

function(unpu_library_properties target)
	set(standard 17)
	if(CMAKE_CXX_STANDARD GREATER 17 AND CMAKE_CXX_STANDARD LESS 98)
		set(standard ${CMAKE_CXX_STANDARD})
	endif()
	set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON
		CXX_STANDARD ${standard} CXX_EXTENSIONS ON UNITY_BUILD OFF
		ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
	# Samples keep the options of their programs in a target of this name.
	if(TARGET host_intf_pub)
		target_link_libraries(${target} PRIVATE host_intf_pub)
	endif()
endfunction()

# RUN_MODE=cpu: the kernels are functions of the program.
function(unpu_cpu_library target type)
	add_library(${target} ${type} ${ARGN})
	unpu_library_properties(${target})
	target_link_libraries(${target} PUBLIC tikicpulib::cpu)
	if(NOT type STREQUAL OBJECT)
		install(TARGETS ${target} DESTINATION lib)
	endif()
endfunction()

function(unpu_fatbin_image target image)
	unpu_compile_words(${target} options)
	set(sources "")
	foreach(source IN LISTS ARGN)
		get_filename_component(source "${source}" ABSOLUTE)
		list(APPEND sources ${source})
	endforeach()
	get_filename_component(folder ${image} DIRECTORY)
	file(MAKE_DIRECTORY ${folder})
	# Of several sources; the compiler writes a file of dependencies for one.
	list(LENGTH sources count)
	set(dependencies "")
	set(rule "")
	if(count EQUAL 1)
		unpu_dependency_words(${image} dependencies rule)
	endif()
	add_custom_command(OUTPUT ${image}
		COMMAND ${UNPU_ASCENDCC} --fatbin --compiler=${CMAKE_CXX_COMPILER} --cpu=${UNPU_KERNEL_CPU}
		${dependencies} "${options}" -DASCENDC_DUMP=0 ${sources} -o ${image}
		DEPENDS ${sources} ${UNPU_ASCENDCC} ${rule}
		COMMENT "Compiling kernels of ${target}" VERBATIM COMMAND_EXPAND_LISTS)
endfunction()
