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

/** refuse_memory() - sets the error message @what for a failed allocation. If a quota of the firmware is the
 * reason, the message says so. Return: @status, NO_MEMORY for QUOTA. */
base::Status refuse_memory(drv::Device &device, base::Status status, const std::string &what);

/** malloc_device() - allocates device memory. @padding: extra bytes after @bytes, which the program did not
 * ask for. With UNPU_CHECK an access to them is reported as a mistake. */
base::Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
			   void **out);
base::Status malloc_host(Context &context, uint64_t bytes, void **out);

/** set_memory_node() - sets the NUMA node for allocations of the calling thread; -1: the node of the device.
 * Return: INVALID_ARGUMENT if the node gives this process no memory; sets the error message. */
base::Status set_memory_node(int32_t node);

/** free_memory() - @place: the kind of memory that the caller expects; the address gives the device.
 * @after: fences of that device that have to pass before the memory is used again, in addition to the fences
 * of its own work */
base::Status free_memory(void *address, drv::Place place, std::vector<drv::Fence> after = {});

} // namespace umd
