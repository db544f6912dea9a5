// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "base/result.h"
#include "umd/core/kernel/kernel_binary.h"
#include "umd/core/kernel/kernel_launch.h"

namespace umd {

constexpr uint64_t NS_PER_US = 1000;

/** resolve_function() - finds a kernel by its handle, or by the host function that stands for it.
 * Return: NULL_POINTER, INVALID_HANDLE, as RegisteredImages::function(). */
Held<KernelFunction> resolve_function(const void *func);

/** read_attributes() - reads the attributes of a launch of @entry.
 * @cfg: configuration by the program, or NULL. Return: NULL_POINTER, INVALID_ARGUMENT, NOT_SUPPORTED. */
base::Status read_attributes(const aclrtLaunchKernelCfg *cfg, const KernelEntry &entry,
			     KernelAttributes &attributes);

/** show_attributes() - the attributes of a launch that differ from their default values.
 * @to: array of MAX_LAUNCH_ATTRIBUTES. Return: how many there are. */
constexpr size_t MAX_LAUNCH_ATTRIBUTES = 9;
size_t show_attributes(const KernelAttributes &attributes, aclrtLaunchKernelAttr *to);

/** launch_of() - a launch of @function without arguments. */
KernelLaunch launch_of(const KernelFunction &function, uint32_t blocks);

} // namespace umd
