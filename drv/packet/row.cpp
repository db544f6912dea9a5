// SPDX-License-Identifier: MIT
/**
 * DOC: Rows
 *
 * Most operators work on one row of floats. Such an operator fits into the packet itself. So no descriptor
 * page moves between CPU cores, and graphs store no descriptor page.
 */
#include <bit>

#include "packets.h"

namespace drv {

/* The layout of an operand: contiguous, one value for all elements, or any other. */
enum class Form { PACKED, ONE, OTHER };

static Form form_of(const unpu_operator &op, unsigned i)
{
	const unpu_operand &operand = op.operands[i];
	bool packed = true;
	bool one = true;
	int64_t step = 1;
	for (uint32_t d = op.ndim; d-- > 0;) {
		if (op.dims[d] == 1)
			continue;
		packed = packed && operand.strides[d] == step;
		one = one && operand.strides[d] == 0;
		step *= op.dims[d];
	}
	return packed ? Form::PACKED : one ? Form::ONE : Form::OTHER;
}

static bool all_f32(const unpu_operator &op)
{
	return op.compute == UNPU_DTYPE_F32 && op.operands[0].dtype == UNPU_DTYPE_F32 &&
	       op.operands[1].dtype == UNPU_DTYPE_F32 && op.operands[2].dtype == UNPU_DTYPE_F32;
}

bool row_packet(uint64_t cookie, const unpu_operator &op, unpu_packet &packet)
{
	if ((op.kind != UNPU_OPERATOR_ADD && op.kind != UNPU_OPERATOR_MUL) || !all_f32(op) ||
	    op.ndim > UNPU_OPERATOR_MAX_DIMS)
		return false;
	uint64_t count = 1;
	for (uint32_t d = 0; d < op.ndim; d++) {
		if (op.dims[d] <= 0 || op.dims[d] > UINT32_MAX)
			return false;
		count *= static_cast<uint64_t>(op.dims[d]);
		if (count > UINT32_MAX)
			return false;
	}
	Form left = form_of(op, 1);
	Form right = form_of(op, 2);
	if (form_of(op, 0) != Form::PACKED || left == Form::OTHER || right == Form::OTHER ||
	    (left == Form::ONE && right == Form::ONE))
		return false;
	packet = drv::packet(UNPU_OP_ROW, cookie);
	packet.variant = static_cast<uint16_t>(op.kind);
	if (left == Form::ONE)
		packet.variant |= UNPU_ROW_LEFT_ONE;
	if (right == Form::ONE)
		packet.variant |= UNPU_ROW_RIGHT_ONE;
	packet.row.out = op.operands[0].address;
	packet.row.left = op.operands[1].address;
	packet.row.right = op.operands[2].address;
	packet.row.count = static_cast<uint32_t>(count);
	if (op.kind == UNPU_OPERATOR_ADD)
		packet.row.scalar = std::bit_cast<uint32_t>(
			static_cast<float>(std::bit_cast<double>(op.scalar_bits)));
	return true;
}

unpu_operator row_operator(const unpu_packet &packet)
{
	const uint64_t addresses[] = {packet.row.out, packet.row.left, packet.row.right};
	const uint32_t one[] = {0, UNPU_ROW_LEFT_ONE, UNPU_ROW_RIGHT_ONE};
	unpu_operator op{};
	op.kind = packet.variant & UNPU_ROW_KIND_MASK;
	op.compute = UNPU_DTYPE_F32;
	op.ndim = 1;
	op.noperands = 3;
	op.dims[0] = packet.row.count;
	if (op.kind == UNPU_OPERATOR_ADD)
		op.scalar_bits = std::bit_cast<uint64_t>(
			static_cast<double>(std::bit_cast<float>(packet.row.scalar)));
	for (unsigned i = 0; i < 3; i++) {
		op.operands[i].address = addresses[i];
		op.operands[i].dtype = UNPU_DTYPE_F32;
		op.operands[i].access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		op.operands[i].strides[0] = packet.variant & one[i] ? 0 : 1;
	}
	return op;
}

} // namespace drv
