/* SPDX-License-Identifier: MIT */
/* A name that kernels include; the language is one header, but for what ASCENDC_CUBE_ONLY changes. */
#ifndef UNPU_LIB_MATMUL_INTF_H
#define UNPU_LIB_MATMUL_INTF_H

#include "kernel_operator.h"
#include "unpu_ascendc/matmul/regist.h"

#endif /* UNPU_LIB_MATMUL_INTF_H */
