// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "kernel_image.h"
#include "umd/core/device/open_device.h"
#include "umd/core/task/task.h"

namespace umd {

/** using KernelHead - the head of a launch's descriptor. The alias is needed because a function of
 * include/unpu has the same name as the struct. */
using KernelHead = struct unpu_kernel_launch;

/** padded_args() - the bytes that an argument of @bytes bytes takes. */
constexpr size_t padded_args(size_t bytes)
{
	return (bytes + 7) & ~size_t{7};
}

/** class KernelMemory - device memory of the runtime for the arguments of one launch, or for a copy of a binary. Its
 * last user frees it; the device keeps the memory until all work is done that was submitted before. */
class KernelMemory {
public:
	/** allocate() - Return: NO_MEMORY, sets the error message. */
	static base::Result<std::shared_ptr<KernelMemory>> allocate(OpenDevice &open,
								    uint64_t bytes);
	~KernelMemory();
	KernelMemory(const KernelMemory &) = delete;
	KernelMemory &operator=(const KernelMemory &) = delete;

	uint64_t va() const { return va_; }
	std::byte *data() const { return data_; }

	/** show() - returns va() for the program, which may read the memory from now on. So the memory is
	 * recorded in the trace. */
	uint64_t show() const;

private:
	KernelMemory(OpenDevice &open, uint64_t va, uint64_t bytes, std::byte *data)
		: device_(open), va_(va), bytes_(bytes), data_(data)
	{
	}

	const DeviceRef device_;
	const uint64_t va_;
	const uint64_t bytes_;
	std::byte *const data_;
	mutable std::atomic<bool> is_shown_{false};
};

/** struct KernelAttributes - the attributes of a launch. */
struct KernelAttributes {
	uint64_t timeout_ns = 0;      /* 0: the time limit of the program for all tasks applies */
	uint32_t first_block = 0;     /* always 0 */
	uint32_t local_bytes = 0;     /* bytes of local memory, in addition to the kernel's own */
	uint8_t schedule = 0;	      /* 1: all blocks must run at once */
	bool has_no_prefetch = false; /* the next task is not prefetched */
	bool may_be_dumped = false;
	bool may_be_profiled = false;
	bool has_engine = false; /* @engine was set by the program */
	uint8_t engine = 0;	 /* enum unpu_kernel_core */
};

/** struct KernelPlace - an argument whose value is the address of data after the arguments. Both fields are
 * offsets in bytes from the start of the arguments. */
struct KernelPlace {
	uint32_t address;
	uint32_t data;
};

/** struct KernelLaunch - a launch as the program requests it. */
struct KernelLaunch {
	KernelImageRef image;
	uint32_t entry = 0;
	uint64_t tiling_key = 0;
	uint64_t function = 0; /* handle of the function, for queries */
	uint32_t blocks = 0;
	KernelAttributes attributes;

	/* The arguments, in memory of the host. With @places, data follows the first @args_bytes bytes. */
	std::span<const std::byte> host;
	size_t args_bytes = 0;
	std::span<const KernelPlace> places;
	/* Or the address of the arguments in memory that the device can access; the device reads them when
	 * the task runs. */
	uint64_t va = 0;
};

/** struct KernelWords - the descriptor of a launch (uapi/kernel.h), with all that the device needs for it. A task of
 * a graph shares it, so that it lives as long as the task. */
struct KernelWords : std::vector<uint64_t> {
	KernelImageRef image;
	uint32_t entry = 0;
	uint64_t function = 0;
	KernelAttributes attributes;
	/* memory of the arguments, or of data that they point to */
	std::shared_ptr<KernelMemory> memory;

	const KernelEntry &info() const { return image->entries()[entry]; }
	const KernelHead &head() const { return *reinterpret_cast<const KernelHead *>(data()); }
	/** args() - the arguments, unless they are in memory of the device. */
	const std::byte *args() const
	{
		return reinterpret_cast<const std::byte *>(data()) + sizeof(KernelHead);
	}
};

/** kernel_words() - the KernelWords of a task; nullptr if it launches no kernel. */
const KernelWords *kernel_words(const GraphTask &task);

} // namespace umd
