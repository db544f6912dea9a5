// SPDX-License-Identifier: MIT
/**
 * DOC: Binaries of kernels
 *
 * A binary is the program's handle of one image, and has the handles of the functions in it. An unload makes the
 * handles stale at once. The image ends when the last captured launch that needs it has ended too.
 */
#include "kernel_binary.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "kernel_launch.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

/* Each entry may have a function for many tiling keys. */
static constexpr size_t MOST_FUNCTIONS = 4096;

KernelFunction *FunctionList::find_or_make(const KernelImageRef &image, uint32_t entry,
					   uint64_t tiling_key)
{
	std::lock_guard lock(mutex_);
	const auto found = functions_.find({entry, tiling_key});
	if (found != functions_.end())
		return found->second;
	if (functions_.size() >= MOST_FUNCTIONS)
		return nullptr;
	KernelFunction *made = KernelFunction::table().create();
	if (!made)
		return nullptr;
	made->image = image;
	made->entry = entry;
	made->tiling_key = tiling_key;
	functions_.emplace(std::pair(entry, tiling_key), made);
	return made;
}

Result<KernelFunction *> FunctionList::get(const KernelImageRef &image, uint32_t entry,
					   uint64_t tiling_key)
{
	if (KernelFunction *function = find_or_make(image, entry, tiling_key))
		return function;
	return set_error(
		Status::NO_RESOURCE,
		fmt::format("a binary can have {} functions; split it in several", MOST_FUNCTIONS));
}

void FunctionList::end()
{
	std::map<std::pair<uint32_t, uint64_t>, KernelFunction *> ended;
	{
		std::lock_guard lock(mutex_);
		ended.swap(functions_);
	}
	if (ended.empty())
		return;
	for (const auto &[key, function] : ended)
		KernelFunction::table().destroy(*function);
	KernelFunction::table().sweep();
}

/* The last reference to the image may be dropped here. The image is then destroyed after the lock is released. */
void KernelBinary::drop()
{
	std::shared_ptr<KernelImage> last;
	std::shared_ptr<KernelMemory> last_copy;
	{
		std::lock_guard lock(mutex);
		contents = {};
		on_fault = nullptr;
		last.swap(image);
		last_copy.swap(copy);
	}
	keeps_launches = false;
	launches.clear();
	functions.end();
}

static Status bad_file(const char *path, Status status, const std::string &why)
{
	return set_error(status, fmt::format("{} can't be read: {}", path, why));
}

Result<std::vector<std::byte>> read_kernel_file(const char *path)
{
	const base::Fd file(base::calls::open(path, O_RDONLY | O_CLOEXEC));
	if (!file.valid())
		return bad_file(path, Status::BAD_PATH, strerror(errno));
	std::vector<std::byte> contents;
	std::byte part[65536];
	ssize_t got;
	while ((got = base::calls::read(file.get(), part, sizeof(part))) > 0) {
		contents.insert(contents.end(), part, part + got);
		if (contents.size() > MAX_KERNEL_IMAGE_BYTES)
			return bad_file(
				path, Status::INVALID_ARGUMENT,
				fmt::format("it has more than {} bytes", MAX_KERNEL_IMAGE_BYTES));
	}
	if (got < 0)
		return bad_file(path, Status::BAD_PATH, strerror(errno));
	if (contents.empty())
		return bad_file(path, Status::INVALID_ARGUMENT, "it is empty");
	return contents;
}

static Result<std::shared_ptr<KernelMemory>> copy_to_device(OpenDevice &open,
							    std::span<const std::byte> contents)
{
	auto copy = KernelMemory::allocate(open, contents.size());
	if (copy)
		memcpy((*copy)->data(), contents.data(), contents.size());
	return copy;
}

Result<KernelBinary *> load_binary(std::span<const std::byte> contents, bool lazily)
{
	auto context = TRY(Contexts::get().current());
	std::shared_ptr<KernelImage> image;
	std::shared_ptr<KernelMemory> copy;
	if (!lazily) {
		image = TRY(KernelImage::load(*context->open, contents));
		copy = TRY(copy_to_device(*context->open, contents));
	}
	KernelBinary *binary = KernelBinary::table().create();
	if (!binary)
		return set_error(Status::NO_RESOURCE, "too many binaries; unload some");
	binary->context = context->handle;
	std::lock_guard lock(binary->mutex);
	binary->image = image;
	binary->copy = copy;
	if (image)
		image->set_binary(binary->handle);
	else
		binary->contents.assign(contents.begin(), contents.end());
	return binary;
}

Held<KernelBinary> find_binary(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "binHandle is NULL");
	Held<KernelBinary> binary(KernelBinary::table(), handle);
	if (binary)
		return binary;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("binHandle {} is no loaded binary: it was unloaded, or is "
				     "something else",
				     fmt::ptr(handle)));
}

Held<KernelFunction> find_function(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "funcHandle is NULL");
	Held<KernelFunction> function(KernelFunction::table(), handle);
	if (function)
		return function;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("funcHandle {} is no function of a loaded binary: the binary "
				     "was unloaded, or it is something else",
				     fmt::ptr(handle)));
}

Status unload_binary(KernelBinary &binary, const void *handle)
{
	auto context = TRY(Contexts::get().current());
	const auto *loaded_in = reinterpret_cast<const void *>(binary.context);
	if (binary.context != context->handle && Context::table().get(loaded_in))
		return set_error(
			Status::WRONG_CONTEXT,
			"binHandle was loaded in another context than the thread's current "
			"one; make that current with $set_current_context");
	if (!KernelBinary::table().retire(binary, handle))
		return find_binary(handle).status();
	binary.drop();
	KernelBinary::table().recycle(binary);
	KernelLeftovers::release();
	return Status::OK;
}

uint64_t device_copy(KernelBinary &binary)
{
	std::lock_guard lock(binary.mutex);
	return binary.copy ? binary.copy->show() : 0;
}

KernelImageRef loaded_image(KernelBinary &binary)
{
	std::lock_guard lock(binary.mutex);
	return binary.image;
}

/* Return: false for a binary that another thread has unloaded. */
static bool copy_contents(KernelBinary &binary, std::vector<std::byte> &contents)
{
	std::lock_guard lock(binary.mutex);
	contents = binary.contents;
	return !contents.empty();
}

/* The device loads the image without the lock. If another thread has loaded it meanwhile, this one's is dropped. */
Result<KernelImageRef> image_of(KernelBinary &binary)
{
	if (auto image = loaded_image(binary))
		return image;
	std::vector<std::byte> contents;
	if (!copy_contents(binary, contents))
		return set_error(Status::INVALID_HANDLE,
				 "binHandle was unloaded by another thread; load the binary again");
	auto context = TRY(Contexts::get().current());
	const std::shared_ptr<KernelImage> made = TRY(KernelImage::load(*context->open, contents));
	std::lock_guard lock(binary.mutex);
	if (!binary.image) {
		made->set_binary(binary.handle);
		binary.image = made;
		binary.contents.clear();
	}
	return KernelImageRef(binary.image);
}

/* Divides "NAME_KEY". Return: false if @text does not end so. */
static bool divide(const std::string &text, std::string &name, uint64_t &key)
{
	const size_t line = text.rfind('_');
	if (line == std::string::npos || line == 0 || line + 1 == text.size() ||
	    text.size() - line - 1 > 19 ||
	    text.find_first_not_of("0123456789", line + 1) != std::string::npos)
		return false;
	name = text.substr(0, line);
	key = std::stoull(text.substr(line + 1));
	return true;
}

Result<KernelFunction *> function_by_name(KernelBinary &binary, const std::string &name)
{
	auto image = TRY(image_of(binary));
	std::string stem;
	uint64_t key = 0;
	uint32_t entry = image->find(name);
	if (entry == KernelImage::NONE && divide(name, stem, key))
		entry = image->find(stem);
	if (entry != KernelImage::NONE)
		return binary.functions.get(image, entry, key);
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("kernelName is \"{}\"; the binary has {} kernels{}{}", name,
			    image->entries().size(),
			    image->entries().empty() ? "" : ", the first is ",
			    image->entries().empty() ? "" : image->entries().front().name));
}

Result<KernelFunction *> function_by_key(KernelBinary &binary, uint64_t key)
{
	auto image = TRY(image_of(binary));
	const std::vector<KernelEntry> &entries = image->entries();
	for (uint32_t entry = 0; entry < entries.size(); entry++) {
		std::string name;
		uint64_t number = 0;
		if (divide(entries[entry].name, name, number) && number == key)
			return binary.functions.get(image, entry, key);
	}
	if (entries.size() == 1)
		return binary.functions.get(image, 0, key);
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("funcEntry is {}; no kernel of the binary has a name that ends "
			    "in _{}, and there are {} kernels",
			    key, key, entries.size()));
}

uint64_t function_of(const KernelImageRef &image, uint32_t entry)
{
	if (!image || entry >= image->entries().size() || image->binary() == 0)
		return 0;
	Held<KernelBinary> binary(KernelBinary::table(),
				  reinterpret_cast<const void *>(image->binary()));
	if (!binary)
		return 0;
	auto function = binary->functions.get(image, entry, 0);
	return function ? (*function)->handle.now() : 0;
}

} // namespace umd
