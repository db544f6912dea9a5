# SPDX-License-Identifier: MIT
# The toolkit: cmake --install <build> --prefix <toolkit>. It may be moved afterwards; every path in it is relative.
# The target uninstall removes it.

include(CMakePackageConfigHelpers)

# What aclsysGetVersionStr() reads, at its place in the build tree too.
foreach(package IN ITEMS cann runtime toolkit opp driver firmware)
	configure_file(cmake/version.info.in ${CMAKE_BINARY_DIR}/share/info/${package}/version.info @ONLY)
	install(FILES ${CMAKE_BINARY_DIR}/share/info/${package}/version.info
		DESTINATION share/info/${package})
endforeach()

configure_file(cmake/unpu.pc.in ${CMAKE_BINARY_DIR}/install/unpu.pc @ONLY)
# pkg-config of Debian looks into lib, that of others into lib64.
foreach(folder IN ITEMS lib lib64)
	install(FILES ${CMAKE_BINARY_DIR}/install/unpu.pc DESTINATION ${folder}/pkgconfig)
endforeach()

write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/unpu-config-version.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES cmake/unpu-config.cmake ${CMAKE_BINARY_DIR}/install/unpu-config-version.cmake
	DESTINATION lib/cmake/unpu)

configure_file(firmware_sim/daemon/unpu-firmware.service.in
	${CMAKE_BINARY_DIR}/install/unpu-firmware.service @ONLY)
# The prefix of an install may be another one.
install(CODE "configure_file(${PROJECT_SOURCE_DIR}/firmware_sim/daemon/unpu-firmware.service.in
	${CMAKE_BINARY_DIR}/install/unpu-firmware.service @ONLY)")
install(FILES ${CMAKE_BINARY_DIR}/install/unpu-firmware.service DESTINATION lib/systemd/system)

install(FILES cmake/set_env.sh DESTINATION .)

# Where build scripts of programs look for headers and libraries, beside include and lib64. "latest" is what they append
# to the folder of all toolkits.
set(toolkit_machine ${CMAKE_SYSTEM_PROCESSOR}-linux)
foreach(link IN ITEMS lib64/stub=. runtime/include=../include runtime/lib64=../lib64 atc/include=../include
		atc/lib64=../lib64 acllib/include=../include acllib/lib64/stub=../../lib64 ${toolkit_machine}/include=../include
		${toolkit_machine}/lib64=../lib64 ${toolkit_machine}/devlib=../lib64 fwkacllib/include=../include
		fwkacllib/lib64=../lib64 compiler/include=../include compiler/lib64=../lib64 latest=.)
	string(REPLACE = ";" link ${link})
	list(GET link 0 name)
	list(GET link 1 target)
	get_filename_component(folder links/${name} DIRECTORY)
	file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install/${folder})
	file(CREATE_LINK ${target} ${CMAKE_BINARY_DIR}/install/links/${name} SYMBOLIC)
	get_filename_component(folder ./${name} DIRECTORY)
	install(FILES ${CMAKE_BINARY_DIR}/install/links/${name} DESTINATION ${folder})
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/share/info/opp/version.info DESTINATION opp)
install(FILES cmake/setenv.bash DESTINATION bin)
install(FILES firmware_sim/daemon/unpu.sysusers RENAME unpu.conf DESTINATION lib/sysusers.d)

# The book as HTML. Builds with tests are for work on the tree: a gate builds the book there.
find_program(UNPU_SPHINX sphinx-build)
set(book ON)
if(UNPU_TESTS OR NOT UNPU_SPHINX)
	set(book OFF)
endif()
option(UNPU_BOOK "Build the book as HTML, and install it" ${book})
if(UNPU_BOOK AND NOT UNPU_SPHINX)
	message(STATUS "The book is left out, since there is no sphinx-build")
elseif(UNPU_BOOK)
	# Its tables are made from these.
	file(GLOB_RECURSE pages CONFIGURE_DEPENDS Documentation/*.rst Documentation/*.py Documentation/*.css Documentation/*.dot
		Documentation/*.svg include/*.h umd/*.def)
	set(stamp ${CMAKE_BINARY_DIR}/install/book.stamp)
	add_custom_command(OUTPUT ${stamp} DEPENDS ${pages} VERBATIM
		COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${UNPU_SPHINX} -q -b html
			-d ${CMAKE_BINARY_DIR}/install/doctrees ${PROJECT_SOURCE_DIR}/Documentation ${CMAKE_BINARY_DIR}/install/book
		COMMAND ${CMAKE_COMMAND} -E touch ${stamp})
	add_custom_target(book ALL DEPENDS ${stamp})
	install(DIRECTORY ${CMAKE_BINARY_DIR}/install/book/ DESTINATION share/doc/unpu/html
		PATTERN .buildinfo EXCLUDE PATTERN objects.inv EXCLUDE)
endif()

add_custom_target(uninstall VERBATIM COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
	-P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

# cpack -G TGZ: a folder that runs where it is unpacked. cpack -G RPM: the same in /opt/unpu. Debian's packages are made
# by debian/rules, which gives each part its package.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "the unpu authors")
set(CPACK_PACKAGE_CONTACT "the unpu authors")
set(CPACK_PACKAGE_FILE_NAME "unpu-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_DESCRIPTION ${PROJECT_DESCRIPTION})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/UnpuPack.cmake)
# What the libraries of a toolkit ask of each other is in it, and the names of the filters are no promise to others.
set(CPACK_RPM_PACKAGE_AUTOPROV OFF)
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __requires_exclude ^lib(unpu|ascendcl|nnopbase|opapi|tikicpulib|cuda)\\.so.*$")
include(CPack)
