// SPDX-License-Identifier: MIT
/**
 * DOC: Self-test client
 *
 * A minimal host without a driver: it boots a device with its own thread, maps the segments a second
 * time and does by hand what a driver does. It shares no code with the driver, so a mistake that
 * firmware and driver have in common shows up here.
 */
#include "self_client.h"

#include <cstring>

#include <unistd.h>

#include "base/clock.h"
#include "base/sync/doorbell.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"

namespace self_test {

static Status map_whole(const base::Fd &fd, uint64_t bytes, bool writable, base::Mapping &mapping)
{
	auto mapped = base::map_shared(fd, bytes, writable, UNPU_PAGE_4K);
	if (mapped)
		mapping = mapped.take();
	return mapped.status();
}

Status Host::attach(const fw::Config &config)
{
	auto device = fw::Device::create(config);
	if (!device)
		return device.status();
	device_ = device.take();
	auto attachment = device_->attach(static_cast<uint32_t>(getpid()));
	if (!attachment)
		return attachment.status();
	id_ = attachment->client;
	attached_ = true;
	TRY(map_whole(attachment->bar, sizeof(unpu_bar), false, bar_));
	TRY(map_whole(attachment->completion, sizeof(unpu_completion), false, completion_));
	TRY(map_whole(attachment->doorbell, sizeof(unpu_client), true, client_));
	if (bar().magic != UNPU_BAR_MAGIC || base::load_acquire(bar().abi) != UNPU_ABI) /* B0 */
		return Status::VERSION_MISMATCH;
	return Status::OK;
}

Result<std::unique_ptr<Host>> Host::boot(const fw::Config &config)
{
	auto host = std::make_unique<Host>();
	TRY(host->attach(config));
	host->thread_ = std::thread([device = host->device_.get()] { device->run(); });
	return host;
}

Host::~Host()
{
	if (attached_)
		device_->detach(id_);
	if (!thread_.joinable())
		return;
	device_->stop();
	thread_.join();
}

uint64_t Host::value(uint32_t sem) const
{
	return base::load_acquire(line(sem).value); /* A3 */
}

bool Host::wait(uint32_t sem, uint64_t wanted)
{
	uint64_t &sleepers = client_.as<unpu_client>()->semaphores[sem].sleepers;
	const auto &word = reinterpret_cast<const uint32_t &>(line(sem).value);
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	/* A sleeper entry without a value: any change wakes it. */
	base::fetch_add(sleepers, uint64_t{1});
	base::heavy_fence(base::process_scope()); /* D2 */
	uint64_t seen = value(sem);
	while (seen < wanted && !dead_) {
		bool in_time =
			base::futex_wait(word, static_cast<uint32_t>(seen), deadline_ns, true);
		seen = value(sem);
		dead_ = !in_time && seen < wanted;
	}
	base::fetch_add(sleepers, UINT64_MAX);
	return seen >= wanted;
}

/* A device that is about to sleep checks for work once more and may stay awake. */
bool Host::wait_asleep()
{
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	const uint32_t &sleeping = completion().status.sleeping;
	uint64_t awake_ns = base::now_ns();
	for (;;) {
		uint64_t now_ns = base::now_ns();
		if (base::load_acquire(sleeping) == 0)
			awake_ns = now_ns;
		if (now_ns - awake_ns > ASLEEP_NS)
			return true;
		if (dead_ || now_ns > deadline_ns)
			return false;
		base::cpu_relax();
	}
}

void Host::ring(uint32_t channel)
{
	base::ring_doorbell(client_.as<unpu_client>()->doorbells, channel);
	doorbells_++;
	base::light_fence(base::process_scope()); /* D1 */
	if (base::load_relaxed(completion().status.sleeping) == 0)
		return;
	device_->kick();
	kicks_++;
}

Status Host::call(unpu_message &message)
{
	const uint32_t type = message.type;
	uint32_t &sequence = client_.as<unpu_client>()->request.sequence;
	message.sequence = ++sequence_;
	memcpy(&sequence + 1, &message.type, sizeof(message) - sizeof(sequence));
	base::store_release(sequence, sequence_);
	ring(UNPU_DOORBELL_MAILBOX);
	if (!wait(UNPU_SEM_MAILBOX, sequence_))
		return Status::DEVICE_LOST;
	message = completion().reply;
	if (message.sequence != sequence_ || message.type != type)
		return Status::BAD_MESSAGE;
	return static_cast<Status>(message.status);
}

Status Host::create(unpu_segment_kind kind, uint64_t bytes, Memory &memory)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment = {0, bytes, kind, UNPU_PAGE_4K, 0, 0};
	TRY(call(message));
	memory.segment = message.segment.segment;
	memory.bytes = message.segment.bytes;
	auto shared = device_->take_segment(id_, memory.segment);
	if (!shared)
		return shared.status();
	if (shared->bytes != memory.bytes || memory.bytes < bytes)
		return Status::BAD_MESSAGE;
	return map_whole(shared->fd, shared->bytes, true, memory.window);
}

Status Host::map(Memory &memory, uint32_t access)
{
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map = {next_va_, memory.bytes, memory.segment, 0, access, 0};
	TRY(call(message));
	memory.va = next_va_;
	next_va_ += base::round_up(memory.bytes, base::HUGE_PAGE_BYTES) + base::HUGE_PAGE_BYTES;
	return Status::OK;
}

Status Host::drop(Memory &memory)
{
	unpu_message message{};
	if (memory.va != 0) {
		message.type = UNPU_MSG_UNMAP;
		message.map.va = memory.va;
		message.map.bytes = memory.bytes;
		TRY(call(message));
	}
	message = {};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = memory.segment;
	TRY(call(message));
	memory = Memory{};
	return Status::OK;
}

uint64_t Host::free_bytes()
{
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	return call(message) == Status::OK ? message.info.free_bytes : 0;
}

Status Channel::open()
{
	TRY(host_.create(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(SLOTS), memory_));
	ring_ = base::RingProducer(memory_.window.data(), SLOTS);
	timeline_ = host_.new_semaphore();
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CREATE;
	message.channel.segment = memory_.segment;
	message.channel.slots = SLOTS;
	message.channel.timeline = timeline_;
	TRY(host_.call(message));
	index_ = message.channel.channel;
	return index_ < UNPU_MAX_CHANNELS ? Status::OK : Status::BAD_MESSAGE;
}

Status Channel::close()
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_DESTROY;
	message.channel.channel = index_;
	TRY(host_.call(message));
	return host_.drop(memory_);
}

Status Channel::control(uint32_t actions)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_CONTROL;
	message.control = {index_, actions, 0, 0};
	return host_.call(message);
}

void Channel::publish(const unpu_packet &packet, const unpu_operator *op)
{
	/* A2; if the device does not answer, the packet is skipped and finish() reports it. */
	if (!ring_.has_room(retired()) && !host_.wait(timeline_, ring_.next() + 1 - SLOTS))
		return;
	if (op)
		ring_.descriptor().op = *op;
	ring_.publish(packet);
	base::light_fence(base::process_scope()); /* D1 */
	const uint32_t armed = base::load_relaxed(host_.completion().channels[index_].armed);
	if (armed == 0 || armed == rung_)
		return;
	rung_ = armed;
	host_.ring(index_);
}

Status Channel::finish()
{
	if (!host_.wait(timeline_, ring_.next()))
		return Status::TIMEOUT;
	failure_ = host_.line(timeline_);
	const auto status = static_cast<Status>(failure_.status);
	if (status != Status::OK)
		TRY(control(UNPU_CHANNEL_CLEAR_STATUS));
	return status;
}

} // namespace self_test
