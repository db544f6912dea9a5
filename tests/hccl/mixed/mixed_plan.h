// SPDX-License-Identifier: MIT
/*
 * DOC: rounds of calls on several streams and communicators
 *
 * A round is made of its seed alone, so every rank makes it for itself: calls in one order for all ranks, and for each
 * rank the streams it uses and which calls change places. Two calls may do so if they are on different streams and
 * neither has to wait for the other: then no round can block itself, as each call waits only for those before it in the
 * common order.
 */
#ifndef UNPU_TESTS_HCCL_MIXED_PLAN_H
#define UNPU_TESTS_HCCL_MIXED_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace hccl_mixed {

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
	BARRIER,
	SEND,  /* one message, by HcclSend and HcclRecv */
	BATCH, /* a message of each rank to the next one, by HcclBatchSendRecv */
	GROUP, /* the same by a group, in which both ends may have streams of their own */
	COUNT,
};

constexpr uint32_t STREAMS = 4; /* the first one is the default stream */
/* The most elements of a buffer. */
constexpr uint64_t MOST = 100000;

struct Call {
	Kind kind;
	uint32_t comm;
	uint32_t root; /* of messages: the sender, or how far the next rank is */
	uint64_t count;
	std::vector<uint64_t> counts; /* of each rank; of ALL_TO_ALL_V [from * ranks + to] */
	uint32_t op;		      /* HCCL_REDUCE_SUM, MAX or MIN */
	uint32_t salt;
	std::vector<uint32_t> streams; /* of each rank of the program: for what it sends */
	std::vector<uint32_t> others;  /* and for what it receives in a group */
};

/* A communicator: the ranks of the program that are its ranks, in its order. */
using Members = std::vector<uint32_t>;

/* All ranks, all in the reverse order, and every second one where there are three. */
std::vector<Members> make_comms(uint32_t ranks);

struct Round {
	std::vector<Call> calls;
	/* Of each rank of the program: the order in which it makes them. */
	std::vector<std::vector<uint32_t>> turns;
};
Round make_round(uint64_t seed, uint32_t number, const std::vector<Members> &comms);

/* What rank @rank of the communicator has to send and to receive, in elements. */
uint64_t sends(const Call &call, uint32_t ranks, uint32_t rank);
std::vector<int32_t> sent_data(const Call &call, uint32_t ranks, uint32_t rank);
std::vector<int32_t> wanted_data(const Call &call, uint32_t ranks, uint32_t rank);

std::string describe(const Call &call);

} // namespace hccl_mixed

#endif
