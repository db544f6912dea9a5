// SPDX-License-Identifier: MIT
/**
 * DOC: A client with nothing between it and the wire
 *
 * Drives a stepped firmware through its segments alone, without hal and drv: what a test writes is
 * what the firmware reads, well formed or not. One thread, so every run takes the same steps.
 */
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/os/shm.h"
#include "base/sync/doorbell.h"
#include "base/sync/ring.h"
#include "drv/channel/packets.h"
#include "firmware_sim/device/device.h"
#include "uapi/graph.h"

namespace wire {

using base::Status;

constexpr uint64_t MEMORY_BYTES = uint64_t{512} << 20;
/* A firmware that still moves after so many steps never stops. */
constexpr unsigned STEPS_MAX = 1000000;
constexpr uint32_t SLOTS = 64;
constexpr uint32_t PID = 1000;

inline std::unique_ptr<fw::Device> make_device(uint32_t features = 0, uint32_t engines = 0,
					       std::shared_ptr<fw::Exchange> exchange = nullptr,
					       uint32_t index = 0)
{
	fw::Config config;
	config.exchange = std::move(exchange);
	config.index = index;
	config.memory_bytes = MEMORY_BYTES;
	config.features = UNPU_FEATURE_STEPPED | features;
	config.engines = engines;
	config.soc_name = "unit";
	auto device = fw::Device::create(config);
	return device ? device.take() : nullptr;
}

/* settle() - steps until nothing moves. Return: the steps that moved something. */
inline unsigned settle(fw::Device &device)
{
	unsigned steps = 0;
	while (steps < STEPS_MAX && device.step())
		steps++;
	EXPECT_LT(steps, STEPS_MAX) << "the firmware never comes to rest";
	return steps;
}

/* step_until() - steps for as long as @over is false. How many steps a device takes while an engine works
 * is up to the scheduler, so a time that is never reached ends it. Return: false when it was. */
template <class Over> bool step_until(fw::Device &device, Over over)
{
	const uint64_t give_up_ns = base::deadline_after(60 * base::NS_PER_S);
	while (!over()) {
		if (base::now_ns() > give_up_ns)
			return false;
		device.step();
	}
	return true;
}

/* changes() - waits until an engine has written to @byte. Return: false when it never did. */
inline bool changes(const uint8_t &byte, uint8_t before)
{
	const uint64_t give_up_ns = base::deadline_after(60 * base::NS_PER_S);
	while (base::load_relaxed(byte) == before) {
		if (base::now_ns() > give_up_ns)
			return false;
		sched_yield();
	}
	return true;
}

/* struct Memory - a segment mapped by both sides. */
struct Memory {
	uint64_t segment = 0;
	uint64_t va = 0;
	uint64_t bytes = 0;
	base::Mapping window;

	template <class T> T *as() const { return window.as<T>(); }
};

/* class Client - an attachment. The device must outlive it. */
class Client {
public:
	explicit Client(fw::Device &device, uint32_t pid = PID) : device_(device)
	{
		auto attached = device.attach(pid);
		EXPECT_TRUE(attached.ok());
		id_ = attached->client;
		bar_ = map(attached->bar, sizeof(unpu_bar), false);
		completion_ = map(attached->completion, sizeof(unpu_completion), false);
		client_ = map(attached->doorbell, sizeof(unpu_client), true);
	}

	~Client()
	{
		if (attached_)
			device_.detach(id_);
	}

	void detach()
	{
		device_.detach(id_);
		attached_ = false;
	}

	fw::Device &device() { return device_; }
	uint32_t id() const { return id_; }
	const unpu_bar &bar() const { return *bar_.as<const unpu_bar>(); }
	const unpu_completion &completion() const
	{
		return *completion_.as<const unpu_completion>();
	}
	unpu_client &shared() const { return *client_.as<unpu_client>(); }
	const unpu_sem_device &line(uint32_t sem) const { return completion().semaphores[sem]; }
	uint64_t value(uint32_t sem) const { return base::load_acquire(line(sem).value); }
	Status status(uint32_t sem) const
	{
		return static_cast<Status>(base::load_acquire(line(sem).status));
	}
	Status broken() const
	{
		return static_cast<Status>(base::load_acquire(completion().status.broken));
	}
	uint32_t new_semaphore() { return next_semaphore_++; }
	void ring(uint32_t channel) { base::ring_doorbell(shared().doorbells, channel); }

	/* post() - leaves a request in the mailbox and rings. */
	void post(unpu_message &message)
	{
		message.sequence = static_cast<uint32_t>(++number_);
		auto *words = reinterpret_cast<uint32_t *>(&shared().request);
		memcpy(words + 1, reinterpret_cast<uint32_t *>(&message) + 1, sizeof(message) - 4);
		base::store_release(words[0], message.sequence);
		ring(UNPU_DOORBELL_MAILBOX);
	}

	/* skip_requests() - the next request has a number that is so much larger. */
	void skip_requests(uint32_t count) { number_ += count; }

	/* answered() - whether the last request was; @message becomes the reply. */
	bool answered(unpu_message &message)
	{
		if (value(UNPU_SEM_MAILBOX) != number_)
			return false;
		memcpy(&message, &completion().reply, sizeof(message));
		EXPECT_EQ(message.sequence, static_cast<uint32_t>(number_));
		return true;
	}

	/* call() - one request, stepped until it is answered; other work moves meanwhile. */
	Status call(unpu_message &message)
	{
		uint32_t type = message.type;
		post(message);
		if (!step_until(device_, [&] { return answered(message); }))
			return Status::DEVICE_LOST;
		EXPECT_EQ(message.type, type);
		return static_cast<Status>(message.status);
	}

	Status create_segment(uint32_t kind, uint64_t bytes, uint32_t pages, uint64_t &id,
			      uint32_t flags = 0)
	{
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_CREATE;
		message.segment = {0, bytes, kind, pages, flags, 0};
		Status status = call(message);
		id = message.segment.segment;
		return status;
	}

	Status destroy_segment(uint64_t id)
	{
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_DESTROY;
		message.segment.segment = id;
		return call(message);
	}

	Status map_segment(uint64_t va, uint64_t bytes, uint64_t segment, uint64_t offset,
			   uint32_t access)
	{
		unpu_message message{};
		message.type = UNPU_MSG_MAP;
		message.map = {va, bytes, segment, offset, access, 0};
		return call(message);
	}

	Status unmap(uint64_t va, uint64_t bytes)
	{
		unpu_message message{};
		message.type = UNPU_MSG_UNMAP;
		message.map.va = va;
		message.map.bytes = bytes;
		return call(message);
	}

	/* segment() - a segment that only this side maps. */
	Memory segment(uint32_t kind, uint64_t bytes, uint32_t flags = 0)
	{
		Memory memory;
		EXPECT_EQ(create_segment(kind, bytes, UNPU_PAGE_4K, memory.segment, flags),
			  Status::OK);
		take(memory);
		return memory;
	}

	/* take() - maps the descriptor that the firmware handed over for @memory.segment. */
	void take(Memory &memory)
	{
		auto shared = device_.take_segment(id_, memory.segment);
		ASSERT_TRUE(shared.ok());
		memory.bytes = shared->bytes;
		memory.window = map(shared->fd, shared->bytes, true);
	}

	/* place() - gives @memory addresses, with a hole in the address space behind them. */
	Status place(Memory &memory, uint32_t access = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE)
	{
		memory.va = next_va_;
		next_va_ += memory.bytes + base::HUGE_PAGE_BYTES;
		return map_segment(memory.va, memory.bytes, memory.segment, 0, access);
	}

	/* memory() - device memory that both sides map. */
	Memory memory(uint64_t bytes, uint32_t access = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE)
	{
		Memory memory = segment(UNPU_SEGMENT_DEVICE, bytes);
		EXPECT_EQ(place(memory, access), Status::OK);
		return memory;
	}

	/* load_graph() - puts an image into memory of its own and loads it. */
	Status load_graph(const std::vector<std::byte> &image, uint32_t &graph)
	{
		Memory place = memory(std::max<size_t>(image.size(), 1));
		std::copy(image.begin(), image.end(), place.window.data());
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_LOAD;
		message.graph.va = place.va;
		message.graph.bytes = image.size();
		Status status = call(message);
		graph = message.graph.graph;
		EXPECT_EQ(unmap(place.va, place.bytes), Status::OK);
		EXPECT_EQ(destroy_segment(place.segment), Status::OK);
		return status;
	}

	Status unload_graph(uint32_t graph)
	{
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_UNLOAD;
		message.graph.graph = graph;
		return call(message);
	}

	Status set_semaphore(uint32_t sem, uint64_t value)
	{
		unpu_message message{};
		message.type = UNPU_MSG_SEM_SET;
		message.sem.sem = sem;
		message.sem.value = value;
		return call(message);
	}

	/* share() - EXPORT. Return: its status; @request becomes the reply. */
	Status share(unpu_msg_export &request)
	{
		unpu_message message{};
		message.type = UNPU_MSG_EXPORT;
		message.share = request;
		Status status = call(message);
		request = message.share;
		return status;
	}

	/* export_memory() - Return: the key, or zeros. */
	unpu_export_key export_memory(uint64_t segment, uint64_t offset, uint64_t bytes,
				      uint32_t flags)
	{
		unpu_msg_export request{};
		request.kind = UNPU_EXPORT_MEMORY;
		request.segment = segment;
		request.offset = offset;
		request.bytes = bytes;
		request.flags = flags;
		EXPECT_EQ(share(request), Status::OK);
		return request.key;
	}

	Status allow(const unpu_export_key &key, const std::vector<uint32_t> &pids)
	{
		unpu_message message{};
		message.type = UNPU_MSG_EXPORT_ALLOW;
		message.allow.key = key;
		message.allow.count = static_cast<uint32_t>(pids.size());
		std::copy(pids.begin(), pids.end(), message.allow.pids);
		return call(message);
	}

	/* import() - @sems: of a group. Return: its status; @reply is the reply. */
	Status import(const unpu_export_key &key, unpu_msg_export &reply,
		      const std::vector<uint32_t> &sems = {})
	{
		unpu_message message{};
		message.type = UNPU_MSG_IMPORT;
		message.share.key = key;
		message.share.count = static_cast<uint32_t>(sems.size());
		std::copy(sems.begin(), sems.end(), message.share.semaphores);
		Status status = call(message);
		reply = message.share;
		return status;
	}

	Status import(const unpu_export_key &key)
	{
		unpu_msg_export reply{};
		return import(key, reply);
	}

	Status unshare(const unpu_export_key &key)
	{
		unpu_message message{};
		message.type = UNPU_MSG_UNEXPORT;
		message.share.key = key;
		return call(message);
	}

	Status leave(uint32_t sem)
	{
		unpu_message message{};
		message.type = UNPU_MSG_UNIMPORT;
		message.share.semaphores[0] = sem;
		return call(message);
	}

	unpu_msg_memory_info memory_info()
	{
		unpu_message message{};
		message.type = UNPU_MSG_MEMORY_INFO;
		EXPECT_EQ(call(message), Status::OK);
		return message.info;
	}

private:
	static base::Mapping map(const base::Fd &fd, uint64_t bytes, bool writable)
	{
		auto mapping = base::map_shared(fd, bytes, writable, UNPU_PAGE_4K);
		EXPECT_TRUE(mapping.ok());
		return mapping.take();
	}

	fw::Device &device_;
	uint32_t id_ = 0;
	bool attached_ = true;
	base::Mapping bar_;
	base::Mapping completion_;
	base::Mapping client_;
	uint64_t number_ = 0; /* of the last request */
	uint32_t next_semaphore_ = UNPU_SEM_FIRST_FREE;
	uint64_t next_va_ = uint64_t{1} << 32;
};

/* class Channel - a ring and its timeline. */
class Channel {
public:
	explicit Channel(Client &client, uint32_t slots = SLOTS, uint64_t timeline_base = 0,
			 uint32_t priority = 0, uint32_t group = 0)
		: client_(client), slots_(slots),
		  memory_(client.segment(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(slots))),
		  ring_(memory_.window.data(), slots), timeline_(client.new_semaphore()),
		  base_(timeline_base)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = memory_.segment;
		message.channel.slots = slots;
		message.channel.timeline = timeline_;
		message.channel.timeline_base = timeline_base;
		message.channel.priority = priority;
		message.channel.group = group;
		EXPECT_EQ(client.call(message), Status::OK);
		index_ = message.channel.channel;
	}

	/* publish() - one packet, and a doorbell if the firmware asked for one. */
	uint64_t publish(const unpu_packet &packet, const unpu_operator *op = nullptr)
	{
		if (op)
			ring_.descriptor().op = *op;
		ring_.publish(packet);
		uint32_t armed = base::load_relaxed(client_.completion().channels[index_].armed);
		if (armed != 0 && armed != rung_) {
			rung_ = armed;
			client_.ring(index_);
		}
		return base_ + ring_.next();
	}

	/* run() - submits one packet and waits for its end. Return: its status, which is cleared in the
	 * timeline. */
	Status run(const unpu_packet &packet, const unpu_operator *op = nullptr)
	{
		uint64_t wanted = publish(packet, op);
		settle(client_.device());
		EXPECT_EQ(client_.value(timeline_), wanted) << "the packet did not retire";
		Status status = client_.status(timeline_);
		if (status != Status::OK) {
			EXPECT_EQ(control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
		}
		return status;
	}

	Status control(uint32_t actions)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CONTROL;
		message.control = {index_, actions, 0, 0};
		return client_.call(message);
	}

	Status set_priority(uint32_t priority)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CONTROL;
		message.control = {index_, UNPU_CHANNEL_PRIORITY, priority, 0};
		return client_.call(message);
	}

	/* abort() - aborts the packets published so far, or those before @upto. */
	Status abort() { return abort(0, ring_.next()); }
	Status abort(uint32_t flags, uint64_t upto)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_ABORT;
		message.abort = {index_, flags, upto};
		return client_.call(message);
	}

	Status destroy()
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_DESTROY;
		message.channel.channel = index_;
		return client_.call(message);
	}

	uint64_t retired() const { return client_.value(timeline_) - base_; }
	uint32_t index() const { return index_; }
	uint32_t timeline() const { return timeline_; }
	uint64_t segment() const { return memory_.segment; }
	base::RingProducer &ring() { return ring_; }

	/* page() - the descriptor page of a slot. */
	unpu_descriptor *page(uint64_t slot) const
	{
		auto *slots = memory_.as<unpu_packet>();
		return reinterpret_cast<unpu_descriptor *>(slots + slots_) + slot;
	}

private:
	Client &client_;
	uint32_t slots_;
	Memory memory_;
	base::RingProducer ring_;
	uint32_t timeline_;
	uint32_t index_ = 0;
	uint32_t rung_ = 0;
	uint64_t base_;
};

/* packed_operator() - an element-wise operator on dense f32 vectors of @count elements. */
inline unpu_operator packed_operator(unpu_operator_kind kind, int64_t count, uint64_t out,
				     uint64_t a, uint64_t b, double scalar)
{
	unpu_operator op{};
	op.kind = kind;
	op.compute = UNPU_DTYPE_F32;
	op.ndim = 1;
	op.noperands = 3;
	memcpy(&op.scalar_bits, &scalar, sizeof(scalar));
	op.dims[0] = count;
	const uint64_t addresses[] = {out, a, b};
	for (unsigned i = 0; i < 3; i++) {
		op.operands[i].address = addresses[i];
		op.operands[i].dtype = UNPU_DTYPE_F32;
		op.operands[i].access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		op.operands[i].strides[0] = 1;
	}
	return op;
}

/* class Stepped - the fixture: a device at rest with one client and one channel. */
class Stepped : public testing::Test {
protected:
	std::unique_ptr<fw::Device> device = make_device();
	Client client{*device};
	Channel channel{client};
};

} // namespace wire
