// SPDX-License-Identifier: MIT
/**
 * DOC: Litmus tests of the ordering table
 *
 * Each row runs two real threads through the product's own functions, and each round checks what the pair
 * promises to be visible. The race detector runs the same programs.
 */
#include <cstring>
#include <memory>
#include <vector>

#include "base/sync/call_queue.h"
#include "base/sync/doorbell.h"
#include "base/sync/ring.h"
#include "hammer.h"

namespace {

using namespace litmus;

const base::FenceScope SCOPE = base::process_scope();

/* struct Ring - a channel segment and its timeline, each on lines of its own. */
struct Ring {
	static constexpr uint32_t SLOTS = UNPU_RING_MIN_SLOTS;

	alignas(64) unpu_packet slots[SLOTS] = {};
	unpu_descriptor pages[SLOTS] = {};
	alignas(64) uint64_t retired = 0;
	alignas(64) uint64_t torn = 0;
};

/* Every word of packet and descriptor tells which packet it belongs to. */
uint64_t stamp(uint64_t index, unsigned word)
{
	return index * 0x9e3779b97f4a7c15 + word;
}

unpu_packet stamped(uint64_t index)
{
	uint64_t words[base::PACKET_WORDS];
	for (unsigned i = 0; i < base::PACKET_WORDS; i++)
		words[i] = stamp(index, i);
	unpu_packet packet;
	memcpy(&packet, words, sizeof(packet));
	return packet;
}

void stamp_operator(unpu_operator &op, uint64_t index)
{
	for (unsigned i = 0; i < 8; i++)
		op.dims[i] = static_cast<int64_t>(stamp(index, 100 + i));
	op.reserved1[3] = stamp(index, 200);
}

bool whole(const unpu_packet &packet, const unpu_operator &op, uint64_t index)
{
	unpu_packet wanted = stamped(index);
	wanted.valid = base::packet_sequence(index);
	bool good = memcmp(&wanted, &packet, sizeof(packet)) == 0;
	for (unsigned i = 0; i < 8; i++)
		good = good && op.dims[i] == static_cast<int64_t>(stamp(index, 100 + i));
	return good && op.reserved1[3] == stamp(index, 200);
}

void consume(Ring &ring, uint64_t rounds)
{
	base::RingConsumer consumer(ring.slots, Ring::SLOTS);
	unpu_packet packet;
	unpu_operator op;
	for (uint64_t i = 0; i < rounds; i++) {
		if (!until([&] { return consumer.fetch(packet); })) /* A1 */
			return;
		consumer.fetch_operator(op);
		if (!whole(packet, op, i))
			ring.torn++;
		base::store_release(ring.retired, i + 1); /* R2 */
	}
}

TEST(RingLitmus, R1A1WholeWhenSeenAndR2A2FreeWhenReused)
{
	auto ring = std::make_unique<Ring>();
	std::thread device([&] { consume(*ring, STREAM_ROUNDS); });
	base::RingProducer producer(ring->slots, Ring::SLOTS);
	uint64_t retired = 0;
	for (uint64_t i = 0; i < STREAM_ROUNDS; i++) {
		bool room = until([&] {
			if (!producer.has_room(retired))
				retired = base::load_acquire(ring->retired); /* A2 */
			return producer.has_room(retired);
		});
		if (!room)
			break;
		stamp_operator(producer.descriptor().op, i);
		producer.publish(stamped(i)); /* R1 */
	}
	device.join();
	EXPECT_EQ(ring->retired, STREAM_ROUNDS);
	EXPECT_EQ(ring->torn, 0u);
}

/* struct Completion - results that a semaphore's value stands for. */
struct Completion {
	alignas(64) uint64_t results[16] = {};
	unpu_sem_device line = {};
	alignas(64) uint64_t seen = 0;
};

TEST(CompletionLitmus, R3A3ResultsAreVisibleWithTheValue)
{
	auto shared = std::make_unique<Completion>();
	std::thread device([&] {
		for (uint64_t i = 1; i <= STREAM_ROUNDS / 4; i++) {
			if (!until([&] { return base::load_acquire(shared->seen) == i - 1; }))
				return;
			for (unsigned word = 0; word < 16; word++)
				shared->results[word] = stamp(i, word);
			base::store_relaxed(shared->line.timestamp_ns, i);
			base::store_relaxed(shared->line.fault_cookie, ~i);
			base::store_release(shared->line.value, i); /* R3 */
		}
	});
	uint64_t wrong = 0;
	for (uint64_t i = 1; i <= STREAM_ROUNDS / 4; i++) {
		if (!until([&] { return base::load_acquire(shared->line.value) >= i; })) /* A3 */
			break;
		for (unsigned word = 0; word < 16; word++)
			wrong += shared->results[word] != stamp(i, word);
		wrong += base::load_relaxed(shared->line.timestamp_ns) != i;
		wrong += base::load_relaxed(shared->line.fault_cookie) != ~i;
		base::store_release(shared->seen, i);
	}
	device.join();
	EXPECT_EQ(shared->seen, STREAM_ROUNDS / 4);
	EXPECT_EQ(wrong, 0u);
}

TEST(HeaderLitmus, B0NoReaderSeesAHalfBuiltHeader)
{
	constexpr unsigned HEADERS = 20000;
	std::vector<unpu_bar> bars(HEADERS);
	std::thread firmware([&] {
		for (unsigned i = 0; i < HEADERS; i++) {
			bars[i].magic = UNPU_BAR_MAGIC;
			bars[i].generation = i;
			bars[i].memory_bytes = ~uint64_t{i};
			strncpy(bars[i].soc_name, "litmus", sizeof(bars[i].soc_name) - 1);
			base::store_release(bars[i].abi, uint32_t{UNPU_ABI}); /* B0 */
		}
	});
	unsigned seen = 0, wrong = 0;
	for (; seen < HEADERS; seen++) {
		const unpu_bar &bar = bars[seen];
		if (!until([&] { return base::load_acquire(bar.abi) != 0; })) /* B0 */
			break;
		wrong += bar.magic != UNPU_BAR_MAGIC || bar.generation != seen ||
			 bar.memory_bytes != ~uint64_t{seen} || strcmp(bar.soc_name, "litmus") != 0;
	}
	firmware.join();
	EXPECT_EQ(seen, HEADERS);
	EXPECT_EQ(wrong, 0u);
}

TEST(DoorbellLitmus, EveryHintIsTakenOnce)
{
	constexpr uint32_t PRODUCERS = 2;
	const uint64_t EACH = STREAM_ROUNDS / 4;
	auto bells = std::make_unique<unpu_doorbells>();
	alignas(64) uint64_t taken[PRODUCERS] = {};
	std::vector<std::thread> threads;
	for (uint32_t id = 0; id < PRODUCERS; id++) {
		threads.emplace_back([&bells, &taken, id, EACH] {
			for (uint64_t i = 0; i < EACH; i++) {
				/* The protocol allows one doorbell per channel that the firmware has not taken yet. */
				if (!until([&] {
					    return i - base::load_acquire(taken[id]) <
						   UNPU_MAX_CHANNELS / PRODUCERS;
				    }))
					return;
				base::ring_doorbell(*bells, id);
			}
		});
	}
	using Take = base::DoorbellConsumer::Take;
	base::DoorbellConsumer consumer(bells.get());
	Take last = Take::EMPTY;
	for (uint64_t i = 0; i < PRODUCERS * EACH && last != Take::OVERRUN; i++) {
		uint32_t id = 0;
		if (!until([&] { return (last = consumer.take(id)) != Take::EMPTY; }))
			break;
		ASSERT_LT(id, PRODUCERS);
		base::store_release(taken[id], taken[id] + 1);
	}
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(last, Take::TAKEN);
	for (uint64_t count : taken)
		EXPECT_EQ(count, EACH);
	uint32_t id = 0;
	EXPECT_EQ(consumer.take(id), Take::EMPTY);
}

/* A thread may be preempted after it has taken its place, for as long as the scheduler likes. */
TEST(DoorbellLitmus, APreemptedProducerBlocksNoOtherThread)
{
	using Take = base::DoorbellConsumer::Take;
	auto bells = std::make_unique<unpu_doorbells>();
	base::DoorbellConsumer consumer(bells.get());
	uint32_t id = 0;
	base::ring_doorbell(*bells, 1);
	const uint64_t place = base::fetch_add(bells->tail, uint64_t{1});
	base::fetch_add(bells->tail, uint64_t{1});
	base::ring_doorbell(*bells, 2);
	base::ring_doorbell(*bells, UNPU_DOORBELL_MAILBOX);
	for (uint32_t expected : {1u, 2u, UNPU_DOORBELL_MAILBOX}) {
		EXPECT_EQ(consumer.take(id), Take::TAKEN);
		EXPECT_EQ(id, expected);
	}
	EXPECT_EQ(consumer.take(id), Take::EMPTY);
	/* It runs again: its bell is heard, and that of the other one is still to come. */
	base::store_release(bells->entries[place], (place + 1) << 32 | 3);
	EXPECT_EQ(consumer.take(id), Take::TAKEN);
	EXPECT_EQ(id, 3u);
	EXPECT_EQ(consumer.take(id), Take::EMPTY);
	base::store_release(bells->entries[place + 1], (place + 2) << 32 | 4);
	base::ring_doorbell(*bells, 5);
	EXPECT_EQ(consumer.take(id), Take::TAKEN);
	EXPECT_EQ(id, 4u);
	EXPECT_EQ(consumer.take(id), Take::TAKEN);
	EXPECT_EQ(id, 5u);
	EXPECT_EQ(consumer.taken(), 6u);
}

/* Its late store must not meet an entry of the next round. */
TEST(DoorbellLitmus, TheConsumerDoesNotGoOnForARound)
{
	using Take = base::DoorbellConsumer::Take;
	auto bells = std::make_unique<unpu_doorbells>();
	base::DoorbellConsumer consumer(bells.get());
	uint32_t id = 0;
	unsigned taken = 0;
	base::fetch_add(bells->tail, uint64_t{1});
	for (Take last = Take::TAKEN; last == Take::TAKEN && taken < UNPU_DOORBELL_ENTRIES;
	     taken += last == Take::TAKEN) {
		base::ring_doorbell(*bells, 1);
		last = consumer.take(id);
	}
	EXPECT_GT(taken, UNPU_DOORBELL_ENTRIES / 4);
	EXPECT_LE(taken + UNPU_MAX_CHANNELS + 1, UNPU_DOORBELL_ENTRIES);
	base::store_release(bells->entries[0], uint64_t{1} << 32 | 7);
	EXPECT_EQ(consumer.take(id), Take::TAKEN);
	EXPECT_EQ(id, 7u);
	EXPECT_EQ(consumer.take(id), Take::TAKEN);
	EXPECT_EQ(id, 1u);
}

/* A reader far behind finds entries that are written over while it copies them. */
TEST(CallQueueLitmus, Q1WhatIsTakenIsWhole)
{
	auto queue = std::make_unique<unpu_call_entry[]>(UNPU_CALL_QUEUE_ENTRIES);
	uint64_t posted = 0;
	uint32_t stop = 0;
	std::thread firmware([&] {
		for (uint64_t token = 1; base::load_relaxed(stop) == 0; token++) {
			const auto low = static_cast<uint32_t>(token);
			base::post_call(queue.get(), {~token, token, token, token * 3, low, ~low});
			base::store_release(posted, token);
		}
	});
	EXPECT_TRUE(until([&] { return base::load_acquire(posted) > UNPU_CALL_QUEUE_ENTRIES; }));
	uint64_t torn = 0, taken = 0, lost = 0;
	for (uint64_t i = 0; i < STREAM_ROUNDS; i++) {
		/* Just before the place that is written over next. */
		const uint64_t token =
			base::load_acquire(posted) - UNPU_CALL_QUEUE_ENTRIES + 1 + i % 4;
		const auto low = static_cast<uint32_t>(token);
		base::Call call;
		if (!base::take_call(queue.get(), token, call)) {
			lost++;
			continue;
		}
		taken++;
		torn += call.call != ~token || call.cookie != token || call.address != token * 3 ||
			call.status != low || call.timeline != ~low;
	}
	base::store_relaxed(stop, uint32_t{1});
	firmware.join();
	EXPECT_EQ(torn, 0u);
	EXPECT_GT(taken + lost, 0u);
}

/* struct Flags - the store-load pair of D1 and D2 with nothing around it. */
struct Flags {
	alignas(64) uint64_t round = 0;
	alignas(64) uint64_t ready = 0;
	alignas(64) uint32_t light = 0;
	alignas(64) uint32_t heavy = 0;
	alignas(64) uint32_t light_saw = 0;
	alignas(64) uint64_t done = 0;
};

void run_light_side(Flags &flags)
{
	Jitter jitter(7);
	for (uint64_t i = 1; i <= FENCE_ROUNDS; i++) {
		if (!until([&] { return base::load_acquire(flags.round) == i; }))
			return;
		jitter.pause();
		base::store_relaxed(flags.light, uint32_t{1});
		base::light_fence(SCOPE);
		uint32_t saw = base::load_relaxed(flags.heavy);
		base::store_relaxed(flags.light_saw, saw);
		base::store_release(flags.done, i);
	}
}

TEST(FenceLitmus, OneOfTwoSidesSeesTheOther)
{
	auto flags = std::make_unique<Flags>();
	std::thread light([&] { run_light_side(*flags); });
	Jitter jitter(11);
	uint64_t both_blind = 0, rounds = 0;
	for (; rounds < FENCE_ROUNDS; rounds++) {
		base::store_relaxed(flags->light, uint32_t{0});
		base::store_relaxed(flags->heavy, uint32_t{0});
		base::store_release(flags->round, rounds + 1);
		jitter.pause();
		base::store_relaxed(flags->heavy, uint32_t{1});
		base::heavy_fence(SCOPE);
		uint32_t saw = base::load_relaxed(flags->light);
		if (!until([&] { return base::load_acquire(flags->done) == rounds + 1; }))
			break;
		both_blind += saw == 0 && base::load_relaxed(flags->light_saw) == 0;
	}
	light.join();
	EXPECT_EQ(rounds, FENCE_ROUNDS);
	EXPECT_EQ(both_blind, 0u);
}

TEST(FenceLitmus, RunsTheWayItWasBuiltFor)
{
#if defined(BASE_NO_MEMBARRIER)
	EXPECT_FALSE(base::heavy_fence_available());
#else
	if (!base::heavy_fence_available())
		GTEST_SKIP() << "this kernel has no membarrier";
#endif
}

} // namespace
