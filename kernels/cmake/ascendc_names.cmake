# SPDX-License-Identifier: MIT
# cmake -P ascendc_names.cmake SOURCE LIST SOURCE LIST... - fails if two sources of a library define one kernel. LIST is the
# file with the declarations of a source's kernels. A linker takes one of them out of an archive, and does not say so.

set(at 3)
while(at LESS CMAKE_ARGC)
	set(source "${CMAKE_ARGV${at}}")
	math(EXPR at "${at} + 1")
	file(STRINGS "${CMAKE_ARGV${at}}" lines REGEX "^uint32_t aclrtlaunch_")
	math(EXPR at "${at} + 1")
	foreach(line IN LISTS lines)
		string(REGEX REPLACE "^uint32_t aclrtlaunch_([A-Za-z0-9_]+).*$" "\\1" kernel "${line}")
		if(DEFINED source_of_${kernel})
			message(FATAL_ERROR "two sources of a library have the kernel ${kernel}: ${source_of_${kernel}} and ${source}")
		endif()
		set(source_of_${kernel} "${source}")
	endforeach()
endwhile()
