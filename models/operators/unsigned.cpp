// SPDX-License-Identifier: MIT
/*
 * DOC: Unsigned numbers
 *
 * The device computes with UINT8 and with signed integers. Larger unsigned ones are computed with as INT64, or in
 * another order of their bits.
 */
#include "unsigned.h"

#include "models/lower/rows.h"

namespace models::wide {

bool flip(Lowering &l, Tensor &tensor)
{
	const Tensor from = movable(tensor);
	const auto bits = static_cast<unsigned>(ir::type_bytes(from.type) * 8);
	const auto first = static_cast<int64_t>(~uint64_t{0} << (bits - 1));
	const Tensor made = l.temporary(from.type, from.dims());
	tensor = made;
	return l.call(umd::bitwise_xor_tensor_row, {from, l.integer(from.type, first), made});
}

bool widen(Lowering &l, Tensor &tensor)
{
	const ir::Type type = tensor.type;
	Tensor made = movable(tensor);
	if (!l.convert(made, ir::Type::INT64))
		return false;
	tensor = made;
	if (type != ir::Type::UINT16 && type != ir::Type::UINT32)
		return true;
	const int64_t mask = type == ir::Type::UINT16 ? UINT16_MAX : UINT32_MAX;
	tensor = l.temporary(ir::Type::INT64, made.dims());
	return l.call(umd::bitwise_and_tensor_row,
		      {made, l.integer(ir::Type::INT64, mask), tensor});
}

bool narrow(Lowering &l, const Tensor &from, const Tensor &out)
{
	const auto bits = static_cast<unsigned>(ir::type_bytes(out.type) * 8);
	const Tensor to = movable(out);
	if (bits == 64)
		return l.copy(from, to);
	/* A number whose first bit is set is the negative one with the same bits, if the type has a sign. */
	const Tensor low = l.temporary(ir::Type::INT64, from.dims());
	const Tensor first = l.temporary(ir::Type::INT64, from.dims());
	const bool has_sign = to.type != ir::Type::UINT8;
	return l.call(umd::bitwise_and_tensor_row,
		      {from, l.integer(ir::Type::INT64, (int64_t{1} << bits) - 1), low}) &&
	       l.call(umd::bitwise_and_tensor_row,
		      {low, l.integer(ir::Type::INT64, int64_t{1} << (bits - 1)), first}) &&
	       l.call(umd::sub_row, {low, first, Scalar(int64_t{has_sign ? 2 : 0}), low}) &&
	       l.copy(low, to);
}

} // namespace models::wide
