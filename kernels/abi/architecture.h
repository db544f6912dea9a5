/* SPDX-License-Identifier: MIT */
/* The chips that kernels can be compiled for, by the value of the vendor's option --npu-arch. The compiler and
 * aclrtcCompileProg() take these and no others. */
#ifndef UNPU_KERNELS_ABI_ARCHITECTURE_H
#define UNPU_KERNELS_ABI_ARCHITECTURE_H

#define UNPU_ARCHITECTURE_OPTION "--npu-arch="
#define UNPU_ARCHITECTURE_910B "dav-2201"
#define UNPU_ARCHITECTURE_310P "dav-2002" /* the language of dav-2201, with a larger UB */
#define UNPU_ARCHITECTURES_TEXT "dav-2201 (Ascend910B) and dav-2002 (Ascend310P)"

#endif /* UNPU_KERNELS_ABI_ARCHITECTURE_H */
