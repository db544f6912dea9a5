// SPDX-License-Identifier: MIT
/**
 * DOC: Faults of the device
 *
 * Decides which tasks and requests the rules hit. The code that runs a task injects the fault.
 */
#include "faults.h"

#include <algorithm>

#include <unistd.h>

#include "firmware_sim/engine/opcode.h"

namespace fw {

using base::FaultRule;
using base::Status;
using Action = FaultRule::Action;

/* No client has memory mapped at this address. */
static constexpr uint64_t WILD_ADDRESS = 0x1000;

Faults::Faults(std::shared_ptr<const base::FaultPlan> plan)
	: count_(std::move(plan)),
	  has_task_rules_(std::any_of(rules().begin(), rules().end(),
				      [](const FaultRule &rule) { return rule.tasks(); }))
{
}

bool Faults::hits(size_t index)
{
	if (!count_.hits(index))
		return false;
	if (rules()[index].action == Action::EXIT)
		_exit(1);
	return true;
}

static bool fits(int64_t wanted, int64_t found)
{
	return wanted == FaultRule::ANY || wanted == found;
}

static bool fits_opcode(const FaultRule &rule, uint8_t opcode)
{
	const Opcode &row = opcode_row(opcode);
	if ((rule.action == Action::WILD || rule.action == Action::TORN) &&
	    !(row.work && row.work->redirect))
		return false;
	return fits(rule.opcode, opcode) || (row.struck_with && rule.opcode == row.struck_with);
}

void spoil(unpu_packet &packet, Action action)
{
	const Work &work = *opcode_row(packet.opcode).work;
	if (action == Action::TORN)
		work.halve(packet);
	else
		work.redirect(packet, WILD_ADDRESS);
}

InjectedFault Faults::task(const unpu_packet &packet, uint32_t client, uint32_t stream, int64_t in)
{
	InjectedFault fault;
	for (size_t i = 0; i < rules().size(); i++) {
		const FaultRule &rule = rules()[i];
		if (!rule.tasks() || !fits_opcode(rule, packet.opcode) ||
		    !fits(rule.client, client) || !fits(rule.stream, stream) ||
		    !fits(rule.in, in) || !hits(i) || fault.action != Action::NONE)
			continue;
		fault.action = rule.action;
		fault.status = rule.status;
		fault.delay_ns = count_.delay_ns(rule);
	}
	return fault;
}

Status Faults::message(uint32_t type, uint32_t client)
{
	for (size_t i = 0; i < rules().size(); i++) {
		const FaultRule &rule = rules()[i];
		if (rule.message != FaultRule::ANY && fits(rule.message, type) &&
		    fits(rule.client, client) && hits(i))
			return rule.status;
	}
	return Status::OK;
}

} // namespace fw
