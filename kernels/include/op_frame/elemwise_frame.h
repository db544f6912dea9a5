/* SPDX-License-Identifier: MIT */
/* A name that kernels include; the language is one header. */
#ifndef UNPU_OP_FRAME_ELEMWISE_FRAME_H
#define UNPU_OP_FRAME_ELEMWISE_FRAME_H

#include "kernel_operator.h"

#endif /* UNPU_OP_FRAME_ELEMWISE_FRAME_H */
