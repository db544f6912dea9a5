// SPDX-License-Identifier: MIT
#pragma once

#include "base/schedule.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace fw {

/** looks_for_suspects() - whether @plan tries to confirm a finding. */
inline bool looks_for_suspects(const base::SchedulePlan &plan)
{
	return plan.strategy == base::SchedulePlan::Strategy::CONFIRM;
}

/** is_suspect_range() - whether @bytes bytes at @address meet the memory of the finding. */
inline bool is_suspect_range(const base::SchedulePlan &plan, uint64_t address, uint64_t bytes)
{
	if (address < plan.address)
		return plan.address - address < bytes;
	return bytes != 0 && address - plan.address < plan.bytes;
}

/** touches_suspect() - whether @packet touches that memory.
 * @op: the descriptor of an OPERATOR, checked; else nullptr */
bool touches_suspect(const base::SchedulePlan &plan, const unpu_packet &packet,
		     const unpu_operator *op);

} // namespace fw
