// SPDX-License-Identifier: MIT
/*
 * DOC: one rank of a plan
 */
#ifndef UNPU_TESTS_HCCL_RANDOM_RANK_H
#define UNPU_TESTS_HCCL_RANDOM_RANK_H

#include <functional>

#include "acl/acl.h"
#include "data.h"
#include "hccl/hccl.h"

namespace hccl_random {

/* What the rank has after a case, in its receive buffer or the one that is both. */
using Look = std::function<void(const Case &, const Bytes &)>;

/* Makes all calls of the rank, and compares what they give with what they have to. Context: a thread of its own, whose
 * device is the rank's. Throws std::runtime_error with the case and what is wrong.
 * @look: gets each result; may be empty */
void play_rank(const Plan &plan, uint32_t rank, HcclComm comm, const Look &look);

/* Throws if a call has failed. */
void check(int code, const char *call);
#define CHECK(call) hccl_random::check(static_cast<int>(call), #call)

} // namespace hccl_random

#endif
