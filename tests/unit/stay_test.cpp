// SPDX-License-Identifier: MIT
/*
 * DOC: stays
 *
 * G1 and G2 of umd/stay.h: threads that come and go at a place, and one that takes it away and brings it
 * back.
 */
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "base/ordering.h"
#include "umd/stay.h"

namespace {

struct Place {
	std::atomic<bool> ends{false};
	uint64_t content = 0; /* changes only while nobody is there */
};

TEST(Stays, NobodyIsAtAPlaceThatIsTakenAway)
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
				const umd::Stay stay(place);
				if (!stay.welcome())
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

TEST(Stays, WhoMovesIsSeenAtOneOfThePlaces)
{
	Place first;
	Place second;
	std::atomic<bool> over{false};
	std::atomic<bool> there{false};
	std::thread guest([&] {
		umd::Stay stay(first);
		there = true;
		while (!over) {
			stay.move_to(&second);
			stay.move_to(&first);
		}
	});

	while (!there)
		std::this_thread::yield();
	for (unsigned i = 0; i < 1000; i++)
		EXPECT_TRUE(umd::somebody_stays(&first, &second));
	over = true;
	guest.join();
	EXPECT_FALSE(umd::somebody_stays(&first, &second));
}

TEST(Stays, ATimeLimitEndsTheWaitAndOnesOwnStaysDoNotCount)
{
	Place place;
	std::atomic<bool> over{false};
	std::atomic<bool> there{false};
	std::thread guest([&] {
		const umd::Stay stay(place);
		there = true;
		while (!over)
			std::this_thread::yield();
	});

	while (!there)
		std::this_thread::yield();
	EXPECT_FALSE(umd::wait_until_left(&place, base::deadline_after(base::NS_PER_MS)));
	over = true;
	const umd::Stay mine(place);
	EXPECT_TRUE(umd::wait_until_left(&place, base::NO_DEADLINE));
	guest.join();
}

/* Deeper than calls ever are. */
TEST(Stays, MayBeManyAtOnce)
{
	std::array<Place, 3 * umd::Guest::DEPTH> places;
	auto nest = [&](auto &self, size_t depth) -> void {
		if (depth == places.size())
			return;
		const umd::Stay stay(places[depth]);
		EXPECT_TRUE(stay.welcome());
		self(self, depth + 1);
	};
	std::thread([&] { nest(nest, 0); }).join();
	for (const Place &place : places)
		EXPECT_FALSE(umd::somebody_stays(&place));
}

} // namespace
