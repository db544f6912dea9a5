// SPDX-License-Identifier: MIT
/**
 * DOC: A runtime for tests of the compiler driver
 *
 * Stands for libunpu.so and libascendcl.so where a test is about what unpu-ascendcc made: it loads images into the
 * process and runs launches at once, by the fibers of CPU mode.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/abi/image.h"
#include "kernels/host/cpu/cpu_launch.h"
#include "kernels/host/include/unpu_cpu_mode.h"

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

struct Image {
	const void *data;
	size_t bytes;
	const struct unpu_kernel_image *loaded;
};

[[noreturn]] void give_up(const char *what)
{
	std::fprintf(stderr, "fake runtime: %s\n", what);
	std::exit(3);
}

const struct unpu_kernel_image *load(const Image &image)
{
	const int file = memfd_create("image", 0);
	if (file < 0 || write(file, image.data, image.bytes) != ssize_t(image.bytes))
		give_up("the image cannot be written");
	const std::string path = "/proc/self/fd/" + std::to_string(file);
	void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (library == nullptr)
		give_up(dlerror());
	void *function = dlsym(library, UNPU_KERNEL_IMAGE_SYMBOL);
	if (function == nullptr)
		give_up("the image has no unpu_kernel_image()");
	const auto *loaded = reinterpret_cast<const struct unpu_kernel_image *(*)()>(function)();
	if (loaded->version != UNPU_KERNEL_IMAGE_VERSION ||
	    loaded->bytes != sizeof(struct unpu_kernel_image))
		give_up("the image has another version");
	loaded->attach(unpu_cpu_services());
	return loaded;
}

} // namespace

FAKE void *unpu_kernel_register_image(const void *data, size_t bytes)
{
	return new Image{data, bytes, nullptr};
}

FAKE void unpu_kernel_unregister_image(void *image)
{
	delete static_cast<Image *>(image);
}

FAKE uint32_t unpu_launch_kernel(void *given, const char *name, uint32_t blocks, void *,
				 const void *args, size_t bytes)
{
	Image *image = static_cast<Image *>(given);
	if (image == nullptr)
		give_up("a launch has no image");
	if (image->loaded == nullptr)
		image->loaded = load(*image);
	const struct unpu_kernel_entry *entry = image->loaded->entries;
	while (entry != nullptr && std::strcmp(entry->name, name) != 0)
		entry = entry->next;
	if (entry == nullptr || entry->args_bytes != bytes)
		give_up(entry == nullptr ? name : "the launch has another size than its entry");
	cpu::run(*entry, blocks, 0, static_cast<const unsigned char *>(args));
	return 0;
}

FAKE int aclInit(const char *)
{
	return 0;
}

FAKE int aclFinalize()
{
	return 0;
}

FAKE int aclrtSetDevice(int32_t)
{
	return 0;
}

FAKE int aclrtResetDevice(int32_t)
{
	return 0;
}

FAKE int aclrtCreateStream(void **stream)
{
	*stream = nullptr;
	return 0;
}

FAKE int aclrtDestroyStream(void *)
{
	return 0;
}

FAKE int aclrtSynchronizeStream(void *)
{
	return 0;
}

FAKE int aclrtMalloc(void **memory, size_t bytes, int)
{
	*memory = unpu_cpu_alloc(bytes);
	return *memory == nullptr;
}

FAKE int aclrtFree(void *memory)
{
	unpu_cpu_free(memory);
	return 0;
}

FAKE int aclrtMemcpy(void *to, size_t, const void *from, size_t bytes, int)
{
	std::memcpy(to, from, bytes);
	return 0;
}

FAKE const char *aclGetRecentErrMsg()
{
	return nullptr;
}
