// SPDX-License-Identifier: MIT
/**
 * DOC: operands of commands
 *
 * The packets of the device say which bytes each command reads and writes: copies and fills by their ranges,
 * operators by strided views with access bits, which come from the operator table. A view becomes a run of
 * bytes and the dimensions around it; dimensions that continue each other become one.
 */
#include "operands.h"

#include <cstring>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "uapi/unsigned.h"
#include "umd/core/process/call.h"
#include "umd/core/process/opcode.h"

namespace umd::recorder {

using san::Access;

/* Size of an element in bits; 0 if there is no such type. */
static uint64_t element_bits(uint32_t dtype)
{
	switch (dtype) {
#define DTYPE_BITS(name, number, bytes) \
	case UNPU_DTYPE_##name: \
		return uint64_t{bytes} * 8;
		UNPU_DTYPE_LIST(DTYPE_BITS)
		UNPU_UNSIGNED_DTYPE_LIST(DTYPE_BITS)
#undef DTYPE_BITS
#define TENSOR_DTYPE_BITS(name, number, bits) \
	case UNPU_DTYPE_##name: \
		return bits;
		UNPU_TENSOR_DTYPE_LIST(TENSOR_DTYPE_BITS)
#undef TENSOR_DTYPE_BITS
	default:
		return 0;
	}
}

/* Adds a dimension outside of the existing dimensions of @operand. The innermost dimension comes first. */
static void wrap(Operand &operand, uint64_t count, int64_t stride)
{
	if (count == 1 || stride == 0)
		return;
	if (operand.ndim == 0 && stride > 0 && static_cast<uint64_t>(stride) == operand.run) {
		operand.run *= count;
		return;
	}
	if (operand.ndim > 0) {
		Step &inner = operand.dims[operand.ndim - 1];
		if (inner.stride * static_cast<int64_t>(inner.count) == stride) {
			inner.count *= count;
			return;
		}
	}
	if (operand.ndim < san::MAX_DIMENSIONS)
		operand.dims[operand.ndim++] = {count, stride};
}

/* For elements of half a byte, the operand is the range from the first to the last byte. */
static void bound_halves(Operand &operand, uint32_t ndim, const int64_t *dims,
			 const int64_t *strides)
{
	int64_t first = 0;
	int64_t last = 0;
	for (uint32_t i = 0; i < ndim; i++)
		(strides[i] < 0 ? first : last) += (dims[i] - 1) * strides[i];
	operand.address += static_cast<uint64_t>(first >> 1);
	operand.run = static_cast<uint64_t>((last >> 1) - (first >> 1)) + 1;
}

/* A view of elements. Strides are in elements, the innermost dimension is the last one. */
static void set_view(Operand &operand, uint32_t dtype, uint32_t ndim, const int64_t *dims,
		     const int64_t *strides)
{
	const uint64_t bits = element_bits(dtype);
	operand.run = bits / 8;
	for (uint32_t i = 0; i < ndim; i++) {
		if (dims[i] <= 0) {
			operand.run = 0;
			return;
		}
	}
	if (bits == 4)
		return bound_halves(operand, ndim, dims, strides);
	for (uint32_t i = ndim; i-- > 0;)
		wrap(operand, static_cast<uint64_t>(dims[i]),
		     strides[i] * static_cast<int64_t>(bits / 8));
}

void Operands::add_copy(uint64_t dst, uint64_t src, uint64_t bytes)
{
	flags_ |= san::COMMAND_COPY;
	add(src, bytes, Access::READ, Role::SOURCE);
	add(dst, bytes, Access::WRITE, Role::DESTINATION);
}

void Operands::add_fill(uint64_t dst, uint64_t bytes)
{
	add(dst, bytes, Access::WRITE, Role::DESTINATION);
}

void Operands::add_box(const CopyShape &box)
{
	const uint64_t pitches[] = {box.src_pitch, box.dst_pitch};
	const uint64_t slices[] = {box.src_slice, box.dst_slice};
	add_copy(box.dst, box.src, box.width);
	for (size_t i = 0; i < 2; i++) {
		Operand &operand = operands_[count_ - 2 + i];
		wrap(operand, box.height, static_cast<int64_t>(pitches[i]));
		wrap(operand, box.depth, static_cast<int64_t>(slices[i]));
	}
}

void Operands::add_random(const unpu_operator &op)
{
	const bool is_mask = op.parameters[0] == UNPU_RANDOM_MASK;
	const uint64_t bits = is_mask ? 1 : element_bits(op.operands[0].dtype);
	const uint64_t bytes = (op.parameters[4] * bits + 7) / 8;
	add(op.operands[1].address, 2 * sizeof(uint64_t), Access::READ_WRITE, Role::INPUT);
	if (op.noperands > 2)
		add(op.operands[2].address, 4 * sizeof(uint64_t), Access::READ, Role::INPUT);
	/* If the parameters are in memory, the number of elements is in memory, too, and unknown here. */
	if (op.noperands <= 2)
		add(op.operands[0].address, bytes, Access::WRITE, Role::OUTPUT);
}

bool Operands::add_operator(const void *page, bool reduces)
{
	unpu_operator op;
	memcpy(&op, page, sizeof(op));
	if (op.kind == UNPU_OPERATOR_COPY_LIST) {
		unpu_copy_list list;
		memcpy(&list, page, sizeof(list));
		for (uint64_t i = 0; i < list.count && i < UNPU_COPY_LIST_MAX; i++)
			add_copy(list.entries[i].dst, list.entries[i].src, list.entries[i].bytes);
		return true;
	}
	if (op.kind == UNPU_OPERATOR_RANDOM) {
		add_random(op);
		return true;
	}
	const bool is_copy = op.kind == UNPU_OPERATOR_COPY;
	if (is_copy)
		flags_ |= san::COMMAND_COPY;
	/* Reads come first: an operator reads a byte before it overwrites it. */
	for (uint32_t pass : {UNPU_ACCESS_READ, UNPU_ACCESS_WRITE}) {
		for (uint32_t i = 0; i < op.noperands; i++) {
			const unpu_operand &from = op.operands[i];
			/* A reduction reads and writes its target; this counts as one access. */
			const bool is_sum = reduces && from.address == op.operands[0].address;
			if (!(from.access & pass) || (is_sum && i != 0))
				continue;
			const bool is_read = pass == UNPU_ACCESS_READ;
			Operand &operand = add(from.address, 0,
					       is_sum	 ? Access::REDUCE
					       : is_read ? Access::READ
							 : Access::WRITE,
					       is_copy ? is_read ? Role::SOURCE : Role::DESTINATION
					       : is_read ? Role::INPUT
							 : Role::OUTPUT);
			set_view(operand, from.dtype, op.ndim, op.dims, from.strides);
		}
	}
	return true;
}

bool Operands::add_tensor(const void *words, size_t bytes)
{
	const auto *at = static_cast<const std::byte *>(words);
	const std::byte *const end = at + bytes;
	unpu_tensor_op head;
	if (bytes < sizeof(head))
		return false;
	memcpy(&head, at, sizeof(head));
	at += sizeof(head);
	for (uint8_t count : head.words)
		at += count * sizeof(uint64_t);
	const std::byte *const first = at;
	for (uint32_t pass : {UNPU_ACCESS_READ, UNPU_ACCESS_WRITE}) {
		at = first;
		for (uint8_t i = 0; i < head.noperands; i++) {
			unpu_tensor_operand from;
			int64_t shape[2 * UNPU_TENSOR_MAX_DIMS];
			if (static_cast<size_t>(end - at) < sizeof(from))
				return true;
			memcpy(&from, at, sizeof(from));
			at += sizeof(from);
			const size_t shape_bytes = 2 * from.ndim * sizeof(int64_t);
			if (from.ndim > UNPU_TENSOR_MAX_DIMS ||
			    static_cast<size_t>(end - at) < shape_bytes)
				return true;
			memcpy(shape, at, shape_bytes);
			at += shape_bytes;
			if (!(from.access & pass))
				continue;
			const bool is_read = pass == UNPU_ACCESS_READ;
			Operand &operand =
				add(from.address, 0, is_read ? Access::READ : Access::WRITE,
				    is_read ? Role::INPUT : Role::OUTPUT);
			set_view(operand, from.dtype, from.ndim, shape, shape + from.ndim);
			if (from.access & UNPU_ACCESS_PARTIAL)
				operand.flags |= san::OPERAND_PARTIAL;
		}
	}
	return true;
}

bool Operands::add_packet(const unpu_packet &packet, const void *page, size_t bytes)
{
	switch (opcode_row(packet).payload) {
	case Payload::COPY:
		add_copy(packet.copy.dst, packet.copy.src, packet.copy.bytes);
		return true;
	case Payload::FILL:
		add_fill(packet.fill.dst, packet.fill.bytes);
		return true;
	case Payload::ROW: {
		const unpu_operator op = drv::row_operator(packet);
		return add_operator(&op, false);
	}
	case Payload::OPERATOR: {
		const auto call = static_cast<Call>(drv::decode_cookie(packet.cookie).call);
		return page && add_operator(page, call == Call::REDUCE);
	}
	case Payload::TENSOR:
		return page && add_tensor(page, bytes);
	case Payload::FILE_READ:
		add(packet.file.va, packet.file.bytes, Access::WRITE, Role::DESTINATION);
		return true;
	case Payload::FILE_WRITE:
		add(packet.file.va, packet.file.bytes, Access::READ, Role::SOURCE);
		return true;
	/* begin_kernel() knows the operands of a kernel. */
	case Payload::KERNEL:
	case Payload::NONE:
		break;
	}
	return false;
}

} // namespace umd::recorder
