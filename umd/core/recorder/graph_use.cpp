// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that nodes of graphs use
 */
#include "graph_use.h"

#include "drv/packet/cookie.h"
#include "operands.h"
#include "umd/core/process/collective.h"

namespace umd::recorder {

static Used range_of(const Operand &operand, uint32_t node, Call call)
{
	int64_t low = 0, high = 0;
	for (unsigned d = 0; d < operand.ndim; d++) {
		const int64_t span =
			operand.dims[d].stride * static_cast<int64_t>(operand.dims[d].count - 1);
		(span < 0 ? low : high) += span;
	}
	return {node, call, operand.access != san::Access::READ,
		operand.address + static_cast<uint64_t>(low),
		operand.run + static_cast<uint64_t>(high - low)};
}

void add_uses(std::vector<Used> &all, const GraphTask &task, uint32_t node)
{
	const uint16_t number = drv::decode_cookie(task.packet.cookie).call;
	if (is_collective(number))
		return;
	Operands operands;
	if (task.tensor)
		(void)operands.add_packet(task.packet, task.tensor->data(),
					  task.tensor->size() * sizeof(uint64_t));
	else
		(void)operands.add_packet(task.packet, task.op, task.op ? sizeof(*task.op) : 0);
	for (size_t i = 0; i < operands.count(); i++) {
		const Used used = range_of(operands[i], node, static_cast<Call>(number));
		if (used.bytes != 0)
			all.push_back(used);
	}
}

} // namespace umd::recorder
