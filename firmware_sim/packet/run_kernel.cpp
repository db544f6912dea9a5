// SPDX-License-Identifier: MIT
/**
 * DOC: KERNEL
 */
#include "firmware_sim/core/command_processor.h"

namespace fw {

Outcome run_kernel(const Task &task)
{
	if (task.client.core.null())
		return {};
	return task.client.launch_kernel(task);
}

} // namespace fw
