/* SPDX-License-Identifier: MIT */
/* Kernels include this name. The whole language is in kernel_operator.h. */
#ifndef UNPU_KERNEL_OPERATOR_LIST_TENSOR_INTF_H
#define UNPU_KERNEL_OPERATOR_LIST_TENSOR_INTF_H

#include "kernel_operator.h"

#endif /* UNPU_KERNEL_OPERATOR_LIST_TENSOR_INTF_H */
