// SPDX-License-Identifier: MIT
/*
 * DOC: Operator check
 *
 * The descriptor comes from shared memory that the client can write, so no field of it is trusted. The
 * command processor copies it, calls check_operator(), checks each operand_reach() against the mappings
 * of the context and only then runs it. Because an element-wise output must have an address of its own
 * for each element, the mapped memory also bounds the time that an operator can take.
 */
#include "operator_check.h"

#include <bit>
#include <iterator>

#include "dtype.h"
#include "operator_table.h"

namespace fw {

namespace {

template <class T, size_t N> bool all_zero(const T (&values)[N])
{
	for (const T &value : values)
		if (value != 0)
			return false;
	return true;
}

bool is_compute_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_I64 || dtype == UNPU_DTYPE_BOOL ||
	       dtype_is_exact(dtype);
}

/* count_elements() - product of the dims; 0 when a dim is wrong or the product does not fit. */
int64_t count_elements(const unpu_operator &op)
{
	int64_t count = 1;

	for (unsigned d = 0; d < UNPU_OPERATOR_MAX_DIMS; d++) {
		if (d >= op.ndim) {
			if (op.dims[d] != 0)
				return 0;
			continue;
		}
		if (op.dims[d] <= 0 || __builtin_mul_overflow(count, op.dims[d], &count))
			return 0;
	}
	return count;
}

bool unused_operand_is_zero(const unpu_operand &operand)
{
	return operand.address == 0 && operand.dtype == 0 && operand.access == 0 &&
	       all_zero(operand.strides);
}

bool is_floating(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16;
}

bool random_is_good(const unpu_operator &op)
{
	const uint64_t distribution = op.parameters[0];
	const uint32_t result =
		distribution == UNPU_RANDOM_MASK ? uint32_t{UNPU_DTYPE_U8} : op.compute;
	const bool whole = distribution == UNPU_RANDOM_UNIFORM &&
			   (op.compute == UNPU_DTYPE_I32 || op.compute == UNPU_DTYPE_I64);

	return distribution <= UNPU_RANDOM_TRUNCATED && op.ndim == 0 &&
	       op.operands[0].dtype == result && (whole || is_floating(op.compute));
}

bool compute_is_good(const unpu_operator &op, const Operator &row)
{
	if (row.family == Family::ELEMENTWISE)
		return is_compute_type(op.compute);
	if (row.family == Family::RANDOM)
		return random_is_good(op);
	return op.compute == 0 && (row.family != Family::WORDS || op.ndim == 0);
}

/* An operator that computes in an exact type must have the scalar 1, and all operands must have this type. */
bool scalar_is_good(const unpu_operator &op, const Operator &row)
{
	if (!row.has_scalar)
		return op.scalar_bits == 0;
	if (!dtype_is_exact(op.compute))
		return true;
	return op.scalar_bits ==
	       (op.compute == UNPU_DTYPE_F64 ? std::bit_cast<uint64_t>(1.0) : uint64_t{1});
}

bool type_is_good(const unpu_operator &op, uint32_t dtype)
{
	return dtype_bytes(dtype) != 0 && (dtype == op.compute || !dtype_is_exact(dtype)) &&
	       (dtype == op.compute || !dtype_is_exact(op.compute));
}

bool parameters_are_good(const unpu_operator &op, const Operator &row)
{
	for (unsigned i = row.parameters; i < std::size(op.parameters); i++)
		if (op.parameters[i] != 0)
			return false;
	return true;
}

/* output_is_injective() - necessary conditions for two elements never to share an address. */
bool output_is_injective(const unpu_operator &op, int64_t count, const Reach &reach)
{
	const unpu_operand &out = op.operands[0];

	for (unsigned d = 0; d < op.ndim; d++)
		if (out.strides[d] == 0 && op.dims[d] > 1)
			return false;
	return static_cast<uint64_t>(count) <= reach.bytes / dtype_bytes(out.dtype);
}

bool word_is_good(const unpu_operand &operand, uint32_t access)
{
	return operand.dtype == UNPU_DTYPE_I64 && operand.access == access &&
	       all_zero(operand.strides) && operand.address % sizeof(uint64_t) == 0;
}

bool operand_is_good(const unpu_operator &op, const Operator &row, unsigned i, int64_t count)
{
	const unpu_operand &operand = op.operands[i];
	if (row.family == Family::WORDS || (row.family == Family::RANDOM && i > 0))
		return word_is_good(operand, row.access[i]);
	if (row.family == Family::COPY && operand.dtype != op.operands[0].dtype)
		return false;
	if (!type_is_good(op, operand.dtype) || operand.access != row.access[i])
		return false;
	for (unsigned d = op.ndim; d < UNPU_OPERATOR_MAX_DIMS; d++)
		if (operand.strides[d] != 0)
			return false;

	const Reach reach = operand_reach(op, i);
	if (!reach.is_ok)
		return false;
	return i != 0 || output_is_injective(op, count, reach);
}

} // namespace

Reach operand_reach(const unpu_operator &op, unsigned i)
{
	const unpu_operand &operand = op.operands[i];
	const int64_t element_bytes = dtype_bytes(operand.dtype);
	int64_t low = 0, high = 0;
	Reach reach = {};

	for (unsigned d = 0; d < op.ndim; d++) {
		int64_t span;

		if (__builtin_mul_overflow(operand.strides[d], op.dims[d] - 1, &span) ||
		    __builtin_mul_overflow(span, element_bytes, &span))
			return {};
		int64_t &edge = span < 0 ? low : high;
		if (__builtin_add_overflow(edge, span, &edge))
			return {};
	}

	uint64_t end;
	if (__builtin_add_overflow(operand.address, low, &reach.first) ||
	    __builtin_sub_overflow(high, low, &reach.bytes) ||
	    __builtin_add_overflow(reach.bytes, element_bytes, &reach.bytes) ||
	    __builtin_add_overflow(reach.first, reach.bytes, &end))
		return {};
	reach.is_ok = true;
	return reach;
}

static base::Status check_copy_list(const unpu_copy_list &list)
{
	if (!all_zero(list.reserved) || list.count == 0 || list.count > UNPU_COPY_LIST_MAX)
		return base::Status::BAD_OPERATOR;
	for (unsigned i = 0; i < UNPU_COPY_LIST_MAX; i++) {
		const unpu_copy_entry &entry = list.entries[i];
		const bool good = i < list.count ? entry.bytes > 0
						 : (entry.dst | entry.src | entry.bytes) == 0;
		if (!good)
			return base::Status::BAD_OPERATOR;
	}
	return base::Status::OK;
}

unpu_copy_list copy_list(const unpu_operator &op)
{
	return std::bit_cast<unpu_copy_list>(op);
}

base::Status check_operator(const unpu_operator &op)
{
	const Operator &row = operator_row(op.kind);

	if (row.family == Family::LIST)
		return check_copy_list(copy_list(op));

	if (row.family == Family::NONE || op.noperands < row.least_operands ||
	    op.noperands > row.most_operands)
		return base::Status::BAD_OPERATOR;
	if (!compute_is_good(op, row) || op.ndim > UNPU_OPERATOR_MAX_DIMS)
		return base::Status::BAD_OPERATOR;
	if (!parameters_are_good(op, row) || !all_zero(op.reserved1))
		return base::Status::BAD_OPERATOR;
	if (!scalar_is_good(op, row))
		return base::Status::BAD_OPERATOR;

	const int64_t count = count_elements(op);
	if (count == 0)
		return base::Status::BAD_OPERATOR;
	for (unsigned i = 0; i < UNPU_OPERATOR_MAX_OPERANDS; i++) {
		const bool good = i < op.noperands ? operand_is_good(op, row, i, count)
						   : unused_operand_is_zero(op.operands[i]);
		if (!good)
			return base::Status::BAD_OPERATOR;
	}
	return base::Status::OK;
}

} // namespace fw
