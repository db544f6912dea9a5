// SPDX-License-Identifier: MIT
/**
 * DOC: Indirect operators
 *
 * Operators whose parameters are words in memory. The memory that they access is known only when they
 * begin, so a graph cannot cache their addresses.
 */
#include <cstring>
#include <iterator>

#include "base/sync/ordering.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/kernels/random.h"

namespace fw {

using base::Status;

/* Reads a word that an operator names, as the device's own store of it would leave it. */
static Outcome read_word(ClientContext &client, uint64_t address, uint64_t &word)
{
	Translation found = client.mmu.translate(address, sizeof(word), UNPU_ACCESS_READ);
	if (found.status == Status::OK)
		word = base::load_acquire(*reinterpret_cast<const uint64_t *>(found.data));
	return {found.status, found.address};
}

Outcome resolve_copy(ClientContext &client, const unpu_operator &op, unpu_copy &copy)
{
	uint64_t words[UNPU_OPERATOR_MAX_OPERANDS] = {0, 0, op.scalar_bits};
	for (unsigned i = 0; i < op.noperands; i++) {
		Outcome outcome = read_word(client, op.operands[i].address, words[i]);
		if (outcome.status != Status::OK)
			return outcome;
	}
	copy = {words[0] + op.parameters[0], words[1] + op.parameters[1], words[2], 0};
	return {};
}

Outcome resolve_random(ClientContext &client, const unpu_operator &op, unpu_operator &concrete,
		       MemoryRange (&ranges)[2])
{
	uint64_t words[] = {op.parameters[1], op.parameters[2], op.parameters[3], op.parameters[4]};
	for (unsigned i = 0; op.noperands == 3 && i < std::size(words); i++) {
		Outcome outcome =
			read_word(client, op.operands[2].address + i * sizeof(uint64_t), words[i]);
		if (outcome.status != Status::OK)
			return outcome;
	}
	const Draw draw{words[0], words[1], words[2], words[3]};
	concrete.parameters[4] = draw.count;
	if (draw.count == 0)
		return {};
	Status status = draw_output(op, draw, concrete);
	Reach reach = status == Status::OK ? operand_reach(concrete, 0) : Reach{};
	if (!reach.is_ok)
		return {Status::BAD_OPERATOR, op.operands[0].address};
	ranges[0] = {reach.first, reach.bytes, UNPU_ACCESS_WRITE};
	ranges[1] = {op.operands[1].address, 2 * sizeof(uint64_t), UNPU_ACCESS_MASK};
	for (const MemoryRange &range : ranges) {
		Translation found = client.mmu.translate(range.va, range.bytes, range.access);
		if (found.status != Status::OK)
			return {found.status, found.address};
		if (&range == &ranges[1])
			take_blocks(concrete, found.data);
	}
	return {};
}

} // namespace fw
