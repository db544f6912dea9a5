// SPDX-License-Identifier: MIT
/**
 * DOC: What ranks tell each other
 *
 * The messages between each rank and the coordinator of a meeting, in their order, after both have proved that they
 * know its secret (umd/hccl/proof/handshake.h):
 *
 *	rank		host
 *	HELLO				its introduction
 *			WELCOME		all ranks; or REFUSAL
 *	KEYS				its exported objects
 *			TABLE		the addresses of all ranks
 *			ISLAND		the exported objects of its island
 *	READY				it has imported these objects
 *			GO		all ranks have imported theirs
 *
 * After that, either side may send a REFUSAL, which fails the communicator. A rank that leaves sends LEAVE.
 * The coordinator then sends GONE to the other ranks, and answers with LEFT. The coordinator also sends GONE for a rank
 * whose connection it has lost. A rank that sends AGAIN waits for the coordinator's AGAIN, which the coordinator
 * sends when all ranks have sent theirs. A message is plain data: it carries no descriptor.
 *
 * The coordinator's process may end when all of its ranks have left. The other ranks then continue without a
 * coordinator, and are not told about failures of each other. A wait for a rank that has ended then lasts until its
 * time limit, or until the wire loses the connection to that rank.
 */
#pragma once

#include <array>
#include <cstdint>

#include "uapi/mailbox.h"
#include "uapi/regs.h"
#include "umd/hccl/network/address.h"
#include "umd/hccl/proof/secret.h"

namespace umd {

/** MAX_RANKS - the most ranks of a communicator. Ranks whose devices belong to one firmware are an island,
 * which has at most UNPU_MAX_DEVICES ranks. A rank keeps some hundred bytes for each other rank. */
constexpr uint32_t MAX_RANKS = 256;

enum class MessageKind : uint32_t {
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

/** using Members - for a sub-communicator: which rank of the parent communicator each of its ranks is. Unused
 * elements are NO_MEMBER. For other communicators all elements are NO_MEMBER. */
using Members = std::array<uint16_t, MAX_RANKS>;
constexpr uint16_t NO_MEMBER = 0xffff;

/** NO_GROUP - no group: only ranks of one user may meet in a network. */
constexpr uint32_t NO_GROUP = ~0u;

/** struct Introduction - describes one rank. WELCOME has one for each rank, in the order of the ranks. */
struct Introduction {
	uint32_t version;
	uint32_t ranks;
	uint32_t rank;
	uint32_t device;   /* device number in its firmware */
	uint32_t pid;	   /* process id as the firmware sees it */
	uint32_t is_host;  /* 1: its process hosts the meeting */
	uint64_t instance; /* number of the firmware instance */
	uint64_t network;  /* result of this_network() */
	uint64_t buffer_bytes;
	uint64_t wait_ns; /* time limit for other ranks in an operation */
	uint32_t user;	  /* user id of its process; see UNPU_HCCL_GROUP */
	uint32_t group;	  /* group whose members may be other users; NO_GROUP: none */
	char name[128];	  /* name of the communicator; "": none */
	char host[64];	  /* name of the machine, for error messages */
};

/** struct Hello - the body of HELLO. */
struct Hello {
	Introduction who;
	Members members;
};

/** COUNTERS - the counters of a rank; see umd/hccl/comm/rank_slots.h. */
constexpr uint32_t COUNTERS = 3;

/** WIRE_ADDRESS_MOST - longest wire address of a process. */
constexpr uint32_t WIRE_ADDRESS_MOST = 768;

/** struct SeatKeys - the export keys of a rank's buffer and semaphores. ISLAND has one for each rank of the
 * island, in the order of the ranks. */
struct SeatKeys {
	unpu_export_key buffer;
	std::array<unpu_export_key, COUNTERS> counters;
	/* Indexed by the position of the other rank on the island. sent: that rank has sent a message to this
	 * rank. taken: that rank has taken a message of this rank. */
	std::array<unpu_export_key, UNPU_MAX_DEVICES> sent;
	std::array<unpu_export_key, UNPU_MAX_DEVICES> taken;
	/* call log of the island; all 0 unless this rank is the first of its island */
	unpu_export_key call_log;
};

/** struct RankPlace - how to reach the process of a rank. TABLE has one for each rank, in the order of the
 * ranks. */
struct RankPlace {
	TcpPlace listener;   /* where it listens; empty if all ranks are in one network */
	uint32_t wire_bytes; /* length of the wire address; 0: the rank has none */
	uint32_t reserved;
	std::array<uint8_t, WIRE_ADDRESS_MOST> wire;
};

/** struct RankKeys - the body of KEYS. */
struct RankKeys {
	SeatKeys seat;
	RankPlace place;
};

/** struct Leave - the body of LEAVE. */
struct Leave {
	uint64_t calls;	   /* collective calls that the rank has made */
	uint64_t launched; /* collective operations of graphs that the rank has run */
};

/** struct Gone - the body of GONE. */
struct Gone {
	uint32_t rank;
	uint32_t is_lost; /* 1: it has ended, and has not destroyed the communicator */
	Leave leave;	  /* all 0 for a lost rank */
};

/** struct Refusal - the body of REFUSAL. */
struct Refusal {
	uint32_t code; /* enum HcclResult */
	char text[900];
};

} // namespace umd
