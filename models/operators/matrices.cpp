// SPDX-License-Identifier: MIT
/*
 * DOC: Products of matrices
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace matrices {

namespace {

bool infer_matmul(Inference &at)
{
	ir::Dims a = at.dims(0), b = at.dims(1), dims;
	if (at.type(0) != at.type(1) || a.rank() == 0 || b.rank() == 0)
		return at.fail("its operands must have one type and a dim");
	const bool has_rows = a.rank() > 1, has_columns = b.rank() > 1;
	if (!has_rows)
		a.insert(0, 1);
	if (!has_columns)
		b.insert(1, 1);
	const int64_t rows = a[a.rank() - 2], columns = b[b.rank() - 1];
	if (a[a.rank() - 1] != b[b.rank() - 2])
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(at.dims(1)) + ", which is no product");
	a.erase(a.rank() - 1);
	a.erase(a.rank() - 1);
	b.erase(b.rank() - 1);
	b.erase(b.rank() - 1);
	if (!broadcast(a, b, dims))
		return at.fail("the batches of its operands can't be broadcast");
	if (has_rows)
		dims.push(rows);
	if (has_columns)
		dims.push(columns);
	return at.set(0, at.type(0), dims);
}

bool multiply(Lowering &l, const Tensor &a, const Tensor &b, const Tensor &out)
{
	return l.call(umd::matmul_row, {a, b, out, int64_t{0}});
}

bool lower_matmul(Lowering &l)
{
	return multiply(l, l.in(0), l.in(1), l.out());
}

Tensor turned(Tensor tensor)
{
	std::swap(tensor.view.dims[0], tensor.view.dims[1]);
	std::swap(tensor.view.strides[0], tensor.view.strides[1]);
	return tensor;
}

bool is_turned(const Inference &at, const char *attribute)
{
	return at.node.integer(attribute, 0) != 0;
}

bool infer_gemm(Inference &at)
{
	if (at.dims(0).rank() != 2 || at.dims(1).rank() != 2 || at.type(0) != at.type(1))
		return at.fail("its operands must be matrices of one type");
	const unsigned row = is_turned(at, "transA"), column = is_turned(at, "transB") ? 0 : 1;
	if (at.dims(0)[1 - row] != at.dims(1)[1 - column])
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(at.dims(1)) + ", which is no product");
	const ir::Dims dims = {at.dims(0)[row], at.dims(1)[column]};
	ir::Dims sum = dims;
	if (at.has(2) && (!broadcast(dims, at.dims(2), sum) || !(sum == dims)))
		return at.fail("C can't be broadcast to the product");
	return at.set(0, at.type(0), dims);
}

/* alpha * A * B + beta * C */
bool lower_gemm(Lowering &l)
{
	const double alpha = l.at.node.real("alpha", 1), beta = l.at.node.real("beta", 1);
	const Tensor a = is_turned(l.at, "transA") ? turned(l.in(0)) : l.in(0);
	const Tensor b = is_turned(l.at, "transB") ? turned(l.in(1)) : l.in(1);
	const bool adds = l.has(2) && beta != 0;
	const Tensor product =
		adds || alpha != 1 ? l.temporary(l.out().type, l.out().dims()) : l.out();
	if (!multiply(l, a, b, product))
		return false;
	if (alpha != 1 &&
	    !l.call(umd::muls_row, {product, Scalar(alpha), adds ? product : l.out()}))
		return false;
	return !adds || l.call(umd::sub_row, {product, l.in(2), Scalar(-beta), l.out()});
}

constexpr OperatorRow ROWS[] = {
	{"MatMul", 1, 0, 2, 2, "", infer_matmul, nullptr, nullptr, lower_matmul},
	{"Gemm", 1, 0, 2, 3, "alpha beta transA transB broadcast ", infer_gemm, nullptr, nullptr,
	 lower_gemm},
};

} // namespace

} // namespace matrices

std::span<const OperatorRow> matrix_rows()
{
	return matrices::ROWS;
}

} // namespace models
