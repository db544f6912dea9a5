/* SPDX-License-Identifier: MIT */
/*
 * Images that are wrong: OLD has another version, EMPTY no kernels, HANGS never ends its constructor, CRASHES in it;
 * without any of them it is a library that is no image.
 */
#include "kernels/abi/image.h"

#if defined(OLD) || defined(EMPTY) || defined(HANGS) || defined(CRASHES)
static void attach(const struct unpu_kernel_services *services)
{
	(void)services;
}

__attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(void)
{
	static struct unpu_kernel_image image = {UNPU_KERNEL_IMAGE_VERSION, sizeof(image), 0,
						 attach};
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
