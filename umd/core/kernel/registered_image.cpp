// SPDX-License-Identifier: MIT
/**
 * DOC: Images of the program
 *
 * Generated code registers the images of the program by static constructors, which may run before anything else of
 * this library. So a registration only stores the values. Each device loads an image at its first use there; a
 * device that was closed and opened again loads it again.
 */
#include "registered_image.h"

#include <new>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <unistd.h>

#include "umd/core/context/contexts.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

namespace {

/* struct Known - what was registered. It is not one of Process: a fork keeps the images of its program. */
struct Known {
	struct Symbol {
		RegisteredImage *image;
		std::string name;
	};

	base::Mutex mutex{"RegisteredImages::mutex"};
	std::unordered_set<const RegisteredImage *> images GUARDED_BY(mutex);
	std::unordered_map<const void *, Symbol> symbols GUARDED_BY(mutex);

	bool has(const RegisteredImage *image)
	{
		std::lock_guard lock(mutex);
		return images.contains(image);
	}

	bool find(const void *symbol, Symbol &found)
	{
		std::lock_guard lock(mutex);
		const auto at = symbols.find(symbol);
		if (at != symbols.end())
			found = at->second;
		return at != symbols.end();
	}

	/* Never destroyed: libraries unregister their images after static destructors have run. */
	static Known &get()
	{
		static Known *known = new Known;
		return *known;
	}
};

} // namespace

RegisteredImage *RegisteredImages::add(const void *data, size_t bytes)
{
	auto image = std::unique_ptr<RegisteredImage>(new (std::nothrow) RegisteredImage);
	if (!image)
		return nullptr;
	image->data = static_cast<const std::byte *>(data);
	image->bytes = bytes;
	image->process = getpid();
	Known &known = Known::get();
	std::lock_guard lock(known.mutex);
	known.images.insert(image.get());
	return image.release();
}

void RegisteredImages::remove(RegisteredImage *image)
{
	Known &known = Known::get();
	{
		std::lock_guard lock(known.mutex);
		if (known.images.erase(image) == 0)
			return;
		std::erase_if(known.symbols,
			      [&](const auto &entry) { return entry.second.image == image; });
	}
	/* A forked child does not have the device and the handles of its parent. */
	if (image->process != getpid())
		return;
	std::map<int32_t, RegisteredImage::Loaded> loaded;
	{
		std::lock_guard lock(image->mutex);
		loaded.swap(image->loaded);
	}
	for (const auto &[device, one] : loaded)
		one.functions->end();
	loaded.clear();
	delete image;
	KernelLeftovers::release();
}

bool RegisteredImages::bind(RegisteredImage *image, const void *symbol, const char *name)
{
	Known &known = Known::get();
	std::lock_guard lock(known.mutex);
	if (!known.images.contains(image) || !symbol || !name)
		return false;
	known.symbols[symbol] = {image, name};
	return true;
}

bool RegisteredImages::is_symbol(const void *symbol)
{
	Known::Symbol found{};
	return Known::get().find(symbol, found);
}

static bool find_loaded(RegisteredImage &image, const Context &context,
			RegisteredImage::Loaded &found)
{
	std::lock_guard lock(image.mutex);
	const auto at = image.loaded.find(context.state->index);
	if (at == image.loaded.end() || !at->second.image->device().is(*context.open))
		return false;
	found = at->second;
	return true;
}

/* The device loads the image without the lock. If another thread has loaded it meanwhile, this one's is dropped. */
static Result<RegisteredImage::Loaded> load_in(RegisteredImage &image, const Context &context)
{
	RegisteredImage::Loaded found;
	if (find_loaded(image, context, found))
		return found;
	auto made = TRY(KernelImage::load(*context.open, {image.data, image.bytes}));
	RegisteredImage::Loaded fresh{std::move(made), std::make_shared<FunctionList>()};
	RegisteredImage::Loaded old;
	{
		std::lock_guard lock(image.mutex);
		RegisteredImage::Loaded &kept = image.loaded[context.state->index];
		if (kept.image && kept.image->device().is(*context.open))
			return kept;
		old = std::exchange(kept, fresh);
	}
	if (old.functions)
		old.functions->end();
	return fresh;
}

Result<KernelFunction *> RegisteredImages::function(RegisteredImage *image, const char *name)
{
	if (!image || !name)
		return set_error(Status::NULL_POINTER, image ? "name is NULL" : "image is NULL");
	if (!Known::get().has(image))
		return set_error(Status::INVALID_HANDLE,
				 "image is not registered: its library was unloaded; keep the "
				 "library loaded while its kernels are launched");
	auto context = TRY(Contexts::get().current());
	auto loaded = TRY(load_in(*image, *context));
	const uint32_t entry = loaded.image->find(name);
	if (entry == KernelImage::NONE)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("the image of the program has no kernel \"{}\"", name));
	return loaded.functions->get(loaded.image, entry, 0);
}

Result<KernelFunction *> RegisteredImages::function(const void *symbol)
{
	Known::Symbol found{};
	if (Known::get().find(symbol, found))
		return function(found.image, found.name.c_str());
	return set_error(Status::NO_FUNCTION,
			 fmt::format("{} is no function that stands for a kernel of the program",
				     fmt::ptr(symbol)));
}

} // namespace umd
