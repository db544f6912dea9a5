// SPDX-License-Identifier: MIT
/**
 * DOC: What ranks tell each other
 *
 * The messages between each rank and the host of a meeting, in their order, after both have proved that they know its
 * secret (umd/hccl/proof/handshake.h):
 *
 *	rank		host
 *	HELLO				who it is
 *			WELCOME		all ranks; or REFUSAL
 *	KEYS				what it shares
 *			TABLE		where all are reached
 *			ISLAND		what the ranks of its island share
 *	READY				it has imported these
 *			GO		all have
 *
 * From then on either side may send a REFUSAL, which fails the communicator. A rank ends with LEAVE; the host tells
 * the others with GONE, and answers with LEFT. It also sends GONE of a rank that it has lost. A rank that has said
 * AGAIN waits for the same letter, which the host sends when all ranks have. A letter is plain data: no descriptor goes
 * with it.
 *
 * The host's process may end when all of its ranks have left. The other ranks then go on without a host, and hear of
 * no failure of each other. A wait for a rank that has ended lasts until its time limit, or until the wire loses it.
 */
#pragma once

#include <array>
#include <cstdint>

#include "uapi/mailbox.h"
#include "uapi/regs.h"
#include "umd/hccl/network/address.h"
#include "umd/hccl/proof/secret.h"

namespace umd {

/** MAX_RANKS - of a communicator. Those whose devices belong to one firmware are an island; it has at most
 * UNPU_MAX_DEVICES. A rank keeps some hundred bytes for each other one. */
constexpr uint32_t MAX_RANKS = 256;

enum class LetterKind : uint32_t {
	HELLO = 1,
	WELCOME,
	KEYS,
	TABLE,
	READY,
	GO,
	REFUSAL,
	LEAVE,
	LEFT,
	GONE,
	AGAIN,
	ISLAND
};

/** MEETING_VERSION - changes with these messages and with the schedules. */
constexpr uint32_t MEETING_VERSION = 12;

/** using Members - the ranks of a sub-communicator, in its order, as numbers of the other one; the rest, and those of
 * other communicators, are NO_MEMBER. */
using Members = std::array<uint16_t, MAX_RANKS>;
constexpr uint16_t NO_MEMBER = 0xffff;

/** NO_GROUP - ranks of one network have one user. */
constexpr uint32_t NO_GROUP = ~0u;

/** struct Introduction - who a rank is. WELCOME has that of each rank, in their order. */
struct Introduction {
	uint32_t version;
	uint32_t ranks;
	uint32_t rank;
	uint32_t device;   /* the firmware's number */
	uint32_t pid;	   /* as the firmware sees it */
	uint32_t is_host;  /* its process hosts the meeting */
	uint64_t instance; /* of the firmware */
	uint64_t network;  /* of this_network() */
	uint64_t buffer_bytes;
	uint64_t wait_ns; /* for other ranks, in an operation */
	uint32_t user;	  /* of its process; see UNPU_HCCL_GROUP */
	uint32_t group;	  /* whose members may be other users; NO_GROUP: none */
	char name[128];	  /* of the communicator; "": none */
	char host[64];	  /* the machine's name, for sentences */
};

/** struct Hello - HELLO. */
struct Hello {
	Introduction who;
	Members members;
};

/** COUNTERS - the counters of a rank; see umd/hccl/comm/seats.h. */
constexpr uint32_t COUNTERS = 3;

/** WIRE_ADDRESS_MOST - bytes of the address at which a process receives from other islands. */
constexpr uint32_t WIRE_ADDRESS_MOST = 768;

/** struct SeatKeys - the buffer of a rank and its semaphores, for the ranks of its island. ISLAND has those of each of
 * them, in their order. */
struct SeatKeys {
	unpu_export_key buffer;
	std::array<unpu_export_key, COUNTERS> counters;
	/* By place on the island: that rank has sent a message to this one, or has taken one of this one. */
	std::array<unpu_export_key, UNPU_MAX_DEVICES> sent;
	std::array<unpu_export_key, UNPU_MAX_DEVICES> taken;
	unpu_export_key ledger; /* of its island; all 0 unless the rank is the island's first */
};

/** struct RankPlace - where a rank's process is reached. TABLE has that of each rank, in their order. */
struct RankPlace {
	TcpPlace door;	     /* empty where all ranks have one network */
	uint32_t wire_bytes; /* of the address; 0: the rank has none */
	uint32_t reserved;
	std::array<uint8_t, WIRE_ADDRESS_MOST> wire;
};

/** struct RankKeys - KEYS. */
struct RankKeys {
	SeatKeys seat;
	RankPlace place;
};

/** struct Leave - LEAVE. */
struct Leave {
	uint64_t calls;	   /* collective ones that the rank has made */
	uint64_t launched; /* of those in graphs that it has run */
};

/** struct Gone - GONE. */
struct Gone {
	uint32_t rank;
	uint32_t is_lost; /* it has ended, and has not destroyed the communicator */
	Leave leave;	  /* a lost rank: 0 */
};

/** struct Refusal - REFUSAL. */
struct Refusal {
	uint32_t code; /* enum HcclResult */
	char text[900];
};

} // namespace umd
