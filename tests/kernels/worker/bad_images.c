/* SPDX-License-Identifier: MIT */
/*
 * Images that are wrong: OLD has another version, EMPTY no kernels, HANGS never ends its constructor, CRASHES in it,
 * BESIDE has a kernel whose parameter is at the offset BESIDE of 8 bytes of arguments; without any of them it is a
 * library that is no image.
 */
#include "kernels/abi/image.h"

#if defined(OLD) || defined(EMPTY) || defined(BESIDE) || defined(HANGS) || defined(CRASHES)
static void attach(const struct unpu_kernel_services *services)
{
	(void)services;
}

#ifdef BESIDE
static void run(const unsigned char *args)
{
	(void)args;
}
#endif

__attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(void)
{
	static struct unpu_kernel_image image = {UNPU_KERNEL_IMAGE_VERSION, sizeof(image), 0,
						 attach};
#ifdef BESIDE
	static const struct unpu_kernel_param param = {UNPU_KERNEL_PARAM_SCALAR, 8, BESIDE, 0};
	static const struct unpu_kernel_entry entry = {.name = "beside",
						       .run = run,
						       .params = &param,
						       .param_count = 1,
						       .args_bytes = 8,
						       .type = UNPU_KERNEL_AIV_ONLY};
	image.entries = &entry;
#endif
#ifdef OLD
	image.version++;
#endif
	return &image;
}
#endif

#ifdef CRASHES
__attribute__((constructor)) static void crash(void)
{
	*(int *)16 = 1;
}
#endif

int unpu_bad_image_has_a_symbol;
