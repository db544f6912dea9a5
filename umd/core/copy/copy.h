// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "uapi/operator.h"
#include "umd/core/memory/managed.h"
#include "umd/core/memory/side.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/call.h"
#include "umd/core/task/box.h"
#include "umd/core/task/task.h"

namespace umd {

struct Stream;

/** copy_now() - copies at once through the aperture; waits for no stream. The thread that closes a device or
 * ends a context waits until the copies that use its memory are done.
 * @call: name of the API function, for the error message if a capture forbids the call
 * Return: INVALID_ARGUMENT for a device range outside every allocation, CAPTURE_MODE. */
base::Status copy_now(const ContextHold &context, const char *call, void *dst, const void *src,
		      uint64_t bytes);
base::Status copy_box_now(const ContextHold &context, const char *call, const Box &box);

/** enum class Claim - what the program says about the memory at one end of a copy. */
enum class Claim : uint8_t {
	NOTHING, /* ordinary memory is not checked: the program is responsible for the access */
	MAPPED,	 /* any memory that is mapped in the process */
	DEVICE,	 /* memory in an allocation, or registered memory */
};

/** struct CopyRules - the rules for asynchronous copies in which the APIs differ. */
struct CopyRules {
	bool allows_both_host = false; /* both ends may be host memory */
	/* A capture records a copy with pageable memory, and captures of other threads do not forbid it. */
	bool captures_pageable = false;
	Claim dst = Claim::NOTHING;
	Claim src = Claim::NOTHING;
	/* the API function of the copy; OTHER: it follows from the kind of copy */
	Call call = Call::OTHER;
};

/** copy_async() - a copy in stream order. With pageable memory the call drains the stream first, and the
 * copy is done when it returns; a captured one is made at each launch.
 * Return: INVALID_ARGUMENT for a range outside every allocation, if it is a device address or the rules
 * don't allow it. */
base::Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes,
			const CopyRules &rules = {});
base::Status copy_box_async(Stream &stream, const Box &box, const CopyRules &rules = {});

/** copy_staged() - a copy that has read its host memory @src when the call returns, whatever kind of memory
 * that is. If it is captured, each launch copies these same bytes. Copies that do not go from host to device
 * behave as copy_async(). */
base::Status copy_staged(Stream &stream, void *dst, const void *src, uint64_t bytes);

/** struct Move - one of several copies that may run in any order. */
struct Move {
	void *dst;
	const void *src;
	uint64_t bytes; /* 0: the copy has no effect */
};

/** class MoveList - batches small copies of a stream, several into one packet. The caller ends with
 * flush(). Context: one thread. */
class MoveList {
public:
	/** MoveList() - @call: the API function of the copies */
	explicit MoveList(Stream &stream, Call call = Call::MEMCPY_BATCH)
		: stream_(stream), call_(call)
	{
	}

	/** add() - as copy_async(). A refused copy does not affect those added before. */
	base::Status add(const Move &move);

	/** flush() - submits the copies that are not submitted yet. */
	base::Status flush();

private:
	Stream &stream_;
	const Call call_;
	unpu_copy_list list_{};
};

/** box_task() - makes the task of a graph node for the copy; the host makes it if the device does not reach
 * an end. @op: @task points to it if it needs one. Return: as copy_box_async(). */
base::Status box_task(Context &context, const Box &box, const CopyRules &rules, GraphTask &task,
		      unpu_operator &op);

/** fill_task() - the task of a fill, as box_task() makes that of a copy; parameters as of fill_async().
 * Return: INVALID_ARGUMENT if it is no device, pinned or registered memory. */
base::Status fill_task(Context &context, void *dst, uint64_t bytes, uint32_t pattern,
		       uint32_t width, GraphTask &task, Call call = Call::MEMSET_ASYNC);

/** takes_fills() - whether tasks of the context can fill [@dst, @dst + @bytes). */
bool takes_fills(Context &context, const void *dst, uint64_t bytes);

/** prefetch() - enqueues a task without effect, so that a prefetch of managed memory is ordered and captured, and
 * stores the location at once.
 * Return: why the stream takes no task; INVALID_ARGUMENT if the range is not inside managed memory. */
base::Status prefetch(Stream &stream, const void *address, uint64_t bytes,
		      const ManagedPlace &place);

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
