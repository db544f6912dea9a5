// SPDX-License-Identifier: MIT
/**
 * DOC: Faults of the device
 *
 * Decides which tasks and requests the rules hit. The code that runs a task injects the fault.
 */
#include "faults.h"

#include <algorithm>

#include <unistd.h>

namespace fw {

using base::FaultRule;
using base::Status;
using Action = FaultRule::Action;

/* No client has memory mapped at this address. */
static constexpr uint64_t WILD_ADDRESS = 0x1000;

Faults::Faults(std::shared_ptr<const base::FaultPlan> plan)
	: count_(std::move(plan)),
	  tasks_(std::any_of(rules().begin(), rules().end(),
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

/* The driver sends small operators as ROW packets, so a rule for OPERATOR matches them too. */
static bool fits_opcode(const FaultRule &rule, uint8_t opcode)
{
	bool writes = opcode == UNPU_OP_COPY || opcode == UNPU_OP_FILL || opcode == UNPU_OP_ROW;
	if ((rule.action == Action::WILD || rule.action == Action::TORN) && !writes)
		return false;
	return fits(rule.opcode, opcode) ||
	       (rule.opcode == UNPU_OP_OPERATOR && opcode == UNPU_OP_ROW);
}

static void halve(unpu_packet &packet)
{
	switch (packet.opcode) {
	case UNPU_OP_COPY:
		packet.copy.bytes = std::max<uint64_t>(packet.copy.bytes / 2, 1);
		return;
	case UNPU_OP_FILL:
		packet.fill.bytes =
			std::max(packet.fill.bytes / packet.fill.width / 2, uint64_t{1}) *
			packet.fill.width;
		return;
	default:
		packet.row.count = std::max(packet.row.count / 2, 1u);
		return;
	}
}

void spoil(unpu_packet &packet, Action action)
{
	if (action == Action::TORN)
		halve(packet);
	else if (packet.opcode == UNPU_OP_COPY)
		packet.copy.dst = WILD_ADDRESS;
	else if (packet.opcode == UNPU_OP_FILL)
		packet.fill.dst = WILD_ADDRESS;
	else
		packet.row.out = WILD_ADDRESS;
}

Strike Faults::task(const unpu_packet &packet, uint32_t client, uint32_t stream, int64_t in)
{
	Strike strike;
	for (size_t i = 0; i < rules().size(); i++) {
		const FaultRule &rule = rules()[i];
		if (!rule.tasks() || !fits_opcode(rule, packet.opcode) ||
		    !fits(rule.client, client) || !fits(rule.stream, stream) ||
		    !fits(rule.in, in) || !hits(i) || strike.action != Action::NONE)
			continue;
		strike.action = rule.action;
		strike.status = rule.status;
		strike.delay_ns = count_.delay_ns(rule);
	}
	return strike;
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
