// SPDX-License-Identifier: MIT
/*
 * DOC: random programs of collective calls
 *
 * A plan is made of its seed alone, so every rank makes it for itself. It says which ranks there are, and which calls
 * they make on which data.
 */
#ifndef UNPU_TESTS_HCCL_RANDOM_PLAN_H
#define UNPU_TESTS_HCCL_RANDOM_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

#include "hccl/hccl_types.h"

namespace hccl_random {

enum class Kind {
	ALL_REDUCE,
	REDUCE,
	BROADCAST,
	ALL_GATHER,
	ALL_GATHER_V,
	REDUCE_SCATTER,
	REDUCE_SCATTER_V,
	SCATTER,
	ALL_TO_ALL,
	ALL_TO_ALL_V,
	ALL_TO_ALL_VC,
	BARRIER,
	SEND,  /* one message, by HcclSend and HcclRecv */
	BATCH, /* messages of some pairs, by HcclBatchSendRecv */
	GROUP, /* the same, by a group */
	COUNT,
};
const char *kind_name(Kind kind);
bool reduces(Kind kind);

/* The period of the data of each rank: a prime, so that parts in the wrong places differ. */
constexpr uint64_t PERIOD = 4099;

struct Case {
	Kind kind;
	HcclDataType type;
	HcclReduceOp op;
	uint32_t root; /* of SEND: the sender; the receiver is the next rank */
	uint64_t count;
	std::vector<uint64_t> counts; /* of a rank, or of each pair [from * ranks + to] */
	uint64_t gap;		      /* elements between the parts of calls with displacements */
	bool is_in_place;
	bool is_captured; /* the call is in a graph */
	uint32_t launches;
	uint32_t stream; /* 0 or 1 */
	uint32_t salt;
	bool ends_turn; /* all ranks look at the results so far */
};
std::string describe(const Case &one);

struct Plan {
	uint64_t seed;
	uint32_t ranks;
	uint32_t processes;
	bool by_init_all;   /* of one process: HcclCommInitAll */
	uint32_t buffer_mb; /* 0: as usual */
	std::vector<Case> cases;
};

/* @is_one: all ranks in one process. @most: bytes of a buffer */
Plan make_plan(uint64_t seed, bool is_one, uint64_t most);

/* Elements of a rank's buffers: what it sends, and what it receives with the gaps. */
uint64_t send_elements(const Plan &plan, const Case &one, uint32_t rank);
uint64_t receive_elements(const Plan &plan, const Case &one, uint32_t rank);
/* Where the part of rank @of begins in a buffer with parts of @counts. */
uint64_t part_start(const Case &one, const std::vector<uint64_t> &counts, uint32_t of);
/* What @rank sends to each rank, and what it receives of each. */
std::vector<uint64_t> row_of(const Plan &plan, const Case &one, uint32_t rank);
std::vector<uint64_t> column_of(const Plan &plan, const Case &one, uint32_t rank);

} // namespace hccl_random

#endif
