// SPDX-License-Identifier: MIT
/**
 * DOC: Calls of generated launch code
 */
#include "unpu/kernel.h"

#include "umd/acl/acl_error.h"
#include "umd/core/kernel/kernel_launch.h"
#include "umd/core/kernel/registered_image.h"

using umd::RegisteredImage;
using umd::RegisteredImages;

void *unpu_kernel_register_image(const void *data, size_t bytes)
{
	return RegisteredImages::add(data, bytes);
}

void unpu_kernel_unregister_image(void *image)
{
	RegisteredImages::remove(static_cast<RegisteredImage *>(image));
}

uint32_t unpu_kernel_register_function(void *image, const void *symbol, const char *name)
{
	return RegisteredImages::bind(static_cast<RegisteredImage *>(image), symbol, name) ? 0 : 1;
}

uint32_t unpu_launch_kernel(void *image, const char *name, uint32_t blocks, void *stream,
			    const void *args, size_t bytes)
{
	auto function = RegisteredImages::function(static_cast<RegisteredImage *>(image), name);
	if (!function)
		return static_cast<uint32_t>(umd::acl_return(function.status()));
	auto held = umd::find_function(umd::KernelFunction::Table::pointer(**function));
	if (!held)
		return static_cast<uint32_t>(umd::acl_return(held.status()));
	umd::KernelLaunch launch;
	launch.image = held->image;
	launch.entry = held->entry;
	launch.function = held->handle;
	launch.blocks = blocks;
	launch.host = {static_cast<const std::byte *>(args), bytes};
	launch.args_bytes = bytes;
	return static_cast<uint32_t>(umd::acl_return(umd::launch_kernel(stream, launch)));
}
