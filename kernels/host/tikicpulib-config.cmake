# SPDX-License-Identifier: MIT
# find_package(tikicpulib): kernels as functions of the program, without a device. tikicpulib::cpu, and the same under
# the name of the chip, tikicpulib::${SOC_VERSION}, which older projects call ASCEND_PRODUCT_TYPE.

get_filename_component(tikicpulib_toolkit "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
if(NOT TARGET tikicpulib::cpu)
	# The language asks for the chip where one has other sizes.
	string(TOLOWER "${SOC_VERSION}${ASCEND_PRODUCT_TYPE}" tikicpulib_chip)
	set(tikicpulib_definitions ASCENDC_CPU_DEBUG __CCE_KT_TEST__)
	if(tikicpulib_chip MATCHES "^ascend310p")
		list(APPEND tikicpulib_definitions UNPU_ASCEND310P)
	endif()
	add_library(tikicpulib::cpu SHARED IMPORTED GLOBAL)
	set_target_properties(tikicpulib::cpu PROPERTIES
		IMPORTED_LOCATION "${tikicpulib_toolkit}/lib64/libtikicpulib.so"
		INTERFACE_COMPILE_DEFINITIONS "${tikicpulib_definitions}"
		INTERFACE_LINK_LIBRARIES "${tikicpulib_toolkit}/lib64/libc_sec.so"
		INTERFACE_LINK_DIRECTORIES "${tikicpulib_toolkit}/lib64"
		INTERFACE_COMPILE_FEATURES cxx_std_17
		INTERFACE_COMPILE_OPTIONS -ffp-contract=off
		INTERFACE_INCLUDE_DIRECTORIES "${tikicpulib_toolkit}/tools/tikicpulib/lib/include;${tikicpulib_toolkit}/compiler/ascendc/include;${tikicpulib_toolkit}/include")
endif()
foreach(tikicpulib_name IN ITEMS ${SOC_VERSION} ${ASCEND_PRODUCT_TYPE})
	if(NOT TARGET tikicpulib::${tikicpulib_name})
		add_library(tikicpulib::${tikicpulib_name} INTERFACE IMPORTED GLOBAL)
		set_target_properties(tikicpulib::${tikicpulib_name} PROPERTIES
			INTERFACE_LINK_LIBRARIES tikicpulib::cpu)
	endif()
endforeach()
