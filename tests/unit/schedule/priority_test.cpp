// SPDX-License-Identifier: MIT
/*
 * DOC: Priorities, tested
 *
 * The order of the run queue: higher priorities first, a turn for lower ones after a bounded time,
 * and little cost for idle channels.
 */
#include "firmware_sim/schedule/runner.h"
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

struct Idle final : fw::Runner {
	explicit Idle(uint8_t at) { priority = at; }
	fw::Progress advance() override { return fw::Progress::EMPTY; }
};

TEST(RunQueue, OneClassGoesRound)
{
	fw::RunQueue queue;
	Idle a(3), b(3), c(3);
	for (Idle *runner : {&a, &b, &c, &b})
		queue.push(*runner);
	EXPECT_EQ(queue.size(), 3u);
	EXPECT_EQ(queue.pop(), &a);
	queue.push(a);
	queue.remove(b);
	queue.remove(b);
	EXPECT_EQ(queue.pop(), &c);
	EXPECT_EQ(queue.pop(), &a);
	EXPECT_EQ(queue.pop(), nullptr);
	EXPECT_TRUE(queue.empty());
}

TEST(RunQueue, TheHighestClassIsFirstAndNoClassStarves)
{
	fw::RunQueue queue;
	std::vector<std::unique_ptr<Idle>> runners;
	for (unsigned i = 0; i < fw::PRIORITIES; i++) {
		runners.push_back(std::make_unique<Idle>(static_cast<uint8_t>(i)));
		queue.push(*runners.back());
	}
	constexpr unsigned TURNS = 24000;
	unsigned turns[fw::PRIORITIES] = {};
	unsigned gap[fw::PRIORITIES] = {};
	for (unsigned i = 0; i < TURNS; i++) {
		fw::Runner *runner = queue.pop();
		turns[runner->priority]++;
		for (unsigned at = 0; at < fw::PRIORITIES; at++)
			gap[at] = at == runner->priority ? 0 : gap[at] + 1;
		for (unsigned at = 0; at < fw::PRIORITIES; at++)
			ASSERT_LE(gap[at], fw::RunQueue::PATIENCE + fw::PRIORITIES);
		queue.push(*runner);
	}
	EXPECT_GT(turns[0], TURNS / 2);
}

TEST(RunQueue, RunnersThatComeUpEmptyLetOthersPass)
{
	fw::RunQueue queue;
	Idle high(0), second(0), low(5);
	queue.push(high);
	queue.push(second);
	queue.push(low);
	unsigned low_turns = 0;
	for (unsigned i = 0; i < 300; i++) {
		fw::Runner *runner = queue.pop();
		low_turns += runner == &low;
		runner->empty_turns = runner != &low;
		queue.push(*runner);
	}
	EXPECT_GE(low_turns, 99u) << "a round of empty looks for each turn";
	high.empty_turns = second.empty_turns = 0;
	EXPECT_EQ(queue.size(), 3u);
}

TEST(RunQueue, ClientsTakeTurnsHoweverManyChannelsTheyHave)
{
	fw::RunQueue queue;
	constexpr unsigned CLIENTS = 4;
	fw::ClientQueue parties[CLIENTS];
	unsigned turns[CLIENTS] = {};
	std::vector<std::unique_ptr<Idle>> runners;
	for (unsigned i = 0; i < CLIENTS; i++) {
		for (unsigned channel = 0; channel < (i == 0 ? 64u : i); channel++) {
			runners.push_back(std::make_unique<Idle>(uint8_t{2}));
			runners.back()->client_queue = &parties[i];
			queue.push(*runners.back());
		}
	}
	for (unsigned i = 0; i < 40 * CLIENTS; i++) {
		fw::Runner *runner = queue.pop();
		turns[runner->client_queue - parties]++;
		queue.push(*runner);
	}
	for (unsigned count : turns)
		EXPECT_EQ(count, 40u);
	/* A runner that leaves the queue and returns waits behind the others. */
	queue.remove(*runners.back());
	queue.remove(*runners[runners.size() - 2]);
	queue.remove(*runners[runners.size() - 3]);
	queue.push(*runners.back());
	for (unsigned i = 0; i < 3; i++)
		EXPECT_NE(queue.pop()->client_queue, &parties[CLIENTS - 1]);
	EXPECT_EQ(queue.pop(), runners.back().get());
}

TEST(RunQueue, AClientsChannelsTakeTurnsInOrder)
{
	fw::RunQueue queue;
	fw::ClientQueue one, other;
	Idle a(3), b(3), c(3), x(3);
	for (Idle *runner : {&a, &b, &c}) {
		runner->client_queue = &one;
		queue.push(*runner);
	}
	x.client_queue = &other;
	queue.push(x);
	for (Idle *wanted : {&a, &x, &b, &x, &c, &x, &a}) {
		fw::Runner *runner = queue.pop();
		EXPECT_EQ(runner, wanted);
		queue.push(*runner);
	}
	EXPECT_EQ(queue.size(), 4u);
}

TEST(RunQueue, OneThatWasRungGetsItsClientsNextTurn)
{
	fw::RunQueue queue;
	fw::ClientQueue one, other;
	Idle a(3), b(3), rung(3), x(3);
	for (Idle *runner : {&a, &b}) {
		runner->client_queue = &one;
		queue.push(*runner);
	}
	x.client_queue = &other;
	queue.push(x);
	rung.client_queue = &one;
	queue.push_first(rung);
	queue.push_first(rung);
	EXPECT_EQ(queue.size(), 4u);
	for (Idle *wanted : {&rung, &x, &a, &b})
		EXPECT_EQ(queue.pop(), wanted);
	queue.push_first(rung);
	EXPECT_EQ(queue.pop(), &rung);
	EXPECT_TRUE(queue.empty());
}

TEST(RunQueue, OneThatHasAskedHasNoTurns)
{
	fw::RunQueue queue;
	Idle a(3), b(3), c(3);
	for (Idle *runner : {&a, &b, &c})
		queue.push(*runner);
	for (unsigned i = 0; i < 3; i++)
		queue.set_aside(*queue.pop());
	EXPECT_TRUE(queue.empty());
	EXPECT_EQ(queue.aside(), 3u);
	EXPECT_EQ(queue.pop(), nullptr);
	/* One that ends, or whose doorbell rings, is listed no more. */
	queue.remove(b);
	queue.remove(b);
	EXPECT_EQ(queue.aside(), 2u);
	EXPECT_EQ(queue.take_aside(), &a);
	queue.push(a);
	EXPECT_EQ(queue.take_aside(), &c);
	EXPECT_EQ(queue.take_aside(), nullptr);
	EXPECT_EQ(queue.aside(), 0u);
	EXPECT_EQ(queue.pop(), &a);
}

class PriorityTest : public Stepped {
protected:
	uint32_t gate = client.new_semaphore();

	/* fill() - submits work behind the gate; @stamps receives its order. */
	void fill(Channel &target, unsigned packets)
	{
		target.publish(drv::wait_packet(1, gate, 1, 0));
		for (unsigned i = 0; i < packets; i++)
			target.publish(drv::nop_packet(1));
	}
};

TEST_F(PriorityTest, ChannelsOfAHigherClassFinishFirst)
{
	Channel low(client, SLOTS, 0, 7), high(client, SLOTS, 0, 0);
	fill(low, 10);
	fill(high, 10);
	settle(*device);
	ASSERT_EQ(client.set_semaphore(gate, 1), Status::OK);
	while (high.retired() < 11 && device->step())
		;
	EXPECT_EQ(high.retired(), 11u);
	EXPECT_LE(low.retired(), 1u);
	settle(*device);
	EXPECT_EQ(low.retired(), 11u);
}

TEST_F(PriorityTest, APriorityCanChangeWhileWorkIsQueued)
{
	Channel first(client, SLOTS, 0, 0), second(client, SLOTS, 0, 0);
	fill(first, 10);
	fill(second, 10);
	settle(*device);
	ASSERT_EQ(first.set_priority(6), Status::OK);
	ASSERT_EQ(client.set_semaphore(gate, 1), Status::OK);
	while (second.retired() < 11 && device->step())
		;
	EXPECT_LE(first.retired(), 1u);
	ASSERT_EQ(first.set_priority(0), Status::OK) << "while it is in the queue";
	settle(*device);
	EXPECT_EQ(first.retired(), 11u);
	EXPECT_EQ(first.set_priority(8), Status::INVALID_ARGUMENT);
	EXPECT_EQ(first.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
}

TEST_F(PriorityTest, ABusyHighChannelDoesNotStarveALowOne)
{
	Channel low(client, SLOTS, 0, 7), high(client, SLOTS, 0, 0);
	for (unsigned i = 0; i < 4; i++)
		low.publish(drv::nop_packet(1));
	for (unsigned i = 0; i < 200 && low.retired() < 4; i++) {
		while (high.ring().has_room(high.retired()))
			high.publish(drv::nop_packet(1));
		device->step();
	}
	EXPECT_EQ(low.retired(), 4u);
}

} // namespace
