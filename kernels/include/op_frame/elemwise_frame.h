/* SPDX-License-Identifier: MIT */
/* Kernels include this name. The whole language is in kernel_operator.h. */
#ifndef UNPU_OP_FRAME_ELEMWISE_FRAME_H
#define UNPU_OP_FRAME_ELEMWISE_FRAME_H

#include "kernel_operator.h"

#endif /* UNPU_OP_FRAME_ELEMWISE_FRAME_H */
