// SPDX-License-Identifier: MIT
/**
 * DOC: Context
 *
 * What can be asked of the calling thread's context without holding it.
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
