// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/sync/ordering.h"

namespace litmus {

/* Nothing here takes this long unless it hangs. */
constexpr uint64_t STUCK_NS = 10 * base::NS_PER_S;

/* part_of() - @rounds, or a part of them: UNPU_LITMUS_PART divides them, for processors that are emulated. */
inline uint64_t part_of(uint64_t rounds)
{
	const char *part = std::getenv("UNPU_LITMUS_PART");

	return rounds / std::max(part ? std::strtoull(part, nullptr, 10) : 1, 1ull);
}

#if defined(UNPU_TSAN) || defined(UNPU_ASAN)
inline const uint64_t STREAM_ROUNDS = part_of(40000);
inline const uint64_t FENCE_ROUNDS = part_of(5000);
#else
inline const uint64_t STREAM_ROUNDS = part_of(1000000);
inline const uint64_t FENCE_ROUNDS = part_of(100000);
#endif
inline const uint64_t SLEEP_ROUNDS = part_of(100000);

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
