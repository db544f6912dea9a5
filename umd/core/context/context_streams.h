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

/** pass_entry() - makes a new stream wait for the entry fences of the context (see add_entry()), and forgets
 * those that have passed. */
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
	/* The ring of a stream was full, so a wait that the stream needs is still missing. Call tails_of()
	 * again when the fences have passed. */
	bool is_left_out = false;
};

/** tails_of() - the last fences of all streams of a context. Never blocks. */
Tails tails_of(Context &context);

/** visit_streams() - calls @visit for each of @streams that still belongs to the context, without a lock. A
 * hazard pointer keeps the stream alive during the call. */
void visit_streams(Context &context, const std::vector<Stream *> &streams,
		   const std::function<void(Stream &)> &visit);

/** refuse_end_in_function() - whether the calling thread runs a function of the program for which a stream of
 * the context waits: the context can't end then, because it would wait for ever. Return: OK; NOT_SUPPORTED,
 * which sets the error message. */
base::Status refuse_end_in_function(Context &context);

/** drain_context() - waits for the work submitted so far to the streams; does not report failures of tasks.
 * If the streams make no progress for minutes it drops their work.
 * Context: no lock held, and the caller keeps the device open.
 * Return: STREAM_TIMEOUT if it dropped the work, DEVICE_LOST if the device did not drop it either; sets the
 * error message. */
base::Status drain_context(Context &context);

/** drain_by_force() - lets tasks run that are ready, as run_ready() does, and drops all others. That is no
 * error. A line on stderr lists what was dropped.
 * @since_ns: time at which the end of this context, or of all contexts of the process, began
 * Context: no lock held. Return: DEVICE_LOST. */
base::Status drain_by_force(Context &context, uint64_t since_ns);

/** empty_context() - destroys the context's streams and drops their work. A caller that wants the work done
 * calls drain_context() first. */
void empty_context(Context &context);

/** abort_context() - aborts every stream of the context that runs tasks. */
base::Status abort_context(Context &context);

} // namespace umd
