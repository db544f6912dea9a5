// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** check_device() - checks that @dev is the number of a device. @name: of the argument, for the sentence
 * Return: CUDA_ERROR_INVALID_DEVICE, or why the devices can't be counted. */
CUresult check_device(CUdevice dev, const char *name = "dev");

} // namespace umd::cuda
