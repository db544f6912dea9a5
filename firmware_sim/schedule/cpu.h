/* SPDX-License-Identifier: MIT */
#ifndef FIRMWARE_SIM_CPU_H
#define FIRMWARE_SIM_CPU_H

#include <atomic>
#include <cstdint>

namespace fw {

/* cpu_here() - the calling thread's CPU plus 1. */
uint32_t cpu_here();

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
	/* Notes the CPU. Return: whether it differs from that of the last call. */
	bool settle();
	/* The CPU plus 1; 0 before the first settle(). */
	uint32_t number() const { return number_; }

private:
	std::atomic<uint32_t> leave_{0}; /* CPU to leave, plus 1 */
	uint32_t number_ = 0;
	uint64_t moved_ns_ = 0;
	uint64_t interval_ns_ = 0; /* time until the next move is allowed */
};

} // namespace fw

#endif
