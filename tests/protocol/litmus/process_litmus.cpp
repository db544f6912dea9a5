// SPDX-License-Identifier: MIT
/**
 * DOC: Litmus tests of two processes
 *
 * The rows of the ordering table whose two sides may be different processes: the ring (R1), the
 * store-load pair of D1 and D2, and a waiter that sleeps on a semaphore (D2). The other process is a
 * fork; the fences are those that client and firmware agree on, which reach every process that has
 * joined the machine's fences, or full ones on both sides.
 */
#include <new>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sync/ring.h"
#include "base/sync/sleeper.h"
#include "hammer.h"
#include "uapi/semaphore.h"

namespace {

using namespace litmus;

base::FenceScope agree()
{
	return base::join_machine_fences() ? base::FenceScope::MACHINE : base::FenceScope::NONE;
}

/* class Shared - a T that both processes have. */
template <class T> class Shared {
public:
	Shared()
		: data_(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0))
	{
		new (data_) T();
	}
	~Shared() { munmap(data_, sizeof(T)); }
	Shared(const Shared &) = delete;
	Shared &operator=(const Shared &) = delete;

	T *operator->() const { return static_cast<T *>(data_); }

private:
	void *data_;
};

/* class Other - another process, which runs @body. */
class Other {
public:
	template <class F> explicit Other(const F &body) : pid_(fork())
	{
		if (pid_ == 0)
			_exit(body() ? 0 : 1);
	}
	~Other() { EXPECT_TRUE(ended_) << "end() was not called"; }
	Other(const Other &) = delete;
	Other &operator=(const Other &) = delete;

	/* end() - Return: what its body did. */
	bool end()
	{
		int status = 0;
		ended_ = true;
		return waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status) &&
		       WEXITSTATUS(status) == 0;
	}

private:
	const pid_t pid_;
	bool ended_ = false;
};

/* struct Flags - a store-load pair with nothing around it. */
struct Flags {
	alignas(64) uint64_t round = 0;
	alignas(64) uint32_t light = 0;
	alignas(64) uint32_t heavy = 0;
	alignas(64) uint32_t light_saw = 0;
	alignas(64) uint64_t done = 0;
};

TEST(ProcessLitmus, OneOfTwoSidesSeesTheOther)
{
	Shared<Flags> flags;
	const base::FenceScope scope = agree();
	Other light([&] {
		Jitter jitter(7);
		/* A child does not inherit the registration. */
		if (agree() != scope)
			return false;
		for (uint64_t i = 1; i <= FENCE_ROUNDS; i++) {
			if (!until([&] { return base::load_acquire(flags->round) == i; }))
				return false;
			jitter.pause();
			base::store_relaxed(flags->light, uint32_t{1});
			base::light_fence(scope);
			uint32_t saw = base::load_relaxed(flags->heavy);
			base::store_relaxed(flags->light_saw, saw);
			base::store_release(flags->done, i);
		}
		return true;
	});
	Jitter jitter(11);
	uint64_t both_blind = 0, rounds = 0;
	for (; rounds < FENCE_ROUNDS; rounds++) {
		base::store_relaxed(flags->light, uint32_t{0});
		base::store_relaxed(flags->heavy, uint32_t{0});
		base::store_release(flags->round, rounds + 1);
		jitter.pause();
		base::store_relaxed(flags->heavy, uint32_t{1});
		base::heavy_fence(scope);
		uint32_t saw = base::load_relaxed(flags->light);
		if (!until([&] { return base::load_acquire(flags->done) == rounds + 1; }))
			break;
		both_blind += saw == 0 && base::load_relaxed(flags->light_saw) == 0;
	}
	EXPECT_TRUE(light.end());
	EXPECT_EQ(rounds, FENCE_ROUNDS);
	EXPECT_EQ(both_blind, 0u);
}

/* struct Ring - a channel segment, and how far its consumer is. */
struct Ring {
	static constexpr uint32_t SLOTS = UNPU_RING_MIN_SLOTS;

	alignas(64) unpu_packet slots[SLOTS] = {};
	unpu_descriptor pages[SLOTS] = {};
	alignas(64) uint64_t retired = 0;
};

TEST(ProcessLitmus, R1PacketsArriveWhole)
{
	Shared<Ring> ring;
	Other consumer([&] {
		base::RingConsumer packets(ring->slots, Ring::SLOTS);
		for (uint64_t i = 0; i < STREAM_ROUNDS; i++) {
			unpu_packet packet;
			if (!until([&] { return packets.fetch(packet); }))
				return false;
			if (packet.copy.dst != i || packet.copy.src != ~i ||
			    packet.copy.bytes != i * 3)
				return false;
			base::store_release(ring->retired, i + 1); /* R2 */
		}
		return true;
	});
	base::RingProducer producer(ring->slots, Ring::SLOTS);
	uint64_t sent = 0;
	for (; sent < STREAM_ROUNDS; sent++) {
		if (!until([&] {
			    return producer.has_room(base::load_acquire(ring->retired)); /* A2 */
		    }))
			break;
		unpu_packet packet{};
		packet.copy.dst = sent;
		packet.copy.src = ~sent;
		packet.copy.bytes = sent * 3;
		producer.publish(packet);
	}
	EXPECT_TRUE(consumer.end()) << "a packet was torn";
	EXPECT_EQ(sent, STREAM_ROUNDS);
}

/* struct Signal - a semaphore's two lines. */
struct Signal {
	alignas(64) unpu_sem_device device = {};
	unpu_sem_host host = {};
	alignas(64) uint64_t seen = 0;
};

TEST(ProcessLitmus, D2NoWakeIsLost)
{
	Shared<Signal> sem;
	const base::FenceScope scope = agree();
	Other device([&] {
		Jitter jitter(5);
		if (agree() != scope)
			return false;
		for (uint64_t i = 1; i <= SLEEP_ROUNDS; i++) {
			if (!until([&] { return base::load_acquire(sem->seen) == i - 1; }))
				return false;
			jitter.pause();
			if (base::publish_value(sem->device, sem->host, i, scope))
				base::wake_sleepers(sem->device);
		}
		return true;
	});
	const uint64_t &word = sem->device.value;
	uint64_t rounds = 0, sleeps = 0;
	for (bool in_time = true; rounds < SLEEP_ROUNDS && in_time;) {
		base::Sleeper sleeper(sem->host.sleepers, rounds + 1);
		base::heavy_fence(scope);				/* D2 */
		while (base::load_acquire(word) <= rounds && in_time) { /* A3 */
			sleeps++;
			in_time =
				base::sleep_below(word, rounds + 1, base::deadline_after(STUCK_NS));
		}
		if (in_time)
			base::store_release(sem->seen, ++rounds);
	}
	EXPECT_TRUE(device.end());
	EXPECT_EQ(rounds, SLEEP_ROUNDS) << "a waiter sleeps on a value that has passed";
	EXPECT_GT(sleeps, 0u) << "the waiter never slept, so nothing was tested";
}

} // namespace
