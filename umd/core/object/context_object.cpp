// SPDX-License-Identifier: MIT
/**
 * DOC: Context
 *
 * Queries about the context of the calling thread that do not need to hold the context.
 */
#include "context_object.h"

#include "umd/core/device/device_state.h"
#include "umd/core/process/thread_state.h"

namespace umd {

int32_t chosen_device()
{
	const Context *context =
		Context::table().get(reinterpret_cast<void *>(ThreadState::mine().context));
	return context ? context->state->index : 0;
}

} // namespace umd
