// SPDX-License-Identifier: MIT
/*
 * DOC: First phase of Add and Mul, which have packets of their own
 *
 * Turns tensors into the descriptor that the device executes: shapes are broadcast as numpy does, types
 * are promoted as torch does, and views become device addresses and strides. The sources select the
 * type of the computation: F32 if one of them is a float, 64-bit integers if one is an integer, else
 * truth values. The output selects only how the result is stored; its category must be the same or a
 * more general one. This phase refuses everything that the device would refuse, with an error sentence.
 * No operator needs a workspace, so a workspace that the program passes is ignored.
 */
#include "elementwise.h"

#include <algorithm>
#include <bit>
#include <string>

#include "asked.h"
#include "description.h"
#include "executor.h"
#include "objects.h"
#include "reach.h"
#include "types.h"
#include "umd/acl/acl_error.h"
#include "umd/acl/dump/dump.h"
#include "umd/core/process/check.h"

namespace umd {

namespace {

constexpr unsigned noperands = 3;

/* struct Operand - a tensor of the call with its name and type. */
struct Operand {
	const char *name;
	const aclTensor *tensor;
	Type type;
};

/*
 * class Preparation - builds the descriptor. run() calls the steps in the order of their declaration.
 */
class Preparation {
public:
	Preparation(const Elementwise &call, aclOpExecutor &executor)
		: call_(call), executor_(executor), op_(executor.op)
	{
		/* The order of operands on the device: the output first. */
		operands_[0] = {is_in_place(call) ? "selfRef" : "out", call.out, {}};
		operands_[1] = {is_in_place(call) ? "selfRef" : "self", call.self, {}};
		operands_[2] = {"other", call.other, {}};
	}

	aclnnStatus run();

private:
	aclnnStatus choose_types();
	aclnnStatus set_scalar();
	aclnnStatus broadcast();
	aclnnStatus place_all();
	aclnnStatus place(unsigned i);
	int64_t padded_dim(unsigned i, unsigned d) const;
	aclnnStatus fail(unsigned i, const std::string &text) const
	{
		return refuse(std::string(operator_name(call_.number)) + ": " + operands_[i].name +
			      " is " + print_tensor(*operands_[i].tensor) + "; " + text);
	}

	const Elementwise &call_;
	aclOpExecutor &executor_;
	unpu_operator &op_;
	Operand operands_[noperands];
	Category category_ = Category::TRUTH;
};

aclnnStatus Preparation::choose_types()
{
	for (Operand &operand : operands_) {
		operand.type = find_type(operand.tensor->dtype);
		if (operand.type.dtype == 0)
			return fail(static_cast<unsigned>(&operand - operands_),
				    "allowed are FLOAT, FLOAT16, BF16, INT8, INT16, INT32, INT64, "
				    "UINT8 and BOOL");
	}
	category_ = std::max(operands_[1].type.category, operands_[2].type.category);
	if (category_ > operands_[0].type.category)
		return fail(0, category_ == Category::FLOATING ? "the result is floating"
							       : "the result is an integer");
	op_.compute = compute_type(category_);
	return OK;
}

aclnnStatus Preparation::set_scalar()
{
	const aclScalar *alpha = call_.alpha;

	if (!alpha)
		return OK;
	if (category_ == Category::FLOATING) {
		op_.scalar_bits = std::bit_cast<uint64_t>(alpha->real);
		return OK;
	}
	/* Programs pass 1.0f even for integer tensors, so only a fraction is refused. */
	if (has_fraction(*alpha))
		return refuse(std::string(operator_name(call_.number)) + ": alpha is " +
			      std::to_string(alpha->real) +
			      "; it must be an integer, as the tensors are");
	op_.scalar_bits = static_cast<uint64_t>(alpha->integer);
	if (category_ == Category::TRUTH)
		op_.scalar_bits = alpha->real != 0;
	return OK;
}

/* padded_dim() - dim @d of operand @i; an operand of lower rank gets leading dims of size 1. */
int64_t Preparation::padded_dim(unsigned i, unsigned d) const
{
	const aclTensor &tensor = *operands_[i].tensor;
	const unsigned missing = op_.ndim - std::min(op_.ndim, tensor.ndim);

	return d < missing ? 1 : tensor.dims[d - missing];
}

aclnnStatus Preparation::broadcast()
{
	const aclTensor &out = *operands_[0].tensor;

	op_.ndim = std::max(call_.self->ndim, call_.other->ndim);
	for (unsigned d = 0; d < op_.ndim; d++) {
		const int64_t self = padded_dim(1, d), other = padded_dim(2, d);

		if (self != other && self != 1 && other != 1)
			return fail(2, std::string("it can't be broadcast with ") +
					       operands_[1].name + ", whose shape is " +
					       print_shape(*call_.self));
		op_.dims[d] = self == 1 ? other : self;
		executor_.is_empty |= op_.dims[d] == 0;
	}
	if (out.ndim != op_.ndim || !std::equal(out.dims, out.dims + out.ndim, op_.dims))
		return fail(0, "the result has shape " + print_shape(op_.dims, op_.ndim));
	return OK;
}

/*
 * place() - fills operand @i of the descriptor and checks that its view lies in the address space.
 */
aclnnStatus Preparation::place(unsigned i)
{
	const Operand &from = operands_[i];
	const aclTensor &tensor = *from.tensor;
	unpu_operand &operand = op_.operands[i];
	const unsigned missing = op_.ndim - tensor.ndim;
	int64_t start = 0;

	operand.dtype = from.type.dtype;
	operand.access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
	/* The stride of a dim of size 1 is never used and may be garbage. */
	for (unsigned d = missing; d < op_.ndim; d++)
		if (tensor.dims[d - missing] != 1)
			operand.strides[d] = tensor.strides[d - missing];
	bool is_far = __builtin_mul_overflow(tensor.offset, from.type.bytes, &start);
	is_far |= __builtin_add_overflow(std::bit_cast<uint64_t>(tensor.data), start,
					 &operand.address);
	/* Without data there is no address to check. */
	if (is_far && tensor.data)
		return fail(i, "its view leaves the address space");
	if (!tensor.data && !executor_.missing_data)
		executor_.missing_data = from.name;
	const WireView view{
		operand.address, operand.dtype, i == 0, {op_.dims, op_.ndim}, operand.strides};
	if (const char *wrong = check_reach(view, tensor.data != nullptr))
		return fail(i, wrong);
	return OK;
}

aclnnStatus Preparation::place_all()
{
	if (executor_.is_empty)
		return OK;
	for (unsigned i = 0; i < noperands; i++) {
		if (const aclnnStatus status = place(i); status != OK)
			return status;
	}
	return OK;
}

aclnnStatus Preparation::run()
{
	op_.kind = call_.kind;
	op_.noperands = noperands;
	executor_.number = call_.number;
	aclnnStatus status = choose_types();
	if (status == OK)
		status = set_scalar();
	if (status == OK)
		status = broadcast();
	if (status == OK)
		status = place_all();
	return status;
}

/* With UNPU_CHECK: whether each operand ends where the program's memory does, and the result is apart from the others,
 * or exactly the view of one. */
[[gnu::noinline, gnu::cold]] aclnnStatus check_made(const Elementwise &call, aclOpExecutor &made)
{
	const bool in_place = is_in_place(call);
	const aclTensor *const tensors[] = {call.out, call.self, call.other};
	const char *const names[] = {in_place ? "selfRef" : "out", in_place ? "selfRef" : "self",
				     "other"};
	const char *const caller = operator_name(call.number);
	const auto named = [&](unsigned i) -> NamedView {
		const unpu_operand &operand = made.op.operands[i];
		return {names[i],
			{operand.address,
			 operand.dtype,
			 i == 0,
			 {made.op.dims, made.op.ndim},
			 operand.strides}};
	};
	if (made.is_empty)
		return OK;
	made.unusual |= aclOpExecutor::CHECKED;
	for (unsigned i = 0; i < noperands; i++) {
		if (!tensors[i]->data)
			continue;
		if (check_asked(caller, names[i], named(i).view) != base::Status::OK)
			return wrong_parameter;
		if (tensors[i] != call.out && call.out->data &&
		    check_apart(caller, named(0), named(i), true) != base::Status::OK)
			return wrong_parameter;
	}
	return OK;
}

/* first_missing() - the name of the first argument that is NULL, or NULL. */
const char *first_missing(const Elementwise &call, const uint64_t *workspace_size,
			  aclOpExecutor *const *executor)
{
	if (!call.self)
		return is_in_place(call) ? "selfRef" : "self";
	if (!call.other)
		return "other";
	if (call.kind == UNPU_OPERATOR_ADD && !call.alpha)
		return "alpha";
	if (!call.out)
		return "out";
	if (!workspace_size)
		return "workspaceSize";
	return executor ? nullptr : "executor";
}

/* find_operands() - replaces the handles by their objects. Return: whether all of them exist. */
bool find_operands(Elementwise &call)
{
	const char *const caller = operator_name(call.number);
	const bool in_place = is_in_place(call);
	call.self = find_object(call.self, in_place ? "selfRef" : "self", caller);
	if (call.self)
		call.other = find_object(call.other, "other", caller);
	if (!call.self || !call.other)
		return false;
	call.out = in_place ? call.self : find_object(call.out, "out", caller);
	if (call.out && call.alpha)
		call.alpha = find_object(call.alpha, "alpha", caller);
	return call.out && (call.alpha || call.kind != UNPU_OPERATOR_ADD);
}

} // namespace

aclnnStatus prepare(Elementwise call, uint64_t *workspace_size, aclOpExecutor **executor)
{
	if (const char *what = first_missing(call, workspace_size, executor))
		return refuse_missing(
			(std::string(operator_name(call.number)) + ": " + what).c_str());
	*executor = nullptr;
	if (!find_operands(call))
		return wrong_parameter;
	aclOpExecutor *made = make_executor();
	if (!made)
		return acl_error(base::Status::NO_MEMORY);
	made->op = {};
	made->forms[0] = form_of(*call.out);
	made->forms[1] = form_of(*call.self);
	made->forms[2] = form_of(*call.other);
	aclnnStatus status = Preparation(call, *made).run();
	if (check::is_on() && status == OK) [[unlikely]]
		status = check_made(call, *made);
	if (status != OK) {
		executors().destroy(*made);
		return status;
	}
	if (operators_watched.load()) [[unlikely]]
		describe(call, *made);
	*workspace_size = 0;
	*executor = static_cast<aclOpExecutor *>(Executors::pointer(*made));
	return OK;
}

} // namespace umd
