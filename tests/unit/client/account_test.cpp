// SPDX-License-Identifier: MIT
/*
 * DOC: Accounts, tested
 *
 * Each resource that a client takes is charged to the client and to its user, and comes back when the
 * object ends. A client at a limit is refused, and another one is not.
 */
#include <sys/stat.h>

#include <thread>
#include <vector>

#include "firmware_sim/memory/account.h"
#include "firmware_sim/memory/mmu.h"
#include "tests/common/abilities.h"
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/sharing_clients.h"

namespace {

using namespace wire;
using fw::Account;
using fw::Charge;
using fw::Resource;

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;
constexpr uint64_t VA = uint64_t{1} << 40;
constexpr uint32_t BOTH = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;

TEST(Account, ChargesItselfAndThoseAbove)
{
	auto user = std::make_shared<Account>(Account::Amounts{0, 10, 0});
	auto first = std::make_shared<Account>(Account::Amounts{0, 8, 0}, user);
	auto second = std::make_shared<Account>(Account::Amounts{}, user);
	Charge some, more;
	EXPECT_EQ(first->charge(Resource::ENTRIES, 9, some), Status::QUOTA) << "its own limit";
	EXPECT_EQ(first->charge(Resource::ENTRIES, 8, some), Status::OK);
	EXPECT_EQ(second->charge(Resource::ENTRIES, 3, more), Status::QUOTA) << "the user's limit";
	EXPECT_EQ(second->used(Resource::ENTRIES), 0u) << "a refused charge takes nothing";
	EXPECT_EQ(second->left(Resource::ENTRIES), 2u);
	EXPECT_EQ(second->left(Resource::MEMORY), UINT64_MAX);
	some.reduce(1);
	EXPECT_EQ(second->charge(Resource::ENTRIES, 9, more), Status::OK);
	some.end();
	more = Charge();
	EXPECT_EQ(user->used(Resource::ENTRIES), 0u);
}

TEST(Account, RefusesAmountsThatWouldWrap)
{
	auto account = std::make_shared<Account>(Account::Amounts{100});
	Charge some, more;
	ASSERT_EQ(account->charge(Resource::MEMORY, 1, some), Status::OK);
	EXPECT_EQ(account->charge(Resource::MEMORY, UINT64_MAX, more), Status::QUOTA);
	EXPECT_EQ(account->used(Resource::MEMORY), 1u);
}

TEST(Account, ThreadsNeverPassTheLimitTogether)
{
	constexpr uint64_t LIMIT = 5;
	constexpr unsigned ROUNDS = 20000;
	auto user = std::make_shared<Account>(Account::Amounts{LIMIT});
	std::atomic<bool> passed{false};
	auto work = [&] {
		auto client = std::make_shared<Account>(Account::Amounts{}, user);
		for (unsigned i = 0; i < ROUNDS; i++) {
			Charge some;
			if (client->charge(Resource::MEMORY, 3, some) == Status::OK)
				passed = passed || user->used(Resource::MEMORY) > LIMIT;
		}
	};
	std::thread other(work);
	work();
	other.join();
	EXPECT_FALSE(passed);
	EXPECT_EQ(user->used(Resource::MEMORY), 0u);
}

constexpr uint32_t ENTRIES = 32, DESCRIPTORS = 16;

class Charged : public testing::Test {
protected:
	static std::unique_ptr<fw::Device> make()
	{
		fw::Config config;
		config.memory_bytes = MEMORY_BYTES;
		config.features = UNPU_FEATURE_STEPPED;
		config.soc_name = "unit";
		config.quotas.memory_bytes = 16 * PIECE;
		config.quotas.entries = ENTRIES;
		config.quotas.descriptors = DESCRIPTORS;
		auto device = fw::Device::create(config);
		return device ? device.take() : nullptr;
	}

	static uint64_t create(Client &of, uint64_t bytes, uint32_t flags = 0)
	{
		uint64_t id = 0;
		EXPECT_EQ(of.create_segment(UNPU_SEGMENT_DEVICE, bytes, UNPU_PAGE_4K, id, flags),
			  Status::OK);
		return id;
	}

	static Status send(Client &of, uint32_t type, uint64_t va, uint64_t bytes)
	{
		unpu_message message{};
		message.type = type;
		message.map.va = va;
		message.map.bytes = bytes;
		return of.call(message);
	}

	/* How often @step succeeds before it is refused for the quota. */
	template <class Step> static unsigned count(Step step)
	{
		for (unsigned times = 0; times < 2 * ENTRIES; times++) {
			const Status status = step(times);
			if (status != Status::OK) {
				EXPECT_EQ(status, Status::QUOTA);
				return times;
			}
		}
		ADD_FAILURE() << "no limit";
		return 0;
	}

	std::unique_ptr<fw::Device> device = make();
	Client client{*device, ALICE};
	Client other{*device, BOB};
};

TEST_F(Charged, MappingsOfOnePage)
{
	const uint64_t segment = create(client, 4096);
	const auto map = [&](unsigned i) {
		return client.map_segment(VA + i * PIECE, 4096, segment, 0, BOTH);
	};
	const unsigned mapped = count(map);
	EXPECT_GE(mapped, ENTRIES - 8);
	EXPECT_LT(mapped, ENTRIES);
	create(other, 4096);
	EXPECT_EQ(client.unmap(VA, 4096), Status::OK);
	EXPECT_EQ(map(0), Status::OK);
	EXPECT_EQ(map(mapped), Status::QUOTA);
}

TEST_F(Charged, Reservations)
{
	const auto reserve = [&](unsigned i) {
		return send(client, UNPU_MSG_RESERVE, VA + 2 * i * PIECE, PIECE);
	};
	const unsigned reserved = count(reserve);
	EXPECT_EQ(send(other, UNPU_MSG_RESERVE, VA, PIECE), Status::OK);
	EXPECT_EQ(send(client, UNPU_MSG_RELEASE, VA, PIECE), Status::OK);
	EXPECT_EQ(reserve(0), Status::OK);
	EXPECT_EQ(reserve(reserved), Status::QUOTA);
}

/* Each mapping splits the rest of the reservation, so it counts twice. */
TEST_F(Charged, MappingsInAReservation)
{
	const uint64_t segment = create(client, PIECE, UNPU_SEGMENT_SHAREABLE);
	ASSERT_EQ(send(client, UNPU_MSG_RESERVE, VA, 256 * PIECE), Status::OK);
	const unsigned mapped = count([&](unsigned i) {
		return client.map_segment(VA + 2 * i * PIECE, PIECE, segment, 0, BOTH);
	});
	EXPECT_GE(mapped, (ENTRIES - 8) / 2);
	EXPECT_LE(mapped, ENTRIES / 2);
}

TEST_F(Charged, ImportsThatAreNotTaken)
{
	const uint64_t segment = create(other, 4096, UNPU_SEGMENT_SHAREABLE);
	const unpu_export_key key = other.export_memory(segment, 0, 4096, UNPU_EXPORT_ANY_PROCESS);
	std::vector<uint64_t> imported;
	const auto import = [&](unsigned) {
		unpu_msg_export reply{};
		const Status status = client.import(key, reply);
		if (status == Status::OK)
			imported.push_back(reply.segment);
		return status;
	};
	EXPECT_LE(count(import), DESCRIPTORS);
	create(other, 4096, UNPU_SEGMENT_SHAREABLE);
	ASSERT_FALSE(imported.empty());
	EXPECT_TRUE(device->take_segment(client.id(), imported.back()).ok());
	EXPECT_EQ(import(0), Status::OK) << "a descriptor that was taken counts no more";
	EXPECT_EQ(import(0), Status::QUOTA);
	for (uint64_t id : imported)
		EXPECT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_GT(count(import), 0u);
}

TEST_F(Charged, SegmentsThatAreNotTaken)
{
	const unsigned made = count([&](unsigned) {
		uint64_t id = 0;
		return client.create_segment(UNPU_SEGMENT_PINNED, 4096, UNPU_PAGE_4K, id);
	});
	EXPECT_LE(made, DESCRIPTORS);
	create(other, 4096);
}

TEST_F(Charged, GraphsAreMemoryOfTheClient)
{
	Image parts;
	for (unsigned i = 0; i < 64; i++)
		parts.line(std::vector<unpu_packet>(256, drv::nop_packet(1)));
	const std::vector<std::byte> image = parts.bytes();
	const uint64_t before = client.memory_info().free_bytes;
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image, graph), Status::OK);
	EXPECT_LT(client.memory_info().free_bytes, before);
	EXPECT_EQ(other.memory_info().free_bytes, before);
	ASSERT_EQ(client.unload_graph(graph), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, before);
	/* Not all of the quota is left, and then less than a graph takes. */
	const uint64_t rest = 2 * image.size();
	create(client, before - rest);
	Status status = Status::OK;
	for (unsigned i = 0; i < 8 && status == Status::OK; i++) {
		Memory place;
		uint64_t id = 0;
		status = client.create_segment(UNPU_SEGMENT_DEVICE, image.size(), UNPU_PAGE_4K, id);
		if (status != Status::OK)
			break;
		place.segment = id;
		ASSERT_EQ(client.take(place), Status::OK);
		ASSERT_EQ(client.place(place), Status::OK);
		std::copy(image.begin(), image.end(), place.window.data());
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_LOAD;
		message.graph.va = place.va;
		message.graph.bytes = image.size();
		status = client.call(message);
		EXPECT_EQ(client.unmap(place.va, place.bytes), Status::OK);
		EXPECT_EQ(client.destroy_segment(id), Status::OK);
	}
	EXPECT_EQ(status, Status::QUOTA);
}

TEST(Users, AllTheirClientsTogether)
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	config.features = UNPU_FEATURE_STEPPED;
	config.soc_name = "unit";
	auto device = fw::Device::create(config);
	ASSERT_TRUE(device.ok());
	auto user = std::make_shared<Account>(Account::Amounts{0, 0, 10});
	const auto attach = [&] {
		return (*device)->attach(ALICE, base::process_scope(), user).status();
	};
	EXPECT_EQ(attach(), Status::OK);
	EXPECT_EQ(attach(), Status::OK);
	EXPECT_EQ(attach(), Status::QUOTA);
	EXPECT_EQ(Client(**device, BOB).broken(), Status::OK)
		<< "another user has an account of its own";
	(*device)->detach(0);
	EXPECT_EQ(attach(), Status::OK);
}

/* A client may keep the descriptor that it was given. */
TEST(Segment, KeepsNoPagesAfterItsEnd)
{
	SKIP_WITHOUT_ADVICE();
	auto file = base::create_sealed("unit", 4 * PIECE, UNPU_PAGE_4K);
	ASSERT_TRUE(file.ok());
	auto memory = base::map_shared(file->fd, file->bytes, true, UNPU_PAGE_4K);
	ASSERT_TRUE(memory.ok());
	const auto blocks = [&] {
		struct stat found {};
		EXPECT_EQ(fstat(file->fd.get(), &found), 0);
		return found.st_blocks;
	};
	{
		fw::Segment segment;
		segment.memory = memory.take();
		segment.is_given_out = true;
		std::fill_n(segment.memory.data(), segment.memory.bytes(), std::byte{7});
		EXPECT_GT(blocks(), 0);
	}
	EXPECT_EQ(blocks(), 0);
}

} // namespace
