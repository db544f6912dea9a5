// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "drv/fence.h"
#include "umd/context.h"

namespace umd {

struct Stream;

/** default_stream() - the context's default stream. Return: NO_RESOURCE. */
base::Result<Stream *> default_stream(Context &context);

/** wait_context() - waits for all streams of the context.
 * @spin: false sleeps at once.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, the first failure of a stream. */
base::Status wait_context(Context &context, uint64_t deadline_ns, bool spin = true);

/** wait_work() - waits for what the streams have to do now; failures are left to be reported. Context:
 * the context is held. Return: STREAM_TIMEOUT, DEVICE_LOST. */
base::Status wait_work(Context &context, uint64_t deadline_ns, bool spin = true);

/** struct Tails - what the streams of a context have to do at one moment. */
struct Tails {
	std::vector<drv::Fence> fences; /* the last one of each stream that runs its tasks */
	/* A gate waits for room in a full ring: ask again when the fences have passed. */
	bool left_out = false;
};

/** tails_of() - never blocks. */
Tails tails_of(Context &context);

/** visit_streams() - calls @visit for those of @streams that the context still has, one after the other,
 * without a lock; none of them ends meanwhile. */
void visit_streams(Context &context, const std::vector<Stream *> &streams,
		   const std::function<void(Stream &)> &visit);

/** drain_context() - waits for what the streams have to do now; failures are left to be reported.
 * Context: no lock held, and something keeps the device open.
 * Return: STREAM_TIMEOUT when the streams stood still for minutes and lost what they had to do,
 * DEVICE_LOST when the device did not even drop it; with the sentence. */
base::Status drain_context(Context &context);

/** drain_by_force() - the same, but streams that stand still for seconds lose their tasks, which is no
 * error. Context: no lock held. Return: DEVICE_LOST. */
base::Status drain_by_force(Context &context);

/** empty_context() - destroys the context's streams; what they have still to do is dropped. Callers that
 * want it done drain the context first. */
void empty_context(Context &context);

/** abort_context() - aborts every stream of the context that runs tasks. */
base::Status abort_context(Context &context);

} // namespace umd
