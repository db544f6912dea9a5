// SPDX-License-Identifier: MIT
#pragma once

#include "base/faults.h"
#include "uapi/packet.h"

namespace fw {

/** struct Strike - the fault that is injected into one task. */
struct Strike {
	base::FaultRule::Action action = base::FaultRule::Action::NONE;
	base::Status status = base::Status::OK;
	uint64_t delay_ns = 0;
};

/** struct FaultEffect - what a rule that has struck a task leaves to do. */
struct FaultEffect {
	bool is_delayed = false;    /* DELAY: the task has not begun */
	bool is_hung = false;	    /* HANG or JAM: it never ends, and nothing works on it */
	bool signals_twice = false; /* TWICE */
	bool is_lost = false;	    /* DROP: it ends, and the host never learns it */
};

/** spoil() - makes a task WILD or TORN. */
void spoil(unpu_packet &packet, base::FaultRule::Action action);

/** class Faults - executes a fault plan on one device. Context: under the step token. */
class Faults {
public:
	explicit Faults(std::shared_ptr<const base::FaultPlan> plan);

	/** task() - the fault to inject into a task of a stream.
	 * @in: FaultRule::IN_STREAM for a packet, IN_GRAPH for a node of a graph that runs there */
	Strike task(const unpu_packet &packet, uint32_t client, uint32_t stream, int64_t in);

	/** message() - Return: OK, or the status with which the request is refused. */
	base::Status message(uint32_t type, uint32_t client);

	/** strikes_tasks() - whether there are rules for tasks. */
	bool strikes_tasks() const { return tasks_; }

	uint64_t struck() const { return count_.struck(); }
	const base::FaultPlan &plan() const { return count_.plan(); }

private:
	const std::vector<base::FaultRule> &rules() const { return count_.plan().rules; }
	bool hits(size_t index);

	base::FaultCount count_;
	bool tasks_;
};

} // namespace fw
