// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernel_binary.h"

namespace umd {

/** struct RegisteredImage - an image that is part of the program. Static constructors make it, so it needs no
 * other object of the process. */
struct RegisteredImage {
	const std::byte *data = nullptr;
	size_t bytes = 0;
	int32_t process = 0; /* id of the process that has registered it */

	/* One opening of a device that has loaded the image. */
	struct Loaded {
		std::shared_ptr<KernelImage> image;
		std::shared_ptr<FunctionList> functions;
	};
	base::Mutex mutex{"RegisteredImage::mutex"};
	std::map<int32_t, Loaded> loaded
		GUARDED_BY(mutex); /* indexed by the program's number of the device */
};

/** class RegisteredImages - the registered images of the program, and the host functions that stand for their
 * kernels. */
class RegisteredImages {
public:
	/** add() - registers an image. Return: nullptr if there is no memory. */
	static RegisteredImage *add(const void *data, size_t bytes);
	/** remove() - unregisters an image. @image: from add(), or nullptr; no other thread uses it. */
	static void remove(RegisteredImage *image);

	/** bind() - @symbol stands for kernel @name of @image. Return: false if there is no memory. */
	static bool bind(RegisteredImage *image, const void *symbol, const char *name);

	/** is_symbol() - whether bind() was called for @symbol. */
	static bool is_symbol(const void *symbol);

	/** function() - the kernel of an image in the current context, which loads the image at its first use.
	 * Return: INVALID_HANDLE, INVALID_ARGUMENT for an unknown name, as KernelImage::load(). */
	static base::Result<KernelFunction *> function(RegisteredImage *image, const char *name);

	/** function() - the kernel that a host function stands for. Return: NO_FUNCTION, and the same. */
	static base::Result<KernelFunction *> function(const void *symbol);
};

} // namespace umd
