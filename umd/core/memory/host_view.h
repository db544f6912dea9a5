// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "umd/core/device/device_state.h"

namespace drv {
struct Chunk;
} // namespace drv

namespace umd {

/** struct HostView - the host's access to a memory range. The device stays open as long as this view exists
 * and the caller holds the context for which it was made. */
struct HostView {
	drv::Device *device = nullptr; /* owner of the memory; nullptr: the program's own memory */
	DeviceHold other;	       /* holds @device, unless the context does */
	HazardPointer chunk; /* keeps @view mapped when another thread frees or unmaps the memory */
	std::byte *view = nullptr; /* nullptr: only the device can access it */
	uint64_t address = 0;
};

/** refuse_range() - refuses a device address that is not inside a live allocation that allows the access.
 * Return: INVALID_ARGUMENT; sets the error message.
 * @name: name of the argument */
base::Status refuse_range(const char *name, const void *address, uint64_t bytes);

/** keep_chunk() - keeps the chunk at the address mapped as long as @view exists. @view: its device and
 * address are set.
 * Return: the chunk; nullptr: there is none. */
const drv::Chunk *keep_chunk(HostView &view);

/** view_range() - the address at which the host accesses a range: its own, or one in the aperture.
 * @context: held by the caller
 * @name: name of the argument, for the error message
 * @access: UNPU_ACCESS_*
 * Return: INVALID_ARGUMENT for a device address that is not inside one live allocation that allows
 * @access. */
base::Status view_range(const Context &context, const char *name, const void *address,
			uint64_t bytes, uint32_t access, HostView &view);

/** view_range() - the same for a thread without a context. */
base::Status view_range(const char *name, const void *address, uint64_t bytes, uint32_t access,
			HostView &view);

/** host_view() - the view of memory of the library. */
HostView host_view(void *address);

/** move_bytes() - the calling thread copies; the device copies memory that the host can't access.
 * Waits for no stream. Return: DEVICE_LOST, NO_MEMORY. */
base::Status move_bytes(const HostView &to, uint64_t to_offset, const HostView &from,
			uint64_t from_offset, uint64_t bytes);

/** fill_bytes() - the same with a repeated pattern of 1, 2 or 4 bytes. */
base::Status fill_bytes(const HostView &to, uint64_t bytes, uint32_t pattern, uint32_t width);

} // namespace umd
