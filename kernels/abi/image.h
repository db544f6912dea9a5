/* SPDX-License-Identifier: MIT */
/*
 * DOC: Kernel image
 *
 * A kernel image is an ELF shared object that unpu-ascendcc makes from the sources of user kernels. A worker
 * process loads it and calls its entries. This header is all that an image and a worker know of each other;
 * both sides check @version first.
 *
 * An image exports one symbol, unpu_kernel_image(). The worker calls it once after dlopen() and gets the
 * list of entries. The worker then sends the names and parameters of the entries to the firmware, so the
 * process of the program never has to load the image.
 *
 * Arguments of a launch are one block of bytes. Each parameter has the offset that the entry names: offsets
 * are multiples of 8 in the order of declaration, and a struct passed by value takes its bytes, rounded up
 * to 8.
 */
#ifndef UNPU_KERNELS_ABI_IMAGE_H
#define UNPU_KERNELS_ABI_IMAGE_H

#include <stdint.h>

#include "kernels/abi/block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNPU_KERNEL_IMAGE_VERSION 1u
#define UNPU_KERNEL_IMAGE_SYMBOL "unpu_kernel_image"
#define UNPU_KERNEL_MAX_ENTRIES 4096u
#define UNPU_KERNEL_MAX_PARAMS 64u
#define UNPU_KERNEL_MAX_NAME 512u /* with the terminating zero */
#define UNPU_KERNEL_MAX_ARGS_BYTES 65536u

/* How a parameter travels. */
enum unpu_kernel_param_kind {
	UNPU_KERNEL_PARAM_POINTER = 1, /* a device address of 8 bytes */
	UNPU_KERNEL_PARAM_SCALAR = 2,  /* an arithmetic or enumeration type */
	UNPU_KERNEL_PARAM_STRUCT = 3,  /* the bytes of a struct passed by value */
};

/* struct unpu_kernel_param - one parameter of an entry; @offset is a multiple of 8 in the arguments. */
struct unpu_kernel_param {
	uint32_t kind; /* enum unpu_kernel_param_kind */
	uint32_t bytes;
	uint32_t offset;
	uint32_t reserved; /* zero */
};

/* Cores that an entry runs on; the numbers are those of KERNEL_TYPE_* in kernel_operator.h. */
enum unpu_kernel_type {
	UNPU_KERNEL_AIV_ONLY = 0,
	UNPU_KERNEL_AIC_ONLY = 1,
	UNPU_KERNEL_MIX_AIV_1_0 = 2,
	UNPU_KERNEL_MIX_AIC_1_0 = 3,
	UNPU_KERNEL_MIX_AIC_1_1 = 4,
	UNPU_KERNEL_MIX_AIC_1_2 = 5, /* N blocks run N cube and 2 N vector instances */
};

/* struct unpu_kernel_entry - one kernel. @run unpacks @args and calls the kernel for the current block. */
struct unpu_kernel_entry {
	const char *name; /* for a template: with its arguments, as the compiler prints them */
	void (*run)(const unsigned char *args);
	const struct unpu_kernel_param *params;
	uint32_t param_count;
	uint32_t args_bytes;
	uint32_t type;			      /* enum unpu_kernel_type */
	uint32_t flags;			      /* UNPU_KERNEL_HAS_* */
	const struct unpu_kernel_entry *next; /* in no order; the worker sorts by name */
	/* Valid with UNPU_KERNEL_HAS_CUBE_RUN: the function that cube cores run instead. Structs of older compilers
	 * end before this field. */
	void (*run_cube)(const unsigned char *args);
};

#define UNPU_KERNEL_HAS_WORKSPACE 0x1u /* the last parameter, or the last but one with TILING */
#define UNPU_KERNEL_HAS_TILING 0x2u    /* the last parameter */
#define UNPU_KERNEL_HAS_DUMP 0x4u      /* printf, DumpTensor and assert are compiled in */
#define UNPU_KERNEL_HAS_CUBE_RUN \
	0x8u /* the source has a half for cube cores, compiled for itself */
#define UNPU_KERNEL_HAS_UB_310P 0x10u /* compiled for Ascend310P, whose UB is larger */

/*
 * struct unpu_kernel_image - what unpu_kernel_image() returns. @attach gives the image the functions of its
 * worker; the worker calls it before any entry runs.
 */
struct unpu_kernel_image {
	uint32_t version; /* UNPU_KERNEL_IMAGE_VERSION */
	uint32_t bytes;	  /* sizeof(struct unpu_kernel_image) */
	const struct unpu_kernel_entry *entries;
	void (*attach)(const struct unpu_kernel_services *services);
};

/* The function and the struct have the same name. gcc warns about that in C++. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
const struct unpu_kernel_image *unpu_kernel_image(void);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* UNPU_KERNELS_ABI_IMAGE_H */
