// SPDX-License-Identifier: MIT
/**
 * DOC: Kinds of copies
 *
 * Here the addresses of a copy determine its direction, so a wrong kind does no harm. On real hardware it
 * may.
 */
#include "kind.h"

#include "drv/device.h"
#include "umd/acl/front.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/released.h"

namespace umd {

using base::Status;

static const char *name_of(aclrtMemcpyKind kind)
{
	switch (kind) {
	case ACL_MEMCPY_HOST_TO_HOST:
		return "ACL_MEMCPY_HOST_TO_HOST";
	case ACL_MEMCPY_HOST_TO_DEVICE:
		return "ACL_MEMCPY_HOST_TO_DEVICE";
	case ACL_MEMCPY_DEVICE_TO_HOST:
		return "ACL_MEMCPY_DEVICE_TO_HOST";
	case ACL_MEMCPY_DEVICE_TO_DEVICE:
		return "ACL_MEMCPY_DEVICE_TO_DEVICE";
	case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
		return "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE";
	case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
		return "ACL_MEMCPY_INNER_DEVICE_TO_DEVICE";
	case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
		return "ACL_MEMCPY_INTER_DEVICE_TO_DEVICE";
	default:
		return "ACL_MEMCPY_DEFAULT";
	}
}

static const char *name_of(Side side)
{
	return side == Side::DEVICE ? "device" : side == Side::HOST ? "host" : "managed";
}

static aclrtMemcpyKind kind_of(bool to_device, bool from_device)
{
	if (to_device)
		return from_device ? ACL_MEMCPY_DEVICE_TO_DEVICE : ACL_MEMCPY_HOST_TO_DEVICE;
	return from_device ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_HOST;
}

/* Managed memory is on both sides. */
static bool fits(Side side, bool is_device)
{
	return side == Side::MANAGED || (side == Side::DEVICE) == is_device;
}

Status compare_kind(const char *call, const void *dst, const void *src, aclrtMemcpyKind kind)
{
	if (kind == ACL_MEMCPY_DEFAULT)
		return Status::OK;
	const Side to = side_of(dst);
	const Side from = side_of(src);
	const bool to_device = kind != ACL_MEMCPY_HOST_TO_HOST && kind != ACL_MEMCPY_DEVICE_TO_HOST;
	const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST ||
				 kind == ACL_MEMCPY_DEVICE_TO_DEVICE ||
				 kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE ||
				 kind == ACL_MEMCPY_INTER_DEVICE_TO_DEVICE;
	if (fits(to, to_device) && fits(from, from_device))
		return Status::OK;
	TRY(ReleasedMemory::check("dst", dst));
	TRY(ReleasedMemory::check("src", src));
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: kind is {}, but dst {} is {} memory and src {} is {} memory; the "
			    "kind for these is {}",
			    call, name_of(kind), dst, name_of(to), src, name_of(from),
			    name_of(kind_of(to == Side::DEVICE, from == Side::DEVICE))));
}

Status check_overlap(const char *call, const void *dst, const void *src, uint64_t bytes)
{
	const auto to = reinterpret_cast<uint64_t>(dst), from = reinterpret_cast<uint64_t>(src);
	const uint64_t apart = to > from ? to - from : from - to;
	if (apart == 0 || apart >= bytes)
		return Status::OK;
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: dst {} and src {} share {} of the {} bytes; this device copies as "
			    "memmove() does, and others may not; copy to other memory first",
			    call, dst, src, bytes - apart, bytes));
}

Status check_memory_of_fill(const char *call, const void *address, uint64_t bytes)
{
	drv::Place place;
	if (Devices::get().locate(address, place))
		return check::check_end(call, "devPtr", address, bytes);
	TRY(ReleasedMemory::check("devPtr", address));
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: devPtr {} is ordinary host memory; a device fills "
			    "memory of aclrtMalloc, and the host its own with memset()",
			    call, address));
}

} // namespace umd
