// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "drv/device.h"
#include "umd/context.h"

namespace umd {

/** device_bytes() - device memory that this process can have, in all. */
uint64_t device_bytes(drv::Device &device);

/** free_device_bytes() - device memory that no live object takes. */
uint64_t free_device_bytes(Context &context);

/** refuse_memory() - sets the sentence @what for memory that is not to be had; where a quota of the
 * firmware is in the way it says so. Return: @status, NO_MEMORY for QUOTA. */
base::Status refuse_memory(drv::Device &device, base::Status status, const std::string &what);

/** malloc_device() - device memory. @padding: extra bytes a program may overrun. */
base::Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
			   void **out);
base::Status malloc_host(Context &context, uint64_t bytes, void **out);

/** set_memory_node() - NUMA node that the calling thread's allocations come from; -1: the device's.
 * Return: INVALID_ARGUMENT, with a sentence, for a node that gives this process no memory. */
base::Status set_memory_node(int32_t node);

/** free_memory() - @place says what kind the caller took it for; the device is found by address. */
base::Status free_memory(void *address, drv::Place place);

} // namespace umd
