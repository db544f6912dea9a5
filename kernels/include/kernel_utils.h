/* SPDX-License-Identifier: MIT */
/* A name that kernels include; the language is one header. */
#ifndef UNPU_KERNEL_UTILS_H
#define UNPU_KERNEL_UTILS_H

#include "kernel_operator.h"

#endif /* UNPU_KERNEL_UTILS_H */
