// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "drv/device.h"
#include "umd/core/object/context_object.h"

namespace umd {

/** device_bytes() - all device memory that this process can have, in bytes. */
uint64_t device_bytes(drv::Device &device);

/** free_device_bytes() - device memory that no live allocation uses, in bytes. */
uint64_t free_device_bytes(Context &context);

/** refuse_memory() - sets the sentence @what for a failed allocation, and mentions a quota of the firmware
 * if that is the reason. Return: @status, NO_MEMORY for QUOTA. */
base::Status refuse_memory(drv::Device &device, base::Status status, const std::string &what);

/** malloc_device() - allocates device memory. @padding: extra bytes behind @bytes, which the program did not ask
 * for; with UNPU_CHECK an access to them is a mistake. */
base::Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
			   void **out);
base::Status malloc_host(Context &context, uint64_t bytes, void **out);

/** set_memory_node() - sets the NUMA node for allocations of the calling thread; -1: that of the device.
 * Return: INVALID_ARGUMENT, with a sentence, for a node that gives this process no memory. */
base::Status set_memory_node(int32_t node);

/** free_memory() - @place: the kind of memory that the caller expects; the address gives the device.
 * @after: fences of that device that have to pass, beside those of its own work, before the memory is used again */
base::Status free_memory(void *address, drv::Place place, std::vector<drv::Fence> after = {});

} // namespace umd
