// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drv/channel/channel_set.h"
#include "drv/memory/memory.h"
#include "drv/memory/stager.h"
#include "peers.h"
#include "uapi/kernel.h"

namespace drv {

/** struct MemoryInfo - device memory and the kinds of its pages. */
struct MemoryInfo {
	uint64_t total_bytes = 0;
	uint64_t free_bytes = 0;
	uint64_t pages_huge = 0;
	uint64_t pages_thp = 0;
	uint64_t pages_4k = 0;
};

/** struct DeviceInfo - a device's cores and their busy time; see uapi/mailbox.h. */
struct DeviceInfo {
	uint64_t uptime_ns = 0;
	uint64_t busy_ns = 0;
	uint64_t engines_busy_ns = 0;
	uint64_t local_bytes = 0;
	uint64_t core_bytes = 0;
	uint64_t shared_bytes = 0;
	uint32_t cores = 0;
	uint32_t clock_mhz = 0;
};

/** struct KernelLoad - an image of kernels in the firmware: its number and how many entries it has. */
struct KernelLoad {
	uint32_t image = 0;
	uint32_t entries = 0;
};

/** struct Busy - utilization of the parts of a device, 0 .. 1; empty for a stepped device, which runs only
 * inside host threads. */
struct Busy {
	std::optional<double> cores; /* all engines together */
	std::optional<double> command_processor;
};

/** enum class Need - what a request asks the firmware for. */
enum class Need { CHANNEL, SEMAPHORE, GRAPH };

/** busy_between() - the utilization between two samples. */
Busy busy_between(const DeviceInfo &then, const DeviceInfo &now);

/**
 * class Device - one device and this process's context on it. It owns all objects below the runtime; its
 * destructor destroys them in the order of their dependencies. An Attachment talks with the firmware, a
 * ChannelSet knows the work, and a Device adds memory, peers and graphs.
 */
class Device : public ChannelSet {
public:
	/** open() - opens a device. @why: receives an error message on failure. */
	static base::Result<std::unique_ptr<Device>> open(const hal::Options &options,
							  uint32_t index, std::string &why);
	~Device();

	Memory &memory() { return memory_; }
	Peers &peers() { return peers_; }
	Stager &stager() { return *stager_; }

	/** reaches() - whether packets may name the range [@address, @address + @bytes): it is memory of this
	 * device or of a peer that this device has access to, and it lies in one live object that allows
	 * @access.
	 * @place: out: the kind of memory at @address, as this device sees it */
	bool reaches(uint64_t address, uint64_t bytes, Place &place,
		     uint32_t access = UNPU_ACCESS_READ)
	{
		if (memory_.knows(address, bytes, place)) [[likely]]
			return true;
		place = space_->place(address);
		if (place != Place::OUTSIDE) [[likely]]
			return memory_.covers(address, bytes, access);
		return peers_.reaches(address, bytes, place, access);
	}

	/** load_graph() - loads an image into the firmware. Return: the graph's id; BAD_GRAPH. */
	base::Result<uint32_t> load_graph(const void *image, uint64_t bytes);

	/** unload_graph() - Return: MODEL_RUNNING while an execution is under way. */
	base::Status unload_graph(uint32_t graph);

	/** trace_graph() - sets the buffer for the time stamps of a graph's nodes; @bytes 0 for none. */
	base::Status trace_graph(uint32_t graph, uint64_t va, uint64_t bytes);

	/** load_kernels() - loads an image of user kernels (uapi/kernel.h).
	 * Return: BAD_KERNEL; kernel_text() then gives the firmware's error message. */
	base::Result<KernelLoad> load_kernels(std::span<const std::byte> image);

	/** kernel_info() - the entries of a loaded image, sorted by name. */
	base::Result<std::vector<unpu_kernel_info>> kernel_info(const KernelLoad &load);

	/** unload_kernels() - frees the image's number. Context: no task names the image any more. */
	void unload_kernels(uint32_t image);

	/** kernel_text() - takes a text about kernels of this client from the firmware: what they printed, or
	 * an error message.
	 * @bytes: the maximum number of bytes to take
	 * @cookie: the cookie of the launch for FAULT and PLACE; 0 for the other kinds of text */
	base::Result<std::string> kernel_text(unpu_kernel_text_kind kind, uint64_t bytes,
					      uint64_t cookie = 0);

	base::Result<MemoryInfo> memory_info();
	base::Result<DeviceInfo> info();

	/** busy() - the utilization since its last call on this object, or since the device's start.
	 * Context: one thread at a time. */
	base::Result<Busy> busy();

	/** refusal() - what @status says of a request for one more of @need, for people: a quota with its option. */
	std::string refusal(base::Status status, Need need);

	/** dump() - the device's state as readable text. */
	std::string dump();

private:
	base::Result<uint32_t> try_load_graph(const void *image, uint64_t bytes);

	explicit Device(std::unique_ptr<hal::Device> hal);

	DeviceInfo busy_base_; /* the sample of the last busy() */
	Memory memory_;
	Peers peers_;
	std::unique_ptr<Stager> stager_;
};

} // namespace drv
