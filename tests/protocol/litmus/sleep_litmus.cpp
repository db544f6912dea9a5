// SPDX-License-Identifier: MIT
/**
 * DOC: Litmus tests of the sleep/wake protocols
 *
 * D1: a device that arms its channel and goes to sleep, against a submitter. D2: a waiter that goes
 * to sleep on a semaphore, against the device that signals it. Pauses of random length walk each
 * side across the other's window. A sleep has a deadline, so that a lost wake is a failed test.
 */
#include <memory>
#include <utility>
#include <vector>

#include "base/sync/arming.h"
#include "base/sync/doorbell.h"
#include "base/sync/event_count.h"
#include "base/sync/ring.h"
#include "base/sync/sleeper.h"
#include "hammer.h"

namespace {

using namespace litmus;

const base::FenceScope SCOPE = base::process_scope();

/* struct Link - one channel of one client of a device that sleeps. One writer per line. */
struct Link {
	static constexpr uint32_t SLOTS = UNPU_RING_MIN_SLOTS;

	alignas(64) unpu_packet slots[SLOTS] = {};
	unpu_descriptor pages[SLOTS] = {};
	unpu_doorbells bells = {};
	unpu_channel_status channel = {};
	unpu_client_status client = {};
	alignas(64) uint64_t retired = 0;
	alignas(64) base::EventCount kicks;
};

/* enum class Confirm - which heavy fence the second look at the ring follows. */
enum class Confirm { BY_ITS_OWN, AT_SLEEP };

/* class Sleeper - a device with this one channel. It arms the channel and sleeps as soon as the ring is empty. */
class Sleeper {
public:
	Sleeper(Link &link, Confirm confirm)
		: link_(link), confirm_(confirm), ring_(link.slots, Link::SLOTS),
		  doorbells_(&link.bells)
	{
	}

	void run(uint64_t packets)
	{
		while (ring_.next() < packets && !lost_) {
			unpu_packet packet;
			if (ring_.fetch(packet)) {
				base::store_release(link_.retired, ring_.next()); /* R2, R3 */
				continue;
			}
			arming_.invite(link_.channel.armed);
			if (confirm_ == Confirm::BY_ITS_OWN) {
				base::heavy_fence(SCOPE); /* D1 */
				if (look_again())
					continue;
			}
			sleep();
		}
	}

	bool lost() const { return lost_; }
	uint64_t sleeps() const { return sleeps_; }

private:
	/* Whether a packet came before its submitter saw the arming number. */
	bool look_again()
	{
		if (!ring_.ready())
			return false;
		base::Arming::disarm(link_.channel.armed);
		return true;
	}

	/* All there are: a bell that was answered by polling stays in the queue until then. */
	bool take_bell()
	{
		uint32_t channel;
		bool any = false;
		while (doorbells_.take(channel) == base::DoorbellConsumer::Take::TAKEN)
			any = true;
		if (any)
			base::Arming::disarm(link_.channel.armed);
		return any;
	}

	/* sleep() - until a bell is found, or at once if the second look finds a packet. */
	void sleep()
	{
		bool asked = confirm_ == Confirm::AT_SLEEP;
		for (bool woken = false; !woken && !lost_;) {
			const uint32_t ticket = link_.kicks.prepare();
			base::store_release(link_.client.sleeping, uint32_t{1});
			base::heavy_fence(SCOPE); /* D1 */
			woken = std::exchange(asked, false) && look_again();
			woken = take_bell() || woken;
			if (!woken) {
				sleeps_++;
				uint64_t deadline_ns = base::deadline_after(STUCK_NS);
				lost_ = !link_.kicks.wait(ticket, deadline_ns);
				woken = take_bell();
			}
			link_.kicks.finish();
			base::store_release(link_.client.sleeping, uint32_t{0});
		}
	}

	Link &link_;
	const Confirm confirm_;
	base::RingConsumer ring_;
	base::DoorbellConsumer doorbells_;
	base::Arming arming_;
	uint64_t sleeps_ = 0;
	bool lost_ = false;
};

void ring(Link &link)
{
	if (base::ring_doorbell(link.bells, 0, link.client, SCOPE) && link.kicks.notify(SCOPE))
		link.kicks.wake();
}

void expect_no_lost_doorbell(Confirm confirm)
{
	auto link = std::make_unique<Link>();
	Sleeper sleeper(*link, confirm);
	std::thread device([&] { sleeper.run(SLEEP_ROUNDS); });
	base::RingProducer producer(link->slots, Link::SLOTS);
	Jitter jitter(3);
	base::ArmingSeen arming;
	for (uint64_t i = 0; i < SLEEP_ROUNDS; i++) {
		producer.publish({});	  /* R1 */
		base::light_fence(SCOPE); /* D1 */
		if (arming.answer(link->channel.armed))
			ring(*link);
		if (!until([&] { return base::load_acquire(link->retired) == i + 1; }))
			break;
		jitter.pause();
	}
	/* Lets a device go that is stuck; the test has failed by then. */
	bool all = base::load_acquire(link->retired) == SLEEP_ROUNDS;
	device.join();
	testing::Test::RecordProperty("sleeps", static_cast<int>(sleeper.sleeps()));
	EXPECT_TRUE(all) << "a packet lies in the ring of a sleeping device";
	EXPECT_FALSE(sleeper.lost());
	EXPECT_GT(sleeper.sleeps(), 0u) << "the device never slept, so nothing was tested";
}

TEST(SleepLitmus, D1NoDoorbellIsLost)
{
	expect_no_lost_doorbell(Confirm::BY_ITS_OWN);
}

TEST(SleepLitmus, D1OneFenceArmsAndSleeps)
{
	expect_no_lost_doorbell(Confirm::AT_SLEEP);
}

/* struct Signal - a semaphore's two lines. */
struct Signal {
	alignas(64) unpu_sem_device device = {};
	unpu_sem_host host = {};
	alignas(64) uint64_t seen = 0;
};

void signal(Signal &sem, uint64_t value)
{
	if (base::publish_value(sem.device, sem.host, value, SCOPE))
		base::wake_sleepers(sem.device);
}

/* wait() - Return: false when a wake was lost. */
bool wait(Signal &sem, uint64_t value, uint64_t &sleeps)
{
	const uint64_t &word = sem.device.value;
	bool in_time = true;
	base::Sleeper sleeper(sem.host.sleepers, value);
	base::heavy_fence(SCOPE);			      /* D2 */
	while (base::load_acquire(word) < value && in_time) { /* A3 */
		sleeps++;
		in_time = base::sleep_below(word, value, base::deadline_after(STUCK_NS));
	}
	return in_time;
}

TEST(SleepLitmus, D2NoWakeIsLost)
{
	auto sem = std::make_unique<Signal>();
	std::thread device([&] {
		Jitter jitter(5);
		for (uint64_t i = 1; i <= SLEEP_ROUNDS; i++) {
			if (!until([&] { return base::load_acquire(sem->seen) == i - 1; }))
				return;
			jitter.pause();
			signal(*sem, i);
		}
	});
	uint64_t sleeps = 0, rounds = 0;
	while (rounds < SLEEP_ROUNDS && wait(*sem, rounds + 1, sleeps))
		base::store_release(sem->seen, ++rounds);
	device.join();
	RecordProperty("sleeps", static_cast<int>(sleeps));
	EXPECT_EQ(rounds, SLEEP_ROUNDS) << "a waiter sleeps on a value that has passed";
	EXPECT_GT(sleeps, 0u) << "the waiter never slept, so nothing was tested";
}

TEST(SleepLitmus, D2WakesEveryWaiter)
{
	constexpr unsigned WAITERS = 2;
	const uint64_t ROUNDS = SLEEP_ROUNDS / 10;
	auto sem = std::make_unique<Signal>();
	uint64_t sleeps[WAITERS] = {}, rounds[WAITERS] = {};
	std::vector<std::thread> threads;
	for (unsigned id = 0; id < WAITERS; id++) {
		threads.emplace_back([&, id] {
			while (rounds[id] < ROUNDS && wait(*sem, rounds[id] + 1, sleeps[id])) {
				rounds[id]++;
				base::fetch_add(sem->seen, uint64_t{1});
			}
		});
	}
	Jitter jitter(13);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		uint64_t before = WAITERS * (i - 1);
		if (!until([&] { return base::load_acquire(sem->seen) == before; }))
			break;
		jitter.pause();
		signal(*sem, i);
	}
	for (std::thread &thread : threads)
		thread.join();
	for (uint64_t count : rounds)
		EXPECT_EQ(count, ROUNDS);
}

/* The word has the least value that a sleeper wants. The wake of that sleeper must not lose the others. */
TEST(SleepLitmus, D2WakesEachAtItsOwnValue)
{
	constexpr uint64_t STEPS[] = {1, 3};
	const uint64_t ROUNDS = SLEEP_ROUNDS / 30 * 3;
	auto sem = std::make_unique<Signal>();
	uint64_t sleeps[2] = {};
	alignas(64) uint64_t reached[2] = {};
	std::vector<std::thread> threads;
	for (unsigned id = 0; id < 2; id++) {
		threads.emplace_back([&, id] {
			for (uint64_t next = STEPS[id];
			     next <= ROUNDS && wait(*sem, next, sleeps[id]); next += STEPS[id])
				base::store_release(reached[id], next);
		});
	}
	auto followed = [&](uint64_t value) {
		for (unsigned id = 0; id < 2; id++) {
			if (base::load_acquire(reached[id]) < value / STEPS[id] * STEPS[id])
				return false;
		}
		return true;
	};
	Jitter jitter(11);
	for (uint64_t i = 1; i <= ROUNDS && until([&] { return followed(i - 1); }); i++) {
		jitter.pause();
		signal(*sem, i);
	}
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_TRUE(followed(ROUNDS)) << "a waiter sleeps on a value that has passed";
	EXPECT_EQ(sem->host.sleepers, 0u);
}

} // namespace
