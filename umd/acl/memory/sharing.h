// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/memory/share_key.h"
#include "umd/core/memory/vmm.h"

namespace umd {

/** check_share_flags() - checks that @flags of an export or import is 0 or @known. */
inline base::Status check_share_flags(uint64_t flags, uint64_t known)
{
	if (flags == 0 || flags == known)
		return base::Status::OK;
	return set_error(base::Status::INVALID_ARGUMENT,
			 fmt::format("flags is {:#x}; it must be 0 or {}", flags, known));
}

/** give_key() - writes the key's text, KEY_DIGITS and a 0 byte. */
inline void give_key(char *to, const unpu_export_key &key)
{
	memcpy(to, write_key(key).c_str(), KEY_DIGITS + 1);
}

/** read_pids() - checks and copies the process ids of a SetImportPid call.
 * Return: NULL_POINTER for an empty list, INVALID_ARGUMENT for a number that is no process id. */
/** attribute_of(), location_of() - the attribute and the location that AscendCL reports for memory, even if
 * another interface made it. */
inline aclrtMemAttr attribute_of(const PhysicalProperties &properties)
{
	if (properties.attribute != PhysicalProperties::UNSET)
		return static_cast<aclrtMemAttr>(properties.attribute);
	return properties.is_host ? ACL_DDR_MEM_HUGE : ACL_HBM_MEM_HUGE;
}

inline aclrtMemLocation location_of(const PhysicalProperties &properties)
{
	if (properties.location_type != PhysicalProperties::UNSET)
		return {properties.location_id,
			static_cast<aclrtMemLocationType>(properties.location_type)};
	return {properties.location_id,
		properties.is_host ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE};
}

inline base::Result<std::vector<uint32_t>> read_pids(const int32_t *pid, size_t num)
{
	if (!pid)
		return null_argument("pid");
	if (num == 0)
		return set_error(base::Status::NULL_POINTER, "num is 0; it must be positive");
	std::vector<uint32_t> pids;
	for (size_t i = 0; i < num; i++) {
		if (pid[i] <= 0)
			return set_error(
				base::Status::INVALID_ARGUMENT,
				fmt::format("pid[{}] is {}; it must be what aclrtDeviceGetBareTgid "
					    "gives in the other process",
					    i, pid[i]));
		pids.push_back(static_cast<uint32_t>(pid[i]));
	}
	return pids;
}

} // namespace umd
