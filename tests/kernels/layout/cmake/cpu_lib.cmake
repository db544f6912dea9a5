# SPDX-License-Identifier: MIT
# Kernels as functions of the program.
if(NOT DEFINED ENV{CMAKE_PREFIX_PATH})
	set(CMAKE_PREFIX_PATH ${ASCEND_CANN_PACKAGE_PATH}/tools/tikicpulib/lib/cmake)
endif()
find_package(tikicpulib REQUIRED)
add_library(layout_kernels_${RUN_MODE} SHARED ${KERNEL_FILES})
target_link_libraries(layout_kernels_${RUN_MODE} PUBLIC tikicpulib::${SOC_VERSION})
target_compile_options(layout_kernels_${RUN_MODE} PRIVATE -g -O0 -std=c++17)
install(TARGETS layout_kernels_${RUN_MODE} DESTINATION lib)
