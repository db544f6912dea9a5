// SPDX-License-Identifier: MIT
/**
 * DOC: Device
 *
 * Opens and closes a device, and has the state that all of its objects share.
 */
#include "device.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "hal/topology.h"

namespace drv {

using base::Result;
using base::Status;

Device::Device(std::unique_ptr<hal::Device> hal)
	: hal_(std::move(hal)), mailbox_(*hal_), sharing_(*hal_, mailbox_), memory_(*this),
	  peers_(*this), stager_(std::make_unique<Stager>(*this))
{
}

Result<std::unique_ptr<Device>> Device::open(const hal::Options &options, uint32_t index,
					     std::string &why)
{
	auto attached = hal::open_device(options, index, why);
	if (!attached)
		return attached.status();
	std::unique_ptr<Device> device(new Device(attached.take()));
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
	stager_.reset();
	peers_.part();
	/* The owners have destroyed all channels, so all deferred actions can run now. */
	close_gathered();
	retiring_.reap([](const Fence &) { return true; });
}

Result<uint32_t> Device::allocate_semaphore(SemaphorePool::Use use)
{
	auto sem = semaphores_.allocate(use);
	if (sem) [[likely]]
		return sem;
	reclaim_semaphores();
	return semaphores_.allocate(use);
}

void Device::reclaim_semaphores()
{
	auto passed = [this](const Fence &fence) { return done(fence); };
	if (at_shortage_)
		at_shortage_();
	close_gathered();
	retiring_.reap(passed, SIZE_MAX);
	semaphores_.reclaim(passed);
}

Status Device::set_semaphore(uint32_t sem, uint64_t value)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEM_SET;
	message.sem.sem = sem;
	message.sem.value = value;
	return mailbox_.call(message);
}

Result<OwnedSegment> Device::create_segment(unpu_segment_kind kind, uint64_t bytes, uint32_t flags)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment.kind = kind;
	message.segment.bytes = bytes;
	message.segment.flags = flags;
	TRY(mailbox_.call(message));
	OwnedSegment segment;
	segment.id = message.segment.segment;
	auto shared = hal_->take_segment(segment.id);
	if (shared && shared->bytes >= bytes) {
		auto memory = hal_->map(shared->fd, shared->bytes, UNPU_PAGE_4K);
		if (memory) {
			segment.memory = memory.take();
			return segment;
		}
	}
	destroy_segment(segment.id);
	return shared ? Status::NO_MEMORY : shared.status();
}

void Device::destroy_segment(uint64_t id)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = id;
	(void)mailbox_.call(message);
}

/* The firmware's copy needs device memory too. */
Result<uint32_t> Device::load_graph(const void *image, uint64_t bytes)
{
	return memory_.with_room([&] { return try_load_graph(image, bytes); });
}

Result<uint32_t> Device::try_load_graph(const void *image, uint64_t bytes)
{
	std::string why;
	auto bo = memory_.allocate(Place::DEVICE, bytes, UNPU_PAGE_4K, why);
	if (!bo)
		return bo.status();
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = bo->va;
	message.graph.bytes = bytes;
	memcpy(space_->aperture(bo->va, bytes), image, bytes);
	Status status = mailbox_.call(message);
	/* The firmware runs its own copy. */
	(void)memory_.free(Place::DEVICE, bo->va);
	if (status != Status::OK)
		return status;
	return message.graph.graph;
}

Status Device::unload_graph(uint32_t graph)
{
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_UNLOAD;
	message.graph.graph = graph;
	return mailbox_.call(message);
}

void Device::close_file(uint32_t file)
{
	unpu_message message{};
	message.type = UNPU_MSG_FILE_CLOSE;
	message.file.file = file;
	(void)mailbox_.call(message);
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
	auto now = info();
	if (!now)
		return now.status();
	DeviceInfo then = std::exchange(busy_base_, *now);
	if (hal_->bar().features & UNPU_FEATURE_STEPPED)
		return Busy{};
	return busy_between(then, *now);
}

/* Up to this many idle channels may stay in busy_: each call of forget_idle() costs a heavy fence. */
static constexpr size_t IDLE_MOST = 16;

std::vector<Fence> Device::pending_fences()
{
	std::vector<Fence> fences;
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : busy_) {
		Fence last = channel->last();
		if (!done(last))
			fences.push_back(last);
	}
	if (busy_.size() > 2 * fences.size() + IDLE_MOST)
		forget_idle();
	return fences;
}

/* Removes idle channels from busy_. A submit stores `submitted_` and then reads listed(). This function
 * clears listed() and, after the heavy fence, reads `submitted_`. So either the submit sees that it must
 * re-add the channel, or this function sees that the channel is not idle. Context: channels_mutex_ is held.
 * */
void Device::forget_idle()
{
	auto first = std::partition(busy_.begin(), busy_.end(),
				    [](const Channel *channel) { return !channel->idle(); });
	std::for_each(first, busy_.end(), [](Channel *channel) { channel->list(false); });
	base::heavy_fence(hal_->fence());
	auto end = std::partition(first, busy_.end(),
				  [](const Channel *channel) { return !channel->idle(); });
	std::for_each(first, end, [](Channel *channel) { channel->list(true); });
	busy_.erase(end, busy_.end());
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
}

void Device::note_busy(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	if (channel.listed())
		return;
	channel.list(true);
	busy_.push_back(&channel);
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
	if (!channel.settled())
		return;
	channel.settle(false);
	unsettled_.push_back(&channel);
}

void Device::note_unsettled(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	if (!channel.settled())
		return;
	channel.settle(false);
	unsettled_.push_back(&channel);
}

std::vector<void *> Device::unsettled(const void *owner)
{
	std::vector<void *> users;
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : unsettled_) {
		if (channel->owner() == owner)
			users.push_back(channel->user());
	}
	return users;
}

/* Up to this many channels stay unsettled even without work: to check them is cheaper than a heavy fence. */
static constexpr size_t UNSETTLED_FEW = 4;

/* A submit that races with the owner's check changes last() or re-adds the channel to busy_, so it is not
 * missed. */
void Device::settle(const std::vector<Settled> &settled)
{
	std::lock_guard lock(channels_mutex_);
	if (unsettled_.size() <= UNSETTLED_FEW)
		return;
	forget_idle();
	for (const Settled &one : settled) {
		if (!one.channel->listed() && one.channel->last() == one.tail)
			one.channel->settle(true);
	}
	std::erase_if(unsettled_, [](const Channel *channel) { return channel->settled(); });
}

/* Up to this many busy channels, each deferred action gets its own fences. */
static constexpr uint32_t BUSY_FEW = 8;
/* Credit of gathered actions: an action counts 1, plus 1 per BYTES_EACH. One credit pays for the fences of
 * CHANNELS_EACH busy channels. */
static constexpr uint64_t CHANNELS_EACH = 4;
static constexpr uint64_t BYTES_EACH = base::PAGE_BYTES;
/* The longest time for which actions are gathered, checked by later calls. */
static constexpr uint64_t GATHERED_NS = base::NS_PER_MS;

std::vector<Fence> Device::few_pending()
{
	const uint32_t busy = base::load_relaxed(busy_count_);
	return busy == 0 || busy > BUSY_FEW ? std::vector<Fence>{} : pending_fences();
}

void Device::defer(std::function<void()> action, uint64_t bytes, const std::vector<Fence> &older)
{
	const uint32_t busy = base::load_relaxed(busy_count_);
	if (busy > BUSY_FEW || retiring_.gathers_since() != 0) {
		const uint64_t credit = 1 + bytes / BYTES_EACH;
		if (retiring_.gather(std::move(action), credit) * CHANNELS_EACH >= busy)
			close_gathered();
		return;
	}
	auto fences = pending_fences();
	std::erase_if(fences, [&older](const Fence &fence) {
		return std::find(older.begin(), older.end(), fence) != older.end();
	});
	if (fences.empty())
		action();
	else
		retiring_.add(std::move(fences), std::move(action));
}

void Device::close_gathered()
{
	retiring_.close([this] { return pending_fences(); });
}

void Device::defer_after(std::vector<Fence> fences, std::function<void()> action)
{
	std::erase_if(fences, [this](const Fence &fence) { return done(fence); });
	if (fences.empty())
		action();
	else
		retiring_.add(std::move(fences), std::move(action));
}

void Device::reap_all()
{
	if (retiring_.gathers_since() != 0)
		close_gathered();
	reap();
}

void Device::reap()
{
	const uint64_t since_ns = retiring_.gathers_since();
	if (since_ns != 0 && base::coarse_ns() - since_ns > GATHERED_NS) [[unlikely]]
		close_gathered();
	retiring_.reap([this](const Fence &fence) { return done(fence); });
}

bool Device::wait_retired(uint64_t seen, uint64_t deadline_ns)
{
	for (;;) {
		reap_all();
		if (retiring_.finished() != seen)
			return base::now_ns() < deadline_ns;
		const auto fences = retiring_.oldest();
		if (fences.empty())
			return retiring_.wait_running(seen, deadline_ns);
		for (const Fence &fence : fences) {
			if (wait(fence, deadline_ns) != Status::OK && !done(fence))
				return retiring_.finished() != seen;
		}
	}
}

void Device::add_channel(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	channel.set_place(channels_.size());
	channels_.push_back(&channel);
}

void Device::remove_channel(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	const size_t place = channel.place();
	channels_[place] = channels_.back();
	channels_[place]->set_place(place);
	channels_.pop_back();
	if (!channel.settled())
		std::erase(unsettled_, &channel);
	if (channel.listed())
		std::erase(busy_, &channel);
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
	/* Mark it as listed, so that note_busy() and note_unsettled() do not add it again. */
	channel.settle(false);
	channel.list(true);
}

Status Device::control(const ClientControl &wanted)
{
	unpu_message message{};
	message.type = UNPU_MSG_CLIENT_CONTROL;
	if (wanted.report_faults)
		message.client.actions |= UNPU_CLIENT_REPORT_FAULTS;
	if (wanted.limit)
		message.client.actions |= UNPU_CLIENT_EXECUTE_LIMIT;
	message.client.execute_limit_ns = wanted.execute_limit_ns;
	return mailbox_.call(message);
}

Source Device::find_source(uint32_t timeline, uint64_t task)
{
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : channels_) {
		if (channel->timeline() == timeline)
			return {channel->index(), channel->launcher(task)};
	}
	return {};
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
