// SPDX-License-Identifier: MIT
/*
 * DOC: Operands and what the program asked for
 *
 * With UNPU_CHECK the first phase reports a view that ends in the slack of its allocation. The second phase reports one
 * whose memory is gone by then, or is not the device's.
 */
#include "asked.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "executor.h"
#include "operator_row.h"
#include "reach.h"
#include "uapi/tensor.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/check.h"

namespace umd {

using base::Status;

namespace {

/* struct Range - the memory from the first to the last byte of a view. */
struct Range {
	uint64_t address = 0;
	uint64_t bytes = 0; /* 0: the view has no elements */
};

Range range_of(const WireView &view)
{
	if (std::find(view.dims.begin(), view.dims.end(), 0) != view.dims.end())
		return {};
	__int128 low = 0, high = 1; /* elements */
	for (size_t d = 0; d < view.dims.size(); d++) {
		const __int128 span = __int128(view.strides[d]) * (view.dims[d] - 1);
		(span < 0 ? low : high) += span;
	}
	const __int128 bits = element_bits(view.dtype);
	const __int128 begin = low * bits / 8, end = (high * bits + 7) / 8;
	return {view.address + static_cast<uint64_t>(begin), static_cast<uint64_t>(end - begin)};
}

/* class Operands - checks the operands of a prepared call for a stream of device @here. */
class Operands {
public:
	Operands(const aclOpExecutor &executor, int32_t here)
		: executor_(executor), name_(operator_name(executor.number)), here_(here)
	{
	}

	Status check() const { return executor_.kind == 0 ? check_elementwise() : check_tensors(); }

private:
	Status check_view(const char *argument, const WireView &view) const
	{
		const Range range = range_of(view);
		return range.bytes == 0 ? Status::OK
					: check::check_use(name_, argument, range.address,
							   range.bytes, here_);
	}

	/* Add and Mul: the result comes first. */
	Status check_elementwise() const
	{
		const bool in_place = std::string_view(name_).starts_with("aclnnInplace");
		const char *const names[] = {in_place ? "selfRef" : "out",
					     in_place ? "selfRef" : "self", "other"};
		const unpu_operator &op = executor_.op;
		for (size_t i = 0; i < std::size(names); i++)
			TRY(check_view(names[i], {op.operands[i].address,
						  op.operands[i].dtype,
						  false,
						  {op.dims, op.ndim},
						  op.operands[i].strides}));
		return Status::OK;
	}

	Status check_tensors() const
	{
		for (const Descriptor::Address &at : executor_.addresses) {
			const uint64_t *words = &executor_.words[at.word];
			unpu_tensor_operand operand;
			std::memcpy(&operand, words, sizeof(operand));
			const auto *dims = reinterpret_cast<const int64_t *>(
				words + sizeof(operand) / sizeof(*words));
			TRY(check_view(executor_.row->arguments[at.argument].name,
				       {operand.address,
					operand.dtype,
					false,
					{dims, operand.ndim},
					dims + operand.ndim}));
		}
		return Status::OK;
	}

	const aclOpExecutor &executor_;
	const char *name_;
	int32_t here_;
};

} // namespace

Status check_asked(const char *caller, const char *name, const WireView &view)
{
	const Range range = range_of(view);
	if (range.bytes == 0)
		return Status::OK;
	/* Complex numbers are two elements. */
	const int64_t element_bytes = std::min<int64_t>(element_bits(view.dtype) / 8, 8);
	if (element_bytes > 1 && view.address % static_cast<uint64_t>(element_bytes) != 0)
		TRY(check::misuse(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"{}: {} begins at {:#x}, which is no multiple of {}, the size of "
				"its elements",
				caller, name, view.address, element_bytes)));
	return check::check_end(caller, name, reinterpret_cast<const void *>(range.address),
				range.bytes);
}

/* Whether a view fills its range. */
static bool is_dense(const WireView &view, const Range &range)
{
	__int128 bits = element_bits(view.dtype);
	for (size_t d = 0; d < view.dims.size(); d++)
		bits *= view.strides[d] == 0 ? 1 : view.dims[d];
	return bits == __int128(range.bytes) * 8;
}

static bool is_same(const WireView &one, const WireView &other)
{
	if (one.address != other.address || one.dtype != other.dtype ||
	    !std::ranges::equal(one.dims, other.dims))
		return false;
	for (size_t d = 0; d < one.dims.size(); d++)
		if (one.dims[d] != 1 && one.strides[d] != other.strides[d])
			return false;
	return true;
}

Status check_apart(const char *caller, const NamedView &result, const NamedView &other,
		   bool may_be_same)
{
	const Range to = range_of(result.view), from = range_of(other.view);
	const uint64_t first = std::max(to.address, from.address);
	const uint64_t end = std::min(to.address + to.bytes, from.address + from.bytes);
	if (first >= end || !is_dense(result.view, to) || !is_dense(other.view, from) ||
	    (may_be_same && is_same(result.view, other.view)))
		return Status::OK;
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: {} and {} share the {} bytes from {:#x}, so the values of "
			    "{} are undefined; {}",
			    caller, result.name, other.name, end - first, first, result.name,
			    may_be_same ? "a result may be exactly the view of the operand, or "
					  "apart from it"
					: "this operator needs memory of its own for it"));
}

Status check_operands(const aclOpExecutor &executor, const void *stream)
{
	if (executor.is_empty || executor.missing_data)
		return Status::OK;
	const auto found = find_stream(stream, true);
	if (!found) /* The launch will say so. */
		return Status::OK;
	return Operands(executor, found->context->state->index).check();
}

} // namespace umd
