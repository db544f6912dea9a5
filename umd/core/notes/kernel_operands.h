// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/object/kernel_image.h"
#include "umd/core/recorder/operands.h"
#include "umd/core/recorder/recorder.h"

namespace umd {

/** add_kernel_operands() - adds the memory that a launch may access: each allocation to which a pointer
 * parameter points, as partly read and written. If the arguments are in device memory, the parameters are
 * unknown, and nothing is added.
 * @words: the descriptor, of @bytes bytes */
void add_kernel_operands(recorder::Operands &operands, const KernelImage &image, const void *words,
			 size_t bytes);

/** kernel_label() - the number of the text with the name of a kernel. Return: 0 if the image has no such
 * entry */
uint32_t kernel_label(recorder::Recorder &recorder, const KernelImage &image, uint32_t entry);

} // namespace umd
