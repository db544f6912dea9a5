// SPDX-License-Identifier: MIT
/**
 * DOC: Channel
 *
 * Host half of a channel. The fast path writes one line and reads none that the device writes while
 * it is awake: the credit is cached, and the arming word changes only when the device stops polling.
 */
#include "drv/channel.h"

#include "drv/cookie.h"
#include "drv/device.h"

namespace drv {

using base::Result;
using base::Status;

Result<std::unique_ptr<Channel>> Channel::create(Device &device, uint32_t priority)
{
	std::unique_ptr<Channel> channel(new Channel(device));
	auto timeline = device.semaphores().allocate();
	if (!timeline)
		return timeline.status();
	channel->timeline_ = *timeline;
	channel->base_ = channel->submitted_ = device.value(*timeline);
	auto segment = device.create_segment(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(SLOTS));
	if (!segment)
		return segment.status();
	channel->memory_ = std::move(segment->memory);
	channel->segment_ = segment->id;
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CREATE;
	message.channel.segment = channel->segment_;
	message.channel.slots = SLOTS;
	message.channel.timeline = *timeline;
	message.channel.timeline_base = channel->base_;
	message.channel.priority = priority;
	TRY(device.mailbox().call(message));
	if (message.channel.channel >= UNPU_MAX_CHANNELS)
		return Status::DEVICE_LOST;
	channel->index_ = message.channel.channel;
	channel->line_ = &device.hal().completion().channels[channel->index_];
	channel->ring_ = base::RingProducer(channel->memory_.data(), SLOTS);
	channel->created_ = true;
	device.add_channel(*channel);
	return channel;
}

Channel::~Channel()
{
	unpu_message message{};
	if (created_) {
		device_.remove_channel(*this);
		message.type = UNPU_MSG_CHANNEL_DESTROY;
		message.channel.channel = index_;
		(void)device_.mailbox().call(message);
		/* What was dropped counts as passed: somebody may still hold its fence. */
		if (!idle())
			(void)device_.set_semaphore(timeline_, submitted_);
	}
	if (segment_)
		device_.destroy_segment(segment_);
	if (timeline_ != UNPU_SEM_NONE)
		device_.semaphores().release(timeline_);
}

uint64_t Channel::retired() const
{
	return device_.value(timeline_) - base_; /* A2 */
}

bool Channel::idle() const
{
	return device_.done(last());
}

Result<Fence> Channel::submit(const unpu_packet &packet, const unpu_operator *op)
{
	if (device_.hal().lost()) [[unlikely]]
		return Status::DEVICE_LOST;
	base::BiasedGuard lock(lock_);
	while (!ring_.has_room(retired_seen_))
		[[unlikely]]
		{
			retired_seen_ = retired();
			if (ring_.has_room(retired_seen_))
				break;
			Fence oldest{timeline_, base_ + ring_.next() - SLOTS + 1};
			lock.unlock();
			TRY(device_.wait(oldest, base::NO_DEADLINE));
			lock.lock();
		}
	if (op)
		ring_.descriptor().op = *op;
	device_.hal().note_submit();
	ring_.publish(packet, cookie_place(index_, ring_.next())); /* R1 */
	Fence fence{timeline_, base_ + ring_.next()};
	base::store_release(submitted_, fence.value);
	base::light_fence(device_.hal().fence()); /* D1 */
	uint32_t armed = base::load_relaxed(line_->armed);
	if (armed != 0 && armed != rung_) [[unlikely]] {
		rung_ = armed;
		device_.hal().ring(index_);
	}
	return fence;
}

Failure Channel::failure() const
{
	const unpu_sem_device &line = device_.hal().completion().semaphores[timeline_];
	auto status = static_cast<Status>(base::load_acquire(line.status));
	if (status == Status::OK)
		return {};
	return {status, base::load_relaxed(line.fault_cookie),
		base::load_relaxed(line.fault_address)};
}

Status Channel::control(uint32_t actions)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CONTROL;
	message.control.channel = index_;
	message.control.actions = actions;
	return device_.mailbox().call(message);
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
