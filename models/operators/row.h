// SPDX-License-Identifier: MIT
/*
 * DOC: Table of ONNX operators
 *
 * A row has all that the compiler knows about an operator: the versions and attributes that it supports, the types
 * and shapes of the results, how the compiler computes the operator itself, and what the device runs. An operator
 * without a row is refused by name.
 */
#pragma once

#include "models/inference/inference.h"
#include "models/inference/numbers.h"
#include "models/lower/lowering.h"

namespace models {

/* enum class Viewed - whether a result is a view of the first operand. NEEDS_DENSE: it is a view of a dense copy of
 * the operand */
enum class Viewed : uint8_t { REFUSED, OK, NEEDS_DENSE };

/*
 * struct OperatorRow - one operator of a domain.
 * @first, @last: opsets whose form the functions understand; 0 as @last is any later one
 * @least, @most: operands
 * @attributes: their names, each with a blank behind it
 * @infer: sets types and shapes of the results
 * @view: of result @i as a view of the first operand, in the place of @infer and @lower
 * @evaluate: computes the only result, whose type and dims are set, of operands that are known; or nullptr
 * @lower: makes launches; nullptr where @view or @evaluate is all
 */
struct OperatorRow {
	using Infer = bool(Inference &);
	using FindView = Viewed(Inference &, size_t i, const View &in, View &out);
	using Evaluate = bool(Inference &, std::span<const Numbers> in, Numbers &out);
	using Lower = bool(Lowering &);

	const char *type;
	int first, last;
	uint8_t least, most;
	const char *attributes;
	Infer *infer = nullptr;
	FindView *view = nullptr;
	Evaluate *evaluate = nullptr;
	Lower *lower = nullptr;
	const char *domain = "";
};

inline constexpr uint8_t ANY = 255;

/* struct RefusedRow - an operator that can't be compiled whatever its operands are, and why. */
struct RefusedRow {
	const char *type;
	const char *why;
};

/* find_row() - the row of @node. Return: nullptr, with @why set. */
const OperatorRow *find_row(const ir::Node &node, std::string &why);

/* all_rows() - for the list of supported operators. */
std::vector<const OperatorRow *> all_rows();

/* The families. */
std::span<const OperatorRow> unary_rows();
std::span<const OperatorRow> binary_rows();
std::span<const OperatorRow> view_rows();
std::span<const OperatorRow> move_rows();
std::span<const OperatorRow> index_rows();
std::span<const OperatorRow> shape_rows();
std::span<const OperatorRow> matrix_rows();
std::span<const OperatorRow> window_rows();
std::span<const OperatorRow> resize_rows();
std::span<const OperatorRow> reduce_rows();
std::span<const OperatorRow> norm_rows();
std::span<const OperatorRow> recurrent_rows();
std::span<const OperatorRow> loss_rows();
std::span<const OperatorRow> einsum_rows();
std::span<const OperatorRow> quantised_rows();
std::span<const OperatorRow> signal_rows();
std::span<const OperatorRow> image_rows();
std::span<const OperatorRow> packed_rows();

/* infer_same() - the first result has the type and shape of the first operand. */
bool infer_same(Inference &at);

/* infer_broadcast(), infer_truth() - the first result has the shape of all operands after broadcasting, and the type
 * of the first one; for infer_truth() it is BOOL. */
bool infer_broadcast(Inference &at);
bool infer_truth(Inference &at);

} // namespace models
