/* SPDX-License-Identifier: MIT */
/* A name that kernels include; the language is one header. */
#ifndef UNPU_ADV_API_REDUCE_REDUCE_H
#define UNPU_ADV_API_REDUCE_REDUCE_H

#include "kernel_operator.h"

#endif /* UNPU_ADV_API_REDUCE_REDUCE_H */
