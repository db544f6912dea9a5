// SPDX-License-Identifier: MIT
/*
 * DOC: Lowering of nodes
 *
 * The common parts of most lowerings: buffers for results, constants, temporary tensors, copies.
 */
#include "lowering.h"

#include "models/inference/numbers.h"
#include "rows.h"

namespace models {

Tensor Lowering::out(size_t i)
{
	if (results_.size() <= i)
		results_.resize(i + 1);
	if (!results_[i]) {
		const Known &known = at.out(i);
		const bool is_port = i < ports_.size() && ports_[i].has_value();
		results_[i] = !is_port && follows_ && known.dims.rank() == 4 && has_image()
				      ? builder_.add_image(known.type, known.dims)
				      : builder_.add_tensor(known.type, known.dims,
							    is_port ? Space::OUTPUT : Space::ARENA,
							    is_port ? *ports_[i] : 0);
	}
	return *results_[i];
}

/* has_image() - whether the channels of an operand lie side by side, and those of a dense one would not. */
bool Lowering::has_image() const
{
	return std::ranges::any_of(tensors_, [](const Tensor &tensor) {
		const View &view = tensor.view;
		return is_image(view) && !view.is_dense() && view.strides[3] >= view.dims[1];
	});
}

Tensor Lowering::table(ir::Type type, const ir::Dims &dims, std::span<const double> values)
{
	Numbers numbers;
	numbers.type = type;
	numbers.dims = dims;
	numbers.resize(values.size());
	for (size_t k = 0; k < values.size(); k++) {
		if (numbers.is_real())
			numbers.reals[k] = values[k];
		else
			numbers.integers[k] = static_cast<int64_t>(values[k]);
	}
	return {builder_.add_own(encode(numbers)), type, View::dense(dims)};
}

Tensor Lowering::number(ir::Type type, double value)
{
	return table(type, {}, {&value, 1});
}

Tensor Lowering::integer(ir::Type type, int64_t value)
{
	Numbers numbers;
	numbers.type = type;
	numbers.integers = {value};
	return {builder_.add_own(encode(numbers)), type, View::dense({})};
}

bool Lowering::call(const umd::OperatorRow &row, std::span<const Operand> operands)
{
	std::string why;
	return builder_.launch(row, operands, node_, why) || at.fail(why);
}

bool Lowering::call(const umd::OperatorRow &row, std::initializer_list<Operand> operands)
{
	return call(row, std::span(operands.begin(), operands.size()));
}

bool Lowering::copy(const Tensor &from, const Tensor &to)
{
	const bool converts = from.type != to.type;
	const Tensor source = converts ? from : movable(from), result = converts ? to : movable(to);
	return call(umd::cast_row, {source, int64_t{ir::row_of(result.type).device}, result});
}

bool Lowering::make_dense(Tensor &tensor)
{
	if (tensor.view.is_dense())
		return true;
	const Tensor made = temporary(tensor.type, tensor.dims());
	const bool is_good = copy(tensor, made);
	tensor = made;
	return is_good;
}

bool Lowering::make_image(Tensor &tensor)
{
	if (is_image(tensor.view))
		return true;
	const Tensor made = image(tensor.type, tensor.dims());
	const bool is_good = copy(tensor, made);
	tensor = made;
	return is_good;
}

bool Lowering::convert(Tensor &tensor, ir::Type type)
{
	if (tensor.type == type)
		return true;
	const Tensor made = temporary(type, tensor.dims());
	const bool is_good = copy(tensor, made);
	tensor = made;
	return is_good;
}

Tensor movable(Tensor tensor)
{
	using ir::Type;
	switch (tensor.type) {
	case Type::UINT16:
		tensor.type = Type::INT16;
		break;
	case Type::UINT32:
		tensor.type = Type::INT32;
		break;
	case Type::UINT64:
		tensor.type = Type::INT64;
		break;
	default:
		break;
	}
	return tensor;
}

Tensor broadcast_to(Tensor tensor, const ir::Dims &dims)
{
	View &view = tensor.view;
	while (view.dims.rank() < dims.rank()) {
		view.dims.insert(0, 1);
		view.strides.insert(0, 0);
	}
	for (unsigned d = 0; d < dims.rank(); d++)
		if (view.dims[d] != dims[d]) {
			view.dims[d] = dims[d];
			view.strides[d] = 0;
		}
	return tensor;
}

} // namespace models
