/* SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_SIM_CPU_H
#define FIRMWARE_SIM_CPU_H

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/sync/ordering.h"

namespace fw {

/* cpu_here() - the calling thread's CPU plus 1. */
uint32_t cpu_here();

/* enum class Way - what the device's thread does after its work. */
enum class Way : uint8_t {
	POLLS,
	/* It shares its CPU with the thread that kicked it, so it sleeps instead. */
	SLEEPS,
	/* The same, for the second time within tuning::SHARED_SOON_NS. */
	SLEEPS_AGAIN,
};

/* The CPU on which the device's thread runs. Context: the device's thread or under the step token,
 * except leave(). */
class Cpu {
public:
	/* Asks the device's thread to leave @cpu. The kernel tends to wake it on the CPU of the waking
	 * thread, where the two compete. Context: any thread. */
	void leave(uint32_t cpu) { leave_.store(cpu + 1); }
	/* Drops a request from before a sleep: both threads may run on other CPUs now. */
	void stay() { leave_.store(0); }
	/* Whether move() is worth a call: a request to leave this CPU, not too soon after the last move. */
	bool wants_to_move();
	/* Moves to another CPU, if there is one. */
	void move();
	/* Notes the CPU. If it is another one than that of the last kick, the thread may poll again.
	 * Return: whether it differs from that of the last call. */
	bool settle();
	/* The CPU plus 1; 0 before the first settle(). */
	uint32_t number() const { return number_; }

	/* Notes that a thread on CPU @number, plus 1, kicks. Context: any thread. */
	void note_kick(uint32_t number) { base::store_relaxed(kicked_on_, number); }
	/* Whether the last kick came from CPU @number, plus 1. */
	bool is_kicked_on(uint32_t number) const
	{
		return base::load_relaxed(kicked_on_) == number;
	}
	/* Gives way if the kick that ended a sleep came from this CPU. Polling here would keep the thread that kicked
	 * off the CPU, and that thread produces the next work. If this happens twice within
	 * tuning::SHARED_SOON_NS, the thread also asks itself to leave the CPU. */
	void give_way();
	/* Whether the thread has to give way. */
	bool gives_way() const { return way_ != Way::POLLS; }
	/* The same, for once. */
	Way take_way() { return std::exchange(way_, Way::POLLS); }

private:
	std::atomic<uint32_t> leave_{0}; /* CPU to leave, plus 1 */
	uint32_t number_ = 0;
	uint64_t moved_ns_ = 0;
	uint64_t interval_ns_ = 0; /* time until the next move is allowed */
	uint32_t kicked_on_ = 0;   /* CPU of the thread that kicked last, plus 1 */
	uint64_t shared_ns_ = 0;   /* when a kick last came from a thread on this CPU */
	Way way_ = Way::POLLS;
};

} // namespace fw

#endif
