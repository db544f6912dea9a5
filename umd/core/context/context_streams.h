// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "drv/packet/fence.h"
#include "hal/wait_policy.h"
#include "umd/core/object/context_object.h"

namespace umd {

struct Stream;

/** default_stream() - the context's default stream. Return: NO_RESOURCE. */
base::Result<Stream *> default_stream(Context &context);

/** pass_entry() - makes a new stream wait for the context's entry fences, and forgets those that have passed. */
void pass_entry(Context &context, Stream &stream);

/** add_entry() - streams created later wait for @wait, too. */
void add_entry(Context &context, const EntryWait &wait);

/** clear_entry() - streams created later wait for nothing. */
void clear_entry(Context &context) REQUIRES(context.mutex);

/** wait_context() - waits for all streams of the context.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, the first failure of a stream. */
base::Status wait_context(Context &context, uint64_t deadline_ns,
			  hal::WaitWay way = hal::WaitWay::BRIEF);

/** wait_work() - waits for the work submitted so far to the streams; does not report failures of tasks.
 * Context: the caller holds the context. Return: STREAM_TIMEOUT, DEVICE_LOST. */
base::Status wait_work(Context &context, uint64_t deadline_ns,
		       hal::WaitWay way = hal::WaitWay::BRIEF);

/** struct Tails - the last fences of a context's streams. */
struct Tails {
	std::vector<drv::Fence> fences; /* one of each stream that runs its tasks */
	/* A gate did not fit into a full ring: call tails_of() again when the fences have passed. */
	bool is_left_out = false;
};

/** tails_of() - never blocks. */
Tails tails_of(Context &context);

/** visit_streams() - calls @visit for each of @streams that still belongs to the context, without a lock. A
 * hazard pointer keeps the stream alive during the call. */
void visit_streams(Context &context, const std::vector<Stream *> &streams,
		   const std::function<void(Stream &)> &visit);

/** refuse_end_in_function() - whether the calling thread runs a function of the program for which a stream of the
 * context waits: the end of the context would wait for ever. Return: OK; NOT_SUPPORTED with the sentence set. */
base::Status refuse_end_in_function(Context &context);

/** drain_context() - waits for the work submitted so far to the streams; does not report failures of tasks.
 * If the streams make no progress for minutes it drops their work.
 * Context: no lock held, and the caller keeps the device open.
 * Return: STREAM_TIMEOUT if it dropped the work, DEVICE_LOST if the device did not drop it either; with
 * the sentence set. */
base::Status drain_context(Context &context);

/** drain_by_force() - lets run what is ready, as run_ready() does, and drops the rest, which is no error. A line on
 * stderr names what is dropped.
 * @since_ns: when the end of the context, or of the process's contexts, began
 * Context: no lock held. Return: DEVICE_LOST. */
base::Status drain_by_force(Context &context, uint64_t since_ns);

/** empty_context() - destroys the context's streams and drops their work. A caller that wants the work done
 * calls drain_context() first. */
void empty_context(Context &context);

/** abort_context() - aborts every stream of the context that runs tasks. */
base::Status abort_context(Context &context);

} // namespace umd
