# SPDX-License-Identifier: MIT
# The toolkit: cmake --install <build> --prefix <toolkit>. It may be moved afterwards; every path in
# it is relative, but for the one set_env.sh keeps for shells that cannot say where a script is.

include(CMakePackageConfigHelpers)

foreach(folder IN LISTS UNPU_PUBLIC_HEADERS)
	install(DIRECTORY include/${folder} DESTINATION include FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES include/securec.h DESTINATION include)

# What aclsysGetVersionStr() reads, at its place in the build tree too.
foreach(package IN ITEMS cann runtime toolkit opp driver firmware)
	configure_file(cmake/version.info.in ${CMAKE_BINARY_DIR}/share/info/${package}/version.info @ONLY)
	install(FILES ${CMAKE_BINARY_DIR}/share/info/${package}/version.info
		DESTINATION share/info/${package})
endforeach()

configure_file(cmake/unpu.pc.in ${CMAKE_BINARY_DIR}/install/unpu.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/unpu.pc DESTINATION lib64/pkgconfig)

write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/unpu-config-version.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES cmake/unpu-config.cmake ${CMAKE_BINARY_DIR}/install/unpu-config-version.cmake
	DESTINATION lib/cmake/unpu)

configure_file(firmware_sim/daemon/unpu-firmware.service.in
	${CMAKE_BINARY_DIR}/install/unpu-firmware.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/unpu-firmware.service DESTINATION lib/systemd/system)

install(FILES cmake/setenv.bash DESTINATION bin)
install(CODE "set(UNPU_TEMPLATE \"${PROJECT_SOURCE_DIR}/cmake/set_env.sh.in\")")
install(CODE [[
	get_filename_component(UNPU_TOOLKIT "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
	if("$ENV{DESTDIR}" STREQUAL "")
		configure_file("${UNPU_TEMPLATE}" "${UNPU_TOOLKIT}/set_env.sh" @ONLY)
	else()
		configure_file("${UNPU_TEMPLATE}" "$ENV{DESTDIR}${UNPU_TOOLKIT}/set_env.sh" @ONLY)
	endif()
]])
