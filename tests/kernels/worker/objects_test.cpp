// SPDX-License-Identifier: MIT
/*
 * DOC: The log of objects
 *
 * The driver's half writes it, the worker's half reads it, and a list of what exists says what the answers have to be.
 */
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "drv/memory/object_log.h"
#include "kernels/worker/memory/objects.h"

namespace {

using Found = worker::Objects::Found;

constexpr uint64_t WINDOW = 0x100000, BYTES = 0x40000, UNIT = 64, SLACK = 24;

class KernelObjects : public testing::Test {
protected:
	KernelObjects()
	{
		log.open(head, {{WINDOW, BYTES}, {WINDOW + 2 * BYTES, BYTES}});
		restart();
		objects.open(reinterpret_cast<uint64_t>(&head));
	}

	void restart()
	{
		std::vector<unpu_kernel_object> all;
		for (const auto &[start, object] : live)
			all.push_back(object);
		const uint64_t bytes = log.bytes_needed(all.size());
		auto &memory = logs.emplace_back(std::make_unique<uint64_t[]>(bytes / 8));
		log.restart(reinterpret_cast<uint64_t>(memory.get()), memory.get(), bytes, all);
	}
	void make(uint64_t start, uint64_t bytes, uint64_t group = 0)
	{
		const unpu_kernel_object object{start, bytes, 0, group, group == 0 ? SLACK : 0};
		live[start] = object;
		if (log.needs_room())
			restart();
		else
			log.add(object);
	}
	void remove(uint64_t start, bool is_used = false)
	{
		const unpu_kernel_object object = live.at(start);
		live.erase(start);
		if (log.needs_room())
			restart();
		log.remove(object, is_used);
	}
	Found find(uint64_t address) { return find(address, log.freed()); }
	Found find(uint64_t address, uint64_t freed)
	{
		return objects.find(
			address, freed, [](uint64_t, uint64_t) { return true; }, range);
	}

	unpu_kernel_objects head{};
	std::vector<std::unique_ptr<uint64_t[]>> logs;
	drv::ObjectLog log;
	std::map<uint64_t, unpu_kernel_object> live;
	worker::Objects objects;
	unpu_kernel_memory_range range{};
};

TEST_F(KernelObjects, AreFoundUntilTheyAreFreed)
{
	make(WINDOW, 64);
	make(WINDOW + 128, 64);
	EXPECT_EQ(find(WINDOW + 63), Found::LIVE);
	EXPECT_EQ(range.start, WINDOW);
	EXPECT_EQ(range.bytes, 64u);
	EXPECT_EQ(objects.asked_bytes(range), 64 - SLACK);
	EXPECT_EQ(find(WINDOW + 64), Found::NONE);
	EXPECT_EQ(range.start, WINDOW) << "the nearest one below";
	EXPECT_EQ(find(WINDOW - 1), Found::UNKNOWN) << "outside of the windows";
	const uint64_t before = log.freed();
	remove(WINDOW + 128, true);
	EXPECT_EQ(find(WINDOW + 130, before), Found::LIVE) << "a launch from before the free";
	EXPECT_EQ(find(WINDOW + 130), Found::FREED);
	EXPECT_EQ(range.start, WINDOW + 128);
	EXPECT_EQ(find(WINDOW + 200), Found::NONE);
	EXPECT_EQ(range.start, WINDOW) << "the nearest one that lives";
	restart();
	EXPECT_EQ(find(WINDOW + 130, before), Found::LIVE);
	EXPECT_EQ(find(WINDOW + 130), Found::FREED);
	log.drop(WINDOW + 128);
	restart();
	EXPECT_EQ(find(WINDOW + 130, before), Found::NONE);
	make(WINDOW + 128, 512);
	EXPECT_EQ(find(WINDOW + 600), Found::LIVE);
}

TEST_F(KernelObjects, OfOneGroupAreJoined)
{
	constexpr uint64_t A = 0x10000000, PIECE = 0x1000;
	for (uint64_t i : {0, 2, 1, 3})
		make(A + i * PIECE, PIECE, A);
	make(A + 4 * PIECE, PIECE, A + 4 * PIECE);
	EXPECT_EQ(find(A + 3 * PIECE), Found::LIVE);
	EXPECT_EQ(range.start, A);
	EXPECT_EQ(range.bytes, 4 * PIECE);
	EXPECT_EQ(objects.asked_bytes(range), 4 * PIECE);
	remove(A + PIECE);
	EXPECT_EQ(find(A + 3 * PIECE), Found::LIVE);
	EXPECT_EQ(range.start, A + 2 * PIECE);
	EXPECT_EQ(range.bytes, 2 * PIECE);
	EXPECT_EQ(find(A), Found::LIVE);
	EXPECT_EQ(range.bytes, PIECE);
	EXPECT_EQ(find(A + PIECE), Found::FREED);
	make(A + PIECE, PIECE, A);
	EXPECT_EQ(find(A), Found::LIVE);
	EXPECT_EQ(range.bytes, 4 * PIECE);
}

TEST_F(KernelObjects, AreThoseOfTheList)
{
	std::mt19937 random(3);
	for (unsigned step = 0; step < 40000; step++) {
		const uint64_t start = WINDOW + random() % (BYTES / UNIT) * UNIT;
		const auto after = live.upper_bound(start);
		const bool is_taken =
			after != live.begin() &&
			std::prev(after)->first + std::prev(after)->second.bytes > start;
		const uint64_t end = after == live.end() ? WINDOW + BYTES : after->first;
		if (is_taken)
			remove(std::prev(after)->first);
		else
			make(start, std::min<uint64_t>(end - start, UNIT * (1 + random() % 16)));
		const uint64_t address = WINDOW + random() % BYTES;
		const auto next = live.upper_bound(address);
		const bool lives = next != live.begin() &&
				   std::prev(next)->first + std::prev(next)->second.bytes > address;
		ASSERT_EQ(find(address) == Found::LIVE, lives) << step;
		if (lives) {
			ASSERT_EQ(range.start, std::prev(next)->first);
			ASSERT_EQ(range.bytes, std::prev(next)->second.bytes);
		}
	}
	EXPECT_GT(logs.size(), 5u);
}

/* Kernels may write to the log. */
TEST_F(KernelObjects, OfALogThatMakesNoSenseAreUnknown)
{
	std::mt19937_64 random(5);
	for (unsigned round = 0; round < 200; round++) {
		auto &memory = logs.emplace_back(std::make_unique<uint64_t[]>(4096));
		std::generate_n(memory.get(), 4096, [&] { return random() >> random() % 64; });
		const uint64_t at = reinterpret_cast<uint64_t>(memory.get());
		head.log = at;
		memory[1] = random() % 2 ? random() : random() % 1100;
		auto can_read = [&](uint64_t address, uint64_t bytes) {
			const bool is_head = address == reinterpret_cast<uint64_t>(&head);
			return is_head || (address == at && bytes <= 4096 * 8);
		};
		for (unsigned i = 0; i < 10; i++)
			(void)objects.find(memory[i], random(), can_read, range);
	}
	head.log = 0;
	EXPECT_EQ(find(WINDOW), Found::UNKNOWN);
}

} // namespace
