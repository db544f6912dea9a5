// SPDX-License-Identifier: MIT
/*
 * DOC: Library of kernels
 *
 * The one symbol of libunpu_operators.so, which the firmware loads when it meets the first tensor operator.
 */
#include "library.h"

#include "kernels.h"

const fw::tensor::Kernel *unpu_find_kernel(uint32_t kind)
{
	return fw::tensor::find_kernel(kind);
}
