// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "uapi/operator.h"
#include "umd/context.h"
#include "umd/graph.h"

namespace umd {

struct Stream;

/** struct Box - a copy of @height rows of @width bytes in each of @depth slices; nothing is 0. The
 * pitch leads from row to row, the slice from slice to slice, both in bytes. */
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

/** enum class Side - what an address means to the direction of a copy. */
enum class Side {
	HOST,	 /* the program's memory, pinned or not */
	DEVICE,	 /* device memory */
	MANAGED, /* both */
};

/** side_of() - by address.
 * @here: is held, and its device is asked first. Context: any thread. */
Side side_of(const void *address, const Context *here = nullptr);

/** copy_now() - host copies through the aperture; waits for no stream. Closing a device or a context
 * waits until a copy of its memory, or for it, is done.
 * @call: the API's function, for the sentence when a capture forbids it
 * Return: INVALID_ARGUMENT for a device range outside every allocation, CAPTURE_MODE. */
base::Status copy_now(const ContextHold &context, const char *call, void *dst, const void *src,
		      uint64_t bytes);
base::Status copy_box_now(const ContextHold &context, const char *call, const Box &box);

/** copy_async() - stream-ordered; with pageable memory the stream is drained first and the copy is
 * done when the call returns.
 * @both_host: both ends may be on the host */
base::Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes,
			bool both_host = false);
base::Status copy_box_async(Stream &stream, const Box &box, bool both_host = false);

/** struct Move - one of many copies, whose order does not matter. */
struct Move {
	void *dst;
	const void *src;
	uint64_t bytes; /* 0: nothing */
};

/** class MoveList - puts small copies of a stream together, so that some of them are one packet.
 * flush() comes last. Context: one thread. */
class MoveList {
public:
	explicit MoveList(Stream &stream) : stream_(stream) {}

	/** add() - as copy_async(). What is refused leaves alone what was added before. */
	base::Status add(const Move &move);

	/** flush() - submits what was added. */
	base::Status flush();

private:
	Stream &stream_;
	unpu_copy_list list_{};
};

/** box_task() - the copy as a node of a graph. @op: what @task points to, if it needs one.
 * Return: INVALID_ARGUMENT where an end is not memory that the device reaches. */
base::Status box_task(drv::Device &device, const Box &box, GraphTask &task, unpu_operator &op);

/** struct IndirectCopy - a copy whose addresses stand in device memory when it runs. */
struct IndirectCopy {
	const void *dst_word; /* device word with the target's address */
	uint64_t dst_offset;
	const void *src_word; /* device word with the source's address */
	uint64_t src_offset;
	const void *bytes_word; /* device word with the number of bytes, or nullptr: @bytes */
	uint64_t bytes;
};

/** copy_indirect() - stream-ordered. What the words say is checked by the device. */
base::Status copy_indirect(Stream &stream, const IndirectCopy &copy);

/** fill_now(), fill_async() - @bytes bytes become the repeated @pattern of @width (1, 2 or 4) bytes;
 * @dst and @bytes are multiples of @width. fill_async() takes memory that the device reaches. */
base::Status fill_now(const ContextHold &context, const char *call, void *dst, uint64_t bytes,
		      uint32_t pattern, uint32_t width);
base::Status fill_async(Stream &stream, void *dst, uint64_t bytes, uint32_t pattern,
			uint32_t width);

} // namespace umd
