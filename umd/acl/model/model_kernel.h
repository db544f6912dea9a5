// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "umd/core/kernel/kernel_launch.h"
#include "umd/core/model/model.h"

namespace umd {

/** show_launch() - describes a captured launch to the program. The model keeps arguments and attributes for it, until
 * the next call for the same task. */
void show_launch(Model &model, uint32_t node, const KernelWords &words,
		 aclmdlRIKernelTaskParams &params) REQUIRES(model.lock);

/** set_launch() - changes @task, which launches a kernel, to the launch that the program describes.
 * Return: as make_kernel_words(), DEVICE_LOST. */
base::Status set_launch(const Model &model, const aclmdlRIKernelTaskParams &params,
			GraphTask &task);

/** launch_attribute() - an attribute of a captured launch. Return: INVALID_ARGUMENT, NOT_SUPPORTED. */
base::Status launch_attribute(const KernelWords &words, aclrtLaunchKernelAttrId id,
			      aclrtLaunchKernelAttrValue &value);

} // namespace umd
