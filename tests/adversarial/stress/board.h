// SPDX-License-Identifier: MIT
/*
 * DOC: what the processes of the stress test have in common
 *
 * One page of memory that the driver of the test creates and gives to each client as a descriptor.
 * It says which clients work, what went wrong, and when the firmware was killed.
 */
#ifndef UNPU_TESTS_STRESS_BOARD_H
#define UNPU_TESTS_STRESS_BOARD_H

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace stress {

constexpr unsigned kMostClients = 16;

inline uint64_t now_ns()
{
	timespec now = {};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}

/* A client that stays. */
struct Seat {
	std::atomic<uint64_t> rounds;	  /* of work that were right */
	std::atomic<uint64_t> wrong;	  /* results that were not */
	std::atomic<uint64_t> failures;	  /* calls that failed and should not have */
	std::atomic<uint64_t> slowest_ns; /* of a round, or of hearing of a death */
	std::atomic<uint64_t> hangs;	  /* of either, past the deadline */
	std::atomic<uint64_t> losses;	  /* deaths of the firmware that it heard of */
	std::atomic<uint64_t> comebacks;  /* new firmwares that it went on with */
	std::atomic<uint64_t> fds[2];	  /* of the process, at first and at last */
	std::atomic<uint64_t> threads[2];
	std::atomic<uint64_t> memfd_bytes[2];
};

struct Board {
	std::atomic<uint64_t> deadline_ns;
	std::atomic<uint64_t> killed;	 /* firmwares */
	std::atomic<uint64_t> killed_ns; /* when the last one was */
	std::atomic<uint64_t> stop;	 /* clients that stay are to end */
	Seat seats[kMostClients];
};

/* The resources of a process, from /proc. */
struct Census {
	uint64_t fds = 0;
	uint64_t threads = 0; /* but for engines */
	uint64_t engines = 0;
	uint64_t memfd_bytes = 0; /* mapped */
};

Census census(int pid);

} // namespace stress

#endif
