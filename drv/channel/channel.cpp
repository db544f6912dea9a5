// SPDX-License-Identifier: MIT
/**
 * DOC: Channel
 *
 * Host half of a channel. The fast path writes one shared cache line and reads none that an awake device
 * writes: the credit is cached, and the arming word changes only when the device stops polling.
 */
#include "channel.h"

#include <cstring>

#include "base/assert.h"
#include "base/hot_path.h"
#include "base/os/thread.h"
#include "base/short_work.h"
#include "channel_set.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "hal/tuning.h"

namespace drv {

using base::Result;
using base::Status;

Channel::Channel(ChannelSet &set) : set_(set), hal_(set.hal()) {}

Result<std::unique_ptr<Channel>> Channel::create(ChannelSet &set, const ChannelConfig &config)
{
	const uint32_t slots = config.slots;
	std::unique_ptr<Channel> channel(new Channel(set));
	auto timeline = TRY(set.allocate_semaphore());
	channel->timeline_ = timeline;
	channel->base_ = channel->submitted_ = set.value(timeline);
	auto segment = TRY(set.create_segment(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(slots)));
	channel->memory_ = std::move(segment.memory);
	channel->segment_ = segment.id;
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CREATE;
	message.channel.segment = channel->segment_;
	message.channel.slots = slots;
	message.channel.timeline = timeline;
	message.channel.timeline_base = channel->base_;
	message.channel.priority = config.priority;
	message.channel.group = config.group;
	TRY(set.mailbox().call(message));
	if (message.channel.channel >= UNPU_MAX_CHANNELS)
		return Status::DEVICE_LOST;
	channel->index_ = message.channel.channel;
	channel->line_ = &set.hal().completion().channels[channel->index_];
	channel->ring_ = base::RingProducer(channel->memory_.data(), slots);
	channel->slots_ = slots;
	channel->launchers_.resize(slots);
	channel->config_ = config;
	channel->created_ = true;
	set.add_channel(*channel);
	return channel;
}

/* If the device has not created the channel, only its creator knows it. The creator may hold locks that come
 * after requests_ in the order of locks, so requests_ is not locked. */
Channel::~Channel()
{
	if (created_)
		end();
	if (segment_)
		set_.destroy_segment(segment_);
	if (timeline_ != UNPU_SEM_NONE)
		set_.semaphores().release(timeline_);
}

void Channel::end()
{
	std::lock_guard requests(requests_);
	if (!created_)
		return;
	created_ = false;
	{
		base::BiasedGuard lock(lock_);
		aborting_ = true;
		if (!idle())
			base::store_release(aborts_, aborts_ + 1);
	}
	if (!is_parked_)
		set_.remove_channel(*this);
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_DESTROY;
	message.channel.channel = index_;
	(void)set_.mailbox().call(message);
	/* The fences of dropped packets must pass, because other threads may still wait for them. */
	if (!idle())
		(void)set_.set_semaphore(timeline_, submitted_);
}

bool Channel::park()
{
	std::lock_guard requests(requests_);
	if (!created_ || !is_as_created_ || aborts() != 0 || !idle() ||
	    failure().status != Status::OK || hal_.lost())
		return false;
	is_parked_ = true;
	set_.remove_channel(*this);
	return true;
}

void Channel::unpark()
{
	std::lock_guard requests(requests_);
	is_parked_ = false;
	is_settled_ = true;
	list(false);
	set_.add_channel(*this);
}

uint64_t Channel::retired() const
{
	return set_.value(timeline_) - base_; /* A2 */
}

bool Channel::idle() const
{
	return set_.done(last());
}

void Channel::trace_submit(uint64_t call) const
{
	hal::trace::put(UNPU_TRACE_SUBMIT, set_.hal().attachment(),
			call | cookie_place(index_, ring_.next()), timeline_,
			base_ + ring_.next() + 1);
}

/* Waits until a quarter of the ring is free, so that a full ring does not make every submit wait for one slot.
 * That quarter may never become free: a packet in the ring may wait for something that the caller does only after
 * this submit. So after RING_QUARTER_NS the call needs no more than @packets free slots. */
Status Channel::wait_for_room(uint32_t packets)
{
	base::assert_unlocked("room in a ring");
	Fence oldest;
	{
		base::BiasedGuard lock(lock_);
		if (ring_.has_room(retired(), packets))
			return Status::OK;
		oldest = {timeline_, base_ + ring_.next() - slots_ + packets};
	}
	Fence quarter{oldest.sem, oldest.value + slots_ / 4 - 1};
	Status early = set_.wait(quarter, base::deadline_after(hal::tuning::RING_QUARTER_NS));
	if (early != Status::TIMEOUT)
		return early;
	uint64_t limit_ns = config_.prompt ? hal_.answer_limit_ns() : base::NO_DEADLINE;
	Status status = set_.wait(oldest, base::deadline_after(limit_ns));
	if (status != Status::TIMEOUT)
		return status;
	hal_.give_up();
	return Status::DEVICE_LOST;
}

/* Whether the packet takes less time than a wake-up of the device's thread. */
static bool brief(const unpu_packet &packet)
{
	switch (packet.opcode) {
	case UNPU_OP_NOP:
	case UNPU_OP_TIMESTAMP:
		return true;
	case UNPU_OP_COPY:
		return packet.copy.bytes <= base::SHORT_WORK_BYTES;
	case UNPU_OP_FILL:
		return packet.fill.bytes <= base::SHORT_WORK_BYTES;
	default:
		return false;
	}
}

Result<Fence> Channel::submit_page(const unpu_packet &packet, const void *page, size_t bytes)
{
	base::assert_unlocked("room in a ring");
	const uint32_t aborts = base::load_relaxed(aborts_);
	for (;;) {
		auto fence = post(packet, page, bytes, aborts);
		if (fence.status() != Status::NOT_READY) [[likely]]
			return fence;
		TRY(wait_for_room());
	}
}

/* Return: OK, NOT_READY, or DEVICE_LOST if the device's timeline is beyond the submitted packets: such a
 * device is broken. */
Status Channel::look_for_room(uint32_t packets)
{
	retired_seen_ = retired();
	if (ring_.has_room(retired_seen_, packets))
		return Status::OK;
	if (retired_seen_ <= ring_.next())
		return Status::NOT_READY;
	hal_.give_up();
	return Status::DEVICE_LOST;
}

/* Context: the ring has room. */
[[gnu::always_inline]] inline void Channel::append(const unpu_packet &packet, const void *page,
						   size_t bytes)
{
	unpu_assert(ring_.has_room(retired_seen_));
	if (bytes)
		memcpy(&ring_.descriptor().op, page, bytes);
	base::store_relaxed(launchers_[ring_.next() & (slots_ - 1)], base::thread_id());
	/* Call it before publish(): fewer registers are live here. */
	if (hal::trace::on()) [[unlikely]]
		trace_submit(packet.cookie);
	hal_.note_submit();
	ring_.publish(packet, cookie_place(index_, ring_.next())); /* R1 */
	base::store_release(submitted_, base_ + ring_.next());
}

/* @packet: the last packet that was appended. No thread-safety analysis: the function may release the
 * caller's guard. */
[[gnu::always_inline]] inline void Channel::announce(
	base::BiasedGuard &lock, const unpu_packet &packet) NO_THREAD_SAFETY_ANALYSIS
{
	/* D1: the device arms, then checks the ring. Also pairs with ChannelSet::forget_idle(). */
	base::light_fence(hal_.fence());
	if (!listed()) [[unlikely]]
		set_.note_busy(*this);
	if (arming_.answer(line_->armed)) [[unlikely]] {
		/* Unlock first: ring() may run the device on this thread. */
		lock.unlock();
		hal_.ring(index_, brief(packet));
	}
}

HOT_PATH Result<Fence> Channel::post(const unpu_packet &packet, const void *page, size_t bytes,
				     uint32_t aborts)
{
	if (hal_.lost()) [[unlikely]]
		return Status::DEVICE_LOST;
	base::BiasedGuard lock(lock_);
	if (!ring_.has_room(retired_seen_)) [[unlikely]]
		TRY(look_for_room(1));
	if (aborting_ || aborts != aborts_) [[unlikely]]
		return Fence{timeline_, submitted_};
	append(packet, page, bytes);
	Fence fence{timeline_, submitted_};
	announce(lock, packet);
	return fence;
}

Result<Fence> Channel::post_group(const unpu_packet &packet, const void *page, size_t bytes,
				  std::span<const unpu_packet> next, uint32_t aborts)
{
	const auto slots = static_cast<uint32_t>(next.size()) + 1;
	if (hal_.lost()) [[unlikely]]
		return Status::DEVICE_LOST;
	base::BiasedGuard lock(lock_);
	if (!ring_.has_room(retired_seen_, slots)) [[unlikely]]
		TRY(look_for_room(slots));
	if (aborting_ || aborts != aborts_) [[unlikely]]
		return Fence{timeline_, submitted_};
	append(packet, page, bytes);
	for (const unpu_packet &one : next)
		append(one, nullptr, 0);
	Fence fence{timeline_, submitted_};
	announce(lock, next.back());
	return fence;
}

Result<Fence> Channel::post_pages(const unpu_packet &packet, const void *pages, size_t bytes,
				  uint32_t aborts)
{
	const uint32_t slots = slots_for(bytes);
	if (hal_.lost()) [[unlikely]]
		return Status::DEVICE_LOST;
	base::BiasedGuard lock(lock_);
	if (!ring_.has_room(retired_seen_, slots)) [[unlikely]]
		TRY(look_for_room(slots));
	if (aborting_ || aborts != aborts_) [[unlikely]]
		return Fence{timeline_, submitted_};
	ring_.fill_pages(pages, bytes);
	append(packet, nullptr, 0);
	const unpu_packet filler = nop_packet(packet.cookie);
	for (uint32_t i = 1; i < slots; i++)
		append(filler, nullptr, 0);
	Fence fence{timeline_, submitted_};
	announce(lock, slots > 1 ? filler : packet);
	return fence;
}

/* What follows the read belongs to later. */
unpu_packet Channel::read_slot(uint64_t index) const
{
	const auto *slot =
		memory_.as<const uint64_t>() + (index & (slots_ - 1)) * base::PACKET_WORDS;
	uint64_t words[base::PACKET_WORDS];
	for (unsigned i = 0; i < base::PACKET_WORDS; i++)
		words[i] = base::load_relaxed(slot[i]);
	unpu_packet packet;
	memcpy(&packet, words, sizeof(packet));
	base::load_fence();
	return packet;
}

/* It takes no lock: a submit holds one while it calls ChannelSet::note_busy(), whose lock the caller of this
 * function holds. No slot is reused before its packet retires, so the second look tells whether the copy is whole. */
std::optional<OpenTask> Channel::oldest() const
{
	const uint64_t index = retired();
	const uint64_t next = last().value - base_;
	if (index >= next || next - index > slots_)
		return std::nullopt;
	const OpenTask task{index_, index, next - index - 1, read_slot(index)};
	return retired() == index ? std::optional(task) : std::nullopt;
}

static bool waits(const unpu_packet &packet)
{
	return packet.opcode == UNPU_OP_SEM_WAIT || packet.opcode == UNPU_OP_VALUE_WAIT ||
	       packet.opcode == UNPU_OP_HOST_CALL || packet.opcode == UNPU_OP_GRAPH;
}

bool Channel::may_wait() const
{
	const uint64_t next = last().value - base_;
	for (uint64_t index = retired(); index < next; index++) {
		if (next - index > slots_)
			return true;
		const unpu_packet packet = read_slot(index);
		if (retired() <= index && waits(packet))
			return true;
	}
	return false;
}

HOT_PATH Failure Channel::failure() const
{
	const unpu_sem_device &line = hal_.completion().semaphores[timeline_];
	auto status = static_cast<Status>(base::load_acquire(line.status));
	if (status == Status::OK)
		return {};
	return {status, base::load_relaxed(line.fault_cookie),
		base::load_relaxed(line.fault_address), base::load_relaxed(line.fault_detail)};
}

Status Channel::control(uint32_t actions, uint32_t priority)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CONTROL;
	message.control.channel = index_;
	message.control.actions = actions;
	message.control.priority = priority;
	std::lock_guard requests(requests_);
	if (actions & ~UNPU_CHANNEL_CLEAR_STATUS)
		is_as_created_ = false;
	return created_ ? set_.mailbox().call(message) : Status::OK;
}

Status Channel::request_abort(uint32_t flags, uint64_t upto)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_ABORT;
	message.abort.channel = index_;
	message.abort.flags = flags;
	message.abort.upto = upto;
	return set_.mailbox().call(message);
}

Status Channel::abort()
{
	std::lock_guard requests(requests_);
	if (!created_)
		return Status::OK;
	const uint64_t done = set_.value(timeline_);
	uint64_t upto;
	uint64_t last;
	{
		base::BiasedGuard lock(lock_);
		aborting_ = true;
		last = submitted_;
		base::store_release(aborted_at_, submitted_ + 1);
		base::store_release(aborts_, aborts_ + 1);
		upto = ring_.next();
	}
	if (last > done)
		set_.note_drop(timeline_, done, last);
	Status status = request_abort(0, upto);
	base::BiasedGuard lock(lock_);
	aborting_ = false;
	/* post() drops a packet whose submitter read aborts() before this increment, so also one during
	 * abort(). */
	base::store_release(aborts_, aborts_ + 1);
	return status;
}

uint32_t Channel::launcher(uint64_t task) const
{
	uint64_t submitted = last().value - base_;
	if (task >= submitted || submitted - task > slots_)
		return 0;
	return base::load_relaxed(launchers_[task & (slots_ - 1)]);
}

HOT_PATH bool Channel::take_abort(const Fence &tail)
{
	uint64_t at = base::load_acquire(aborted_at_);
	if (at == 0) [[likely]]
		return false;
	return base::compare_exchange(aborted_at_, at, uint64_t{0}) && at == tail.value + 1;
}

Status Channel::stop_current()
{
	std::lock_guard requests(requests_);
	return created_ ? request_abort(UNPU_ABORT_CURRENT, 0) : Status::OK;
}

Status Channel::set_priority(uint32_t priority)
{
	return control(UNPU_CHANNEL_PRIORITY, priority);
}

void Channel::clear_failure()
{
	(void)control(UNPU_CHANNEL_CLEAR_STATUS);
}

Status Channel::stop_on_failure()
{
	return control(UNPU_CHANNEL_STOP_ON_FAILURE);
}

} // namespace drv
