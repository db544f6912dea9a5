// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "drv/device.h"
#include "uapi/kernel.h"
#include "umd/core/device/device_state.h"
#include "umd/core/process/process.h"

namespace umd {

/* The most bytes of an image. */
constexpr uint64_t MAX_KERNEL_IMAGE_BYTES = UNPU_KERNEL_MAX_IMAGE_BYTES;

/** struct KernelEntry - a kernel of an image, as the device describes it. */
struct KernelEntry {
	std::string name;
	uint32_t args_bytes = 0; /* a multiple of 8 */
	uint32_t type = 0;	 /* enum unpu_kernel_type of kernels/abi/image.h */
	uint32_t flags = 0;	 /* bits UNPU_KERNEL_HAS_* */
	std::vector<unpu_kernel_param_info> params;

	/** needed_bytes() - the end of the last parameter: the fewest bytes of arguments. */
	uint32_t needed_bytes() const
	{
		return params.empty() ? 0 : params.back().offset + params.back().bytes;
	}
};

/**
 * class KernelImage - an image of kernels that is loaded on one opening of a device. It never changes. Binaries,
 * functions, and captured launches share it; the last of them unloads it, after all work that was submitted before.
 */
class KernelImage {
public:
	/** load() - @image: the bytes of the file; not used after the call.
	 * Context: no lock is held; waits for the device.
	 * Return: INVALID_ARGUMENT for bytes that are no image, NO_RESOURCE, NO_MEMORY, sets the error
	 * message. */
	static base::Result<std::shared_ptr<KernelImage>> load(OpenDevice &open,
							       std::span<const std::byte> image);
	~KernelImage();
	KernelImage(const KernelImage &) = delete;
	KernelImage &operator=(const KernelImage &) = delete;

	const DeviceRef &device() const { return device_; }
	uint32_t number() const { return number_; }
	uint64_t bytes() const { return bytes_; }
	const std::vector<KernelEntry> &entries() const { return entries_; }

	/** find() - the index of the entry with @name. Return: NONE if there is none. */
	static constexpr uint32_t NONE = ~uint32_t{0};
	uint32_t find(const std::string &name) const;

	/** binary() - handle of the binary that the program loaded; 0 for an image that is part of the
	 * program. */
	uint64_t binary() const { return binary_; }
	void set_binary(uint64_t handle) { binary_ = handle; }

private:
	KernelImage(OpenDevice &open, drv::KernelLoad load, uint64_t bytes);
	base::Status read_entries(drv::Device &device);

	const DeviceRef device_;
	const uint32_t number_; /* the device's number of the image */
	const uint64_t bytes_;
	const uint32_t count_;
	uint64_t binary_ = 0; /* set before other threads see the image */
	std::vector<KernelEntry> entries_;
};

using KernelImageRef = std::shared_ptr<const KernelImage>;

/** class KernelImages - the loaded images by their numbers, to name the kernel of a failed task. */
class KernelImages {
public:
	static KernelImages &get() { return Process::own<KernelImages>(); }

	void add(const std::shared_ptr<KernelImage> &image);
	void remove(const KernelImage &image);

	/** find() - the image that the device of @device knows as @number, or nullptr. */
	KernelImageRef find(const drv::Device &device, uint32_t number);

private:
	base::Mutex mutex_{"KernelImages::mutex_"};
	std::unordered_multimap<uint32_t, std::weak_ptr<KernelImage>> images_ GUARDED_BY(mutex_);
};

} // namespace umd
