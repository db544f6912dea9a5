// SPDX-License-Identifier: MIT
/**
 * DOC: Boxes
 *
 * A box is a copy of rows: its width, height, depth and pitches. Here are the bytes that it accesses, and the
 * operator by which a device makes the copy.
 */
#include "box.h"

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Status;

/* Return: false if the end exceeds the address space. */
static bool reach_of(const Box &box, const void *start, uint64_t pitch, uint64_t slice,
		     uint64_t &bytes)
{
	uint64_t rows;
	uint64_t slices;
	uint64_t end;
	return !__builtin_mul_overflow(pitch, box.height - 1, &rows) &&
	       !__builtin_mul_overflow(slice, box.depth - 1, &slices) &&
	       !__builtin_add_overflow(rows, slices, &bytes) &&
	       !__builtin_add_overflow(bytes, box.width, &bytes) &&
	       !__builtin_add_overflow(bytes, number(start), &end) && end <= INT64_MAX;
}

Status reaches_of(const Box &box, uint64_t &dst_bytes, uint64_t &src_bytes)
{
	if (reach_of(box, box.dst, box.dst_pitch, box.dst_slice, dst_bytes) &&
	    reach_of(box, box.src, box.src_pitch, box.src_slice, src_bytes))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} rows of {} bytes at these pitches leave the address space",
				     box.height, box.width));
}

unpu_operator box_operator(const Box &box)
{
	const uint64_t slices[] = {box.dst_slice, box.src_slice};
	const uint64_t pitches[] = {box.dst_pitch, box.src_pitch};
	const uint64_t starts[] = {number(box.dst), number(box.src)};
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_COPY;
	op.ndim = 3;
	op.noperands = 2;
	op.dims[0] = static_cast<int64_t>(box.depth);
	op.dims[1] = static_cast<int64_t>(box.height);
	op.dims[2] = static_cast<int64_t>(box.width);
	for (unsigned i = 0; i < 2; i++) {
		unpu_operand &operand = op.operands[i];
		operand.address = starts[i];
		operand.dtype = UNPU_DTYPE_U8;
		operand.access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		operand.strides[0] = static_cast<int64_t>(slices[i]);
		operand.strides[1] = static_cast<int64_t>(pitches[i]);
		operand.strides[2] = 1;
	}
	return op;
}

} // namespace umd
