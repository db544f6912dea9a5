// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fw/device.h"
#include "uapi/packet.h"

namespace fw {

/** struct FaultRule - something that goes wrong, and when. */
struct FaultRule {
	enum class Action {
		NONE,
		FAIL,  /* the task is not done and ends with @status; a request is refused */
		DELAY, /* the task begins later */
		HANG,  /* the task never ends by itself */
		DROP,  /* the task's signal and its completion are left out */
		EXIT,  /* the firmware ends without a word */
	};

	static constexpr int64_t ANY = -1;

	Action action = Action::NONE;
	int64_t opcode = ANY;
	int64_t message = ANY; /* a request of the mailbox instead of a task */
	int64_t stream = ANY;
	int64_t client = ANY;
	uint64_t first = 1; /* of those that fit, counted from 1 */
	uint64_t count = UINT64_MAX;
	unsigned percent = 100;
	base::Status status = base::Status::OK;
	uint64_t least_ns = 0;
	uint64_t most_ns = 0;
};

/** class FaultPlan - what a user asked to go wrong. */
class FaultPlan {
public:
	std::vector<FaultRule> rules;
	uint64_t seed = 1;
	std::string text; /* as it was given */
};

/** struct Strike - what goes wrong with one task. */
struct Strike {
	FaultRule::Action action = FaultRule::Action::NONE;
	base::Status status = base::Status::OK;
	uint64_t delay_ns = 0;
};

/** class Faults - a plan as it is carried out on one device. Context: under the step token. */
class Faults {
public:
	explicit Faults(const FaultPlan &plan)
		: plan_(plan), matches_(plan.rules.size()), random_(plan.seed)
	{
	}

	/** task() - what is to happen to a task of a stream. */
	Strike task(const unpu_packet &packet, uint32_t client, uint32_t stream);

	/** message() - Return: OK, or why the request is refused. */
	base::Status message(uint32_t type, uint32_t client);

	/** struck() - how often something went wrong so far. */
	uint64_t struck() const { return struck_; }
	const FaultPlan &plan() const { return plan_; }

private:
	bool hits(size_t index);

	const FaultPlan &plan_;
	std::vector<uint64_t> matches_; /* by rule */
	std::mt19937_64 random_;
	uint64_t struck_ = 0;
};

} // namespace fw
