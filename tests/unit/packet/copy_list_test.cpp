// SPDX-License-Identifier: MIT
/*
 * DOC: Copies in a list, tested
 *
 * A list either does all of its copies or nothing. Whatever a client writes into the list, at any
 * time, the firmware copies no byte that it did not check.
 */
#include <atomic>
#include <bit>
#include <random>
#include <thread>

#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

unpu_operator operator_of(const unpu_copy_list &list)
{
	return std::bit_cast<unpu_operator>(list);
}

class CopyList : public Stepped {
protected:
	static constexpr uint64_t BYTES = 16384;

	Memory memory = client.memory(BYTES);
	const unpu_packet packet = drv::operator_packet(1, 0);

	uint8_t *bytes() const { return memory.as<uint8_t>(); }

	/* list() - @count copies of 8 bytes from the lower half to the upper one. */
	unpu_copy_list list(uint64_t count) const
	{
		unpu_copy_list list{};
		list.kind = UNPU_OPERATOR_COPY_LIST;
		list.count = count;
		for (uint64_t i = 0; i < count; i++)
			list.entries[i] = {memory.va + BYTES / 2 + i * 16, memory.va + i * 8, 8};
		return list;
	}

	Status run(const unpu_copy_list &list)
	{
		const unpu_operator op = operator_of(list);
		return channel.run(packet, &op);
	}

	void SetUp() override
	{
		for (uint64_t i = 0; i < BYTES / 2; i++)
			bytes()[i] = static_cast<uint8_t>(i * 11 + 1);
	}

	bool untouched() const
	{
		return std::all_of(bytes() + BYTES / 2, bytes() + BYTES,
				   [](uint8_t byte) { return byte == 0; });
	}
};

TEST_F(CopyList, DoesEachOfItsCopies)
{
	EXPECT_EQ(run(list(UNPU_COPY_LIST_MAX)), Status::OK);
	for (uint64_t i = 0; i < UNPU_COPY_LIST_MAX; i++) {
		const uint8_t *to = bytes() + BYTES / 2 + i * 16;
		EXPECT_EQ(memcmp(to, bytes() + i * 8, 8), 0) << i;
		EXPECT_EQ(to[8], 0) << i;
	}
	EXPECT_EQ(bytes()[BYTES / 2 + UNPU_COPY_LIST_MAX * 16], 0);
}

TEST_F(CopyList, WrongOnesAreRefusedOrFaultAndMoveNothing)
{
	auto run_with = [&](auto &&change) {
		unpu_copy_list bad = list(4);
		change(bad);
		return run(bad);
	};
	EXPECT_EQ(run_with([](auto &l) { l.count = 0; }), Status::BAD_OPERATOR);
	EXPECT_EQ(run_with([](auto &l) { l.count = 3; }), Status::BAD_OPERATOR) << "a fourth one";
	EXPECT_EQ(run_with([](auto &l) { l.count = 20; }), Status::BAD_OPERATOR);
	EXPECT_EQ(run_with([](auto &l) { l.count = UINT64_MAX; }), Status::BAD_OPERATOR);
	EXPECT_EQ(run_with([](auto &l) { l.entries[2].bytes = 0; }), Status::BAD_OPERATOR);
	EXPECT_EQ(run_with([](auto &l) { l.entries[18].dst = 1; }), Status::BAD_OPERATOR);
	for (unsigned word = 0; word < 3; word++)
		EXPECT_EQ(run_with([&](auto &l) { l.reserved[word] = 1; }), Status::BAD_OPERATOR);
	EXPECT_EQ(run_with([](auto &l) { l.entries[3].dst = 4096; }), Status::MMU_FAULT);
	EXPECT_EQ(run_with([](auto &l) { l.entries[3].src = UINT64_MAX; }), Status::MMU_FAULT);
	EXPECT_EQ(run_with([](auto &l) { l.entries[3].bytes = BYTES; }), Status::MMU_FAULT);
	EXPECT_EQ(run_with([](auto &l) { l.entries[3].bytes = UINT64_MAX; }), Status::MMU_FAULT);
	Memory blind = client.memory(4096, UNPU_ACCESS_READ);
	EXPECT_EQ(run_with([&](auto &l) { l.entries[3].dst = blind.va; }), Status::ACCESS_FAULT);
	EXPECT_TRUE(untouched());
	EXPECT_EQ(run(list(1)), Status::OK) << "the channel goes on";
}

/* Each operand has to be mapped to its last byte, and allow what the copy does there; the other operand
 * of each copy here is sound. */
TEST_F(CopyList, EachOperandIsCheckedToItsEnd)
{
	constexpr uint64_t SMALL = 4096;
	Memory small = client.memory(SMALL);
	Memory closed = client.memory(SMALL, UNPU_ACCESS_WRITE);
	auto run_with = [&](uint64_t dst, uint64_t src, uint64_t bytes) {
		unpu_copy_list bad = list(4);
		bad.entries[3] = {dst, src, bytes};
		const Status status = run(bad);
		EXPECT_TRUE(untouched()) << "nothing of a list with a fault is done";
		return status;
	};
	const uint64_t last = small.va + SMALL - 1;
	EXPECT_EQ(run_with(memory.va + BYTES / 2, last, 2), Status::MMU_FAULT);
	EXPECT_EQ(run_with(memory.va + BYTES / 2, small.va, SMALL + 1), Status::MMU_FAULT);
	EXPECT_EQ(run_with(last, memory.va, 2), Status::MMU_FAULT);
	EXPECT_EQ(run_with(small.va, memory.va, SMALL + 1), Status::MMU_FAULT);
	EXPECT_EQ(run_with(memory.va + BYTES / 2, closed.va, 8), Status::ACCESS_FAULT);
	unpu_copy_list good = list(4);
	good.entries[3] = {last, memory.va, 1};
	EXPECT_EQ(run(good), Status::OK) << "the last byte is still inside";
}

TEST_F(CopyList, AWordThatItWritesEndsAWait)
{
	Channel other(client);
	const uint64_t at = memory.va + BYTES / 2 + 16;
	uint64_t wanted;
	memcpy(&wanted, bytes() + 8, sizeof(wanted));
	other.publish(drv::value_wait_packet(3, {at, wanted, 0, UNPU_VALUE_EQ, 8}));
	settle(*device);
	ASSERT_EQ(other.retired(), 0u);
	EXPECT_EQ(run(list(3)), Status::OK);
	settle(*device);
	EXPECT_EQ(other.retired(), 1u);
}

TEST_F(CopyList, ALongOneGoesToAnEngine)
{
	constexpr uint64_t PIECE = 256 << 10;
	auto engines = make_device(0, 1);
	Client owner(*engines);
	Memory from = owner.memory(8 * PIECE);
	Memory to = owner.memory(8 * PIECE);
	Channel first(owner);
	unpu_copy_list long_list{};
	long_list.kind = UNPU_OPERATOR_COPY_LIST;
	long_list.count = 8;
	for (uint64_t i = 0; i < 8; i++) {
		memset(from.as<uint8_t>() + i * PIECE, static_cast<int>(i + 1), PIECE);
		long_list.entries[i] = {to.va + (7 - i) * PIECE, from.va + i * PIECE, PIECE};
	}
	const unpu_operator op = operator_of(long_list);
	const uint64_t wanted = first.publish(packet, &op);
	ASSERT_TRUE(step_until(*engines, [&] { return first.retired() >= wanted; }));
	EXPECT_EQ(owner.status(first.timeline()), Status::OK);
	for (uint64_t i = 0; i < 8; i++)
		EXPECT_EQ(memcmp(to.as<uint8_t>() + (7 - i) * PIECE, from.as<uint8_t>() + i * PIECE,
				 PIECE),
			  0);
}

TEST_F(CopyList, IsANodeOfAGraph)
{
	Image image;
	image.line({drv::operator_packet(1, 0), drv::nop_packet(2)});
	image.operators.push_back(operator_of(list(5)));
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	for (unsigned round = 0; round < 3; round++) {
		memset(bytes() + BYTES / 2, 0, BYTES / 2);
		ASSERT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
		for (uint64_t i = 0; i < 5; i++)
			EXPECT_EQ(memcmp(bytes() + BYTES / 2 + i * 16, bytes() + i * 8, 8), 0);
	}
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	image.operators[0] = operator_of(list(1));
	image.operators[0].kind = UNPU_OPERATOR_COPY_LIST;
	image.operators[0].ndim = 1;
	EXPECT_EQ(client.load_graph(image.bytes(), graph), Status::BAD_OPERATOR);
}

/* Another thread of the client changes every word of the list while the device takes it. */
TEST_F(CopyList, WordsThatChangeAreTakenOnce)
{
	constexpr unsigned ROUNDS = 2000;
	Memory guard = client.memory(4096, UNPU_ACCESS_READ);
	memset(guard.as<uint8_t>(), 0x77, 4096);
	const unpu_copy_list good = list(UNPU_COPY_LIST_MAX);
	const uint64_t lies[] = {0, 1, guard.va, memory.va + BYTES - 4, UINT64_MAX, BYTES};
	std::atomic<bool> over{false};
	std::thread liar([&] {
		std::mt19937_64 random(7);
		constexpr size_t WORDS = sizeof(unpu_copy_list) / sizeof(uint64_t);
		uint64_t truth[WORDS];
		memcpy(truth, &good, sizeof(truth));
		while (!over.load()) {
			auto *words = reinterpret_cast<uint64_t *>(channel.page(random() % SLOTS));
			size_t word = random() % WORDS;
			bool lie = random() % 4 == 0;
			base::store_relaxed(words[word],
					    lie ? lies[random() % std::size(lies)] : truth[word]);
		}
	});
	unsigned done = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		Status status = channel.run(packet);
		done += status == Status::OK;
		ASSERT_TRUE(status == Status::OK || status == Status::BAD_OPERATOR ||
			    status == Status::MMU_FAULT || status == Status::ACCESS_FAULT)
			<< static_cast<unsigned>(status);
	}
	over.store(true);
	liar.join();
	EXPECT_LT(done, ROUNDS);
	EXPECT_TRUE(std::all_of(guard.as<uint8_t>(), guard.as<uint8_t>() + 4096,
				[](uint8_t byte) { return byte == 0x77; }));
}

} // namespace
