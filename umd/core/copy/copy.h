// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "uapi/operator.h"
#include "umd/core/context/context.h"
#include "umd/core/graph/graph.h"
#include "umd/core/process/call.h"

namespace umd {

struct Stream;

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

/** enum class Side - the kind of memory at an address, which gives the direction of a copy. */
enum class Side {
	HOST,	 /* the program's memory, pinned or not */
	DEVICE,	 /* device memory */
	MANAGED, /* both */
};

/** side_of() - the kind of memory at @address.
 * @here: a held context, whose device is searched first. Context: any thread. */
Side side_of(const void *address, const Context *here = nullptr);

/** copy_now() - copies at once through the aperture; waits for no stream. The thread that closes a device
 * or ends a context waits until the copies that use its memory are done.
 * @call: name of the API function, for the error sentence if a capture forbids the call
 * Return: INVALID_ARGUMENT for a device range outside every allocation, CAPTURE_MODE. */
base::Status copy_now(const ContextHold &context, const char *call, void *dst, const void *src,
		      uint64_t bytes);
base::Status copy_box_now(const ContextHold &context, const char *call, const Box &box);

/** enum class Claim - what the program says about the memory at one end of a copy. */
enum class Claim : uint8_t {
	NOTHING, /* ordinary memory is not checked: the access is the program's own */
	MAPPED,	 /* any memory that is mapped in the process */
	DEVICE,	 /* in an allocation, or registered */
};

/** struct CopyRules - the rules for asynchronous copies in which the APIs differ. */
struct CopyRules {
	bool allows_both_host = false; /* host memory at both ends */
	/* A capture records a copy with pageable memory, and captures of other threads do not forbid it. */
	bool captures_pageable = false;
	Claim dst = Claim::NOTHING;
	Claim src = Claim::NOTHING;
	Call call = Call::OTHER; /* how the interface names the copy; OTHER: by its kind */
};

/** copy_async() - a copy in stream order. With pageable memory the call drains the stream first, and the
 * copy is done when it returns; a captured one is made at each launch.
 * Return: INVALID_ARGUMENT for a range outside every allocation, if it is a device address or the rules
 * don't allow it. */
base::Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes,
			const CopyRules &rules = {});
base::Status copy_box_async(Stream &stream, const Box &box, const CopyRules &rules = {});

/** copy_staged() - a copy of host memory that has read @src when the call returns, whatever memory it is; a captured
 * one copies those bytes at each launch. Copies that do not go from host to device are as copy_async(). */
base::Status copy_staged(Stream &stream, void *dst, const void *src, uint64_t bytes);

/** struct Move - one of several copies that may run in any order. */
struct Move {
	void *dst;
	const void *src;
	uint64_t bytes; /* 0: nothing */
};

/** class MoveList - batches small copies of a stream, several into one packet. The caller ends with
 * flush(). Context: one thread. */
class MoveList {
public:
	explicit MoveList(Stream &stream) : stream_(stream) {}

	/** add() - as copy_async(). A refused copy does not affect those added before. */
	base::Status add(const Move &move);

	/** flush() - submits the copies that are not submitted yet. */
	base::Status flush();

private:
	Stream &stream_;
	unpu_copy_list list_{};
};

/** box_task() - makes the task of a graph node for the copy; the host makes it if the device does not reach
 * an end. @op: @task points to it if it needs one. Return: as copy_box_async(). */
base::Status box_task(Context &context, const Box &box, const CopyRules &rules, GraphTask &task,
		      unpu_operator &op);

/** box_operator() - the operator of a copy whose ends the device reaches. */
unpu_operator box_operator(const Box &box);

/** copied_box(), filled_range() - what a task copies or fills, whether the device or the host does it.
 * Return: false for a task of another kind. */
bool copied_box(const GraphTask &task, Box &box);
bool filled_range(const GraphTask &task, unpu_fill &fill);

/** fill_task() - the task of a fill, as box_task() makes that of a copy; parameters as of fill_async().
 * Return: INVALID_ARGUMENT if it is no device, pinned or registered memory. */
base::Status fill_task(Context &context, void *dst, uint64_t bytes, uint32_t pattern,
		       uint32_t width, GraphTask &task, Call call = Call::MEMSET_ASYNC);

/** takes_fills() - whether tasks of the context can fill [@dst, @dst + @bytes). */
bool takes_fills(Context &context, const void *dst, uint64_t bytes);

/** struct IndirectCopy - a copy that reads its addresses from device memory when it runs. */
struct IndirectCopy {
	const void *dst_word; /* device word with the target's address */
	uint64_t dst_offset;
	const void *src_word; /* device word with the source's address */
	uint64_t src_offset;
	const void *bytes_word; /* device word with the number of bytes, or nullptr: @bytes */
	uint64_t bytes;
};

/** copy_indirect() - a copy in stream order. The device checks the contents of the words. */
base::Status copy_indirect(Stream &stream, const IndirectCopy &copy);

/** fill_now(), fill_async() - fill @bytes bytes with the repeated @pattern of @width (1, 2 or 4) bytes;
 * @dst and @bytes are multiples of @width. fill_async() needs device, pinned or registered memory. */
base::Status fill_now(const ContextHold &context, const char *call, void *dst, uint64_t bytes,
		      uint32_t pattern, uint32_t width);
base::Status fill_async(Stream &stream, void *dst, uint64_t bytes, uint32_t pattern, uint32_t width,
			Call call = Call::MEMSET_ASYNC);

} // namespace umd
