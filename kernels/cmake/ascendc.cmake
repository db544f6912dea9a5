# SPDX-License-Identifier: MIT
# ascendc_library() and its family for projects with kernels. Works with CMake 3.16 and later.
#
# For each source one command of unpu-ascendcc makes three files: the device image, the preprocessed text of the host
# object, and the declarations of the launch functions. The text is then a source of the library like any other one, so
# STATIC, SHARED and OBJECT libraries, and the options of the library, are CMake's own.
cmake_minimum_required(VERSION 3.16)

get_filename_component(UNPU_ASCENDC_RULES "${CMAKE_CURRENT_LIST_FILE}" DIRECTORY)
include(${UNPU_ASCENDC_RULES}/ascendc_sources.cmake)

# Not the real path of this file: the toolkit is the folder that the project named.
if(NOT UNPU_TOOLKIT)
	foreach(candidate IN ITEMS "${ASCEND_CANN_PACKAGE_PATH}" "${ASCEND_HOME_PATH}" "${ASCEND_TOOLKIT_HOME}"
			"$ENV{ASCEND_HOME_PATH}" "$ENV{ASCEND_TOOLKIT_HOME}"
			"${UNPU_ASCENDC_RULES}/../.." "${UNPU_ASCENDC_RULES}/../../.."
			"${UNPU_ASCENDC_RULES}/../../../..")
		if(candidate AND EXISTS "${candidate}/bin/unpu-ascendcc")
			get_filename_component(UNPU_TOOLKIT "${candidate}" ABSOLUTE)
			break()
		endif()
	endforeach()
endif()
if(NOT UNPU_TOOLKIT)
	message(FATAL_ERROR "ascendc.cmake: no toolkit with bin/unpu-ascendcc; set ASCEND_CANN_PACKAGE_PATH to one")
endif()
set(UNPU_ASCENDCC ${UNPU_TOOLKIT}/bin/unpu-ascendcc)

# The language is that of Ascend 910B and 910_93; other chips run it too.
string(TOLOWER "${SOC_VERSION}" unpu_soc)
if(unpu_soc AND NOT unpu_soc MATCHES
		"^ascend(910(a|b|c|pro[ab]|premiuma)?|910b[1-4](c|[-_]1)?|910_93[0-9x]*|310|310p[1-7]?|310b[1-4]?|950[0-9a-z_]*)$")
	message(FATAL_ERROR "SOC_VERSION is \"${SOC_VERSION}\", which is no chip; known are Ascend910B1 to Ascend910B4, "
		"Ascend910_93 with two digits, Ascend310P1 to Ascend310P7, Ascend310B1 to Ascend310B4, Ascend310, "
		"Ascend910A, Ascend910ProA, Ascend910ProB, Ascend910PremiumA and Ascend950 with any ending")
endif()
if(unpu_soc AND NOT unpu_soc MATCHES "^ascend(910b|910_93|910c)")
	message(STATUS "SOC_VERSION is ${SOC_VERSION}; kernels are compiled as for Ascend910B")
endif()
set(unpu_chip_options "")
if(unpu_soc MATCHES "^ascend310p")
	set(unpu_chip_options --npu-arch=dav-2002)
endif()

if(NOT DEFINED UNPU_KERNEL_CPU)
	set(UNPU_KERNEL_CPU native)
endif()
set(unpu_cpu_options "")
if(UNPU_KERNEL_CPU STREQUAL native)
	execute_process(COMMAND ${UNPU_ASCENDCC} --print-cpu-options OUTPUT_VARIABLE unpu_cpu_options
		OUTPUT_STRIP_TRAILING_WHITESPACE)
	separate_arguments(unpu_cpu_options)
endif()

# What samples link to every program with kernels: where the toolkit's headers and libraries are.
if(NOT TARGET host_intf_pub AND NOT CMAKE_SCRIPT_MODE_FILE)
	add_library(host_intf_pub INTERFACE IMPORTED GLOBAL)
	set_target_properties(host_intf_pub PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${UNPU_TOOLKIT}/include"
		INTERFACE_LINK_DIRECTORIES "${UNPU_TOOLKIT}/lib64")
endif()

string(TOLOWER "${RUN_MODE}" unpu_run_mode)
if(unpu_run_mode AND NOT unpu_run_mode MATCHES "^(npu|sim|cpu|onboard)$")
	message(FATAL_ERROR "RUN_MODE is \"${RUN_MODE}\"; it is npu, sim or cpu")
endif()
if(unpu_run_mode STREQUAL cpu)
	list(APPEND CMAKE_PREFIX_PATH ${UNPU_TOOLKIT}/tools/tikicpulib/lib/cmake)
	find_package(tikicpulib REQUIRED)
endif()

# ascendc_library(target STATIC|SHARED|OBJECT source...)
function(ascendc_library target type)
	if(NOT type MATCHES "^(STATIC|SHARED|OBJECT)$")
		message(FATAL_ERROR "ascendc_library(${target} ${type}): STATIC, SHARED or OBJECT, then sources")
	endif()
	if(unpu_run_mode STREQUAL cpu)
		unpu_cpu_library(${target} ${type} ${ARGN})
		return()
	endif()
	set(headers ${CMAKE_BINARY_DIR}/include/${target})
	file(MAKE_DIRECTORY ${headers})
	unpu_kernel_sources(${target} ${headers} texts ${ARGN})
	add_library(${target} ${type} ${texts})
	unpu_library_properties(${target})
	target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${headers}>
		$<BUILD_INTERFACE:${UNPU_TOOLKIT}/include>)
	# The functions that launch are in libunpu.so.
	target_link_libraries(${target} PUBLIC ${UNPU_TOOLKIT}/lib64/libunpu.so)
	# Programs name other libraries of the toolkit without a folder.
	target_link_directories(${target} INTERFACE ${UNPU_TOOLKIT}/lib64)
	if(NOT type STREQUAL OBJECT)
		add_custom_command(TARGET ${target} PRE_LINK
			COMMAND ${CMAKE_COMMAND} -P ${UNPU_ASCENDC_RULES}/ascendc_names.cmake ${texts_names} VERBATIM)
		install(TARGETS ${target} DESTINATION lib)
	endif()
endfunction()

# ascendc_fatbin_library(target source...) - the device image alone, for aclrtBinaryLoadFromFile().
function(ascendc_fatbin_library target)
	set(image ${CMAKE_BINARY_DIR}/fatbin/${target}/${target}.o)
	unpu_fatbin_image(${target} ${image} ${ARGN})
	add_custom_target(${target} ALL DEPENDS ${image})
	install(FILES ${image} DESTINATION fatbin/${target})
endfunction()

# ascendc_compile_definitions(target PRIVATE|PUBLIC|INTERFACE [-D]NAME[=VALUE]...)
function(ascendc_compile_definitions target scope)
	foreach(definition IN LISTS ARGN)
		string(REGEX REPLACE "^-D" "" definition "${definition}")
		set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS "${definition}")
	endforeach()
endfunction()

# ascendc_include_directories(target PRIVATE|PUBLIC|INTERFACE folder...)
function(ascendc_include_directories target scope)
	foreach(folder IN LISTS ARGN)
		get_filename_component(folder "${folder}" ABSOLUTE)
		set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES "${folder}")
	endforeach()
endfunction()

# ascendc_compile_options(target PRIVATE option... [-forward-options-to-host-compiler option...])
# A source is preprocessed once, so what is for the preprocessor is for both sides. With RUN_MODE=cpu there is one side.
function(ascendc_compile_options target scope)
	set(preprocessor "-(D|U|I|isystem|iquote|idirafter|include|imacros)")
	set(property UNPU_DEVICE_OPTIONS)
	set(name "")
	foreach(option IN LISTS ARGN)
		if(option STREQUAL "-forward-options-to-host-compiler")
			set(property UNPU_HOST_OPTIONS)
		elseif(name STREQUAL "" AND option MATCHES "^${preprocessor}$")
			set(name "${option}")
		elseif(NOT name STREQUAL "" OR option MATCHES "^${preprocessor}")
			if(unpu_run_mode STREQUAL cpu)
				target_compile_options(${target} PRIVATE "SHELL:${name} \"${option}\"")
			else()
				set_property(TARGET ${target} APPEND PROPERTY UNPU_DEVICE_OPTIONS ${name} "${option}")
			endif()
			set(name "")
		elseif(unpu_run_mode STREQUAL cpu AND property STREQUAL UNPU_HOST_OPTIONS)
			target_compile_options(${target} PRIVATE "${option}")
		else()
			set_property(TARGET ${target} APPEND PROPERTY ${property} "${option}")
		endif()
	endforeach()
endfunction()
