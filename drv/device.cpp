// SPDX-License-Identifier: MIT
/**
 * DOC: Device
 *
 * Opens and closes a device, loads its graphs, and reports its state.
 */
#include "device.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "hal/topology.h"
#include "quota.h"

namespace drv {

using base::Result;
using base::Status;

Device::Device(std::unique_ptr<hal::Device> hal)
	: ChannelSet(std::move(hal)), memory_(*this), peers_(*this),
	  stager_(std::make_unique<Stager>(*this, memory_))
{
}

Result<std::unique_ptr<Device>> Device::open(const hal::Options &options, uint32_t index,
					     std::string &why)
{
	auto attached = TRY(hal::open_device(options, index, why));
	std::unique_ptr<Device> device(new Device(std::move(attached)));
	auto space = AddressSpace::create(*device->hal_, device->mailbox_, options.window_bytes);
	if (!space) {
		why = "the address windows of the device can't be reserved; window= and memory= "
		      "of UNPU_DEVICE ask for fewer addresses" +
		      hal::limits_sentence();
		return space.status();
	}
	device->space_ = space.take();
	/* A stepped device is deterministic, so it has no background prefault thread. */
	bool stepped = device->hal_->bar().features & UNPU_FEATURE_STEPPED;
	device->memory_.configure(options.pages, stepped ? 0 : options.prefault_bytes);
	if (uint32_t quota = device->hal_->quotas().semaphores)
		device->semaphores_.limit(quota);
	return device;
}

Device::~Device()
{
	(void)pool_.clear();
	stager_.reset();
	peers_.part();
	/* The owners have destroyed all channels, so all deferred actions can run now. */
	close_gathered();
	retiring_.reap([](const Fence &) { return true; });
}

/* The firmware copies the image into device memory, so the attempt may run out of it. */
Result<uint32_t> Device::load_graph(const void *image, uint64_t bytes)
{
	return memory_.with_room([&] { return try_load_graph(image, bytes); });
}

Result<uint32_t> Device::try_load_graph(const void *image, uint64_t bytes)
{
	std::string why;
	auto bo = TRY(memory_.allocate(Place::DEVICE, bytes, UNPU_PAGE_4K, why));
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = bo.va;
	message.graph.bytes = bytes;
	memcpy(space_->aperture(bo.va, bytes), image, bytes);
	Status status = mailbox_.call(message);
	/* The firmware runs its own copy of the image, so this copy can be freed. */
	(void)memory_.free(Place::DEVICE, bo.va);
	if (status != Status::OK)
		return status;
	return message.graph.graph;
}

std::string Device::refusal(Status status, Need need)
{
	if (status != Status::QUOTA)
		return base::status_sentence(status);
	const hal::Quotas &quotas = hal_->quotas();
	std::string limits;
	const auto add = [&limits](uint64_t most, const char *what, const char *option) {
		limits += fmt::format("{}{} {} (firmware-sim --quota-{})",
				      limits.empty() ? "" : ", and ", most, what, option);
	};
	if (need == Need::CHANNEL && quotas.channels != 0 && channel_count() >= quotas.channels)
		add(quotas.channels, "channels, of which each stream has one", "channels");
	else if (need != Need::GRAPH && quotas.semaphores != 0 && !semaphores_.available())
		add(quotas.semaphores, "semaphores", "semaphores");
	/* Only the firmware knows what else a request takes. */
	if (limits.empty())
		limits = used_up_quota(*hal_);
	if (limits.empty()) {
		if (need == Need::GRAPH && quotas.graphs != 0)
			add(quotas.graphs, "graphs", "graphs");
		if (need != Need::SEMAPHORE && quotas.memory_bytes != 0)
			add(quotas.memory_bytes, "bytes of memory", "memory");
	}
	return limits.empty() ? base::status_sentence(status)
			      : "the firmware lets one process have " + limits;
}

Status Device::unload_graph(uint32_t graph)
{
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_UNLOAD;
	message.graph.graph = graph;
	return mailbox_.call(message);
}

Status Device::trace_graph(uint32_t graph, uint64_t va, uint64_t bytes)
{
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_TRACE;
	message.graph.va = va;
	message.graph.bytes = bytes;
	message.graph.graph = graph;
	return mailbox_.call(message);
}

Result<MemoryInfo> Device::memory_info()
{
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	TRY(mailbox_.call(message));
	const unpu_msg_memory_info &info = message.info;
	return MemoryInfo{info.total_bytes, info.free_bytes, info.pages_huge, info.pages_thp,
			  info.pages_4k};
}

Result<DeviceInfo> Device::info()
{
	unpu_message message{};
	message.type = UNPU_MSG_DEVICE_INFO;
	TRY(mailbox_.call(message));
	const unpu_msg_device_info &told = message.device;
	return DeviceInfo{told.uptime_ns,   told.busy_ns,    told.engines_busy_ns,
			  told.local_bytes, told.core_bytes, told.shared_bytes,
			  told.cores,	    told.clock_mhz};
}

static double share(uint64_t then_ns, uint64_t now_ns, double of_ns)
{
	auto spent = static_cast<double>(now_ns - then_ns);
	/* Busy time is added when a piece of work ends. The piece may have begun before the interval: limit
	 * to 1. */
	return of_ns > 0 ? std::min(spent / of_ns, 1.0) : 0;
}

Busy busy_between(const DeviceInfo &then, const DeviceInfo &now)
{
	auto passed = static_cast<double>(now.uptime_ns - then.uptime_ns);
	return Busy{share(then.busy_ns + then.engines_busy_ns, now.busy_ns + now.engines_busy_ns,
			  passed * now.cores),
		    share(then.busy_ns, now.busy_ns, passed)};
}

Result<Busy> Device::busy()
{
	auto now = TRY(info());
	DeviceInfo then = std::exchange(busy_base_, now);
	if (hal_->bar().features & UNPU_FEATURE_STEPPED)
		return Busy{};
	return busy_between(then, now);
}

std::string Device::dump()
{
	const unpu_bar &bar = hal_->bar();
	std::string text = fmt::format(
		"device {} ({}): abi {}.{} generation {} features {:#x} engines {} node {}\n",
		bar.device_index, std::string_view(bar.soc_name, strnlen(bar.soc_name, 32)),
		bar.abi >> 16, bar.abi & 0xffff, bar.generation, bar.features, bar.engines,
		bar.numa_node);
	text += fmt::format("  sleeping {} broken {} semaphores in use {}\n",
			    hal_->completion().status.sleeping, hal_->completion().status.broken,
			    semaphores_.in_use());
	text += fmt::format("  device memory in use {} bytes, pinned {} bytes\n",
			    memory_.in_use_bytes(Place::DEVICE),
			    memory_.in_use_bytes(Place::PINNED));
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : channels_) {
		Fence last = channel->last();
		Failure failure = channel->failure();
		text += fmt::format(
			"  channel {}: semaphore {} at {} of {}{}, failure {} (command {}, "
			"address {:#x})\n",
			channel->index(), last.sem, value(last.sem), last.value,
			done(last) ? " idle" : "", base::status_name(failure.status),
			failure.cookie, failure.address);
	}
	return text;
}

} // namespace drv
