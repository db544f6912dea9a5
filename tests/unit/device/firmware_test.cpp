// SPDX-License-Identifier: MIT
/*
 * DOC: Firmware, tested
 *
 * The device header, mailbox, segments and doorbells as a client sees them. Also the effects of a
 * client that breaks the protocol, or leaves in the middle of an operation, on itself and on
 * others.
 */
#include <functional>
#include <thread>

#include <sys/prctl.h>

#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class Mailbox : public Stepped {
protected:
	Status send(uint32_t type, const std::vector<uint64_t> &words = {})
	{
		unpu_message message{};
		message.type = type;
		for (size_t i = 0; i < words.size(); i++)
			message.words[i] = words[i];
		return client.call(message);
	}

	Status create_channel(uint64_t segment, uint32_t slots, uint32_t timeline,
			      uint32_t priority = 0)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel = {segment, slots, timeline, 0, 0, priority, 0, 0};
		return client.call(message);
	}
};

TEST_F(Mailbox, TheHeaderSaysWhatTheWireIs)
{
	const unpu_bar &bar = client.bar();
	EXPECT_EQ(bar.magic, UNPU_BAR_MAGIC);
	EXPECT_EQ(bar.abi, UNPU_ABI);
	EXPECT_EQ(bar.memory_bytes, MEMORY_BYTES);
	EXPECT_EQ(bar.packet_bytes, sizeof(unpu_packet));
	EXPECT_EQ(bar.operator_bytes, sizeof(unpu_operator));
	EXPECT_EQ(bar.semaphore_bytes, sizeof(unpu_sem_device));
	EXPECT_EQ(bar.message_bytes, sizeof(unpu_message));
	EXPECT_EQ(bar.graph_line_bytes, sizeof(unpu_graph_line));
	EXPECT_EQ(bar.max_channels, UNPU_MAX_CHANNELS);
	EXPECT_EQ(bar.max_semaphores, UNPU_MAX_SEMAPHORES);
	EXPECT_STREQ(bar.soc_name, "unit");
	EXPECT_TRUE(bar.features & UNPU_FEATURE_STEPPED);
	EXPECT_NE(bar.generation, 0u);
	EXPECT_NE(bar.instance, 0u);
	EXPECT_EQ(client.completion().status.pid, PID);
}

TEST_F(Mailbox, UnknownTypesAreRefused)
{
	for (uint32_t type : {0u, 64u, 255u, 0x80000001u, UINT32_MAX})
		EXPECT_EQ(send(type), Status::BAD_MESSAGE);
	EXPECT_EQ(send(UNPU_MSG_MEMORY_INFO), Status::OK);
}

TEST_F(Mailbox, ReservedFieldsAreRefused)
{
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	message.status = 1;
	EXPECT_EQ(client.call(message), Status::BAD_MESSAGE);
	message = {};
	message.type = UNPU_MSG_MEMORY_INFO;
	message.reserved = 1;
	EXPECT_EQ(client.call(message), Status::BAD_MESSAGE);
	Memory memory = client.memory(4096);
	message = {};
	message.type = UNPU_MSG_MAP;
	message.map = {uint64_t{1} << 40, 4096, memory.segment, 0, UNPU_ACCESS_READ, 1};
	EXPECT_NE(client.call(message), Status::OK);
	message = {};
	message.type = UNPU_MSG_SEM_SET;
	message.sem = {client.new_semaphore(), 1, 1};
	EXPECT_NE(client.call(message), Status::OK) << "unpu_msg_sem_set.reserved is MBZ";
}

TEST_F(Mailbox, RandomMessagesAreAnsweredAndHarmNoOtherClient)
{
	uint64_t state = 0x9e3779b97f4a7c15;
	auto next = [&state] {
		state ^= state << 13;
		state ^= state >> 7;
		return state ^= state << 17;
	};
	for (unsigned i = 0; i < 3000; i++) {
		unpu_message message{};
		message.type = static_cast<uint32_t>(next() % 20);
		/* Not so large that the kernel is asked for much. */
		for (uint64_t &word : message.words)
			word = next() % 3 ? next() % 5 : next();
		EXPECT_NE(client.call(message), Status::DEVICE_LOST);
	}
	Client other(*device);
	Channel fresh(other);
	EXPECT_EQ(fresh.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(Mailbox, MoreRequestsThanTheSequenceCounts)
{
	const uint64_t before = client.value(UNPU_SEM_MAILBOX);
	unpu_message message{};
	client.skip_requests(UINT32_MAX - 3);
	for (unsigned i = 0; i < 6; i++) {
		message = {};
		message.type = UNPU_MSG_MEMORY_INFO;
		EXPECT_EQ(client.call(message), Status::OK) << i;
	}
	EXPECT_EQ(client.value(UNPU_SEM_MAILBOX), before + UINT32_MAX + 3);
}

TEST_F(Mailbox, ASequenceThatIsSmallerCountsOn)
{
	uint64_t before = client.value(UNPU_SEM_MAILBOX);
	client.skip_requests(UINT32_MAX - 1);
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	EXPECT_EQ(client.call(message), Status::OK);
	EXPECT_EQ(client.value(UNPU_SEM_MAILBOX), before + UINT32_MAX);
}

TEST_F(Mailbox, AnOldSequenceIsNotActedUpon)
{
	Memory memory = client.segment(UNPU_SEGMENT_DEVICE, 4096);
	uint64_t free_bytes = client.memory_info().free_bytes;
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = memory.segment;
	ASSERT_EQ(client.call(message), Status::OK);
	uint64_t value = client.value(UNPU_SEM_MAILBOX);
	client.ring(UNPU_DOORBELL_MAILBOX);
	client.ring(UNPU_DOORBELL_MAILBOX);
	settle(*device);
	EXPECT_EQ(client.value(UNPU_SEM_MAILBOX), value);
	EXPECT_EQ(static_cast<Status>(client.completion().reply.status), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, free_bytes + 4096);
}

TEST_F(Mailbox, SegmentsAreCheckedAndCounted)
{
	uint64_t id = 0;
	EXPECT_EQ(client.create_segment(0, 4096, 0, id), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.create_segment(4, 4096, 0, id), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 0, 0, id), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, 3, id),
		  Status::INVALID_ARGUMENT);
	uint64_t before = client.memory_info().free_bytes;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 5000, 0, id), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, before - 8192);
	EXPECT_EQ(client.destroy_segment(id + 1), Status::INVALID_HANDLE);
	EXPECT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_EQ(client.destroy_segment(id), Status::INVALID_HANDLE);
	EXPECT_EQ(client.memory_info().free_bytes, before);
}

TEST_F(Mailbox, DeviceMemoryHasALimit)
{
	uint64_t id = 0, rest = 0;
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, MEMORY_BYTES + 1, 0, id),
		  Status::NO_MEMORY);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, UINT64_MAX, 0, id), Status::NO_MEMORY);
	/* The account of a client without a quota must not wrap. */
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_PINNED, UINT64_MAX, 0, id), Status::NO_MEMORY);
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, MEMORY_BYTES - 4096, 0, id),
		  Status::OK);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4097, 0, rest), Status::NO_MEMORY);
	EXPECT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, 0, rest), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, 0u);
	Client other(*device);
	EXPECT_EQ(other.create_segment(UNPU_SEGMENT_DEVICE, 1, 0, rest), Status::NO_MEMORY);
	EXPECT_EQ(other.create_segment(UNPU_SEGMENT_CHANNEL, 4096, 0, rest), Status::OK);
	ASSERT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_EQ(other.create_segment(UNPU_SEGMENT_DEVICE, 1, 0, rest), Status::OK);
}

TEST_F(Mailbox, RoundingToLargePagesStaysWithinTheLimit)
{
	uint64_t id = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, id), Status::OK);
	(void)client.create_segment(UNPU_SEGMENT_DEVICE, MEMORY_BYTES - 4096, UNPU_PAGE_THP, id);
	EXPECT_LE(client.memory_info().free_bytes, MEMORY_BYTES);
}

TEST_F(Mailbox, ADescriptorIsHandedOutOnce)
{
	uint64_t id = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, 0, id), Status::OK);
	EXPECT_EQ(device->take_segment(client.id(), id + 1).status(), Status::INVALID_HANDLE);
	EXPECT_EQ(device->take_segment(client.id() + 1, id).status(), Status::INVALID_HANDLE);
	EXPECT_EQ(device->take_segment(UINT32_MAX, id).status(), Status::INVALID_HANDLE);
	EXPECT_TRUE(device->take_segment(client.id(), id).ok());
	EXPECT_EQ(device->take_segment(client.id(), id).status(), Status::INVALID_HANDLE);
}

TEST_F(Mailbox, ADestroyedSegmentHandsOutNothing)
{
	uint64_t id = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, 0, id), Status::OK);
	ASSERT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_EQ(device->take_segment(client.id(), id).status(), Status::INVALID_HANDLE);
}

TEST_F(Mailbox, AMappedSegmentIsInUse)
{
	Memory memory = client.memory(8192);
	EXPECT_EQ(client.destroy_segment(memory.segment), Status::IN_USE);
	EXPECT_EQ(client.unmap(memory.va, 4096), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.unmap(memory.va + 4096, 4096), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.unmap(memory.va, memory.bytes), Status::OK);
	EXPECT_EQ(client.unmap(memory.va, memory.bytes), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.destroy_segment(memory.segment), Status::OK);
}

TEST_F(Mailbox, MappingsAreChecked)
{
	constexpr uint64_t VA = uint64_t{1} << 40;
	Memory memory = client.segment(UNPU_SEGMENT_PINNED, 8192);
	uint64_t id = memory.segment;
	auto refused = Status::INVALID_ARGUMENT;
	EXPECT_EQ(client.map_segment(VA, 4096, id + 9, 0, 3), Status::INVALID_HANDLE);
	EXPECT_EQ(client.map_segment(0, 4096, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA, 0, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA, 8193, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA, 4096, id, 4097, 3), refused);
	EXPECT_EQ(client.map_segment(VA, 4096, id, UINT64_MAX - 4095, 3), refused);
	EXPECT_EQ(client.map_segment(VA, UINT64_MAX, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(UINT64_MAX - 4094, 4096, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA, 4096, id, 0, 4), refused);
	EXPECT_EQ(client.map_segment(VA, 4096, channel.segment(), 0, 3), refused);
	ASSERT_EQ(client.map_segment(VA, 8192, id, 0, 3), Status::OK);
	EXPECT_EQ(client.map_segment(VA, 4096, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA + 8191, 1, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA - 1, 2, id, 0, 3), refused);
	EXPECT_EQ(client.map_segment(VA + 8192, 4096, id, 0, 3), Status::OK);
	EXPECT_EQ(client.map_segment(VA - 4096, 4096, id, 4096, 3), Status::OK);
}

TEST_F(Mailbox, ChannelsAreChecked)
{
	uint64_t small = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_CHANNEL, 4096, 0, small), Status::OK);
	Memory memory = client.segment(UNPU_SEGMENT_DEVICE, UNPU_CHANNEL_BYTES(64));
	uint64_t good = channel.segment();
	uint32_t sem = client.new_semaphore();
	for (uint32_t slots : {0u, 8u, 17u, 63u, 131072u, 0x80000000u})
		EXPECT_EQ(create_channel(good, slots, sem), Status::INVALID_ARGUMENT);
	EXPECT_EQ(create_channel(good, 64, sem, 8), Status::INVALID_ARGUMENT);
	EXPECT_EQ(create_channel(small, 64, sem), Status::INVALID_ARGUMENT);
	EXPECT_EQ(create_channel(memory.segment, 64, sem), Status::INVALID_ARGUMENT);
	EXPECT_EQ(create_channel(good + 99, 64, sem), Status::INVALID_HANDLE);
	for (uint32_t bad : {UNPU_SEM_NONE, UNPU_SEM_MAILBOX, UNPU_SEM_CALLS, UNPU_MAX_SEMAPHORES})
		EXPECT_EQ(create_channel(good, 64, bad), Status::BAD_SEMAPHORE);
	EXPECT_EQ(send(UNPU_MSG_CHANNEL_DESTROY, {0, 0, 0, uint64_t{99}}), Status::INVALID_HANDLE);
	EXPECT_EQ(send(UNPU_MSG_CHANNEL_CONTROL, {99}), Status::INVALID_HANDLE);
	EXPECT_EQ(channel.control(8), Status::INVALID_ARGUMENT);
}

TEST_F(Mailbox, ChannelsRunOutAndComeBack)
{
	uint32_t sem = client.new_semaphore();
	unsigned made = 1;
	while (made <= UNPU_MAX_CHANNELS &&
	       create_channel(channel.segment(), SLOTS, sem) == Status::OK)
		made++;
	EXPECT_EQ(made, UNPU_MAX_CHANNELS);
	EXPECT_EQ(create_channel(channel.segment(), SLOTS, sem), Status::NO_RESOURCE);
	EXPECT_EQ(channel.destroy(), Status::OK);
	EXPECT_EQ(create_channel(channel.segment(), SLOTS, sem), Status::OK);
}

TEST_F(Mailbox, SemaphoresOfTheFirmwareCantBeSet)
{
	for (uint32_t bad : {UNPU_SEM_NONE, UNPU_SEM_MAILBOX, UNPU_SEM_CALLS, UNPU_MAX_SEMAPHORES})
		EXPECT_EQ(client.set_semaphore(bad, 1), Status::BAD_SEMAPHORE);
	uint32_t last = UNPU_MAX_SEMAPHORES - 1;
	EXPECT_EQ(client.set_semaphore(last, 42), Status::OK);
	EXPECT_EQ(client.value(last), 42u);
}

TEST_F(Mailbox, DoorbellsOfUnknownChannelsAreIgnored)
{
	for (uint32_t bad : {1u, 4095u, 4096u, 0x80000000u, UNPU_DOORBELL_MAILBOX - 1})
		client.ring(bad);
	settle(*device);
	EXPECT_EQ(client.broken(), Status::OK);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(Mailbox, TheDoorbellQueueGoesRound)
{
	for (unsigned i = 0; i < 3 * UNPU_DOORBELL_ENTRIES; i++) {
		client.ring(channel.index());
		if (i % 1000 == 0)
			settle(*device);
	}
	settle(*device);
	EXPECT_EQ(client.broken(), Status::OK);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(Mailbox, AnOverrunDoorbellQueueBreaksTheClientOff)
{
	Client other(*device);
	Channel theirs(other);
	settle(*device);
	for (unsigned i = 0; i < UNPU_DOORBELL_ENTRIES + 1; i++)
		client.ring(channel.index());
	settle(*device);
	EXPECT_EQ(client.broken(), Status::RING_BROKEN);
	EXPECT_EQ(theirs.run(drv::nop_packet(1)), Status::OK) << "others go on";
	EXPECT_EQ(other.broken(), Status::OK);
	channel.publish(drv::nop_packet(1));
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	client.post(message);
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	EXPECT_FALSE(client.is_answered(message));
}

TEST_F(Mailbox, NothingMoreIsDoneForABrokenClient)
{
	constexpr unsigned PACKETS = 1000;
	uint32_t sem = client.new_semaphore();
	Channel deep(client, 1024);
	for (unsigned i = 1; i <= PACKETS; i++)
		deep.publish(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, i));
	device->step();
	for (unsigned i = 0; i < 2 * UNPU_DOORBELL_ENTRIES; i++)
		client.ring(deep.index());
	settle(*device);
	EXPECT_EQ(client.broken(), Status::RING_BROKEN);
	EXPECT_LT(client.value(sem), PACKETS) << "its channels stand still too";
}

TEST_F(Mailbox, ADetachedClientLeavesNothingBehind)
{
	Client other(*device);
	uint64_t before = other.memory_info().free_bytes;
	Memory memory = client.memory(1 << 20);
	uint32_t sem = client.new_semaphore();
	Channel waits(client), calls(client), busy(client);
	waits.publish(drv::wait_packet(1, sem, 1, base::NS_PER_S));
	calls.publish(drv::host_call_packet(1, 1));
	settle(*device);
	for (unsigned i = 0; i < SLOTS; i++)
		busy.publish(drv::nop_packet(1));
	device->step();
	client.ring(UNPU_DOORBELL_MAILBOX);
	client.detach();
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
	settle(*device);
	EXPECT_EQ(other.memory_info().free_bytes, before);
	Client fresh(*device);
	EXPECT_EQ(fresh.id(), client.id());
	Channel channel2(fresh);
	EXPECT_EQ(channel2.run(drv::nop_packet(1)), Status::OK);
}

TEST(Firmware, ClientsRunOut)
{
	auto device = make_device();
	std::vector<uint32_t> ids;
	for (;;) {
		auto attached = device->attach(PID);
		if (!attached) {
			EXPECT_EQ(attached.status(), Status::NO_RESOURCE);
			break;
		}
		ids.push_back(attached->client);
		ASSERT_LE(ids.size(), 1000u);
	}
	device->detach(ids[3]);
	auto again = device->attach(PID);
	ASSERT_TRUE(again.ok());
	EXPECT_EQ(again->client, ids[3]);
	device->detach(12345);
}

TEST(Firmware, SegmentsAreTakenWhileOthersComeAndGo)
{
	constexpr unsigned ROUNDS = 200;
	auto device = make_device();
	Client client(*device);
	std::thread guests([&] {
		for (unsigned i = 0; i < ROUNDS; i++) {
			auto guest = device->attach(PID + 1);
			ASSERT_TRUE(guest.ok());
			device->detach(guest->client);
		}
	});
	for (unsigned i = 0; i < ROUNDS; i++) {
		EXPECT_EQ(device->take_segment(client.id(), 12345).status(),
			  Status::INVALID_HANDLE);
		EXPECT_EQ(device->take_segment(client.id() + 1, 1).status(),
			  Status::INVALID_HANDLE);
	}
	guests.join();
}

TEST(Firmware, AStepWithNothingToDoSaysSo)
{
	auto device = make_device();
	EXPECT_FALSE(device->step());
	Client client(*device);
	settle(*device);
	EXPECT_FALSE(device->step());
	EXPECT_NE(client.completion().status.sleeping, 0u);
}

/* ring_and_kick() - a doorbell as hal rings it: a kick only for a device that says it sleeps. */
void ring_and_kick(Client &client, uint32_t channel)
{
	client.ring(channel);
	base::light_fence(base::process_scope());
	if (base::load_relaxed(client.completion().status.sleeping) != 0)
		client.device().kick();
}

bool eventually(const std::function<bool()> &condition)
{
	uint64_t deadline = base::deadline_after(5 * base::NS_PER_S);
	while (!condition()) {
		if (base::now_ns() > deadline)
			return false;
		std::this_thread::yield();
	}
	return true;
}

TEST(Firmware, AClientThatComesWhileTheDeviceSleepsCanWakeIt)
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	auto created = fw::Device::create(config);
	ASSERT_TRUE(created.ok());
	auto device = created.take();
	auto first = std::make_unique<Client>(*device);
	std::thread thread([&] { device->run(); });
	EXPECT_TRUE(eventually(
		[&] { return base::load_relaxed(first->completion().status.sleeping) != 0; }));
	auto second = std::make_unique<Client>(*device);
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	second->post(message);
	ring_and_kick(*second, UNPU_DOORBELL_MAILBOX);
	EXPECT_TRUE(eventually([&] { return second->is_answered(message); }))
		<< "the device sleeps and its new client does not know";
	device->stop();
	thread.join();
}

/* The kernel may join a timer with others that expire within the slack, which is 50 microseconds by default. */
TEST(DeviceThread, NapsOnATimerWithoutSlack)
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	auto device = fw::Device::create(config).take();
	int slack_ns = -1;
	std::thread([&] {
		device->stop();
		device->run();
		slack_ns = prctl(PR_GET_TIMERSLACK);
	}).join();
	EXPECT_EQ(slack_ns, 1);
}

} // namespace
