// SPDX-License-Identifier: MIT
/*
 * DOC: The library of kernels
 *
 * The kernels and the libraries that they use are large, so they are loaded when the first tensor operator
 * arrives. A firmware in a sandbox loads them before it closes the sandbox. They are never unloaded. The library is
 * the one of the firmware's own toolkit.
 */
#include "operator_library.h"

#include <cerrno>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/calls/transfers.h"
#include "base/os/machine.h"

namespace fw {

namespace {

using FindKernel = const tensor::Kernel *(*)(uint32_t kind);

struct Loaded {
	FindKernel find = nullptr;
	std::string why; /* why the library could not be loaded */
};

constexpr const char *UNKNOWN = "/proc/self/maps does not tell where this toolkit is";

std::string library_path()
{
	return base::toolkit_file(reinterpret_cast<const void *>(&library_path), "lib64",
				  "libunpu_operators.so");
}

Loaded load()
{
	const std::string path = library_path();
	if (path.empty())
		return {nullptr, UNKNOWN};
	if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
		return {reinterpret_cast<FindKernel>(dlsym(library, "unpu_find_kernel")), {}};
	const char *text = dlerror();
	return {nullptr, text ? text : path};
}

/* The tasks fail, but a program that waits for none of their streams never learns of it. */
Loaded load_or_warn()
{
	Loaded library = load();
	if (!library.find)
		base::calls::warn("unpu: tensor operators will fail: " + library.why + "\n");
	return library;
}

const Loaded &loaded()
{
	static base::NoDestructor<Loaded> only(load_or_warn());
	return *only;
}

} // namespace

bool load_kernels()
{
	return loaded().find != nullptr;
}

std::string lack_of_kernels(bool loads)
{
	if (loads)
		return loaded().why;
	const std::string path = library_path();
	if (path.empty())
		return UNKNOWN;
	return access(path.c_str(), R_OK) == 0 ? "" : path + ": " + strerror(errno);
}

const tensor::Kernel *find_tensor_kernel(uint32_t kind)
{
	const FindKernel find = loaded().find;
	return find ? find(kind) : nullptr;
}

} // namespace fw
