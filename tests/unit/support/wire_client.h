// SPDX-License-Identifier: MIT
/**
 * DOC: A client with nothing between it and the wire
 *
 * Drives a stepped firmware through its segments alone, without hal and drv. The firmware reads
 * exactly what a test writes, well formed or not. There is one thread, so every run takes the same
 * steps.
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
#include "drv/packet/packets.h"
#include "firmware_sim/device/sim_device.h"
#include "firmware_sim/self_test/raw_client.h"
#include "uapi/graph.h"

namespace wire {

using base::Status;
using raw::Memory;
using raw::SLOTS;

constexpr uint64_t MEMORY_BYTES = uint64_t{512} << 20;
/* A firmware that still moves after so many steps never stops. */
constexpr unsigned STEPS_MAX = 1000000;
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

/* class Client - an attachment to a device that the test steps. The device must outlive it. */
class Client final : public raw::Attachment {
public:
	explicit Client(fw::Device &device, uint32_t pid = PID) : device_(device)
	{
		auto attached = device.attach(pid);
		EXPECT_TRUE(attached.ok());
		id_ = attached->client;
		EXPECT_EQ(map_bar(attached->bar), Status::OK);
		EXPECT_EQ(map_shared(attached->completion, attached->doorbell), Status::OK);
	}

	~Client() override
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

	/* segment() - a segment that only this side maps. */
	Memory segment(uint32_t kind, uint64_t bytes, uint32_t flags = 0)
	{
		Memory memory;
		EXPECT_EQ(create(kind, bytes, memory, UNPU_PAGE_4K, flags), Status::OK);
		return memory;
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
	/* The test steps the device. */
	void wake() override {}

	/* Other work moves meanwhile. */
	bool await(uint32_t sem, uint64_t wanted) override
	{
		return step_until(device_, [&] { return value(sem) == wanted; });
	}

	Status fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes) override
	{
		auto shared = TRY(device_.take_segment(id_, segment));
		fd = std::move(shared.fd);
		bytes = shared.bytes;
		return Status::OK;
	}

	fw::Device &device_;
	uint32_t id_ = 0;
	bool attached_ = true;
};

/* class Channel - a ring and its timeline. */
class Channel : public raw::Channel {
public:
	explicit Channel(Client &client, uint32_t slots = SLOTS, uint64_t timeline_base = 0,
			 uint32_t priority = 0, uint32_t group = 0)
		: device_(client.device())
	{
		const Wishes wishes{.slots = slots,
				    .timeline_base = timeline_base,
				    .priority = priority,
				    .group = group};
		EXPECT_EQ(open(client, wishes), Status::OK);
	}

	/* run() - submits one packet and waits for its end. Return: its status, which is cleared in the
	 * timeline. */
	Status run(const unpu_packet &packet, const unpu_operator *op = nullptr)
	{
		uint64_t wanted = publish(packet, op);
		settle(device_);
		EXPECT_EQ(client().value(timeline()), wanted) << "the packet did not retire";
		Status status = client().status(timeline());
		if (status != Status::OK) {
			EXPECT_EQ(clear(), Status::OK);
		}
		return status;
	}

	Status set_priority(uint32_t priority) { return control(UNPU_CHANNEL_PRIORITY, priority); }

	uint64_t segment() const { return memory().segment; }

private:
	fw::Device &device_;
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
