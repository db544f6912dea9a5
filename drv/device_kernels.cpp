// SPDX-License-Identifier: MIT
/**
 * DOC: Images of kernels on a device
 *
 * Loads images of user kernels into the firmware, and takes the texts about kernels that the firmware keeps.
 * Images and texts travel through a block of device memory that the call allocates and frees.
 */
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/kernel_info.h"
#include "device.h"

namespace drv {

using base::Result;
using base::Status;

namespace {

/* class Block - device memory for one request. */
class Block {
public:
	explicit Block(Memory &memory) : memory_(memory) {}
	Block(const Block &) = delete;
	Block &operator=(const Block &) = delete;
	~Block()
	{
		if (bo_.va != 0)
			(void)memory_.free(Place::DEVICE, bo_.va);
	}

	Status allocate(uint64_t bytes)
	{
		std::string why;
		bo_ = TRY(memory_.allocate(Place::DEVICE, bytes, UNPU_PAGE_4K, why));
		return Status::OK;
	}
	uint64_t va() const { return bo_.va; }

private:
	Memory &memory_;
	Bo bo_;
};

} // namespace

/* The firmware copies the image into device memory, so the attempt may run out of it. */
Result<KernelLoad> Device::load_kernels(std::span<const std::byte> image)
{
	return memory_.with_room([&]() -> Result<KernelLoad> {
		Block block(memory_);
		TRY(block.allocate(image.size()));
		memcpy(space_->aperture(block.va(), image.size()), image.data(), image.size());
		unpu_message message{};
		message.type = UNPU_MSG_KERNEL_LOAD;
		message.kernel.va = block.va();
		message.kernel.bytes = image.size();
		message.kernel.objects = memory_.share_objects();
		TRY(mailbox_.call(message));
		return KernelLoad{message.kernel.image, message.kernel.entries};
	});
}

Result<std::vector<unpu_kernel_info>> Device::kernel_info(const KernelLoad &load)
{
	if (load.entries == 0 || load.entries > base::KERNELS_MOST)
		return Status::DEVICE_LOST;
	std::vector<unpu_kernel_info> entries(load.entries);
	const uint64_t bytes = entries.size() * sizeof(unpu_kernel_info);
	Block block(memory_);
	TRY(block.allocate(bytes));
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_INFO;
	message.kernel.va = block.va();
	message.kernel.bytes = bytes;
	message.kernel.image = load.image;
	message.kernel.entries = load.entries;
	TRY(mailbox_.call(message));
	memcpy(entries.data(), space_->aperture(block.va(), bytes), bytes);
	/* The firmware has checked them, unless it lies. */
	const bool is_good = std::all_of(entries.begin(), entries.end(), base::is_good_kernel);
	return is_good ? Result(std::move(entries)) : Status::DEVICE_LOST;
}

void Device::unload_kernels(uint32_t image)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_UNLOAD;
	message.kernel.image = image;
	(void)mailbox_.call(message);
}

Result<std::string> Device::kernel_text(unpu_kernel_text_kind kind, uint64_t bytes, uint64_t cookie)
{
	Block block(memory_);
	TRY(block.allocate(bytes));
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_TEXT;
	message.text.va = block.va();
	message.text.bytes = bytes;
	message.text.cookie = cookie;
	message.text.kind = kind;
	TRY(mailbox_.call(message));
	const uint64_t stored = std::min(message.text.bytes, bytes);
	const auto *text = reinterpret_cast<const char *>(space_->aperture(block.va(), bytes));
	return std::string(text, stored);
}

} // namespace drv
