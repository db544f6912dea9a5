// SPDX-License-Identifier: MIT
/**
 * DOC: Memory as the host sees it
 *
 * The host accesses ordinary and pinned memory at its address, and device memory through the aperture. Some
 * imported memory is not in the aperture; its device copies it for the host.
 */
#include "host_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/copy/copy.h"
#include "base/copy/fill.h"
#include "base/os/mapped.h"
#include "drv/device.h"
#include "nearest.h"
#include "released.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

Status refuse_range(const char *name, const void *address, uint64_t bytes)
{
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: the {} bytes from {} are not inside one live allocation: "
			    "{}",
			    name, bytes, fmt::ptr(address),
			    check::tell_nearest(reinterpret_cast<uint64_t>(address), bytes)));
}

static Status refuse_unmapped(const char *name, uint64_t bytes, uint64_t address)
{
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: the program has unmapped some of the {} bytes from {}, which "
			    "are registered; end the registration with $host_unregister",
			    name, bytes, reinterpret_cast<const void *>(address)));
}

const drv::Chunk *keep_chunk(HostView &view)
{
	const drv::AddressSpace &space = view.device->space();
	const drv::Chunk *chunk = space.find(view.address);
	while (chunk) {
		view.chunk.set(chunk);
		/* G1: the mark of a chunk is that the space does not find it any more. */
		const drv::Chunk *again = space.find(view.address);
		if (again == chunk)
			return chunk;
		chunk = again;
	}
	view.chunk.clear();
	return nullptr;
}

/* Checks a range and finds where the host accesses it. @view: the caller has set device and address. */
static Status find_view(const char *name, uint64_t bytes, uint32_t access, HostView &view)
{
	if (view.device->space().adopted(view.address)) {
		/* This is memory of the program. A part of it may be registered. */
		if (!base::is_mapped(view.address, bytes))
			return refuse_unmapped(name, bytes, view.address);
		view.device = nullptr;
		view.view = reinterpret_cast<std::byte *>(view.address);
		return Status::OK;
	}
	const drv::Chunk *chunk = keep_chunk(view);
	if (!chunk || !view.device->memory().covers(view.address, bytes, access))
		return refuse_range(name, reinterpret_cast<const void *>(view.address), bytes);
	view.view = chunk->aperture(view.address, bytes);
	return Status::OK;
}

/* For an address outside the context's device. @other: the device that has it, none for ordinary memory. */
static Status find_other(DeviceHold other, const char *name, uint64_t bytes, uint32_t access,
			 HostView &view)
{
	view.other = std::move(other);
	if (!view.other) [[likely]] {
		TRY(ReleasedMemory::check(name, reinterpret_cast<const void *>(view.address)));
		view.view = reinterpret_cast<std::byte *>(view.address);
		return Status::OK;
	}
	view.device = &*view.other;
	return find_view(name, bytes, access, view);
}

Status view_range(const Context &context, const char *name, const void *address, uint64_t bytes,
		  uint32_t access, HostView &view)
{
	view.address = reinterpret_cast<uint64_t>(address);
	drv::Place place = context.device().space().place(view.address);
	if (place == drv::Place::OUTSIDE)
		return find_other(Devices::get().locate_beside(*context.open, address, place), name,
				  bytes, access, view);
	view.device = &context.device();
	return find_view(name, bytes, access, view);
}

Status view_range(const char *name, const void *address, uint64_t bytes, uint32_t access,
		  HostView &view)
{
	drv::Place place;
	view.address = reinterpret_cast<uint64_t>(address);
	return find_other(Devices::get().locate(address, place), name, bytes, access, view);
}

HostView host_view(void *address)
{
	HostView view;
	view.view = static_cast<std::byte *>(address);
	view.address = reinterpret_cast<uint64_t>(address);
	return view;
}

/* Copies in pieces through a host buffer: the host has no view of either device's memory. */
static Status relay(drv::Device &to, uint64_t dst, drv::Device &from, uint64_t src, uint64_t bytes)
{
	std::vector<std::byte> piece(std::min<uint64_t>(bytes, uint64_t{1} << 20));
	for (uint64_t done = 0; done < bytes; done += piece.size()) {
		uint64_t part = std::min<uint64_t>(piece.size(), bytes - done);
		TRY(from.stager().read(piece.data(), src + done, part));
		TRY(to.stager().write(dst + done, piece.data(), part));
	}
	return Status::OK;
}

static drv::Stager &stager_of(const HostView &view)
{
	return view.device->stager();
}

static Status told(Status status, uint64_t bytes)
{
	if (status == Status::OK)
		return status;
	return set_error(status, fmt::format("the device could not move {} bytes for the host: {}",
					     bytes, base::status_sentence(status)));
}

/* The program may have unmapped registered memory under a copy. */
static Status check_kept(const base::UnmapGuard &guard, const char *name, const std::byte *data,
			 uint64_t bytes)
{
	const bool is_own = guard.lost_at() - reinterpret_cast<uint64_t>(data) < bytes;
	if (!is_own && !guard.has_lost(data)) [[likely]]
		return Status::OK;
	return refuse_unmapped(name, bytes, reinterpret_cast<uint64_t>(data));
}

Status move_bytes(const HostView &to, uint64_t to_offset, const HostView &from,
		  uint64_t from_offset, uint64_t bytes)
{
	if (to.view && from.view) [[likely]] {
		const base::UnmapGuard guard;
		base::copy_bytes(to.view + to_offset, from.view + from_offset, bytes);
		TRY(check_kept(guard, "dst", to.view + to_offset, bytes));
		return check_kept(guard, "src", from.view + from_offset, bytes);
	}
	uint64_t dst = to.address + to_offset;
	uint64_t src = from.address + from_offset;
	if (from.view)
		return told(stager_of(to).write(dst, from.view + from_offset, bytes), bytes);
	if (to.view)
		return told(stager_of(from).read(to.view + to_offset, src, bytes), bytes);
	if (to.device == from.device)
		return told(stager_of(to).copy(dst, src, bytes), bytes);
	return told(relay(*to.device, dst, *from.device, src, bytes), bytes);
}

Status fill_bytes(const HostView &to, uint64_t bytes, uint32_t pattern, uint32_t width)
{
	if (!to.view)
		return told(stager_of(to).fill(to.address, bytes, pattern, width), bytes);
	const base::UnmapGuard guard;
	base::fill_pattern(to.view, bytes, pattern, width);
	return check_kept(guard, "ptr", to.view, bytes);
}

} // namespace umd
