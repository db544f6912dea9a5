/* SPDX-License-Identifier: MIT */
/* A name that kernels include; the language is one header. */
#ifndef UNPU_LIB_MATRIX_MATMUL_MATMUL_H
#define UNPU_LIB_MATRIX_MATMUL_MATMUL_H

#include "kernel_operator.h"

#endif /* UNPU_LIB_MATRIX_MATMUL_MATMUL_H */
