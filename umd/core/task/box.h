// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace umd {

struct GraphTask;

/** struct Box - a copy of @height rows of @width bytes in each of @depth slices; none of them is 0. The
 * pitch is the distance between rows, the slice that between slices, both in bytes. */
struct Box {
	void *dst;
	uint64_t dst_pitch;
	uint64_t dst_slice;
	const void *src;
	uint64_t src_pitch;
	uint64_t src_slice;
	uint64_t width;
	uint64_t height;
	uint64_t depth;
};

/** copied_box(), filled_range() - what a task copies or fills, whether the device or the host does it.
 * Return: false for a task of another kind. */
bool copied_box(const GraphTask &task, Box &box);
bool filled_range(const GraphTask &task, unpu_fill &fill);

/** number() - an address as a number. */
inline uint64_t number(const void *address)
{
	return reinterpret_cast<uint64_t>(address);
}

/** reaches_of() - the number of bytes from the first byte of each end to the end of its last row.
 * Return: INVALID_ARGUMENT, if that exceeds the address space; sets the error message. */
base::Status reaches_of(const Box &box, uint64_t &dst_bytes, uint64_t &src_bytes);

/** box_operator() - the operator of a copy whose ends the device can access. */
unpu_operator box_operator(const Box &box);

} // namespace umd
