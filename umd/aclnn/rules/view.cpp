// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of the operators that copy
 *
 * Copy, Cast, Permute, Slice, Flatten, Repeat and RepeatInterleave are the same kind of operator on the wire: CAST.
 * Each rule makes two views of one shape: one of the operand's elements that are copied, and one of the
 * places in the result that receive them.
 */
#include <algorithm>

#include "operands.h"

namespace umd {

namespace {

/* scale_stride() - multiplies a stride. The product may overflow: if there are no elements, the stride is
 * never used. */
int64_t scale_stride(int64_t stride, int64_t by)
{
	return static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(by));
}

/* class Copy - the two views: as the program passed them, and as the rule has changed them so far. */
class Copy {
public:
	explicit Copy(Plan &plan) : plan_(plan) {}

	aclnnStatus begin(bool has_one_type);
	aclnnStatus check_dims();
	aclnnStatus finish();
	aclnnStatus find_dim(int64_t value, const char *name, unsigned &dim) const
	{
		return plan_.find_dim(self_, value, name, dim);
	}
	/* find_new_dim() - finds a dim that the array @name names, each at most once. @seen: bit set of those before */
	aclnnStatus find_new_dim(int64_t value, const char *name, unsigned &seen, unsigned &dim);
	aclnnStatus cut(unsigned dim, int64_t start, int64_t end, int64_t step);
	aclnnStatus add_dim(int64_t size, int64_t from_stride, int64_t to_stride);

	const aclTensor &self() const { return *plan_.argument(self_).tensor; }
	aclnnStatus fail_self(const std::string &text) { return plan_.fail_tensor(self_, text); }
	aclnnStatus fail_result(const std::string &text) { return plan_.fail_tensor(out_, text); }

	PlanView from, to; /* views of the operand and of the result */
	unsigned ndim = 0; /* rank of the shape that the result must have */
	int64_t dims[max_dims] = {};

private:
	Plan &plan_;
	size_t self_ = 0, out_ = 0; /* positions of their arguments */
};

aclnnStatus Copy::find_new_dim(int64_t value, const char *name, unsigned &seen, unsigned &dim)
{
	const std::string entry = std::string("an entry of ") + name;
	if (const aclnnStatus status = find_dim(value, entry.c_str(), dim); status != OK)
		return status;
	if (seen & 1u << dim)
		return fail_self(std::string(name) + " has " + std::to_string(dim) + " twice");
	seen |= 1u << dim;
	return OK;
}

aclnnStatus Copy::begin(bool has_one_type)
{
	const std::span<const ArgumentRow> arguments = plan_.row().arguments;
	for (size_t i = 0; i < arguments.size(); i++) {
		if (arguments[i].form != Form::TENSOR)
			continue;
		(arguments[i].role == Role::RESULT ? out_ : self_) = i;
		if (find_tensor_type(plan_.argument(i).tensor->dtype).dtype == 0)
			return plan_.fail_tensor(i, numbers_allowed);
	}
	if (has_one_type && plan_.argument(out_).tensor->dtype != self().dtype)
		return fail_result("the result has the type " + print_type(self().dtype));
	plan_.set_compute(UNPU_DTYPE_F32);
	aclnnStatus status = plan_.make_view(self_, from);
	if (status == OK)
		status = plan_.make_view(out_, to);
	ndim = from.ndim;
	std::copy_n(from.dims, ndim, dims);
	return status;
}

/* cut() - keeps each @step-th element of a dim from @start up to @end, which count from the end where negative, and are
 * clamped. */
aclnnStatus Copy::cut(unsigned dim, int64_t start, int64_t end, int64_t step)
{
	if (step <= 0)
		return fail_self("step is " + std::to_string(step) + "; it must be positive");
	const int64_t size = dims[dim];
	const auto clamp = [size](int64_t at) {
		return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
	};
	const int64_t first = clamp(start);
	const int64_t length = std::max<int64_t>(clamp(end) - first, 0);
	const int64_t count = length / step + (length % step != 0);
	dims[dim] = from.dims[dim] = count;
	if (length == 0)
		return OK;
	const int64_t bytes = find_tensor_type(self().dtype).bytes;
	from.address +=
		static_cast<uint64_t>(scale_stride(scale_stride(from.strides[dim], first), bytes));
	from.strides[dim] = count == 1 ? 0 : scale_stride(from.strides[dim], step);
	return OK;
}

/* The result must have the shape that the rule has found. */
aclnnStatus Copy::check_dims()
{
	if (to.ndim != ndim || !std::equal(dims, dims + ndim, to.dims))
		return fail_result("the result has shape " + print_shape(dims, ndim));
	if (std::find(dims, dims + ndim, 0) != dims + ndim)
		plan_.note_empty();
	return OK;
}

/* add_dim() - adds a dim to both views. If its elements continue the last dim, that dim is made longer
 * instead. */
aclnnStatus Copy::add_dim(int64_t size, int64_t from_stride, int64_t to_stride)
{
	if (size == 1)
		return OK;
	int64_t joined;
	const unsigned last = from.ndim - 1;
	if (from.ndim > 0 && from.strides[last] == scale_stride(from_stride, size) &&
	    to.strides[last] == scale_stride(to_stride, size) &&
	    !__builtin_mul_overflow(from.dims[last], size, &joined)) {
		from.dims[last] = to.dims[last] = joined;
		from.strides[last] = from_stride;
		to.strides[last] = to_stride;
		return OK;
	}
	if (from.ndim == max_dims)
		return fail_self(
			"repeated, it would need more than 8 dims, although those that lie "
			"behind each other are one; make it contiguous or repeat it in two "
			"steps");
	from.dims[from.ndim] = to.dims[to.ndim] = size;
	from.strides[from.ndim++] = from_stride;
	to.strides[to.ndim++] = to_stride;
	return OK;
}

aclnnStatus Copy::finish()
{
	plan_.add_operand(0, UNPU_ACCESS_WRITE, to, out_);
	plan_.add_operand(1, UNPU_ACCESS_READ, from, self_);
	return OK;
}

} // namespace

/* (selfRef, src): src is broadcast. */
aclnnStatus plan_copy(Plan &plan)
{
	Copy copy(plan);
	if (const aclnnStatus status = copy.begin(false); status != OK)
		return status;
	PlanView wide = copy.to;
	wide.dtype = copy.from.dtype;
	wide.address = copy.from.address;
	wide.base = copy.from.base;
	std::fill_n(wide.strides, wide.ndim, 0);
	bool fits = copy.from.ndim <= wide.ndim;
	for (unsigned d = 0; fits && d < copy.from.ndim; d++) {
		const unsigned at = wide.ndim - copy.from.ndim + d;
		fits = copy.from.dims[d] == 1 || copy.from.dims[d] == wide.dims[at];
		wide.strides[at] = copy.from.strides[d];
	}
	if (!fits)
		return copy.fail_self("it can't be broadcast to the shape " +
				      print_shape(wide.dims, wide.ndim));
	copy.from = wide;
	copy.ndim = wide.ndim;
	std::copy_n(wide.dims, wide.ndim, copy.dims);
	const aclnnStatus status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, dtype, out) */
aclnnStatus plan_cast(Plan &plan)
{
	Copy copy(plan);
	if (const aclnnStatus status = copy.begin(false); status != OK)
		return status;
	const auto dtype = static_cast<aclDataType>(plan.argument(1).integer);
	if (dtype != plan.argument(2).tensor->dtype)
		return copy.fail_result("dtype is " + print_type(dtype));
	const aclnnStatus status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, dims, out): dim d of the result is dim dims[d] of self. */
aclnnStatus plan_permute(Plan &plan)
{
	Copy copy(plan);
	if (const aclnnStatus status = copy.begin(true); status != OK)
		return status;
	const aclIntArray &order = *plan.argument(1).integers;
	const PlanView self = copy.from;
	if (order.size != self.ndim)
		return copy.fail_self("dims has " + std::to_string(order.size) + " entries");
	unsigned seen = 0;
	for (unsigned d = 0; d < self.ndim; d++) {
		unsigned dim = 0;
		if (const aclnnStatus status =
			    copy.find_new_dim(order.values[d], "dims", seen, dim);
		    status != OK)
			return status;
		copy.dims[d] = copy.from.dims[d] = self.dims[dim];
		copy.from.strides[d] = self.strides[dim];
	}
	const aclnnStatus status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, dims, out): the elements along dims in the other direction. */
aclnnStatus plan_flip(Plan &plan)
{
	Copy copy(plan);
	if (const aclnnStatus status = copy.begin(true); status != OK)
		return status;
	const aclIntArray &dims = *plan.argument(1).integers;
	const int64_t bytes = find_tensor_type(copy.self().dtype).bytes;
	unsigned seen = 0;
	for (uint64_t i = 0; i < dims.size; i++) {
		unsigned dim = 0;
		if (const aclnnStatus status = copy.find_new_dim(dims.values[i], "dims", seen, dim);
		    status != OK)
			return status;
		int64_t &stride = copy.from.strides[dim];
		if (has_elements(copy.from))
			copy.from.address += static_cast<uint64_t>(
				scale_stride(scale_stride(stride, copy.dims[dim] - 1), bytes));
		stride = scale_stride(stride, -1);
	}
	const aclnnStatus status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, size, out): -1 keeps a dim of self; what self lacks is in front. */
aclnnStatus plan_expand(Plan &plan)
{
	const aclIntArray &size = *plan.argument(1).integers;
	const aclTensor &self = *plan.argument(0).tensor, &out = *plan.argument(2).tensor;
	bool fits = size.size == out.ndim && size.size >= self.ndim;
	for (unsigned d = 0; fits && d < out.ndim; d++) {
		const unsigned missing = out.ndim - self.ndim;
		const int64_t own = d < missing ? -1 : self.dims[d - missing];
		fits = out.dims[d] == (size.values[d] == -1 ? own : size.values[d]);
	}
	return fits ? plan_copy(plan) : plan.fail_tensor(2, "size does not give it this shape");
}

/* (self, dim, start, end, step, out) */
aclnnStatus plan_slice(Plan &plan)
{
	Copy copy(plan);
	unsigned dim = 0;
	aclnnStatus status = copy.begin(true);
	if (status == OK)
		status = copy.find_dim(plan.argument(1).integer, "dim", dim);
	if (status == OK)
		status = copy.cut(dim, plan.argument(2).integer, plan.argument(3).integer,
				  plan.argument(4).integer);
	if (status == OK)
		status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, starts, ends, axes, steps, out) */
aclnnStatus plan_slice_v2(Plan &plan)
{
	Copy copy(plan);
	const aclIntArray &starts = *plan.argument(1).integers, &ends = *plan.argument(2).integers;
	const aclIntArray &axes = *plan.argument(3).integers, &steps = *plan.argument(4).integers;
	for (size_t i = 2; i < 5; i++) {
		const uint64_t size = plan.argument(i).integers->size;
		if (size != starts.size)
			return plan.fail(std::string(plan.row().arguments[i].name) + " has " +
					 std::to_string(size) + " entries; starts has " +
					 std::to_string(starts.size));
	}
	aclnnStatus status = copy.begin(true);
	unsigned seen = 0, dim = 0;
	for (uint64_t i = 0; status == OK && i < axes.size; i++) {
		status = copy.find_new_dim(axes.values[i], "axes", seen, dim);
		if (status == OK)
			status = copy.cut(dim, starts.values[i], ends.values[i], steps.values[i]);
	}
	if (status == OK)
		status = copy.check_dims();
	return status == OK ? copy.finish() : status;
}

/* (self, axis, out): the result is seen with the dims of self, whose elements lie in each of its two dims. */
aclnnStatus plan_flatten(Plan &plan)
{
	Copy copy(plan);
	aclnnStatus status = copy.begin(true);
	if (status != OK)
		return status;
	const PlanView self = copy.from, out = copy.to;
	const int64_t rank = self.ndim, axis = plan.argument(1).integer;
	if (axis < -rank || axis > rank)
		return copy.fail_self("axis is " + std::to_string(axis) + "; allowed are " +
				      std::to_string(-rank) + " to " + std::to_string(rank));
	const auto first = static_cast<unsigned>(axis < 0 ? axis + rank : axis);
	copy.ndim = 2;
	copy.dims[0] = count_elements(self.dims, first);
	copy.dims[1] = count_elements(self.dims + first, self.ndim - first);
	status = copy.check_dims();
	if (status != OK)
		return status;
	copy.to.ndim = self.ndim;
	std::copy_n(self.dims, self.ndim, copy.to.dims);
	int64_t stride[2] = {out.strides[0], out.strides[1]};
	for (unsigned d = self.ndim; d-- > 0;) {
		int64_t &inner = stride[d >= first];
		copy.to.strides[d] = self.dims[d] == 1 ? 0 : inner;
		inner = scale_stride(inner, self.dims[d]);
	}
	return copy.finish();
}

/* (self, repeats, out): repeats the whole of self; dims that self lacks are added in front. */
aclnnStatus plan_repeat(Plan &plan)
{
	Copy copy(plan);
	if (const aclnnStatus status = copy.begin(true); status != OK)
		return status;
	const aclIntArray &repeats = *plan.argument(1).integers;
	const PlanView self = copy.from, out = copy.to;
	if (repeats.size < self.ndim || repeats.size > max_dims)
		return copy.fail_self("repeats has " + std::to_string(repeats.size) +
				      " entries; allowed are as many as self has dims, up to 8");
	copy.ndim = static_cast<unsigned>(repeats.size);
	const unsigned missing = copy.ndim - self.ndim;
	for (unsigned d = 0; d < copy.ndim; d++) {
		const int64_t size = d < missing ? 1 : self.dims[d - missing];
		if (repeats.values[d] < 0 ||
		    __builtin_mul_overflow(size, repeats.values[d], &copy.dims[d]))
			return copy.fail_self("repeats has the entry " +
					      std::to_string(repeats.values[d]));
	}
	aclnnStatus status = copy.check_dims();
	copy.from.ndim = copy.to.ndim = 0;
	for (unsigned d = 0; status == OK && d < copy.ndim; d++) {
		const int64_t size = d < missing ? 1 : self.dims[d - missing];
		const int64_t inner = d < missing ? 0 : self.strides[d - missing];
		status = copy.add_dim(repeats.values[d], 0, scale_stride(out.strides[d], size));
		if (status == OK)
			status = copy.add_dim(size, inner, out.strides[d]);
	}
	return status == OK ? copy.finish() : status;
}

/* (self, repeats, dim, outputSize, out): repeats each element along the dim. */
aclnnStatus plan_repeat_interleave(Plan &plan)
{
	Copy copy(plan);
	unsigned dim = 0;
	aclnnStatus status = copy.begin(true);
	if (status == OK)
		status = copy.find_dim(plan.argument(2).integer, "dim", dim);
	if (status != OK)
		return status;
	const int64_t repeats = plan.argument(1).integer, wanted = plan.argument(3).integer;
	const PlanView self = copy.from, out = copy.to;
	if (repeats < 0 || __builtin_mul_overflow(self.dims[dim], repeats, &copy.dims[dim]))
		return copy.fail_self("repeats is " + std::to_string(repeats));
	if (wanted != copy.dims[dim])
		return copy.fail_self("outputSize is " + std::to_string(wanted) + "; it must be " +
				      std::to_string(copy.dims[dim]));
	status = copy.check_dims();
	copy.from.ndim = copy.to.ndim = 0;
	for (unsigned d = 0; status == OK && d < self.ndim; d++) {
		const int64_t step = d == dim ? repeats : 1;
		status = copy.add_dim(self.dims[d], self.strides[d],
				      scale_stride(out.strides[d], step));
		if (status == OK)
			status = copy.add_dim(step, 0, out.strides[d]);
	}
	return status == OK ? copy.finish() : status;
}

} // namespace umd
