# SPDX-License-Identifier: MIT
# find_package(unpu) gives unpu::ascendcl, unpu::nnopbase, unpu::opapi and unpu::unpu, and
# unpu::toolkit, which is all four; unpu::cuda is the CUDA driver interface.

# A link to this file, as in a folder that CMake searches, is followed: the toolkit is around the file.
get_filename_component(unpu_TOOLKIT "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(unpu_TOOLKIT "${unpu_TOOLKIT}/../../../.." ABSOLUTE)

if(NOT TARGET unpu::toolkit)
	add_library(unpu::toolkit INTERFACE IMPORTED)
	foreach(unpu_name IN ITEMS ascendcl nnopbase opapi unpu)
		add_library(unpu::${unpu_name} SHARED IMPORTED)
		set_target_properties(unpu::${unpu_name} PROPERTIES
			IMPORTED_LOCATION "${unpu_TOOLKIT}/lib64/lib${unpu_name}.so"
			INTERFACE_INCLUDE_DIRECTORIES
				"${unpu_TOOLKIT}/include;${unpu_TOOLKIT}/include/aclnn")
		set_property(TARGET unpu::toolkit APPEND PROPERTY
			INTERFACE_LINK_LIBRARIES unpu::${unpu_name})
	endforeach()
	unset(unpu_name)
	add_library(unpu::cuda SHARED IMPORTED)
	set_target_properties(unpu::cuda PROPERTIES
		IMPORTED_LOCATION "${unpu_TOOLKIT}/lib64/cuda/libcuda.so.1"
		IMPORTED_SONAME "libcuda.so.1"
		INTERFACE_INCLUDE_DIRECTORIES "${unpu_TOOLKIT}/include/cuda")
endif()
