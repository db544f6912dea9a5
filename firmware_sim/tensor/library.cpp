// SPDX-License-Identifier: MIT
/*
 * DOC: The library of kernels
 *
 * The kernels and the libraries that they use are large, so they are loaded when the first tensor operator
 * arrives. A firmware in a sandbox loads them before it closes the sandbox. They are never unloaded.
 */
#include "library.h"

#include <string>

#include <dlfcn.h>

#include "base/os/machine.h"

namespace fw {

namespace {

using FindKernel = const tensor::Kernel *(*)(uint32_t kind);

constexpr const char *NAME = "/libunpu_operators.so";

FindKernel load()
{
	const std::string folder = base::folder_of(reinterpret_cast<const void *>(load_kernels));
	for (const std::string &path : {folder + NAME, folder + "/../lib64" + NAME}) {
		if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
			return reinterpret_cast<FindKernel>(dlsym(library, "unpu_find_kernel"));
	}
	return nullptr;
}

FindKernel finder()
{
	static const FindKernel find = load();
	return find;
}

} // namespace

bool load_kernels()
{
	return finder() != nullptr;
}

const tensor::Kernel *find_tensor_kernel(uint32_t kind)
{
	const FindKernel find = finder();
	return find ? find(kind) : nullptr;
}

} // namespace fw
