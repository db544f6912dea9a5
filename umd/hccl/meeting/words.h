// SPDX-License-Identifier: MIT
/**
 * DOC: What ranks tell each other
 *
 * The messages between each rank and the host of a meeting, in their order:
 *
 *	rank		host
 *	HELLO				who it is
 *			WELCOME		all ranks, and the ledger as a descriptor; or REFUSAL
 *	KEYS				what it shares
 *			TABLE		what all share
 *	READY				it has imported these
 *			GO		all have
 *
 * From then on either side may send a REFUSAL, which fails the communicator, and a rank ends with LEAVE, which
 * the host answers with LEFT.
 */
#pragma once

#include <array>
#include <cstdint>

#include "uapi/mailbox.h"
#include "uapi/regs.h"

namespace umd {

constexpr uint32_t MAX_RANKS = UNPU_MAX_DEVICES;

enum class LetterKind : uint32_t {
	HELLO = 1,
	WELCOME,
	KEYS,
	TABLE,
	READY,
	GO,
	REFUSAL,
	LEAVE,
	LEFT
};

/** using Nonce - names a meeting; nobody can guess it. */
using Nonce = std::array<uint8_t, 16>;

/** MEETING_VERSION - changes with these messages and with the schedules. */
constexpr uint32_t MEETING_VERSION = 2;

/** struct Introduction - HELLO. */
struct Introduction {
	uint32_t version;
	uint32_t ranks;
	uint32_t rank;
	uint32_t device; /* the firmware's number */
	uint32_t pid;	 /* as the firmware sees it */
	uint32_t reserved;
	uint64_t instance; /* of the firmware */
	uint64_t buffer_bytes;
	uint64_t wait_ns; /* for other ranks, in an operation */
	Nonce nonce;
	char name[128]; /* of the communicator; "": none */
};

/** struct Welcome - WELCOME. */
struct Welcome {
	std::array<Introduction, MAX_RANKS> ranks;
};

/** COUNTERS - the counters of a rank; see umd/hccl/comm/seats.h. */
constexpr uint32_t COUNTERS = 3;

/** struct RankKeys - KEYS: the buffer of a rank and its semaphores. */
struct RankKeys {
	unpu_export_key buffer;
	std::array<unpu_export_key, COUNTERS> counters;
	std::array<unpu_export_key, MAX_RANKS>
		sent; /* by rank: it has sent a message to this one */
	std::array<unpu_export_key, MAX_RANKS>
		taken; /* by rank: it has taken a message of this one */
};

/** struct KeyTable - TABLE. */
struct KeyTable {
	std::array<RankKeys, MAX_RANKS> ranks;
};

/** struct Refusal - REFUSAL. */
struct Refusal {
	uint32_t code; /* enum HcclResult */
	char text[900];
};

} // namespace umd
