// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/driver/vmm.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** check_handle_type() - @name: of the argument, for the sentence
 * Return: CUDA_ERROR_NOT_SUPPORTED for what other systems have, CUDA_ERROR_INVALID_VALUE. */
CUresult check_handle_type(CUmemAllocationHandleType type, const char *name);

/** importing_device() - the runtime's number of the device that the driver numbers @number, or of the first one if
 * it is not visible. */
int32_t importing_device(uint32_t number);

/** imported() - what the interface says of the status of an import: it has one result for memory that is gone. */
CUresult imported(base::Status status);

} // namespace umd::cuda
