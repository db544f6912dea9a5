// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "umd/cuda/front.h"

namespace umd::cuda {

/**
 * read_visible_devices() - reads CUDA_VISIBLE_DEVICES, which selects and orders the devices of the interface.
 * They are a subset of the runtime's devices.
 * Context: cuInit() calls it before any other function of this file.
 * Return: CUDA_ERROR_NO_DEVICE if no device is visible.
 */
CUresult read_visible_devices();

/** visible_count() - how many devices the interface has. */
int visible_count();

/** find_device() - finds the runtime's number of a device. @name: name of the argument, for the error message
 * Return: CUDA_ERROR_INVALID_DEVICE. */
CUresult find_device(CUdevice dev, int32_t &index, const char *name = "dev");

/** device_number() - the interface's number of the runtime's device @index; CU_DEVICE_INVALID if it is
 * not visible. */
CUdevice device_number(int32_t index);

/** driver_number() - the driver's number of the runtime's device @index. */
int32_t driver_number(int32_t index);

/** uuid_of() - 16 bytes that identify the runtime's device @index. */
CUuuid uuid_of(int32_t index);

/** uuid_text() - @uuid in the form that CUDA_VISIBLE_DEVICES uses. */
std::string uuid_text(const CUuuid &uuid);

} // namespace umd::cuda
