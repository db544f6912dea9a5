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

/** host_copy() - makes a copy that the host performs each time a stream or a graph reaches it. Each end is in
 * live memory of any device, or in the program's memory. If an end is registered memory, the copy fails after
 * the registration has ended. Return: INVALID_ARGUMENT as reaches_of(). */
base::Result<std::shared_ptr<const HostWork>> host_copy(const Box &box);

/** host_fill() - makes such a fill of registered memory. Parameters: as fill_async(). */
std::shared_ptr<const HostWork> host_fill(void *dst, uint64_t bytes, uint32_t pattern,
					  uint32_t width);

/** staged_copy() - makes a copy to @dst of the present contents of @from. Return: NO_MEMORY; sets the error
 * message. */
base::Result<std::shared_ptr<const HostWork>> staged_copy(void *dst, const HostView &from,
							  uint64_t bytes);

/** find_copied(), find_filled() - tell what the work copies or fills. A staged copy counts as a fill; its
 * pattern 0 stands for any bytes.
 * Return: false for other work. */
bool find_copied(const HostWork &work, Box &box);
bool find_filled(const HostWork &work, unpu_fill &fill);

} // namespace umd
