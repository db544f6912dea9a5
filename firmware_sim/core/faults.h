// SPDX-License-Identifier: MIT
#pragma once

#include "base/faults.h"
#include "uapi/packet.h"

namespace fw {

/** struct InjectedFault - the fault that is injected into one task. */
struct InjectedFault {
	base::FaultRule::Action action = base::FaultRule::Action::NONE;
	base::Status status = base::Status::OK;
	uint64_t delay_ns = 0;
};

/** struct FaultEffect - what remains to be done after a fault was injected into a task. */
struct FaultEffect {
	bool is_delayed = false;    /* DELAY: the task has not begun yet */
	bool is_hung = false;	    /* HANG or JAM: the task never ends, and nothing works on it */
	bool signals_twice = false; /* TWICE: signal and completion come twice */
	bool is_lost = false;	    /* DROP: the task ends, but the host never learns that */
};

/** spoil() - changes a task for the fault WILD or TORN. */
void spoil(unpu_packet &packet, base::FaultRule::Action action);

/** class Faults - executes a fault plan on one device. Context: under the step token. */
class Faults {
public:
	explicit Faults(std::shared_ptr<const base::FaultPlan> plan);

	/** task() - the fault to inject into a task of a stream.
	 * @in: FaultRule::IN_STREAM for a packet, IN_GRAPH for a node of a graph that runs there */
	InjectedFault task(const unpu_packet &packet, uint32_t client, uint32_t stream, int64_t in);

	/** message() - applies the rules for requests. Return: OK, or the status with which the request is
	 * refused. */
	base::Status message(uint32_t type, uint32_t client);

	/** has_task_rules() - whether there are rules for tasks. */
	bool has_task_rules() const { return has_task_rules_; }

	uint64_t injected() const { return count_.injected(); }
	const base::FaultPlan &plan() const { return count_.plan(); }

private:
	const std::vector<base::FaultRule> &rules() const { return count_.plan().rules; }
	bool hits(size_t index);

	base::FaultCount count_;
	bool has_task_rules_;
};

} // namespace fw
