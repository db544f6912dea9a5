// SPDX-License-Identifier: MIT
/*
 * DOC: what the attackers have done
 *
 * A page of memory, shared by the processes, that counts what the attackers have done.
 */
#ifndef UNPU_TESTS_ATTACKER_TALLY_H
#define UNPU_TESTS_ATTACKER_TALLY_H

#include <atomic>
#include <cstdint>

namespace attacker {

struct Tally {
	std::atomic<uint64_t> clients;
	std::atomic<uint64_t> kills;
	std::atomic<uint64_t> cut_off;
	std::atomic<uint64_t> sequences;
	std::atomic<uint64_t> packets;
	std::atomic<uint64_t> requests;
	std::atomic<uint64_t> granted; /* of the requests */
	std::atomic<uint64_t> graphs;  /* that were loaded */
	std::atomic<uint64_t> messages;
	std::atomic<uint64_t> changed;
	std::atomic<uint64_t> writes; /* into lines that the firmware reads at the same time */
	std::atomic<uint64_t> holes;
	std::atomic<uint64_t> unanswered;
	std::atomic<uint64_t> images; /* of kernels, that were loaded */
	std::atomic<uint64_t> kernels;
};

} // namespace attacker

#endif
