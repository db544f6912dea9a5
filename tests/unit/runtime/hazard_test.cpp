// SPDX-License-Identifier: MIT
/*
 * DOC: Hazard pointers, tested
 *
 * G1 and G2 of umd/core/handle/hazard.h: threads publish an object in their hazard pointers and clear
 * them, and another thread retires the object and makes it live again.
 */
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "base/sync/ordering.h"
#include "umd/core/handle/hazard.h"

namespace {

struct Place {
	std::atomic<bool> ends{false};
	uint64_t content = 0; /* changes only while no thread stays */
};

TEST(Stays, NoThreadUsesADestroyedObject)
{
	constexpr unsigned ROUNDS = 2000;
	constexpr uint64_t GONE = ~uint64_t{0};
	Place place;
	std::atomic<bool> over{false};
	std::atomic<uint64_t> visits{0};
	std::atomic<uint64_t> wrong{0};
	std::vector<std::thread> guests;

	for (unsigned i = 0; i < 2; i++)
		guests.emplace_back([&] {
			while (!over) {
				const umd::HazardGuard stay(place);
				if (!stay.alive())
					continue;
				/* Plain: the race detector looks on. */
				if (place.content == GONE)
					wrong++;
				visits++;
			}
		});
	for (unsigned round = 0; round < ROUNDS; round++) {
		place.ends = true;
		ASSERT_TRUE(umd::wait_until_left(&place, base::NO_DEADLINE));
		place.content = GONE;
		std::this_thread::yield();
		place.content = round;
		place.ends = false;
	}
	while (visits == 0)
		std::this_thread::yield();
	over = true;
	for (std::thread &guest : guests)
		guest.join();
	EXPECT_EQ(wrong, 0U);
}

/* Holds are dropped in any order. */
TEST(Stays, HazardPointersNeedNotBeNested)
{
	std::array<Place, 3> places;
	std::array<umd::HazardPointer, 3> pointers;
	std::atomic<unsigned> step{0};
	auto seen = [&](size_t i) { return umd::is_protected(&places[i]); };
	std::thread owner([&] {
		for (size_t i = 0; i < places.size(); i++)
			pointers[i].set(&places[i]);
		step = 1;
		while (step < 2)
			std::this_thread::yield();
		pointers[0].clear();
		pointers[1] = std::move(pointers[2]);
		step = 3;
		while (step < 4)
			std::this_thread::yield();
		pointers[1].clear();
	});

	while (step < 1)
		std::this_thread::yield();
	EXPECT_TRUE(seen(0) && seen(1) && seen(2));
	step = 2;
	while (step < 3)
		std::this_thread::yield();
	EXPECT_TRUE(!seen(0) && !seen(1) && seen(2));
	step = 4;
	owner.join();
	EXPECT_FALSE(seen(2));
}

TEST(Stays, ATimeLimitEndsTheWaitAndOnesOwnStaysDoNotCount)
{
	Place place;
	std::atomic<bool> over{false};
	std::atomic<bool> there{false};
	std::thread guest([&] {
		const umd::HazardGuard stay(place);
		there = true;
		while (!over)
			std::this_thread::yield();
	});

	while (!there)
		std::this_thread::yield();
	EXPECT_FALSE(umd::wait_until_left(&place, base::deadline_after(base::NS_PER_MS)));
	over = true;
	const umd::HazardGuard mine(place);
	EXPECT_TRUE(umd::wait_until_left(&place, base::NO_DEADLINE));
	guest.join();
}

/* A thread that looks at two places at once, and at a third one in the second's stead. */
TEST(Stays, APairKeepsAllThatItNames)
{
	constexpr unsigned ROUNDS = 1000;
	std::array<Place, 3> places;
	std::atomic<bool> over{false};
	std::atomic<uint64_t> visits{0};
	std::atomic<uint64_t> wrong{0};
	std::thread looker([&] {
		{
			const umd::HazardGuard first_use(places[0]);
		}
		auto look = [&](size_t i) { wrong += places[i].content % 2; };
		while (!over) {
			const umd::HazardPair pair(&places[0], &places[1]);
			if (!pair || places[0].ends.load() || places[1].ends.load())
				continue;
			look(0);
			look(1);
			pair.set_second(&places[2]);
			if (places[2].ends.load())
				continue;
			look(2);
			visits++;
		}
	});

	for (unsigned round = 0; round < ROUNDS || visits == 0; round++) {
		Place &place = places[round % places.size()];
		place.ends = true;
		ASSERT_TRUE(umd::wait_until_left(&place, base::NO_DEADLINE));
		place.content++;
		std::this_thread::yield();
		place.content++;
		place.ends = false;
	}
	over = true;
	looker.join();
	EXPECT_EQ(wrong, 0U);
}

/* Calls that look have another way then. */
TEST(Stays, APairNamesNothingWithoutFreeSlots)
{
	Place first;
	Place second;
	std::thread([&] {
		/* The thread has no slots yet. */
		EXPECT_FALSE(umd::HazardPair(&first, &second));
		umd::HazardPointer pointer;
		pointer.set(&first);
		EXPECT_FALSE(umd::HazardPair(&first, &second));
		pointer.clear();
		EXPECT_TRUE(umd::HazardPair(&first, &second));
		/* It has given them back. */
		EXPECT_TRUE(umd::HazardPair(&first, &second));
		pointer.set(&second);
		EXPECT_FALSE(umd::HazardPair(&first, &second));
	}).join();
	EXPECT_FALSE(umd::is_protected(&first));
	EXPECT_FALSE(umd::is_protected(&second));
}

/* Also where there are more names than it notes. */
TEST(Stays, NamedNowHasWhatOtherThreadsName)
{
	std::array<Place, 100> places;
	Place other;
	for (const size_t count : {size_t{3}, places.size()}) {
		std::vector<umd::HazardPointer> pointers(count);
		std::atomic<bool> there{false};
		std::atomic<bool> over{false};
		std::thread holder([&] {
			for (size_t i = 0; i < count; i++)
				pointers[i].set(&places[i]);
			there = true;
			while (!over)
				std::this_thread::yield();
			pointers.clear();
		});
		while (!there)
			std::this_thread::yield();
		const umd::HazardGuard mine(other);
		const umd::HazardSnapshot named;
		EXPECT_TRUE(named.has(&places[0]));
		EXPECT_TRUE(named.has(&places[count - 1]));
		EXPECT_FALSE(named.has(&other));
		over = true;
		holder.join();
	}
	EXPECT_FALSE(umd::HazardSnapshot().has(&places[0]));
}

/* Deeper than calls ever are. */
TEST(Stays, MayBeManyAtOnce)
{
	std::array<Place, 3 * umd::HazardRecord::DEPTH> places;
	auto nest = [&](auto &self, size_t depth) -> void {
		if (depth == places.size())
			return;
		const umd::HazardGuard stay(places[depth]);
		EXPECT_TRUE(stay.alive());
		self(self, depth + 1);
		/* The thread's own, however deep, are not waited for. */
		EXPECT_FALSE(umd::is_protected(&places[depth]));
	};
	std::thread([&] { nest(nest, 0); }).join();
	for (const Place &place : places)
		EXPECT_FALSE(umd::is_protected(&place));
}

} // namespace
