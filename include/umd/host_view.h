// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "umd/device_state.h"

namespace umd {

/** struct HostView - the host's access to a memory range. The device stays open as long as this view exists
 * and the caller holds the context for which it was made. */
struct HostView {
	drv::Device *device = nullptr; /* owner of the memory; nullptr: the program's own memory */
	DeviceHold other;	       /* holds @device, unless the context does */
	std::byte *view = nullptr;     /* nullptr: only the device can access it */
	uint64_t address = 0;
};

/** refuse_range() - INVALID_ARGUMENT and its sentence: a device's address, but of no live allocation
 * that allows the access.
 * @name: of the argument */
base::Status refuse_range(const char *name, const void *address, uint64_t bytes);

/** view_range() - where the host reaches a range: the range itself, or its place in the aperture.
 * @context: is held
 * @name: of the argument, for the sentence
 * @access: UNPU_ACCESS_*
 * Return: INVALID_ARGUMENT when it is an address of a device and not inside one live allocation that
 * allows @access. */
base::Status view_range(const Context &context, const char *name, const void *address,
			uint64_t bytes, uint32_t access, HostView &view);

/** view_range() - the same for a thread without a context. */
base::Status view_range(const char *name, const void *address, uint64_t bytes, uint32_t access,
			HostView &view);

/** move_bytes() - the calling thread copies, or has the device move what the host does not reach.
 * Waits for no stream. Return: DEVICE_LOST, NO_MEMORY. */
base::Status move_bytes(const HostView &to, uint64_t to_offset, const HostView &from,
			uint64_t from_offset, uint64_t bytes);

/** fill_bytes() - the same with a repeated pattern of 1, 2 or 4 bytes. */
base::Status fill_bytes(const HostView &to, uint64_t bytes, uint32_t pattern, uint32_t width);

} // namespace umd
