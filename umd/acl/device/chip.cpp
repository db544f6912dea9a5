// SPDX-License-Identifier: MIT
/**
 * DOC: Chips by name
 *
 * The device string names a chip, and programs choose code by that name. This file only knows which
 * chips run the same code. The other properties of a device are read from the device.
 */
#include "chip.h"

namespace umd {

namespace {

struct Family {
	std::string_view prefix;
	aclplatformNpuArch arch;
};

/* find_arch() takes the first match, so a longer prefix comes before its own shorter prefixes. */
constexpr Family FAMILIES[] = {
	{"Ascend910B", DAV_2201}, {"Ascend910_93", DAV_2201}, {"Ascend910", DAV_1001},
	{"Ascend310P", DAV_2002}, {"Ascend310B", DAV_3002},   {"Ascend950", DAV_3510},
};

struct CoreVersion {
	aclplatformNpuArch arch;
	std::string_view text;
};

constexpr CoreVersion CORE_VERSIONS[] = {
	{DAV_1001, "AIC-C-100"}, {DAV_2002, "AIC-M-200"}, {DAV_2201, "AIC-C-220"},
	{DAV_3002, "AIC-M-300"}, {DAV_3510, "AIC-C-310"},
};

} // namespace

aclplatformNpuArch find_arch(std::string_view soc_name)
{
	for (const Family &family : FAMILIES) {
		if (soc_name.substr(0, family.prefix.size()) == family.prefix)
			return family.arch;
	}
	return DAV_RESV;
}

std::string_view find_core_version(aclplatformNpuArch arch)
{
	for (const CoreVersion &version : CORE_VERSIONS) {
		if (version.arch == arch)
			return version.text;
	}
	return "";
}

} // namespace umd
