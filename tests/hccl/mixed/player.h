// SPDX-License-Identifier: MIT
/*
 * DOC: one rank of the rounds
 */
#ifndef UNPU_TESTS_HCCL_MIXED_PLAYER_H
#define UNPU_TESTS_HCCL_MIXED_PLAYER_H

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "mixed_plan.h"

namespace hccl_mixed {

/* class Player - a rank: its device, its streams and its communicators. Context: a thread of its own. All functions
 * throw std::runtime_error with what is wrong. */
class Player {
public:
	/* @device: of this rank. It makes all communicators, the first one by @info. */
	Player(uint32_t ranks, uint32_t rank, int32_t device, const HcclRootInfo &info);
	~Player();
	Player(const Player &) = delete;
	Player &operator=(const Player &) = delete;

	/* Makes all calls of a round, and compares what they give with what they have to. */
	void play(uint64_t seed, uint32_t number);
	/* Destroys the communicators. */
	void end();

private:
	/* struct Buffers - of a call of a round. */
	struct Buffers {
		void *send = nullptr;
		void *receive = nullptr;
	};

	void make_sub(const Members &members, uint64_t number);
	void submit(const Call &call, uint32_t number);
	void submit_collective(const Call &call, const Buffers &at, aclrtStream stream);
	void submit_vector(const Call &call, const Buffers &at, aclrtStream stream);
	void submit_messages(const Call &call, const Buffers &at);
	void prepare(const Call &call, uint32_t number);
	void compare(const Call &call, uint32_t number);
	uint32_t ranks_of(const Call &call) const;
	uint32_t rank_in(const Call &call) const;
	bool takes_part(const Call &call) const;

	const uint32_t rank_;
	const int32_t device_;
	std::vector<Members> members_;
	std::vector<HcclComm> comms_; /* nullptr: the rank is none of its ranks */
	aclrtStream streams_[STREAMS] = {};
	std::vector<Buffers> buffers_;
};

/* Throws if a call has failed. */
void check(int code, const char *call);
#define CHECK(call) hccl_mixed::check(static_cast<int>(call), #call)

} // namespace hccl_mixed

#endif
