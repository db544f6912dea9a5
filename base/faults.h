// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "result.h"

namespace base {

/** struct FaultRule - a kind of fault, and the tasks or calls into which it is injected
 * (Documentation/watchdog.rst). */
struct FaultRule {
	enum class Action {
		NONE,
		FAIL,  /* the task does not execute and ends with @status */
		DELAY, /* the task begins after a delay */
		HANG,  /* a task that never ends by itself */
		JAM,   /* a task whose engine never returns */
		TWICE, /* a task that signals and completes twice */
		/* as FAIL, but the device reports the cookie of a task that does not exist */
		COOKIE,
		DROP, /* a task that does not signal or complete; a kick that is lost */
		WILD, /* a task that writes to an unmapped address */
		TORN, /* a task that does half of its work and reports success */
		EXIT, /* the firmware process, or that of a call of the host, ends at once */
	};

	/** enum class Call - what the host does that a rule can name. */
	enum class Call {
		OPEN,	    /* attaches to a device */
		TAKE,	    /* gets the descriptor of a segment */
		MAP,	    /* maps a segment into this process */
		KICK,	    /* wakes a device that sleeps */
		WAIT,	    /* returns from a wait for the device */
		COLLECTIVE, /* submits an operation of a communicator */
		PACKET,	    /* submits one of the packets of such an operation */
	};

	static constexpr int64_t ANY = -1;
	static constexpr int64_t IN_STREAM = 0;
	static constexpr int64_t IN_GRAPH = 1;

	Action action = Action::NONE;
	int64_t opcode = ANY;
	int64_t message = ANY; /* a request of the mailbox instead of a task */
	int64_t call = ANY;    /* a call of the host instead of a task */
	/* IN_STREAM: only packets of streams; IN_GRAPH: only nodes of graphs */
	int64_t in = ANY;
	int64_t stream = ANY;
	int64_t client = ANY;
	/* the first match at which the rule injects its fault, counted from 1 */
	uint64_t first = 1;
	uint64_t count = UINT64_MAX;
	unsigned percent = 100;
	Status status = Status::OK;
	uint64_t least_ns = 0;
	uint64_t most_ns = 0;

	bool tasks() const { return message == ANY && call == ANY; }
};

/** class FaultPlan - the user's fault rules for one side of the wire. */
class FaultPlan {
public:
	std::vector<FaultRule> rules;
	uint64_t seed = 1;
	std::string text; /* the rules in the syntax of parse_faults() */

	/** has_call() - whether a rule is for one of these calls. */
	bool has_call(std::initializer_list<FaultRule::Call> calls) const;
};

/** struct FaultPlans - the plans of the host and of the device; nullptr: no rules. */
struct FaultPlans {
	std::shared_ptr<const FaultPlan> host;
	std::shared_ptr<const FaultPlan> device;
};

/**
 * parse_faults() - reads rules for both sides.
 * @process: whether the firmware is a separate process; only then EXIT is allowed
 * @why: receives an error message on failure
 * Return: INVALID_ARGUMENT.
 */
Result<FaultPlans> parse_faults(std::string_view text, bool process, std::string &why);

/** class FaultCount - the match counters and the random numbers of a plan. Context: the caller holds a
 * lock. */
class FaultCount {
public:
	/** @which: counts of one plan with other numbers have other random numbers */
	explicit FaultCount(std::shared_ptr<const FaultPlan> plan, uint32_t which = 0)
		: plan_(std::move(plan)), matches_(plan_->rules.size()),
		  random_(plan_->seed + (uint64_t{which} << 32))
	{
	}

	/** hits() - counts a match of rule @index. Return: whether the fault is to be injected. */
	bool hits(size_t index);

	/** delay_ns() - a random delay in the range of @rule. */
	uint64_t delay_ns(const FaultRule &rule);

	/** injected() - number of faults injected so far. */
	uint64_t injected() const { return injected_; }
	const FaultPlan &plan() const { return *plan_; }

private:
	std::shared_ptr<const FaultPlan> plan_;
	std::vector<uint64_t> matches_; /* matches of each rule */
	std::mt19937_64 random_;
	uint64_t injected_ = 0;
};

} // namespace base
