// SPDX-License-Identifier: MIT
/*
 * DOC: Shared memory, tested
 *
 * Shared memory: which clients may import it, with which bounds and access, and how long it lives.
 * Also keys, and the messages themselves.
 */
#include "tests/unit/support/sharing_clients.h"

namespace {

using namespace wire;

using Memories = Sharing;

TEST_F(Memories, AreTheSameBytesAndNoMore)
{
	constexpr uint64_t OFFSET = 4096, BYTES = 1000;
	Memory whole = alice.memory(64 << 10);
	unpu_export_key key =
		alice.export_memory(whole.segment, OFFSET, BYTES, UNPU_EXPORT_ANY_PROCESS);
	EXPECT_EQ(key.pid, ALICE);
	EXPECT_EQ(key.device, 0u);
	EXPECT_EQ(key.instance, alice.bar().instance);
	for (Client *client : {&bob, &carol}) {
		Channel channel(*client);
		unpu_msg_export reply{};
		ASSERT_EQ(client->import(key, reply), Status::OK);
		EXPECT_EQ(reply.kind, UNPU_EXPORT_MEMORY);
		EXPECT_EQ(reply.bytes, BYTES);
		EXPECT_EQ(reply.flags, 0u) << "a descriptor would show the rest of the segment";
		EXPECT_FALSE(client->device().take_segment(client->id(), reply.segment).ok());
		constexpr uint64_t VA = uint64_t{1} << 40;
		constexpr uint32_t BOTH = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;
		EXPECT_EQ(client->map_segment(VA, BYTES + 1, reply.segment, 0, BOTH),
			  Status::INVALID_ARGUMENT);
		EXPECT_EQ(client->map_segment(VA, BYTES, reply.segment, 1, BOTH),
			  Status::INVALID_ARGUMENT);
		ASSERT_EQ(client->map_segment(VA, BYTES, reply.segment, 0, BOTH), Status::OK);
		EXPECT_EQ(channel.run(drv::fill_packet(1, VA, BYTES, client->id() + 7, 1)),
			  Status::OK);
		EXPECT_EQ(whole.as<uint8_t>()[OFFSET], client->id() + 7);
		EXPECT_EQ(whole.as<uint8_t>()[OFFSET + BYTES - 1], client->id() + 7);
		EXPECT_EQ(whole.as<uint8_t>()[OFFSET - 1], 0);
		EXPECT_EQ(whole.as<uint8_t>()[OFFSET + BYTES], 0);
		EXPECT_EQ(channel.run(drv::fill_packet(1, VA + BYTES - 1, 2, 1, 1)),
			  Status::MMU_FAULT);
		EXPECT_EQ(client->destroy_segment(reply.segment), Status::IN_USE);
		EXPECT_EQ(client->unmap(VA, BYTES), Status::OK);
		EXPECT_EQ(client->destroy_segment(reply.segment), Status::OK);
	}
}

TEST_F(Memories, AreForWhomTheExporterAllows)
{
	Memory memory = alice.memory(4096);
	unpu_export_key listed = alice.export_memory(memory.segment, 0, 4096, 0);
	EXPECT_EQ(bob.import(listed), Status::NOT_ALLOWED);
	EXPECT_EQ(bob.allow(listed, {BOB}), Status::NOT_SHARED)
		<< "that is for the exporter to say";
	EXPECT_EQ(alice.allow(listed, {BOB, 12345}), Status::OK);
	EXPECT_EQ(bob.import(listed), Status::OK);
	EXPECT_EQ(carol.import(listed), Status::NOT_ALLOWED);
	EXPECT_EQ(alice.allow(listed, {0}), Status::OK);
	EXPECT_EQ(carol.import(listed), Status::OK) << "0 is everybody";
	EXPECT_EQ(alice.import(listed), Status::SAME_PROCESS);
	Client sibling(*second, ALICE);
	EXPECT_EQ(sibling.import(listed), Status::SAME_PROCESS);
	EXPECT_EQ(alice.allow(listed, {ALICE}), Status::OK);
	EXPECT_EQ(sibling.import(listed), Status::SAME_PROCESS) << "nor can it be allowed";
	unpu_export_key own =
		alice.export_memory(memory.segment, 0, 4096, UNPU_EXPORT_SAME_PROCESS);
	EXPECT_EQ(sibling.import(own), Status::OK);
	EXPECT_EQ(bob.import(own), Status::NOT_ALLOWED);
}

static void ask(unpu_message &message, uint64_t nonce)
{
	message = {};
	message.type = UNPU_MSG_EXPORT_FIND;
	message.share.key.nonce = nonce;
}

TEST_F(Memories, AreFoundByTheNonceOfTheirKey)
{
	Memory memory = alice.memory(4096);
	unpu_export_key key = alice.export_memory(memory.segment, 0, 4096, 0);
	unpu_message message{};
	ask(message, key.nonce);
	ASSERT_EQ(carol.call(message), Status::OK) << "of another device, and not listed";
	EXPECT_EQ(memcmp(&message.share.key, &key, sizeof(key)), 0);
	EXPECT_EQ(carol.import(message.share.key), Status::NOT_ALLOWED)
		<< "who knows the key may still not import";
	ask(message, key.nonce ^ 1);
	EXPECT_EQ(carol.call(message), Status::NOT_SHARED);
	ask(message, 0);
	message.share.key = key;
	EXPECT_EQ(carol.call(message), Status::BAD_MESSAGE) << "the nonce, and nothing else";
	ask(message, key.nonce);
	message.share.count = 1;
	EXPECT_EQ(carol.call(message), Status::BAD_MESSAGE);
	ASSERT_EQ(alice.unshare(key), Status::OK);
	ask(message, key.nonce);
	EXPECT_EQ(carol.call(message), Status::NOT_SHARED);
}

TEST_F(Memories, OfTheHostSaySo)
{
	for (uint32_t kind : {UNPU_SEGMENT_DEVICE, UNPU_SEGMENT_PINNED}) {
		Memory memory = alice.segment(kind, 4096, UNPU_SEGMENT_SHAREABLE);
		unpu_export_key key =
			alice.export_memory(memory.segment, 0, 4096, UNPU_EXPORT_ANY_PROCESS);
		unpu_msg_export reply{};
		ASSERT_EQ(bob.import(key, reply), Status::OK);
		EXPECT_EQ(reply.flags,
			  UNPU_EXPORT_WHOLE |
				  (kind == UNPU_SEGMENT_PINNED ? UNPU_EXPORT_PINNED : 0));
	}
}

TEST_F(Memories, ListsOfProcessesHaveAnEnd)
{
	Memory memory = alice.memory(4096);
	unpu_export_key key = alice.export_memory(memory.segment, 0, 4096, 0);
	EXPECT_EQ(alice.allow(key, {}), Status::INVALID_ARGUMENT);
	std::vector<uint32_t> pids(UNPU_EXPORT_MAX_PIDS);
	uint32_t pid = 1000;
	Status status = Status::OK;
	while (status == Status::OK) {
		for (uint32_t &one : pids)
			one = pid++;
		status = alice.allow(key, pids);
	}
	EXPECT_EQ(status, Status::QUOTA);
	EXPECT_GT(pid, 1000 + UNPU_EXPORT_MAX_ALLOWED);
	EXPECT_EQ(alice.allow(key, {1000}), Status::OK) << "that one is in it";
}

TEST_F(Memories, HandOutADescriptorOfAWholeShareableSegmentOnly)
{
	Memory shareable = alice.segment(UNPU_SEGMENT_DEVICE, 8192, UNPU_SEGMENT_SHAREABLE);
	Memory other = alice.segment(UNPU_SEGMENT_DEVICE, 8192);
	auto flags = [&](const Memory &memory, uint64_t bytes) {
		unpu_msg_export reply{};
		EXPECT_EQ(bob.import(alice.export_memory(memory.segment, 0, bytes,
							 UNPU_EXPORT_ANY_PROCESS),
				     reply),
			  Status::OK);
		return reply.flags;
	};
	EXPECT_EQ(flags(other, 8192), 0u);
	EXPECT_EQ(flags(shareable, 4096), 0u);
	unpu_msg_export reply{};
	ASSERT_EQ(
		bob.import(alice.export_memory(shareable.segment, 0, 8192, UNPU_EXPORT_ANY_PROCESS),
			   reply),
		Status::OK);
	EXPECT_EQ(reply.flags, UNPU_EXPORT_WHOLE);
	Memory mine;
	mine.segment = reply.segment;
	ASSERT_EQ(bob.take(mine), Status::OK);
	mine.as<uint8_t>()[8191] = 0x5a;
	EXPECT_EQ(shareable.as<uint8_t>()[8191], 0x5a);
}

TEST_F(Memories, AKeyHasToMatchInEveryWord)
{
	Memory memory = alice.memory(4096);
	unpu_export_key key = alice.export_memory(memory.segment, 0, 4096, UNPU_EXPORT_ANY_PROCESS);
	for (size_t byte = 0; byte < sizeof(key); byte++) {
		unpu_export_key wrong = key;
		reinterpret_cast<uint8_t *>(&wrong)[byte] ^= 0x10;
		EXPECT_EQ(bob.import(wrong), Status::NOT_SHARED) << byte;
		EXPECT_EQ(alice.allow(wrong, {BOB}), Status::NOT_SHARED) << byte;
		EXPECT_EQ(alice.unshare(wrong), Status::NOT_SHARED) << byte;
	}
	EXPECT_EQ(bob.unshare(key), Status::NOT_SHARED) << "it is not bob's";
	auto elsewhere = make_device();
	Client stranger(*elsewhere, BOB);
	EXPECT_NE(stranger.bar().instance, key.instance);
	EXPECT_EQ(stranger.import(key), Status::NOT_SHARED);
	EXPECT_EQ(bob.import(key), Status::OK);
}

TEST_F(Memories, LiveUntilTheLastOneDropsThem)
{
	constexpr uint64_t BYTES = 1 << 20;
	uint64_t free_bytes = bob.memory_info().free_bytes;
	Memory memory = alice.memory(BYTES);
	memory.as<uint8_t>()[5] = 0x77;
	unpu_export_key key =
		alice.export_memory(memory.segment, 0, BYTES, UNPU_EXPORT_ANY_PROCESS);
	unpu_msg_export near{}, far{};
	ASSERT_EQ(bob.import(key, near), Status::OK);
	ASSERT_EQ(carol.import(key, far), Status::OK);
	Memory mine;
	mine.segment = near.segment;
	mine.bytes = BYTES;
	ASSERT_EQ(bob.place(mine), Status::OK);
	ASSERT_EQ(alice.unmap(memory.va, memory.bytes), Status::OK);
	ASSERT_EQ(alice.destroy_segment(memory.segment), Status::OK);
	EXPECT_EQ(bob.import(key), Status::NOT_SHARED) << "an export ends with its segment";
	EXPECT_EQ(bob.memory_info().free_bytes, free_bytes - BYTES);
	Channel channel(bob);
	Memory copy = bob.memory(4096);
	EXPECT_EQ(channel.run(drv::copy_packet(1, copy.va, mine.va, 4096)), Status::OK);
	EXPECT_EQ(copy.as<uint8_t>()[5], 0x77);
	EXPECT_EQ(bob.unmap(mine.va, BYTES), Status::OK);
	EXPECT_EQ(bob.destroy_segment(near.segment), Status::OK);
	EXPECT_EQ(bob.memory_info().free_bytes, free_bytes - BYTES - 4096) << "carol has it still";
	EXPECT_EQ(carol.destroy_segment(far.segment), Status::OK);
	EXPECT_EQ(bob.memory_info().free_bytes, free_bytes - 4096);
}

TEST_F(Memories, OutliveTheirClientAndTheirDevice)
{
	auto device = make_device(0, 0, exchange, 2);
	Memory mine;
	{
		Client dave(*device, 400);
		Memory memory = dave.segment(UNPU_SEGMENT_DEVICE, 8192, UNPU_SEGMENT_SHAREABLE);
		memory.as<uint8_t>()[0] = 0x42;
		unpu_export_key key =
			dave.export_memory(memory.segment, 0, 8192, UNPU_EXPORT_ANY_PROCESS);
		unpu_msg_export reply{};
		ASSERT_EQ(carol.import(key, reply), Status::OK);
		mine.segment = reply.segment;
		ASSERT_EQ(carol.take(mine), Status::OK);
		dave.detach();
		EXPECT_EQ(carol.import(key), Status::NOT_SHARED);
	}
	device.reset();
	ASSERT_EQ(carol.place(mine), Status::OK);
	Channel channel(carol);
	EXPECT_EQ(channel.run(drv::fill_packet(1, mine.va + 1, 1, 0x43, 1)), Status::OK);
	EXPECT_EQ(mine.as<uint8_t>()[0], 0x42);
	EXPECT_EQ(mine.as<uint8_t>()[1], 0x43);
}

TEST_F(Memories, AreRefusedWhereTheyCantBeShared)
{
	Memory memory = alice.memory(8192);
	Channel channel(alice);
	auto share = [&](uint64_t segment, uint64_t offset, uint64_t bytes, uint32_t kind,
			 uint32_t flags) {
		unpu_msg_export request{};
		request.segment = segment;
		request.offset = offset;
		request.bytes = bytes;
		request.kind = kind;
		request.flags = flags;
		return alice.share(request);
	};
	EXPECT_EQ(share(memory.segment, 0, 8193, UNPU_EXPORT_MEMORY, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 8192, 1, UNPU_EXPORT_MEMORY, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 1, UINT64_MAX, UNPU_EXPORT_MEMORY, 0),
		  Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 0, 0, UNPU_EXPORT_MEMORY, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 0, 8192, 0, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 0, 8192, 5, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment, 0, 8192, UNPU_EXPORT_MEMORY, 4), Status::INVALID_ARGUMENT);
	EXPECT_EQ(share(memory.segment + 1000, 0, 8192, UNPU_EXPORT_MEMORY, 0),
		  Status::INVALID_HANDLE);
	EXPECT_EQ(share(channel.segment(), 0, 64, UNPU_EXPORT_MEMORY, 0), Status::NOT_SUPPORTED);
	unpu_msg_export reply{};
	ASSERT_EQ(bob.import(alice.export_memory(memory.segment, 0, 8192, UNPU_EXPORT_ANY_PROCESS),
			     reply),
		  Status::OK);
	unpu_msg_export again{};
	again.kind = UNPU_EXPORT_MEMORY;
	again.segment = reply.segment;
	again.bytes = 8192;
	EXPECT_EQ(bob.share(again), Status::NOT_SUPPORTED) << "it is alice's to share";
	uint64_t id = 0;
	EXPECT_EQ(alice.create_segment(UNPU_SEGMENT_DEVICE, 4096, 0, id, 2),
		  Status::INVALID_ARGUMENT);
}

TEST_F(Sharing, MessagesAreChecked)
{
	Memory memory = alice.memory(4096);
	unpu_msg_export request{};
	request.kind = UNPU_EXPORT_MEMORY;
	request.segment = memory.segment;
	request.bytes = 4096;
	unpu_msg_export bad = request;
	bad.key.nonce = 1;
	EXPECT_EQ(alice.share(bad), Status::BAD_MESSAGE);
	bad = request;
	bad.member = 1;
	EXPECT_EQ(alice.share(bad), Status::BAD_MESSAGE);
	bad = request;
	bad.count = 1;
	EXPECT_EQ(alice.share(bad), Status::INVALID_ARGUMENT);
	unpu_message message{};
	message.type = UNPU_MSG_IMPORT;
	message.share.bytes = 1;
	EXPECT_EQ(alice.call(message), Status::BAD_MESSAGE);
	EXPECT_EQ(alice.leave(UNPU_SEM_MAILBOX), Status::INVALID_HANDLE);
	EXPECT_EQ(alice.leave(UINT32_MAX), Status::INVALID_HANDLE);
	EXPECT_EQ(alice.import({}), Status::NOT_SHARED);
}

TEST_F(Sharing, HasAQuota)
{
	Memory memory = alice.memory(4096);
	unpu_msg_export request{};
	Status status = Status::OK;
	uint32_t count = 0;
	for (; status == Status::OK; count++) {
		request = {};
		request.kind = UNPU_EXPORT_MEMORY;
		request.segment = memory.segment;
		request.bytes = 64;
		status = alice.share(request);
	}
	EXPECT_EQ(status, Status::QUOTA);
	EXPECT_EQ(count, UNPU_EXPORT_MAX_PER_CLIENT + 1);
	EXPECT_EQ(alice.unmap(memory.va, memory.bytes), Status::OK);
	EXPECT_EQ(alice.destroy_segment(memory.segment), Status::OK);
	Memory next = alice.memory(4096);
	EXPECT_EQ(bob.import(alice.export_memory(next.segment, 0, 64, UNPU_EXPORT_ANY_PROCESS)),
		  Status::OK)
		<< "what ended with its segment does not count";
}

/* Clients that leave share the turns of the device; those that have left take no part any more. */
TEST_F(Memories, TheEndOfAClientTakesAsManyTurnsAfterManyOthers)
{
	constexpr unsigned EXPORTS = 3000, OTHERS = 100;
	const auto count_turns = [this] {
		Client dave(*first, 400);
		Memory memory = dave.segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_SEGMENT_SHAREABLE);
		for (unsigned i = 0; i < EXPORTS; i++)
			(void)dave.export_memory(memory.segment, 0, 4096, UNPU_EXPORT_ANY_PROCESS);
		rest();
		dave.detach();
		return settle(*first);
	};
	const unsigned turns = count_turns();
	for (unsigned i = 0; i < OTHERS; i++) {
		Client other(*first, 500 + i);
		other.detach();
		rest();
	}
	EXPECT_EQ(count_turns(), turns);
}

} // namespace
