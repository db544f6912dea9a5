# SPDX-License-Identifier: MIT
# What differs between the kinds of archive; cpack reads it once for each.

if(CPACK_GENERATOR STREQUAL RPM)
	set(CPACK_PACKAGING_INSTALL_PREFIX /opt/unpu)
endif()
