// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/object/kernel_image.h"
#include "umd/core/record/operands.h"
#include "umd/core/record/recorder.h"

namespace umd {

/** add_kernel_operands() - the memory that a launch may touch: each allocation that a pointer parameter points into,
 * read and written, which bytes is unknown. Arguments in memory of the device tell nothing.
 * @words: the descriptor, of @bytes bytes */
void add_kernel_operands(recorder::Operands &operands, const KernelImage &image, const void *words,
			 size_t bytes);

/** kernel_label() - the number of the name by which reports know a kernel. Return: 0 if the image has no such entry */
uint32_t kernel_label(recorder::Recorder &recorder, const KernelImage &image, uint32_t entry);

/** note_kernel_accesses() - tells the recorder what a launch has accessed.
 * @observer: of the launch. @accesses: an array of struct unpu_kernel_access, of @bytes bytes */
void note_kernel_accesses(uint64_t observer, const void *accesses, size_t bytes);

} // namespace umd
