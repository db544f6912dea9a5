// SPDX-License-Identifier: MIT
/**
 * DOC: Copies and allocations
 *
 * The direction of a copy follows from its addresses. Synchronous copies go through the client's own
 * mapping of its device segments and wait for nothing; asynchronous ones are packets, unless one end
 * is memory that the device can't reach.
 */
#include "umd/memory.h"

#include <cstring>

#include <fmt/format.h>

#include "drv/cookie.h"
#include "drv/packets.h"
#include "umd/error.h"
#include "umd/runtime.h"
#include "umd/stream.h"

namespace umd {

using base::Status;
using drv::Place;

uint64_t free_device_bytes(Context &context)
{
	drv::Device &device = context.device();
	device.reap();
	return device.hal().bar().memory_bytes - device.memory().in_use_bytes(Place::DEVICE);
}

static Status allocate(Context &context, Place place, uint64_t bytes, uint64_t padding,
		       unpu_page_kind wish, void **out)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	const char *kind = place == Place::DEVICE ? "device" : "pinned host";
	std::string why;
	if (bytes <= MOST) {
		auto bo = context.device().memory().allocate(place, bytes + padding, wish, why);
		if (bo) {
			*out = reinterpret_cast<void *>(bo->va);
			return Status::OK;
		}
		if (bo.status() != Status::NO_MEMORY)
			return set_error(bo.status(), fmt::format("{} bytes of {} memory: {}",
								  bytes, kind, why));
	}
	return set_error(
		Status::NO_MEMORY,
		fmt::format("{} bytes of {} memory are not to be had in one piece; the device has "
			    "{} bytes in all, {} of them free, and the process may be out of "
			    "memory, mappings or files",
			    bytes, kind, context.device().hal().bar().memory_bytes,
			    free_device_bytes(context)));
}

Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
		     void **out)
{
	return allocate(context, Place::DEVICE, bytes, padding, wish, out);
}

Status malloc_host(Context &context, uint64_t bytes, void **out)
{
	return allocate(context, Place::PINNED, bytes, 0, UNPU_PAGE_THP, out);
}

Status free_memory(void *address, Place place)
{
	Place found;
	DeviceState *state = Runtime::get().locate(address, found);
	Status status = Status::INVALID_ARGUMENT;
	if (state && found == place)
		status = state->device->memory().free(place, reinterpret_cast<uint64_t>(address));
	if (status != Status::OK) {
		TRY(Runtime::get().check_fork());
		const char *call = place == Place::DEVICE ? "aclrtMalloc" : "aclrtMallocHost";
		const char *hint =
			!state		 ? "it is ordinary memory of the program"
			: found == place ? "it was freed already, or points into an allocation"
			: found == Place::DEVICE ? "it is device memory; use aclrtFree"
						 : "it is pinned host memory; use aclrtFreeHost";
		return set_error(status, fmt::format("{} did not come from {}: {}",
						     fmt::ptr(address), call, hint));
	}
	Runtime::get().close_idle(*state);
	return Status::OK;
}

/* Where the host can touch a range: the range itself, or its place in the aperture. */
static std::byte *host_view(const void *address, uint64_t bytes)
{
	Place place;
	DeviceState *state = Runtime::get().locate(address, place);
	auto value = reinterpret_cast<uint64_t>(address);
	if (state && !state->device->memory().covers(value, bytes))
		return nullptr;
	if (state)
		return state->device->space().aperture(value, bytes);
	return reinterpret_cast<std::byte *>(value);
}

static Status refuse_range(const char *name, const void *address, uint64_t bytes)
{
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{}: the {} bytes from {} are not inside one live allocation",
				     name, bytes, fmt::ptr(address)));
}

Status copy_now(Context &context, void *dst, const void *src, uint64_t bytes)
{
	TRY(check_unsafe(context, "aclrtMemcpy"));
	std::byte *to = host_view(dst, bytes);
	const std::byte *from = host_view(src, bytes);
	if (!to)
		return refuse_range("dst", dst, bytes);
	if (!from)
		return refuse_range("src", src, bytes);
	memmove(to, from, bytes);
	return Status::OK;
}

Status fill_now(Context &context, void *dst, uint8_t value, uint64_t bytes)
{
	TRY(check_unsafe(context, "aclrtMemset"));
	std::byte *to = host_view(dst, bytes);
	if (!to)
		return refuse_range("devPtr", dst, bytes);
	memset(to, value, bytes);
	return Status::OK;
}

/* A capture can't hold a copy that the host does itself. */
static Status refuse_pageable(Stream &stream)
{
	if (capturing(stream))
		return set_error(
			Status::CAPTURE_PAGEABLE,
			"an asynchronous copy in a capture needs memory from aclrtMallocHost or "
			"aclrtMalloc at both ends");
	Status status = check_unsafe(*stream.context, "aclrtMemcpyAsync with pageable memory");
	return status == Status::CAPTURE_MODE ? Status::CAPTURE_BLOCK_ASYNC : status;
}

static bool in_device(drv::Device &device, const void *address, uint64_t bytes, Place &place)
{
	auto value = reinterpret_cast<uint64_t>(address);
	place = device.space().place(value);
	return place != Place::OUTSIDE && device.memory().covers(value, bytes);
}

Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes)
{
	drv::Device &device = stream.context->device();
	Place to;
	Place from;
	bool dst_here = in_device(device, dst, bytes, to);
	bool src_here = in_device(device, src, bytes, from);
	if (to != Place::DEVICE && from != Place::DEVICE) {
		Place elsewhere;
		if (!(Runtime::get().locate(dst, elsewhere) && elsewhere == Place::DEVICE) &&
		    !(Runtime::get().locate(src, elsewhere) && elsewhere == Place::DEVICE))
			return set_error(
				Status::NOT_SUPPORTED,
				"an asynchronous copy from host memory to host memory is not "
				"supported; use aclrtMemcpy or memcpy");
	}
	if (to != Place::OUTSIDE && !dst_here)
		return refuse_range("dst", dst, bytes);
	if (from != Place::OUTSIDE && !src_here)
		return refuse_range("src", src, bytes);
	if (dst_here && src_here) [[likely]] {
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_ASYNC));
		return enqueue(stream, drv::copy_packet(cookie, reinterpret_cast<uint64_t>(dst),
							reinterpret_cast<uint64_t>(src), bytes));
	}
	TRY(refuse_pageable(stream));
	auto tail = stream_tail(stream);
	if (!tail)
		return set_error(tail.status(), base::status_sentence(tail.status()));
	TRY(device.wait(*tail, base::NO_DEADLINE));
	std::byte *target = host_view(dst, bytes);
	const std::byte *source = host_view(src, bytes);
	if (!target || !source)
		return refuse_range(target ? "src" : "dst", target ? src : dst, bytes);
	memmove(target, source, bytes);
	return Status::OK;
}

Status fill_async(Stream &stream, void *dst, uint8_t value, uint64_t bytes)
{
	Place place;
	if (!in_device(stream.context->device(), dst, bytes, place))
		return place == Place::OUTSIDE
			       ? set_error(
					 Status::INVALID_ARGUMENT,
					 fmt::format(
						 "devPtr {} is not memory of the device, nor from "
						 "aclrtMallocHost",
						 fmt::ptr(dst)))
			       : refuse_range("devPtr", dst, bytes);
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMSET_ASYNC));
	return enqueue(stream,
		       drv::fill_packet(cookie, reinterpret_cast<uint64_t>(dst), bytes, value, 1));
}

} // namespace umd
