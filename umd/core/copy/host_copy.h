// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "umd/core/memory/host_view.h"
#include "umd/core/task/box.h"
#include "umd/core/task/host_function.h"

namespace umd {

/** copy_rows() - the calling thread copies all rows of @box. Return: as move_bytes(). */
base::Status copy_rows(const Box &box, const HostView &to, const HostView &from);

/** is_registered() - whether the program registered all of [@address, @address + @bytes), for any device.
 * @access: UNPU_ACCESS_* that it has to allow */
bool is_registered(const void *address, uint64_t bytes, uint32_t access);

/** host_copy() - a copy that the host makes each time a stream or a graph comes to it. The ends are in live
 * memory of any device, or in the program's memory. The copy fails once an end that is registered now is not any
 * more. Return: INVALID_ARGUMENT as reaches_of(). */
base::Result<std::shared_ptr<const HostWork>> host_copy(const Box &box);

/** host_fill() - likewise a fill of registered memory. Parameters: as fill_async(). */
std::shared_ptr<const HostWork> host_fill(void *dst, uint64_t bytes, uint32_t pattern,
					  uint32_t width);

/** staged_copy() - a copy to @dst of what @from has now. Return: NO_MEMORY, with the sentence set. */
base::Result<std::shared_ptr<const HostWork>> staged_copy(void *dst, const HostView &from,
							  uint64_t bytes);

/** find_copied(), find_filled() - what the work copies or fills; a staged copy fills, with pattern 0 for any bytes.
 * Return: false for other work. */
bool find_copied(const HostWork &work, Box &box);
bool find_filled(const HostWork &work, unpu_fill &fill);

} // namespace umd
