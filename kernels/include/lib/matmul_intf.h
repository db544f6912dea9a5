/* SPDX-License-Identifier: MIT */
/* Kernels include this name. The whole language is in kernel_operator.h. but for what ASCENDC_CUBE_ONLY changes. */
#ifndef UNPU_LIB_MATMUL_INTF_H
#define UNPU_LIB_MATMUL_INTF_H

#include "kernel_operator.h"
#include "unpu_ascendc/matmul/regist.h"

#endif /* UNPU_LIB_MATMUL_INTF_H */
