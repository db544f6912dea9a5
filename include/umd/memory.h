// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "drv/device.h"
#include "umd/context.h"

namespace umd {

struct Stream;

/** free_device_bytes() - device memory that no live object takes. */
uint64_t free_device_bytes(Context &context);

/** malloc_device() - device memory. @padding: extra bytes a program may overrun. */
base::Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
			   void **out);
base::Status malloc_host(Context &context, uint64_t bytes, void **out);

/** free_memory() - @place says what kind the caller took it for; the device is found by address. */
base::Status free_memory(void *address, drv::Place place);

/** copy_now() - host copies through the aperture; waits for no stream.
 * Return: INVALID_ARGUMENT for a device range outside every allocation. */
base::Status copy_now(Context &context, void *dst, const void *src, uint64_t bytes);

/** copy_async() - stream-ordered; with pageable memory the stream is drained first and the copy is
 * done when the call returns. */
base::Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes);

base::Status fill_now(Context &context, void *dst, uint8_t value, uint64_t bytes);
base::Status fill_async(Stream &stream, void *dst, uint8_t value, uint64_t bytes);

} // namespace umd
