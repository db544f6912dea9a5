# SPDX-License-Identifier: MIT
# cmake --build <build> --target uninstall, or cmake -DMANIFEST=<file> -P uninstall.cmake: removes what the last install
# of the build folder wrote, and the folders that are empty then. Files that others put there stay.
cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS "${MANIFEST}")
	message(FATAL_ERROR "uninstall: there is no ${MANIFEST}; the build folder from which the toolkit was installed has it")
endif()
file(STRINGS "${MANIFEST}" files)
set(folders "")
foreach(file IN LISTS files)
	set(path "$ENV{DESTDIR}${file}")
	if(EXISTS "${path}" OR IS_SYMLINK "${path}")
		file(REMOVE "${path}")
	endif()
	# The prefix is among them, and what is above it is not empty.
	get_filename_component(folder "${path}" DIRECTORY)
	while(NOT folder STREQUAL "/" AND NOT folder IN_LIST folders)
		list(APPEND folders "${folder}")
		get_filename_component(folder "${folder}" DIRECTORY)
	endwhile()
endforeach()

# The longest first, so that a folder is empty when its turn comes.
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
	if(NOT IS_DIRECTORY "${folder}" OR IS_SYMLINK "${folder}")
		continue()
	endif()
	file(GLOB left LIST_DIRECTORIES true "${folder}/*" "${folder}/.*")
	list(FILTER left EXCLUDE REGEX "/\\.\\.?$")
	if(NOT left)
		file(REMOVE_RECURSE "${folder}")
	endif()
endforeach()
list(LENGTH files count)
message(STATUS "uninstall: removed ${count} files")
