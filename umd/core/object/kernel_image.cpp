// SPDX-License-Identifier: MIT
/**
 * DOC: Images of kernels
 *
 * The program gives the bytes of an image; the device loads them and describes the kernels in it. So this process
 * runs no code of an image and parses none.
 */
#include "kernel_image.h"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <fmt/format.h>

#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

static constexpr uint64_t MOST_SENTENCE_BYTES = 1024;

static Status check_bytes(std::span<const std::byte> image)
{
	if (image.size() > MAX_KERNEL_IMAGE_BYTES)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the image has {} bytes; a device takes at most {}",
					     image.size(), MAX_KERNEL_IMAGE_BYTES));
	if (image.size() < sizeof(Elf64_Ehdr) || memcmp(image.data(), ELFMAG, SELFMAG) != 0)
		return set_error(
			Status::INVALID_ARGUMENT,
			"the data is no image of kernels: it does not begin as an ELF file");
	return Status::OK;
}

/* Sets the error message for a failed load. The firmware keeps a message about the last image that it could
 * not load. */
static Status explain(drv::Device &device, Status status)
{
	std::string why = base::status_sentence(status);
	bool is_told = false;
	if (status == Status::BAD_KERNEL || status == Status::NOT_SUPPORTED ||
	    status == Status::QUOTA) {
		auto told = device.kernel_text(UNPU_KERNEL_TEXT_LOAD, MOST_SENTENCE_BYTES);
		is_told = told && !told->empty();
		if (is_told)
			why = told.take();
	}
	if (status == Status::BAD_KERNEL)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the data is no image of kernels: {}", why));
	if ((status == Status::NO_RESOURCE || status == Status::QUOTA) && !is_told)
		return set_error(status,
				 fmt::format("a process can have {} images of kernels at a device, "
					     "or the firmware's limit for it is lower; unload some",
					     UNPU_KERNEL_MAX_IMAGES));
	if (status == Status::TIMEOUT)
		return set_error(status, "the image of kernels can't be loaded: the device's "
					 "process for kernels was started and does not answer; "
					 "unpu doctor tells whether it can run here");
	return set_error(status, fmt::format("the image of kernels can't be loaded: {}", why));
}

KernelImage::KernelImage(OpenDevice &open, drv::KernelLoad load, uint64_t bytes)
	: device_(open), number_(load.image), bytes_(bytes), count_(load.entries)
{
}

KernelImage::~KernelImage()
{
	KernelImages::get().remove(*this);
	KernelLeftovers::get().add_image(device_, number_);
}

Status KernelImage::read_entries(drv::Device &device)
{
	auto infos = TRY(device.kernel_info({number_, count_}));
	for (const unpu_kernel_info &info : infos) {
		KernelEntry entry;
		entry.name.assign(info.name, strnlen(info.name, sizeof(info.name)));
		entry.args_bytes = info.args_bytes;
		entry.type = info.type;
		entry.flags = info.flags;
		const uint32_t count = std::min(info.param_count, UNPU_KERNEL_WIRE_MAX_PARAMS);
		entry.params.assign(info.params, info.params + count);
		entries_.push_back(std::move(entry));
	}
	return Status::OK;
}

Result<std::shared_ptr<KernelImage>> KernelImage::load(OpenDevice &open,
						       std::span<const std::byte> image)
{
	TRY(check_bytes(image));
	drv::Device &device = *open.device;
	KernelLeftovers::release();
	auto loaded = device.load_kernels(image);
	if (!loaded)
		return explain(device, loaded.status());
	std::shared_ptr<KernelImage> made(new KernelImage(open, *loaded, image.size()));
	const Status status = made->read_entries(device);
	if (status != Status::OK)
		return explain(device, status);
	KernelImages::get().add(made);
	return made;
}

uint32_t KernelImage::find(const std::string &name) const
{
	const auto found =
		std::find_if(entries_.begin(), entries_.end(),
			     [&](const KernelEntry &entry) { return entry.name == name; });
	return found == entries_.end() ? NONE : static_cast<uint32_t>(found - entries_.begin());
}

void KernelImages::add(const std::shared_ptr<KernelImage> &image)
{
	std::lock_guard lock(mutex_);
	images_.emplace(image->number(), image);
}

/* The image is ending, so its own weak pointer has expired. */
void KernelImages::remove(const KernelImage &image)
{
	std::lock_guard lock(mutex_);
	auto [at, end] = images_.equal_range(image.number());
	while (at != end)
		at = at->second.expired() ? images_.erase(at) : std::next(at);
}

/* If the last reference to an image is dropped, the image's destructor locks the mutex. So @known is declared
 * outside of the locked block: its references are dropped after the unlock. */
KernelImageRef KernelImages::find(const drv::Device &device, uint32_t number)
{
	std::vector<KernelImageRef> known;
	{
		std::lock_guard lock(mutex_);
		auto [at, end] = images_.equal_range(number);
		for (; at != end; ++at)
			known.push_back(at->second.lock());
	}
	for (const KernelImageRef &image : known) {
		if (image && image->device().is(device))
			return image;
	}
	return nullptr;
}

} // namespace umd
