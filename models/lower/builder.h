// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "launch_list.h"
#include "models/inference/value_view.h"

namespace umd {
struct OperatorRow;
}

namespace models {

/* struct Tensor - a view of a buffer. */
struct Tensor {
	uint32_t buffer = 0;
	ir::Type type = ir::Type::NONE;
	View view;

	const ir::Dims &dims() const { return view.dims; }
};

/* is_image() - whether the channels of a view N, C, H, W lie side by side. */
inline bool is_image(const View &view)
{
	return view.dims.rank() == 4 && (view.dims[1] == 1 || view.strides[1] == 1);
}

/* turn() - the same elements with the dims N, H, W, C: those that lie side by side are rows. */
inline Tensor turn(Tensor image)
{
	for (ir::Dims *dims : {&image.view.dims, &image.view.strides})
		*dims = {(*dims)[0], (*dims)[2], (*dims)[3], (*dims)[1]};
	return image;
}

/* struct Scalar - an operand that is one number. */
struct Scalar {
	Scalar(double number) : real(number), is_real(true) {}
	Scalar(int64_t number) : integer(number), is_real(false) {}
	double real = 0;
	int64_t integer = 0;
	bool is_real;
};

/* Operand - an argument of an entry point: a tensor, a list, a scalar, numbers or a number; std::monostate is NULL. */
using Integers = std::vector<int64_t>;
using Operand = std::variant<std::monostate, Tensor, std::vector<Tensor>, Scalar, Integers, int64_t,
			     double>;

/* class Builder - builds the buffers and launches of a program. */
class Builder {
public:
	explicit Builder(Program &program) : program_(program) {}

	/* add_buffer() - Context: the bytes are at most MOST_ELEMENTS */
	uint32_t add_buffer(Space space, uint32_t index, uint64_t bytes);

	/* add_own() - adds a buffer with a copy of @bytes. */
	uint32_t add_own(std::string_view bytes);

	/* add_tensor() - adds a dense tensor with a buffer of its own. If it has more than MOST_ELEMENTS elements, it
	 * gets none, and the next launch() fails. */
	Tensor add_tensor(ir::Type type, const ir::Dims &dims, Space space = Space::ARENA,
			  uint32_t index = 0);

	/* add_image() - adds a tensor with dims N, C, H and W, whose channels lie side by side. */
	Tensor add_image(ir::Type type, const ir::Dims &dims);

	/* launch() - adds a launch: a call of the entry point that @row describes.
	 * @operands: one for each argument of the entry point. @node: the node for which it is made
	 * Return: false, with @why set, if the operator refuses the operands */
	bool launch(const umd::OperatorRow &row, std::span<const Operand> operands, uint32_t node,
		    std::string &why);

private:
	Program &program_;
	bool is_too_large_ = false;			   /* whether a tensor was */
	std::map<std::string, uint32_t, std::less<>> own_; /* equal constants share a buffer */
};

} // namespace models
