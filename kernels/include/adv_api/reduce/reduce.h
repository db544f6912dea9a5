/* SPDX-License-Identifier: MIT */
/* Kernels include this name. The whole language is in kernel_operator.h. */
#ifndef UNPU_ADV_API_REDUCE_REDUCE_H
#define UNPU_ADV_API_REDUCE_REDUCE_H

#include "kernel_operator.h"

#endif /* UNPU_ADV_API_REDUCE_REDUCE_H */
