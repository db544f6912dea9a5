// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/driver/vmm.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** check_handle_type() - checks the type of a shareable handle. @name: name of the argument, for the error
 * message
 * Return: CUDA_ERROR_NOT_SUPPORTED for a type of another operating system, CUDA_ERROR_INVALID_VALUE. */
CUresult check_handle_type(CUmemAllocationHandleType type, const char *name);

/** importing_device() - the runtime's number of the device to which the driver gives number @number. If that
 * device is not visible, the number of the first device. */
int32_t importing_device(uint32_t number);

/** imported() - the result for the status of an import. The interface has only one result for all kinds of
 * memory that do not exist any more. */
CUresult imported(base::Status status);

} // namespace umd::cuda
