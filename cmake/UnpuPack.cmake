# SPDX-License-Identifier: MIT
# What differs between the kinds of archive; cpack reads it once for each.

if(CPACK_GENERATOR STREQUAL RPM)
	set(CPACK_PACKAGING_INSTALL_PREFIX /opt/unpu)
	# cpack writes the links of a relocatable package anew. It deletes one that leads to its own folder.
	set(CPACK_PACKAGE_RELOCATABLE OFF)
endif()
