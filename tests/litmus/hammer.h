// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/sync/ordering.h"

namespace litmus {

/* Nothing here takes this long unless it hangs. */
constexpr uint64_t STUCK_NS = 10 * base::NS_PER_S;

#if defined(UNPU_TSAN) || defined(UNPU_ASAN)
constexpr uint64_t STREAM_ROUNDS = 40000;
constexpr uint64_t FENCE_ROUNDS = 5000;
#else
constexpr uint64_t STREAM_ROUNDS = 1000000;
constexpr uint64_t FENCE_ROUNDS = 100000;
#endif
constexpr uint64_t SLEEP_ROUNDS = 100000;

/* until() - polls @condition. Return: false when it does not come true in time. */
template <class F> bool until(const F &condition)
{
	uint64_t deadline_ns = 0;
	for (unsigned turn = 1;; turn++) {
		if (condition())
			return true;
		if (turn % 256) {
			base::cpu_relax();
			continue;
		}
		/* The peer may need this very CPU. */
		std::this_thread::yield();
		if (deadline_ns == 0)
			deadline_ns = base::deadline_after(STUCK_NS);
		if (base::now_ns() > deadline_ns)
			return false;
	}
}

/* class Jitter - short pauses that walk one thread's step across the other's window. */
class Jitter {
public:
	explicit Jitter(uint64_t seed) : random_(seed) {}

	void pause()
	{
		/* All lengths up to a wake's: short ones as often as long ones. */
		uint64_t draw = random_();
		uint64_t turns = (draw >> 8) & ((uint64_t{1} << draw % 11) - 1);
		for (uint64_t i = 0; i < turns; i++)
			base::cpu_relax();
	}

private:
	std::minstd_rand random_;
};

} // namespace litmus
