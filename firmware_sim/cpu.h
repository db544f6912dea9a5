/* SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_SIM_CPU_H
#define FIRMWARE_SIM_CPU_H

#include <atomic>
#include <cstdint>

namespace fw {

/* cpu_here() - the calling thread's CPU plus 1. */
uint32_t cpu_here();

/* Where the device's thread runs. All but leave() is for that thread, or under the step token. */
class Cpu {
public:
	/* The scheduler wakes us where the waker is; on a CPU of its own it would not have to make
	 * room. Any thread may ask. */
	void leave(uint32_t cpu) { leave_.store(cpu + 1); }
	/* Forgets who asked before a sleep: it may be on either CPU now, and so may the thread. */
	void stay() { leave_.store(0); }
	/* Hops if asked to. Return: whether the thread is elsewhere than at the last call. */
	bool settle();
	/* The CPU plus 1; 0 before the first settle(). */
	uint32_t number() const { return number_; }

private:
	void hop();

	std::atomic<uint32_t> leave_{0}; /* plus 1 */
	uint32_t number_ = 0;
	uint64_t hopped_ns_ = 0;
	uint64_t interval_ns_ = 0; /* until the next hop is allowed */
};

} // namespace fw

#endif
