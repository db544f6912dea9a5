// SPDX-License-Identifier: MIT
/**
 * DOC: Waits for a device
 *
 * A process may have several contexts on a device: the primary one and those that it made. The call holds
 * each context only while it waits for it, so another thread may end a context whose turn has not come.
 */
#include "context_streams.h"
#include "contexts.h"
#include "umd/core/object/context_object.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Status;

Status wait_device(Context &context, uint64_t deadline_ns)
{
	const Status status = wait_context(context, deadline_ns);
	if (status == Status::STREAM_CAPTURED || status == Status::STREAM_TIMEOUT ||
	    status == Status::DEVICE_LOST)
		return status;
	for (uint64_t handle : Contexts::get().contexts_beside(context)) {
		const ContextHold other = Contexts::hold_context(handle);
		if (!other || other->open != context.open)
			continue;
		TRY(wait_work(*other, deadline_ns));
		recorder::observer.note_context(*other);
	}
	return status;
}

void wait_contexts(int32_t index)
{
	for (uint64_t handle : Contexts::get().contexts_on(index)) {
		if (const ContextHold context = Contexts::hold_context(handle))
			(void)wait_work(*context, base::NO_DEADLINE);
	}
}

} // namespace umd
