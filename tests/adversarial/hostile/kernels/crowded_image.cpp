// SPDX-License-Identifier: MIT
/*
 * DOC: an image with as many entries as there may be
 *
 * It makes them when it is loaded, so its file is small.
 */
#include <cstdint>

#include "kernels/abi/image.h"

namespace {

unpu_kernel_entry entries[UNPU_KERNEL_MAX_ENTRIES];
char names[UNPU_KERNEL_MAX_ENTRIES][5];

void make_entries()
{
	const unpu_kernel_entry *next = nullptr;
	for (uint32_t i = 0; i < UNPU_KERNEL_MAX_ENTRIES; i++) {
		for (unsigned digit = 0; digit < 4; digit++)
			names[i][digit] = static_cast<char>('a' + ((i >> (4 * digit)) & 15));
		entries[i] = {names[i], [](const unsigned char *) {}, nullptr, 0,
			      0,	UNPU_KERNEL_AIV_ONLY,	      0,       next,
			      nullptr};
		next = &entries[i];
	}
}

} // namespace

extern "C" __attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(
	void)
{
	static const struct unpu_kernel_image image = {UNPU_KERNEL_IMAGE_VERSION, sizeof(image),
						       &entries[UNPU_KERNEL_MAX_ENTRIES - 1],
						       [](const unpu_kernel_services *) {}};
	make_entries();
	return &image;
}
