// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of windows
 *
 * Convolution, Im2col, AvgPool2d and MaxPool move a window over images. On the wire images are [N, C, H, W]:
 * a missing dim is added with size 1. Each parameter of a window fits into 31 bits, so the product of two
 * fits into 64 bits.
 */
#include "operands.h"

namespace umd {

namespace {

/* struct Pair - a parameter of a window: its value for H and its value for W. */
struct Pair {
	int64_t of[2] = {0, 0};
};

/* read_pair() - reads array @i: one entry for both H and W, or one for each. If it is empty, the values are
 * @fallback. */
aclnnStatus read_pair(const Plan &plan, size_t i, int64_t least, Pair &pair,
		      const Pair *fallback = nullptr)
{
	const aclIntArray &array = *plan.argument(i).integers;
	if (array.size == 0 && fallback) {
		pair = *fallback;
		return OK;
	}
	if (array.size != 1)
		if (const aclnnStatus status = check_entries(plan, i, 2, least); status != OK)
			return status;
	const aclnnStatus status = check_entries(plan, i, array.size, least);
	if (status == OK)
		pair = {{array.values[0], array.values[array.size - 1]}};
	return status;
}

/* struct Moves - the parameters of a window along one dim. */
struct Moves {
	int64_t kernel, stride, low, high, dilation;
};

/* count_positions() - how many positions the window has in a dim of @size elements; 0 if it does not fit.
 * With rounding up, the last window must not begin in the padding. */
int64_t count_positions(const Moves &moves, int64_t size, bool rounds_up)
{
	const int64_t extent = moves.dilation * (moves.kernel - 1) + 1;
	const int64_t rest = size + moves.low + moves.high - extent;
	const int64_t steps = rest + (rounds_up ? moves.stride - 1 : 0);
	if (steps < 0)
		return 0;
	const int64_t count = steps / moves.stride + 1;
	return rounds_up && (count - 1) * moves.stride - moves.low >= size ? count - 1 : count;
}

/* check_image() - checks that the operand has @least to 4 dims, and that the last dims form an image. */
aclnnStatus check_image(const Operands &operands, unsigned slot, unsigned least)
{
	const aclTensor &tensor = operands.tensor(slot);
	aclnnStatus status = operands.check_rank(slot, least, 4);
	if (status == OK && (tensor.format == ACL_FORMAT_NHWC || tensor.format == ACL_FORMAT_NDHWC))
		status = operands.fail(slot, "its format must have the channels before the image");
	for (unsigned d = 0; d < tensor.ndim && status == OK; d++)
		if (tensor.dims[d] > UNPU_TENSOR_MAX_WINDOW)
			status = operands.fail(
				slot, "a dim has at most " +
					      std::to_string(UNPU_TENSOR_MAX_WINDOW) + " elements");
	return status;
}

/* class Pool - AvgPool2d and MaxPool. */
class Pool {
public:
	explicit Pool(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus begin();
	aclnnStatus finish(bool rounds_up);

	Pair kernel, strides, low, high, dilation{{1, 1}};

private:
	Plan &plan_;
	Operands operands_;
};

aclnnStatus Pool::begin()
{
	aclnnStatus status = operands_.check_floating();
	if (status == OK)
		status = operands_.check_same_type(0, 1);
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = check_image(operands_, 1, 3);
	if (status == OK)
		status = read_pair(plan_, 1, 1, kernel);
	return status == OK ? read_pair(plan_, 2, 1, strides, &kernel) : status;
}

aclnnStatus Pool::finish(bool rounds_up)
{
	Shape shape = operands_[1];
	const int64_t *image = shape.dims + shape.ndim - 2;
	if (std::min(kernel.of[0], image[0]) * std::min(kernel.of[1], image[1]) >
	    UNPU_TENSOR_MAX_POOLED)
		return operands_.fail(1, "a window covers at most " +
						 std::to_string(UNPU_TENSOR_MAX_POOLED) +
						 " elements of it");
	for (unsigned axis = 0; axis < 2; axis++) {
		int64_t &size = shape.dims[shape.ndim - 2 + axis];
		size = count_positions({kernel.of[axis], strides.of[axis], low.of[axis],
					high.of[axis], dilation.of[axis]},
				       size, rounds_up);
	}
	const aclnnStatus status = operands_.check_shape(0, shape);
	for (unsigned slot = 0; slot < 2 && status == OK; slot++)
		if (operands_[slot].ndim == 3)
			insert_dim(operands_[slot], 0);
	return status == OK ? operands_.finish() : status;
}

/* add_pairs() - adds the pairs as attributes, from attribute 0 on. */
aclnnStatus add_pairs(Plan &plan, std::initializer_list<const Pair *> pairs)
{
	unsigned attribute = 0;
	for (const Pair *pair : pairs)
		if (const aclnnStatus status = plan.add_integers(attribute++, pair->of);
		    status != OK)
			return status;
	return OK;
}

/* read_pads() - reads the pads of MaxPool: top, left, bottom and right, or one value for each pair of
 * sides. */
aclnnStatus read_pads(const Plan &plan, size_t i, Pool &pool)
{
	const aclIntArray &pads = *plan.argument(i).integers;
	const Pair none;
	if (pads.size != 4) {
		const aclnnStatus status = read_pair(plan, i, 0, pool.low, &none);
		pool.high = pool.low;
		return status;
	}
	const aclnnStatus status = check_entries(plan, i, 4, 0);
	pool.low = {{pads.values[0], pads.values[1]}};
	pool.high = {{pads.values[2], pads.values[3]}};
	return status;
}

/* class Convolution - the steps of the rule. */
class Convolution {
public:
	explicit Convolution(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus run();

private:
	enum Slot : unsigned { OUT, INPUT, WEIGHT, BIAS };

	/* Positions of the arguments of aclnnConvolution. */
	enum Place : size_t {
		A_STRIDE = 3,
		A_PADDING = 4,
		A_DILATION = 5,
		A_TRANSPOSED = 6,
		A_OUTPUT_PADDING = 7,
		A_GROUPS = 8,
	};

	aclnnStatus check_operands();
	aclnnStatus read(size_t i, int64_t least, Pair &pair) const;
	aclnnStatus read_padding();
	aclnnStatus read_window();
	aclnnStatus check_channels();
	aclnnStatus check_output();

	Plan &plan_;
	Operands operands_;
	unsigned axes_ = 0; /* number of image dims: 1 or 2 */
	bool is_transposed_ = false;
	int64_t groups_ = 0, channels_ = 0; /* groups and channels of the output */
	Pair stride_, padding_, padding_end_, dilation_, output_padding_;
};

aclnnStatus Convolution::check_operands()
{
	aclnnStatus status = operands_.check_floating();
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = check_image(operands_, INPUT, 3);
	axes_ = operands_.tensor(INPUT).ndim - 2;
	if (status == OK)
		status = operands_.check_rank(WEIGHT, axes_ + 2, axes_ + 2);
	if (status == OK)
		status = check_image(operands_, WEIGHT, 3);
	if (status == OK)
		status = operands_.check_rank(OUT, axes_ + 2, axes_ + 2);
	return status == OK ? check_image(operands_, OUT, 3) : status;
}

/* An image of one dim has a height of 1. */
aclnnStatus Convolution::read(size_t i, int64_t least, Pair &pair) const
{
	const aclIntArray &array = *plan_.argument(i).integers;
	const int64_t *values = array.values.get();
	if (axes_ == 2)
		return read_pair(plan_, i, least, pair);
	const aclnnStatus status = check_entries(plan_, i, 1, least);
	if (status == OK)
		pair = {{least, values[0]}};
	return status;
}

/* A padding may have an entry for each side: top, bottom, left and right. */
aclnnStatus Convolution::read_padding()
{
	const aclIntArray &array = *plan_.argument(A_PADDING).integers;
	const bool has_sides = array.size == uint64_t{2} * axes_ && (axes_ == 1 || array.size == 4);
	if (!has_sides) {
		const aclnnStatus status = read(A_PADDING, 0, padding_);
		padding_end_ = padding_;
		return status;
	}
	if (const aclnnStatus status = check_entries(plan_, A_PADDING, array.size, 0); status != OK)
		return status;
	for (unsigned k = 0; k < axes_; k++) {
		padding_.of[2 - axes_ + k] = array.values[2 * k];
		padding_end_.of[2 - axes_ + k] = array.values[2 * k + 1];
	}
	return OK;
}

/* Reads all parameters. Programs pass any value for the output padding if it has no meaning. */
aclnnStatus Convolution::read_window()
{
	is_transposed_ = plan_.argument(A_TRANSPOSED).integer != 0;
	groups_ = plan_.argument(A_GROUPS).integer;
	aclnnStatus status = read(A_STRIDE, 1, stride_);
	if (status == OK)
		status = read_padding();
	if (status == OK)
		status = read(A_DILATION, 1, dilation_);
	if (status == OK && is_transposed_)
		status = read(A_OUTPUT_PADDING, 0, output_padding_);
	return status;
}

aclnnStatus Convolution::check_channels()
{
	const PlanView &input = operands_[INPUT], &weight = operands_[WEIGHT];
	const int64_t own = weight.dims[is_transposed_ ? 0 : 1];
	const int64_t given = input.dims[1];
	if (groups_ < 1 || groups_ > UNPU_TENSOR_MAX_WINDOW || given % groups_ != 0)
		return plan_.fail("groups is " + std::to_string(groups_) +
				  "; the channels of input, " + std::to_string(given) +
				  ", must be a multiple of it");
	if (own != (is_transposed_ ? given : given / groups_))
		return operands_.fail(WEIGHT, "input has " + std::to_string(given) +
						      " channels in " + std::to_string(groups_) +
						      " groups");
	channels_ = is_transposed_ ? weight.dims[1] * groups_ : weight.dims[0];
	if (channels_ % groups_ != 0)
		return operands_.fail(WEIGHT, "its channels must be a multiple of groups");
	Shape taps = weight;
	taps.dims[0] = given / groups_;
	taps.dims[1] = 1;
	if (count_elements(taps.dims, taps.ndim) > UNPU_TENSOR_MAX_TAPS)
		return operands_.fail(WEIGHT, "an element of the result adds up at most " +
						      std::to_string(UNPU_TENSOR_MAX_TAPS) +
						      " products");
	return operands_.has(BIAS) ? operands_.check_shape(BIAS, {channels_}) : OK;
}

aclnnStatus Convolution::check_output()
{
	Shape shape = operands_[INPUT];
	shape.dims[1] = channels_;
	for (unsigned axis = 2 - axes_; axis < 2; axis++) {
		const unsigned d = axes_ + axis; /* dim of [N, C, W] or [N, C, H, W] */
		const int64_t kernel = operands_[WEIGHT].dims[d];
		if (kernel == 0)
			return operands_.fail(WEIGHT, "a window must have an element");
		const Moves moves = {kernel, stride_.of[axis], padding_.of[axis],
				     padding_end_.of[axis], dilation_.of[axis]};
		int64_t &size = shape.dims[d];
		if (!is_transposed_) {
			size = count_positions(moves, size, false);
			continue;
		}
		size = (size - 1) * moves.stride - moves.low - moves.high +
		       moves.dilation * (kernel - 1) + output_padding_.of[axis] + 1;
		if (size <= 0)
			return operands_.fail(INPUT, "padding leaves nothing of the output");
	}
	return operands_.check_shape(OUT, shape);
}

aclnnStatus Convolution::run()
{
	aclnnStatus status = check_operands();
	if (status == OK)
		status = read_window();
	if (status == OK)
		status = check_channels();
	if (status == OK)
		status = check_output();
	for (const unsigned slot : {OUT, INPUT, WEIGHT})
		if (status == OK && axes_ == 1)
			insert_dim(operands_[slot], 2);
	if (status == OK)
		status = plan_.add_integers(0, stride_.of);
	const int64_t sides[] = {padding_.of[0], padding_.of[1], padding_end_.of[0],
				 padding_end_.of[1]};
	if (status == OK)
		status = plan_.add_integers(1, sides);
	if (status == OK)
		status = plan_.add_integers(2, dilation_.of);
	plan_.add_integer(3, is_transposed_);
	plan_.add_integer(5, groups_);
	if (status == OK)
		status = plan_.add_integers(4, output_padding_.of);
	return status == OK ? operands_.finish() : status;
}

} // namespace

/* (input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups, output, cubeMathType) */
aclnnStatus plan_convolution(Plan &plan)
{
	return Convolution(plan).run();
}

/* (self, kernelSize, dilation, padding, stride, out) */
aclnnStatus plan_im2col(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = check_image(operands, 1, 3);
	Pair kernel, dilation, padding, stride;
	Pair *const pairs[] = {&kernel, &dilation, &padding, &stride};
	for (unsigned k = 0; k < 4 && status == OK; k++)
		status = read_pair(plan, k + 1, k == 2 ? 0 : 1, *pairs[k]);
	if (status != OK)
		return status;
	PlanView &out = operands[0], &self = operands[1];
	Shape shape = self;
	const unsigned first = self.ndim - 3; /* position of the channels */
	int64_t positions[2];
	for (unsigned axis = 0; axis < 2; axis++)
		positions[axis] =
			count_positions({kernel.of[axis], stride.of[axis], padding.of[axis],
					 padding.of[axis], dilation.of[axis]},
					self.dims[first + 1 + axis], false);
	shape.ndim = first + 2;
	if (__builtin_mul_overflow(kernel.of[0] * kernel.of[1], self.dims[first],
				   &shape.dims[first]) ||
	    __builtin_mul_overflow(positions[0], positions[1], &shape.dims[first + 1]))
		return operands.fail(0, "the result is too large");
	status = operands.check_shape(0, shape);
	if (status != OK)
		return status;
	if (self.ndim == 3) {
		insert_dim(self, 0);
		insert_dim(out, 0);
	}
	status = add_pairs(plan, {&kernel, &dilation, &padding, &stride});
	return status == OK ? operands.finish() : status;
}

/* (self, kernelSize, strides, paddings, ceilMode, countIncludePad, divisorOverride, cubeMathType, out) */
aclnnStatus plan_avg_pool(Plan &plan)
{
	Pool pool(plan);
	aclnnStatus status = pool.begin();
	if (status == OK)
		status = read_pair(plan, 3, 0, pool.low);
	pool.high = pool.low;
	if (status == OK)
		status = add_pairs(plan, {&pool.kernel, &pool.strides, &pool.low});
	for (unsigned k = 0; k < 3; k++)
		plan.add_integer(3 + k, plan.argument(4 + k).integer);
	return status == OK ? pool.finish(plan.argument(4).integer != 0) : status;
}

/* (self, kernelShape, strides, autoPad, pads, dilations, ceilMode, out) */
aclnnStatus plan_max_pool(Plan &plan)
{
	Pool pool(plan);
	const Pair one{{1, 1}};
	if (plan.argument(3).integer != 0)
		return plan.fail("autoPad is " + std::to_string(plan.argument(3).integer) +
				 "; only 0, which takes pads, is supported");
	aclnnStatus status = pool.begin();
	if (status == OK)
		status = read_pads(plan, 4, pool);
	if (status == OK)
		status = read_pair(plan, 5, 1, pool.dilation, &one);
	if (status != OK)
		return status;
	const int64_t pads[] = {pool.low.of[0], pool.low.of[1], pool.high.of[0], pool.high.of[1]};
	const int64_t rounds_up = plan.argument(6).integer;
	status = add_pairs(plan, {&pool.kernel, &pool.strides});
	if (status == OK)
		status = plan.add_integers(2, pads);
	if (status == OK)
		status = plan.add_integers(3, pool.dilation.of);
	plan.add_integer(4, rounds_up);
	return status == OK ? pool.finish(rounds_up != 0) : status;
}

} // namespace umd
