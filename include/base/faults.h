// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace base {

/** struct FaultRule - something that goes wrong on purpose, and when (Documentation/faults.rst). */
struct FaultRule {
	enum class Action {
		NONE,
		FAIL,	/* not done; ends with @status */
		DELAY,	/* begins later */
		HANG,	/* a task that never ends by itself */
		JAM,	/* a task whose engine never comes back */
		TWICE,	/* a task whose signal and completion are given twice */
		COOKIE, /* not done; ends with @status, in the name of a task that is not there */
		DROP,	/* a task whose signal and completion are left out; a kick that is lost */
		WILD,	/* a task that writes where there is no memory */
		TORN,	/* a task that does half of its work and says nothing */
		EXIT,	/* the firmware ends without a word */
	};

	/** enum class Call - what the host does at the seam between driver and device. */
	enum class Call {
		OPEN, /* attaches to a device */
		TAKE, /* gets the descriptor of a segment */
		MAP,  /* maps a segment into this process */
		KICK, /* wakes a device that sleeps */
		WAIT, /* goes on after it had to wait for the device */
	};

	static constexpr int64_t ANY = -1;
	static constexpr int64_t IN_STREAM = 0;
	static constexpr int64_t IN_GRAPH = 1;

	Action action = Action::NONE;
	int64_t opcode = ANY;
	int64_t message = ANY; /* a request of the mailbox instead of a task */
	int64_t call = ANY;    /* a call of the host instead of a task */
	int64_t in = ANY;      /* IN_STREAM: packets alone, IN_GRAPH: nodes alone */
	int64_t stream = ANY;
	int64_t client = ANY;
	uint64_t first = 1; /* of those that fit, counted from 1 */
	uint64_t count = UINT64_MAX;
	unsigned percent = 100;
	Status status = Status::OK;
	uint64_t least_ns = 0;
	uint64_t most_ns = 0;

	bool tasks() const { return message == ANY && call == ANY; }
};

/** class FaultPlan - what a user asked to go wrong on one side of the wire. */
class FaultPlan {
public:
	std::vector<FaultRule> rules;
	uint64_t seed = 1;
	std::string text; /* as parse_faults() reads it */
};

/** struct FaultPlans - the rules for the host and those for the device; empty: none. */
struct FaultPlans {
	std::shared_ptr<const FaultPlan> host;
	std::shared_ptr<const FaultPlan> device;
};

/**
 * parse_faults() - reads rules for both sides.
 * @process: whether the firmware is a process of its own, which may end
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_ARGUMENT.
 */
Result<FaultPlans> parse_faults(std::string_view text, bool process, std::string &why);

/** class FaultCount - how far a plan has come, and its dice. Context: the user locks. */
class FaultCount {
public:
	explicit FaultCount(std::shared_ptr<const FaultPlan> plan)
		: plan_(std::move(plan)), matches_(plan_->rules.size()), random_(plan_->seed)
	{
	}

	/** hits() - something fits a rule. Return: whether it strikes. */
	bool hits(size_t index);

	/** delay_ns() - one of a rule's times. */
	uint64_t delay_ns(const FaultRule &rule);

	/** struck() - how often something went wrong so far. */
	uint64_t struck() const { return struck_; }
	const FaultPlan &plan() const { return *plan_; }

private:
	std::shared_ptr<const FaultPlan> plan_;
	std::vector<uint64_t> matches_; /* by rule */
	std::mt19937_64 random_;
	uint64_t struck_ = 0;
};

} // namespace base
