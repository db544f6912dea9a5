// SPDX-License-Identifier: MIT
/**
 * DOC: what commands are
 *
 * A model of time needs to know more of a command than the bytes that it uses: which part of the device does
 * it, and how many operations it takes. The column "cost" of the operator table says how the number of
 * operations of a tensor operator follows from the shapes of its operands.
 */
#include "work.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "drv/packet/packets.h"
#include "uapi/kernel.h"
#include "umd/core/notes/operator_costs.h"
#include "umd/core/process/opcode.h"

namespace umd::recorder {

using san::WorkClass;

static constexpr const OperatorCost *cost_of(uint32_t kind)
{
	for (const OperatorCost &cost : OPERATOR_COSTS) {
		if (cost.kind == kind)
			return &cost;
	}
	return nullptr;
}

#define HAS_COST(name, number, slots, attributes) \
	static_assert(cost_of(number), "operators.json has no cost of " #name);
UNPU_TENSOR_LIST(HAS_COST)
#undef HAS_COST

namespace {

/* struct View - the shape of one operand of a tensor operator. */
struct View {
	uint8_t slot = 0;
	bool is_read = false;
	uint64_t elements = 1;
	uint32_t ndim = 0;
	int64_t dims[UNPU_TENSOR_MAX_DIMS] = {};

	/* A dim, counted from the last one. */
	uint64_t dim(uint32_t from_last) const
	{
		return from_last < ndim ? static_cast<uint64_t>(dims[ndim - 1 - from_last]) : 1;
	}
};

/* class Views - the operands of a tensor operator, from the words of its descriptor. */
class Views {
public:
	Views(const void *words, size_t bytes)
	{
		const auto *at = static_cast<const std::byte *>(words);
		const std::byte *const end = at + bytes;
		if (!take(at, end, &head_, sizeof(head_)))
			return;
		for (const uint8_t count : head_.words)
			at += count * sizeof(uint64_t);
		while (count_ < std::min<size_t>(head_.noperands, std::size(views_)) &&
		       read(at, end, views_[count_]))
			count_++;
	}

	const unpu_tensor_op &head() const { return head_; }

	uint64_t most_elements() const
	{
		uint64_t most = 0;
		for (size_t i = 0; i < count_; i++)
			most = std::max(most, views_[i].elements);
		return most;
	}

	uint64_t dtype() const { return dtype_; }

	/* The n-th operand that is read. A missing one has one element. */
	View source(size_t number) const
	{
		for (size_t i = 0; i < count_; i++) {
			if (views_[i].is_read && number-- == 0)
				return views_[i];
		}
		return {};
	}

	View result() const { return count_ > 0 ? views_[0] : View(); }

	uint64_t sum_of_slot(uint8_t slot) const
	{
		uint64_t sum = 0;
		for (size_t i = 0; i < count_; i++)
			sum += views_[i].slot == slot ? views_[i].elements : 0;
		return sum;
	}

private:
	static bool take(const std::byte *&at, const std::byte *end, void *to, size_t bytes)
	{
		if (at > end || static_cast<size_t>(end - at) < bytes)
			return false;
		memcpy(to, at, bytes);
		at += bytes;
		return true;
	}

	bool read(const std::byte *&at, const std::byte *end, View &view)
	{
		unpu_tensor_operand from;
		if (!take(at, end, &from, sizeof(from)) || from.ndim > UNPU_TENSOR_MAX_DIMS ||
		    !take(at, end, view.dims, from.ndim * sizeof(int64_t)))
			return false;
		at += from.ndim * sizeof(int64_t);
		view.slot = from.slot;
		view.ndim = from.ndim;
		view.is_read = (from.access & UNPU_ACCESS_READ) != 0;
		for (uint32_t i = 0; i < from.ndim; i++)
			view.elements *= static_cast<uint64_t>(std::max<int64_t>(view.dims[i], 0));
		if (count_ == 0)
			dtype_ = from.dtype;
		return true;
	}

	unpu_tensor_op head_{};
	uint32_t dtype_ = 0; /* of the first operand */
	size_t count_ = 0;
	View views_[UNPU_TENSOR_MAX_OPERANDS];
};

} // namespace

static uint64_t units_of(CostRule rule, const Views &views)
{
	const uint64_t results = views.result().elements;
	const View first = views.source(0);
	const View second = views.source(1);
	switch (rule) {
	case CostRule::SORT:
		return views.most_elements() * static_cast<uint64_t>(std::bit_width(first.dim(0)));
	case CostRule::PRODUCT:
		return results * first.dim(0);
	case CostRule::CONVOLUTION:
		return second.ndim == 0 || second.dims[0] <= 0
			       ? results
			       : results *
					 (second.elements / static_cast<uint64_t>(second.dims[0]));
	case CostRule::PACKED:
		return results *
		       (second.elements /
			std::max<uint64_t>(1,
					   second.dim(0) * (second.ndim == 5 ? second.dim(4) : 1)));
	case CostRule::ATTENTION:
		return results * second.dim(1);
	case CostRule::RECURRENT:
		return first.dim(0) == 0
			       ? 0
			       : first.elements / first.dim(0) * views.sum_of_slot(second.slot);
	case CostRule::ELEMENTS:
		break;
	}
	return views.most_elements();
}

static Work tensor_work(const void *page, size_t bytes)
{
	const Views views(page, bytes);
	const OperatorCost *cost = cost_of(views.head().kind);
	if (!cost)
		return {};
	return {cost->engine == CostEngine::CUBE ? WorkClass::CUBE : WorkClass::VECTOR, cost->name,
		static_cast<uint32_t>(views.dtype()), units_of(cost->rule, views) * cost->factor};
}

static Work operator_work(const unpu_operator &op)
{
	if (op.kind == UNPU_OPERATOR_COPY || op.kind == UNPU_OPERATOR_COPY_LIST ||
	    op.kind == UNPU_OPERATOR_COPY_INDIRECT)
		return {WorkClass::COPY, nullptr, 0, 0};
	if (op.kind == UNPU_OPERATOR_RANDOM)
		return {WorkClass::VECTOR, "random", op.compute, op.parameters[4]};
	uint64_t elements = 1;
	for (uint32_t i = 0; i < op.ndim && i < UNPU_OPERATOR_MAX_DIMS; i++)
		elements *= static_cast<uint64_t>(std::max<int64_t>(op.dims[i], 0));
	static constexpr const char *NAMES[] = {nullptr, "add",	    "mul",    nullptr,
						nullptr, "maximum", "minimum"};
	return {WorkClass::VECTOR, op.kind < std::size(NAMES) ? NAMES[op.kind] : nullptr,
		op.compute, elements};
}

Work work_of(const unpu_packet &packet, const void *page, size_t bytes)
{
	unpu_operator op{};
	unpu_kernel_launch launch{};
	switch (opcode_row(packet).payload) {
	case Payload::COPY:
		return {WorkClass::COPY, nullptr, 0, 0};
	case Payload::FILL:
		return {WorkClass::FILL, nullptr, 0, 0};
	case Payload::ROW:
		return operator_work(drv::row_operator(packet));
	case Payload::OPERATOR:
		if (!page || bytes < sizeof(op))
			return {};
		memcpy(&op, page, sizeof(op));
		return operator_work(op);
	case Payload::TENSOR:
		return page ? tensor_work(page, bytes) : Work();
	case Payload::KERNEL:
		if (!page || bytes < sizeof(launch))
			return {};
		memcpy(&launch, page, sizeof(launch));
		return {WorkClass::KERNEL, nullptr, 0, launch.blocks};
	case Payload::FILE_READ:
	case Payload::FILE_WRITE:
		return {WorkClass::FILE, nullptr, 0, 0};
	case Payload::NONE:
		break;
	}
	return {};
}

static uint64_t bytes_of(const Operand &operand)
{
	uint64_t bytes = operand.run;
	for (uint8_t i = 0; i < operand.ndim; i++)
		bytes *= operand.dims[i].count;
	return bytes;
}

/* Whether the source and the target of a copy are memory of the host. @here: the context that is searched
 * first */
static uint16_t sides_of(const Operands &operands, const Context *here)
{
	unsigned sides = 0;
	for (size_t i = 0; i < operands.count(); i++) {
		const Operand &operand = operands[i];
		if (side_of(reinterpret_cast<void *>(operand.address), here) == Side::HOST)
			sides |= operand.access == san::Access::READ ? san::WORK_FROM_HOST
								     : san::WORK_TO_HOST;
	}
	return static_cast<uint16_t>(sides);
}

void write_work(Recorder &recorder, const Work &work, const Operands &operands,
		const WorkPlace &place)
{
	if (work.what == WorkClass::NONE)
		return;
	uint64_t read = 0;
	uint64_t written = 0;
	for (size_t i = 0; i < operands.count(); i++) {
		const Operand &operand = operands[i];
		(operand.access == san::Access::READ ? read : written) += bytes_of(operand);
	}
	const uint16_t sides =
		work.what == WorkClass::COPY ? sides_of(operands, place.here) : uint16_t{0};
	recorder.write({.kind = san::Kind::WORK,
			.flags = static_cast<uint16_t>(static_cast<unsigned>(work.what) | sides |
						       work.dtype << san::WORK_TYPE_SHIFT),
			.stream = place.node,
			.object = place.object,
			.address = work.operations,
			.bytes = read,
			.value = written,
			.label = work.name ? recorder.label(work.name) : place.label,
			.site = NO_SITE});
}

} // namespace umd::recorder
