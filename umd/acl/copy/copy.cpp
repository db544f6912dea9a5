// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL copies and fills
 */
#include "umd/core/copy/copy.h"
#include "base/hot_path.h"
#include "drv/device.h"
#include "kind.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/host_copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/memory/released.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::Side;

static bool is_known(aclrtMemcpyKind kind)
{
	return kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE;
}

static Status check_kind(aclrtMemcpyKind kind)
{
	if (is_known(kind))
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("kind is {}; it must be 0 to 7", static_cast<int>(kind)));
}

static Status check_ends(const void *dst, const void *src)
{
	if (!dst)
		return null_argument("dst");
	return src ? Status::OK : null_argument("src");
}

/* Slow path of check_copy(): an argument is wrong, or strict mode is on. */
[[gnu::noinline]] static Status look_at_copy(const char *call, const void *dst, size_t destMax,
					     const void *src, size_t count, aclrtMemcpyKind kind)
{
	TRY(check_ends(dst, src));
	TRY(check_kind(kind));
	if (count <= destMax) {
		TRY(umd::check_memory_of_copy(call, dst, count, src, count, kind));
		return umd::check::is_on() ? umd::check_overlap(call, dst, src, count) : Status::OK;
	}
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("count is {}, which is more than destMax ({})", count, destMax));
}

static inline Status check_copy(const char *call, const void *dst, size_t destMax, const void *src,
				size_t count, aclrtMemcpyKind kind)
{
	/* In strict mode this number is larger than that of any kind. */
	const uint32_t number = static_cast<uint32_t>(kind) | base::load_relaxed(umd::check::mode);
	if (dst && src && number <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE && count <= destMax)
		[[likely]]
		return Status::OK;
	return look_at_copy(call, dst, destMax, src, count, kind);
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
	if (count == 0)
		return ACL_SUCCESS;
	TRY(check_copy("aclrtMemcpy", dst, destMax, src, count, kind));
	auto context = TRY(Contexts::get().current());
	if (dst == src)
		return ACL_SUCCESS;
	return acl_return(umd::copy_now(context, "aclrtMemcpy", dst, src, count));
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
			  aclrtMemcpyKind kind, aclrtStream stream)
{
	if (count == 0)
		return ACL_SUCCESS;
	Status status = check_copy("aclrtMemcpyAsync", dst, destMax, src, count, kind);
	if (status != Status::OK) [[unlikely]]
		return acl_return(status);
	auto found = TRY(umd::find_stream(stream, true));
	if (kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) [[unlikely]]
		return acl_return(umd::copy_staged(*found, dst, src, count));
	return acl_return(umd::copy_async(*found, dst, src, count));
}

/* Every copy checks on which side its memory is, so the variant with a condition checks nothing
 * more. */
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count,
				       aclrtMemcpyKind kind, aclrtStream stream)
{
	return aclrtMemcpyAsync(dst, destMax, src, count, kind, stream);
}

static Status check_pitch(const char *name, size_t pitch, size_t width)
{
	if (width <= pitch)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("width is {}, which is more than {} ({})", width, name, pitch));
}

static Status check_rows_kind(aclrtMemcpyKind kind, bool asynchronous)
{
	switch (kind) {
	case ACL_MEMCPY_HOST_TO_DEVICE:
	case ACL_MEMCPY_DEVICE_TO_HOST:
	case ACL_MEMCPY_DEFAULT:
		return Status::OK;
	case ACL_MEMCPY_DEVICE_TO_DEVICE:
	case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
	case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
		if (asynchronous)
			return Status::OK;
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("kind is {}; aclrtMemcpy2dAsync copies rows on the "
					     "device, aclrtMemcpy2d between host and device",
					     static_cast<int>(kind)));
	default:
		return set_error(Status::INVALID_ENUM,
				 fmt::format("kind is {}; rows are copied from host to device "
					     "(1), from device to host (2){} or by DEFAULT (4)",
					     static_cast<int>(kind),
					     asynchronous ? ", on the device (3)" : ""));
	}
}

static Status check_rows(const umd::Box &box, aclrtMemcpyKind kind, bool asynchronous)
{
	TRY(check_ends(box.dst, box.src));
	TRY(check_rows_kind(kind, asynchronous));
	TRY(check_pitch("dpitch", box.dst_pitch, box.width));
	return check_pitch("spitch", box.src_pitch, box.width);
}

static Status check_memory_of_rows(const char *call, const umd::Box &box, aclrtMemcpyKind kind)
{
	if (!umd::check::is_on()) [[likely]]
		return Status::OK;
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(umd::reaches_of(box, dst_bytes, src_bytes));
	return umd::check_memory_of_copy(call, box.dst, dst_bytes, box.src, src_bytes, kind);
}

/* The limits of the copy engine of real hardware. */
static Status check_limits(const umd::Box &box)
{
	constexpr uint64_t MOST_BYTES = 5000000;
	constexpr uint64_t MOST_ROWS = 5242880;
	if (box.width <= MOST_BYTES && box.height <= MOST_ROWS)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{} rows of {} bytes are too many; at most {} rows of {} bytes "
			    "are copied",
			    box.height, box.width, MOST_ROWS, MOST_BYTES));
}

static Status check_sides(const umd::Box &box)
{
	Side to = umd::side_of(box.dst);
	Side from = umd::side_of(box.src);
	if (to == Side::MANAGED || from == Side::MANAGED || to != from)
		return Status::OK;
	TRY(umd::ReleasedMemory::check("dst", box.dst));
	TRY(umd::ReleasedMemory::check("src", box.src));
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("dst and src are both {} memory; aclrtMemcpy2d copies between "
				     "host and device{}",
				     to == Side::HOST ? "host" : "device",
				     to == Side::HOST ? "" : ", aclrtMemcpy2dAsync on the device"));
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
		       size_t height, aclrtMemcpyKind kind)
{
	if (width == 0 || height == 0)
		return ACL_SUCCESS;
	umd::Box box{dst, dpitch, 0, src, spitch, 0, width, height, 1};
	TRY(check_rows(box, kind, false));
	TRY(check_memory_of_rows("aclrtMemcpy2d", box, kind));
	auto context = TRY(Contexts::get().current());
	TRY(check_sides(box));
	return acl_return(umd::copy_box_now(context, "aclrtMemcpy2d", box));
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			    size_t height, aclrtMemcpyKind kind, aclrtStream stream)
{
	if (width == 0 || height == 0)
		return ACL_SUCCESS;
	umd::Box box{dst, dpitch, 0, src, spitch, 0, width, height, 1};
	TRY(check_rows(box, kind, true));
	TRY(check_limits(box));
	TRY(check_memory_of_rows("aclrtMemcpy2dAsync", box, kind));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::copy_box_async(*found, box));
}

static Status check_fill(const char *call, const void *devPtr, size_t maxCount, size_t count)
{
	if (!devPtr)
		return null_argument("devPtr");
	if (count > maxCount)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("count is {}, which is more than maxCount ({})", count,
					     maxCount));
	if (umd::check::is_on()) [[unlikely]]
		return umd::check_memory_of_fill(call, devPtr, count);
	return Status::OK;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
	if (count == 0)
		return ACL_SUCCESS;
	TRY(check_fill("aclrtMemset", devPtr, maxCount, count));
	auto context = TRY(Contexts::get().current());
	return acl_return(umd::fill_now(context, "aclrtMemset", devPtr, count,
					static_cast<uint8_t>(value), 1));
}

HOT_PATH aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
				   aclrtStream stream)
{
	if (count == 0)
		return ACL_SUCCESS;
	TRY(check_fill("aclrtMemsetAsync", devPtr, maxCount, count));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::fill_async(*found, devPtr, count, static_cast<uint8_t>(value), 1));
}

static Status check_words(const char *call, const void *ptr, size_t memSize, size_t count)
{
	if (!ptr)
		return null_argument("ptr");
	if (reinterpret_cast<uintptr_t>(ptr) % sizeof(uint32_t) != 0)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("ptr is {}; it must be aligned to 4 bytes", fmt::ptr(ptr)));
	if (count > memSize / sizeof(uint32_t))
		return set_error(Status::INVALID_ENUM,
				 fmt::format("N is {}; {} words fit in memSize ({} bytes)", count,
					     memSize / sizeof(uint32_t), memSize));
	drv::Place place;
	const umd::DeviceHold device = Devices::get().locate(ptr, place);
	const auto start = reinterpret_cast<uint64_t>(ptr);
	const uint64_t bytes = count * sizeof(uint32_t);
	/* Registered memory is possible, too: if the device can't access it, the host fills it. */
	if (device && (device->memory().covers(start, bytes) ||
		       device->memory().registered(start, bytes, UNPU_ACCESS_WRITE)))
		return umd::check::is_on() ? umd::check::check_end(call, "ptr", ptr, bytes)
					   : Status::OK;
	TRY(umd::ReleasedMemory::check("ptr", ptr, Status::INVALID_ENUM));
	return set_error(Status::INVALID_ENUM,
			 fmt::format("ptr {} is not {} words of memory from aclrtMalloc or "
				     "aclrtMallocHost, nor of registered memory",
				     fmt::ptr(ptr), count));
}

aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N)
{
	if (N == 0)
		return ACL_SUCCESS;
	TRY(check_words("aclrtMemsetD32", ptr, memSize, N));
	auto context = TRY(Contexts::get().current());
	return acl_return(umd::fill_now(context, "aclrtMemsetD32", ptr, N * sizeof(uint32_t), value,
					sizeof(uint32_t)));
}

aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N,
			     aclrtStream stream)
{
	if (N == 0)
		return ACL_SUCCESS;
	TRY(check_words("aclrtMemsetD32Async", ptr, memSize, N));
	auto found = TRY(umd::find_stream(stream, true));
	/* Fill host memory before the call returns. In a capture the fill becomes a task instead,
	 * because it runs each time the captured graph runs. */
	if (umd::side_of(ptr) == Side::HOST && !umd::capturing(*found)) {
		auto context = TRY(Contexts::get().current());
		return acl_return(umd::fill_now(context, "aclrtMemsetD32Async", ptr,
						N * sizeof(uint32_t), value, sizeof(uint32_t)));
	}
	return acl_return(umd::fill_async(*found, ptr, N * sizeof(uint32_t), value,
					  sizeof(uint32_t), umd::Call::MEMSET_D32_ASYNC));
}
