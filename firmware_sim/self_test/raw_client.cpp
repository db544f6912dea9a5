// SPDX-License-Identifier: MIT
/**
 * DOC: Raw client
 *
 * Does by hand what a driver does, and shares no code with the driver. So a mistake that firmware and driver
 * have in common shows up here.
 */
#include "raw_client.h"

#include <cstring>

#include "base/sync/doorbell.h"
#include "base/sync/ordering.h"

namespace raw {

static Status map_whole(const base::Fd &fd, uint64_t bytes, bool writable, base::Mapping &mapping)
{
	auto mapped = base::map_shared(fd, bytes, writable, UNPU_PAGE_4K);
	if (mapped)
		mapping = mapped.take();
	return mapped.status();
}

Status Attachment::map_bar(const base::Fd &bar)
{
	return map_whole(bar, sizeof(unpu_bar), false, bar_);
}

Status Attachment::map_shared(const base::Fd &completion, const base::Fd &client, uint32_t quota)
{
	TRY(map_whole(completion, UNPU_COMPLETION_BYTES(quota), false, completion_));
	return map_whole(client, UNPU_CLIENT_BYTES(quota), true, client_);
}

void Attachment::ring(uint32_t channel)
{
	base::ring_doorbell(shared().doorbells, channel);
	wake();
}

/* Relaxed stores: a test may let another thread write into the mailbox at the same time. */
void Attachment::post(unpu_message &message)
{
	message.sequence = static_cast<uint32_t>(++number_);
	auto *words = reinterpret_cast<uint32_t *>(&shared().request);
	uint32_t copy[sizeof(message) / sizeof(uint32_t)];
	memcpy(copy, &message, sizeof(message));
	for (size_t i = 1; i < sizeof(copy) / sizeof(copy[0]); i++)
		base::store_relaxed(words[i], copy[i]);
	base::store_release(words[0], message.sequence);
	ring(UNPU_DOORBELL_MAILBOX);
}

bool Attachment::is_answered(unpu_message &message) const
{
	if (value(UNPU_SEM_MAILBOX) != number_)
		return false;
	memcpy(&message, &completion().reply, sizeof(message));
	return true;
}

Status Attachment::call(unpu_message &message)
{
	const uint32_t type = message.type;
	post(message);
	if (!await(UNPU_SEM_MAILBOX, number_) || !is_answered(message))
		return Status::TIMEOUT;
	if (message.sequence != static_cast<uint32_t>(number_) || message.type != type)
		return Status::BAD_MESSAGE;
	return static_cast<Status>(message.status);
}

static unpu_message creation(uint32_t kind, uint64_t bytes, uint32_t pages, uint32_t flags)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment = {0, bytes, kind, pages, flags, 0};
	return message;
}

Status Attachment::create_segment(uint32_t kind, uint64_t bytes, uint32_t pages, uint64_t &id,
				  uint32_t flags)
{
	unpu_message message = creation(kind, bytes, pages, flags);
	const Status status = call(message);
	id = message.segment.segment;
	return status;
}

Status Attachment::destroy_segment(uint64_t id)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = id;
	return call(message);
}

Status Attachment::map_segment(uint64_t va, uint64_t bytes, uint64_t segment, uint64_t offset,
			       uint32_t access)
{
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map = {va, bytes, segment, offset, access, 0};
	return call(message);
}

Status Attachment::unmap(uint64_t va, uint64_t bytes)
{
	unpu_message message{};
	message.type = UNPU_MSG_UNMAP;
	message.map.va = va;
	message.map.bytes = bytes;
	return call(message);
}

Status Attachment::create(uint32_t kind, uint64_t bytes, Memory &memory, unpu_page_kind pages,
			  uint32_t flags)
{
	unpu_message message = creation(kind, bytes, pages, flags);
	TRY(call(message));
	memory.segment = message.segment.segment;
	if (message.segment.pages != pages)
		return Status::NO_MEMORY;
	TRY(take(memory));
	return memory.bytes < bytes ? Status::BAD_MESSAGE : Status::OK;
}

Status Attachment::take(Memory &memory)
{
	TRY(fetch(memory.segment, memory.fd, memory.bytes));
	return map_whole(memory.fd, memory.bytes, true, memory.window);
}

Status Attachment::place(Memory &memory, uint32_t access)
{
	memory.va = next_va_;
	next_va_ += memory.bytes + base::HUGE_PAGE_BYTES;
	return map_segment(memory.va, memory.bytes, memory.segment, 0, access);
}

Status Attachment::drop(Memory &memory)
{
	if (memory.va != 0)
		TRY(unmap(memory.va, memory.bytes));
	TRY(destroy_segment(memory.segment));
	memory = Memory{};
	return Status::OK;
}

Status Channel::open(Attachment &client, const Wishes &wishes)
{
	client_ = &client;
	slots_ = wishes.slots;
	base_ = wishes.timeline_base;
	timeline_ = wishes.timeline != UNPU_SEM_NONE ? wishes.timeline : client.new_semaphore();
	TRY(client_->create(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(slots_), memory_));
	ring_ = base::RingProducer(memory_.window.data(), slots_);
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CREATE;
	message.channel.segment = memory_.segment;
	message.channel.slots = slots_;
	message.channel.timeline = timeline_;
	message.channel.timeline_base = base_;
	message.channel.priority = wishes.priority;
	message.channel.group = wishes.group;
	TRY(client_->call(message));
	index_ = message.channel.channel;
	return index_ < UNPU_MAX_CHANNELS ? Status::OK : Status::BAD_MESSAGE;
}

Status Channel::destroy()
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_DESTROY;
	message.channel.channel = index_;
	return client_->call(message);
}

uint64_t Channel::publish(const unpu_packet &packet, const unpu_operator *op)
{
	if (op)
		ring_.descriptor().op = *op;
	ring_.publish(packet);
	base::light_fence(base::process_scope()); /* D1 */
	if (arming_.answer(client_->completion().channels[index_].armed))
		client_->ring(index_);
	return base_ + ring_.next();
}

Status Channel::control(uint32_t actions, uint32_t value)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CONTROL;
	message.control = {index_, actions, value, 0};
	return client_->call(message);
}

Status Channel::abort(uint32_t flags, uint64_t upto)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_ABORT;
	message.abort = {index_, flags, upto};
	return client_->call(message);
}

} // namespace raw
