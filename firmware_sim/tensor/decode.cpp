// SPDX-License-Identifier: MIT
/*
 * DOC: Decoding a tensor operator
 *
 * The descriptor comes from shared memory that the client can write, so the words are a private copy and no
 * field is trusted. Every reach is computed in 128 bits. What the kind's kernel asks of types and dims is
 * checked last, by the kernel itself, on views without memory.
 */
#include <cstring>

#include "kinds.h"
#include "operator_library.h"
#include "tensor_op.h"

namespace fw {

using base::Status;
using Wide = __int128;

namespace {

constexpr Wide ADDRESSES = Wide(1) << 64;
/* A unit can't be interrupted, not even by an abort. The limits of uapi/tensor_limits.h ensure that a unit
 * takes at most about a second. This check would find a kind for which a limit is missing. */
constexpr uint64_t UNIT_COST_MOST = uint64_t{16} << 30;

unsigned words_of(char type)
{
	return type == 'S' || type == 's' ? 2 : 1;
}

bool attribute_is_good(char type, unsigned count, const uint64_t *words)
{
	if (type == 'A')
		return true;
	if (type == 's' && count == 0)
		return true;
	if (count != words_of(type))
		return false;
	return count == 1 || words[0] == UNPU_DTYPE_I64 || words[0] == UNPU_DTYPE_U64 ||
	       words[0] == UNPU_DTYPE_F64;
}

} // namespace

/* class TensorOp::Decoder - reads the parts of a descriptor one after the other. */
class TensorOp::Decoder {
public:
	Decoder(TensorOp &op, std::span<const uint64_t> words) : op_(op), left_(words) {}

	bool run()
	{
		return take_head() && take_attributes() && take_operands() && left_.empty() &&
		       check_slots();
	}

private:
	template <class T> bool take(T &value)
	{
		constexpr size_t count = sizeof(T) / sizeof(uint64_t);
		if (left_.size() < count)
			return false;
		memcpy(static_cast<void *>(&value), left_.data(), sizeof(T));
		left_ = left_.subspan(count);
		return true;
	}

	bool take_head();
	bool take_attributes();
	bool take_operands();
	bool take_operand();
	bool take_view(const unpu_tensor_operand &operand, tensor::View &view);
	bool check_slots() const;

	TensorOp &op_;
	std::span<const uint64_t> left_;
	unpu_tensor_op head_{};
	const TensorKind *row_ = nullptr;
	unsigned slot_ = 0; /* belongs to the operand that was read last */
};

bool TensorOp::Decoder::take_head()
{
	if (!take(head_) || head_.reserved0 != 0 || head_.noperands == 0 ||
	    head_.noperands > UNPU_TENSOR_MAX_OPERANDS ||
	    head_.nattributes > UNPU_TENSOR_MAX_ATTRIBUTES)
		return false;
	row_ = tensor_kind(head_.kind);
	return row_ && head_.nattributes == strlen(row_->attributes) &&
	       (head_.compute == 0 || tensor::element_bits(head_.compute) != 0);
}

bool TensorOp::Decoder::take_attributes()
{
	tensor::Call &call = op_.call_;
	unsigned total = 0;
	for (unsigned a = 0; a < UNPU_TENSOR_MAX_ATTRIBUTES; a++) {
		call.word[a] = static_cast<uint8_t>(total);
		total += head_.words[a];
		if (total > UNPU_TENSOR_MAX_WORDS ||
		    (a >= head_.nattributes && head_.words[a] != 0))
			return false;
	}
	call.word[UNPU_TENSOR_MAX_ATTRIBUTES] = static_cast<uint8_t>(total);
	if (left_.size() < total)
		return false;
	op_.words_.assign(left_.begin(), left_.begin() + total);
	left_ = left_.subspan(total);
	for (unsigned a = 0; a < head_.nattributes; a++)
		if (!attribute_is_good(row_->attributes[a], head_.words[a],
				       op_.words_.data() + call.word[a]))
			return false;
	return true;
}

/* Reads the dims and strides. Strides that are never used become 0, because kernels use them to compute
 * addresses. */
bool TensorOp::Decoder::take_view(const unpu_tensor_operand &operand, tensor::View &view)
{
	Reach reach{0, 0, 0, operand.access};
	Wide low = 0, high = 0, product = 1;
	bool has_elements = true, is_shared = false;
	const size_t ndim = operand.ndim;
	if (ndim > UNPU_TENSOR_MAX_DIMS || left_.size() < 2 * ndim)
		return false;
	for (size_t d = 0; d < ndim; d++) {
		view.dims[d] = static_cast<int64_t>(left_[d]);
		view.strides[d] = view.dims[d] == 1 ? 0 : static_cast<int64_t>(left_[ndim + d]);
		if (view.dims[d] < 0)
			return false;
		has_elements = has_elements && view.dims[d] != 0;
		product *= view.dims[d] ? view.dims[d] : 1;
		if (product > UNPU_TENSOR_MAX_ELEMENTS)
			return false;
		const Wide span = Wide(view.strides[d]) * (view.dims[d] - 1);
		is_shared = is_shared || (view.dims[d] > 1 && span == 0);
		(span < 0 ? low : high) += span;
	}
	left_ = left_.subspan(2 * ndim);
	view.dtype = operand.dtype;
	view.ndim = static_cast<unsigned>(ndim);
	if (!has_elements) {
		view.strides = {};
	} else {
		const unsigned bits = tensor::element_bits(operand.dtype);
		const Wide before = -low * bits, behind = (high + 1) * bits;
		/* A byte belongs to two elements of I4: views begin and end with whole bytes. */
		if (before % 8 != 0)
			return false;
		const Wide first = Wide(operand.address) - before / 8;
		const Wide bytes = before / 8 + (behind + 7) / 8;
		if (first < 0 || bytes > INT64_MAX || first + bytes > ADDRESSES ||
		    (operand.access & UNPU_ACCESS_WRITE &&
		     (is_shared || product * bits > bytes * 8 + 7)))
			return false;
		reach = {static_cast<uint64_t>(first), static_cast<uint64_t>(bytes),
			 static_cast<int64_t>(before / 8), operand.access};
	}
	op_.reaches_.push_back(reach);
	return true;
}

bool TensorOp::Decoder::take_operand()
{
	unpu_tensor_operand operand;
	if (!take(operand) || operand.reserved != 0 || operand.slot >= strlen(row_->slots) ||
	    operand.slot < slot_ || tensor::element_bits(operand.dtype) == 0 ||
	    operand.access != slot_access(row_->slots[operand.slot]))
		return false;
	slot_ = operand.slot;
	tensor::Call &call = op_.call_;
	tensor::View view;
	if (!take_view(operand, view))
		return false;
	op_.views_.push_back(view);
	for (unsigned s = operand.slot + 1u; s < call.first.size(); s++)
		call.first[s] = static_cast<uint8_t>(op_.views_.size());
	return true;
}

bool TensorOp::Decoder::take_operands()
{
	op_.views_.clear();
	op_.reaches_.clear();
	op_.call_.first = {};
	for (unsigned i = 0; i < head_.noperands; i++)
		if (!take_operand())
			return false;
	op_.call_.kind = head_.kind;
	op_.call_.compute = head_.compute;
	op_.call_.count = head_.noperands;
	op_.call_.views = op_.views_.data();
	op_.call_.words = op_.words_.data();
	return true;
}

bool TensorOp::Decoder::check_slots() const
{
	for (unsigned s = 0; row_->slots[s]; s++) {
		const size_t count = op_.call_.list(s).size();
		const char letter = row_->slots[s];
		const bool is_optional = letter == 'v' || letter == 'o';
		if ((count == 0 && !is_optional) || (count > 1 && letter != 'l' && letter != 'm'))
			return false;
	}
	return true;
}

bool TensorOp::overlaps(size_t result, size_t other) const
{
	const Reach &one = reaches_[result], &two = reaches_[other];
	return one.bytes != 0 && two.bytes != 0 && one.first < two.first + two.bytes &&
	       two.first < one.first + one.bytes;
}

bool TensorOp::is_same_view(size_t one, size_t other) const
{
	return reaches_[one].first == reaches_[other].first &&
	       reaches_[one].before == reaches_[other].before &&
	       views_[one].dtype == views_[other].dtype &&
	       views_[one].has_shape_of(views_[other]) &&
	       views_[one].strides == views_[other].strides;
}

/* If a result overlaps an operand, the order of the units changes the result. So such an operator is not
 * divided. */
void TensorOp::note_overlaps()
{
	can_be_cut_ = true;
	always_succeeds_ = scratch_bytes_ == 0;
	for (size_t i = 0; i < reaches_.size(); i++) {
		always_succeeds_ = always_succeeds_ && !(reaches_[i].access & UNPU_ACCESS_PARTIAL);
		if (!(reaches_[i].access & UNPU_ACCESS_WRITE))
			continue;
		for (size_t k = 0; k < reaches_.size(); k++)
			if (k != i && overlaps(i, k) && !is_same_view(i, k))
				can_be_cut_ = false;
	}
}

Status TensorOp::decode(std::span<const uint64_t> words)
{
	if (!Decoder(*this, words).run())
		return Status::BAD_OPERATOR;
	if (!load_kernels())
		return Status::NO_OPERATORS;
	kernel_ = find_tensor_kernel(call_.kind);
	if (!kernel_ || !kernel_->check(call_))
		return Status::BAD_OPERATOR;
	units_ = kernel_->units(call_);
	cost_bytes_ = kernel_->cost_bytes(call_);
	scratch_bytes_ = kernel_->scratch_bytes ? kernel_->scratch_bytes(call_) : 0;
	note_overlaps();
	const bool is_bounded = units_ == 0 || cost_bytes_ / units_ <= UNIT_COST_MOST;
	return is_bounded && scratch_bytes_ <= UNPU_TENSOR_MAX_SCRATCH ? Status::OK
								       : Status::BAD_OPERATOR;
}

} // namespace fw
