/* SPDX-License-Identifier: MIT */
/* Kernels include this name. The whole language is in kernel_operator.h. */
#ifndef UNPU_LIB_MATRIX_MATMUL_TILING_H
#define UNPU_LIB_MATRIX_MATMUL_TILING_H

#include "kernel_operator.h"

#endif /* UNPU_LIB_MATRIX_MATMUL_TILING_H */
