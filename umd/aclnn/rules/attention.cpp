// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of attention and of rotary embeddings
 *
 * A program passes batch, sequence, heads and head size in one of several layouts. On the wire each operand
 * is [batch, heads, sequence, head size]. The position shift and the mask have stride 0 in the dims along
 * which they are broadcast. Arguments for quantised or paged caches are refused.
 */
#include <string_view>

#include "operands.h"

namespace umd {

namespace {

/* class Attention - the steps of the rule. */
class Attention {
public:
	explicit Attention(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus run();

private:
	enum Slot : unsigned { OUT, LSE, QUERY, KEY, VALUE, PSE, MASK };
	enum Attribute : unsigned {
		SCALE,
		PRE_TOKENS,
		NEXT_TOKENS,
		SPARSE_MODE,
		LENGTHS,
		KEY_LENGTHS
	};

	/* Positions of the arguments of aclnnFusedInferAttentionScoreV2. */
	enum Place : size_t {
		A_KEY = 1,
		A_VALUE = 2,
		A_LENGTHS = 5,
		A_KEY_LENGTHS = 6,
		A_FIRST_OTHER = 7,
		A_END_OTHER = 24,
		A_HEADS = 24,
		A_LAYOUT = 28,
		A_KEY_HEADS = 29,
		A_SPARSE_MODE = 30,
		A_HAS_LSE = 34,
	};

	aclnnStatus check_others() const;
	aclnnStatus find_layout();
	aclnnStatus load_member(size_t list, PlanView &view);
	bool arrange(PlanView &view, std::string_view layout, int64_t heads) const;
	aclnnStatus arrange_all();
	aclnnStatus check_caches();
	aclnnStatus leave_out_unused();
	aclnnStatus place_shift();
	aclnnStatus place_mask();
	aclnnStatus check_lse();
	aclnnStatus add_lengths(unsigned attribute, size_t i, int64_t most);

	Plan &plan_;
	Operands operands_;
	PlanView key_, value_;
	std::string_view in_, out_; /* layouts of the queries and of the result */
	int64_t heads_ = 0, key_heads_ = 0;
};

aclnnStatus Attention::check_others() const
{
	for (size_t i = A_FIRST_OTHER; i < A_END_OTHER; i++)
		if (plan_.argument(i).tensor)
			return plan_.fail(std::string(plan_.row().arguments[i].name) +
					  " must be NULL: caches that are quantised, paged or "
					  "shared are not supported");
	const int64_t mode = plan_.argument(A_SPARSE_MODE).integer;
	return mode >= 0 && mode <= 4 ? OK
				      : plan_.fail("sparseMode is " + std::to_string(mode) +
						   "; allowed are 0 to 4");
}

aclnnStatus Attention::find_layout()
{
	static constexpr struct {
		std::string_view name, in, out;
	} layouts[] = {
		{"BSH", "BSH", "BSH"},
		{"BSND", "BSND", "BSND"},
		{"BNSD", "BNSD", "BNSD"},
		{"BNSD_BSND", "BNSD", "BSND"},
	};
	const std::string_view name = plan_.argument(A_LAYOUT).text;
	for (const auto &layout : layouts) {
		if (layout.name != name)
			continue;
		in_ = layout.in;
		out_ = layout.out;
		heads_ = plan_.argument(A_HEADS).integer;
		key_heads_ = plan_.argument(A_KEY_HEADS).integer;
		if (key_heads_ == 0)
			key_heads_ = heads_;
		if (heads_ > 0 && key_heads_ > 0 && heads_ % key_heads_ == 0)
			return OK;
		return plan_.fail("numHeads is " + std::to_string(heads_) +
				  ", which must be a multiple of numKeyValueHeads, " +
				  std::to_string(key_heads_));
	}
	return plan_.fail("inputLayout is " + std::string(name.substr(0, 20)) +
			  "; allowed are BSH, BSND, BNSD and BNSD_BSND");
}

aclnnStatus Attention::load_member(size_t list, PlanView &view)
{
	const aclTensorList &members = *plan_.argument(list).tensors;
	const char *name = plan_.row().arguments[list].name;
	if (members.size != 1)
		return plan_.fail(std::string(name) + " has " + std::to_string(members.size) +
				  " members; it must have 1");
	const Type type = find_tensor_type(plan_.member(list, 0).dtype);
	if (type.category != Category::FLOATING || type.bytes > 4)
		return plan_.fail_member(list, 0, "allowed are FLOAT, FLOAT16 and BF16");
	aclnnStatus status = plan_.make_member_view(list, 0, view);
	if (status == OK && !arrange(view, in_, key_heads_))
		status = plan_.fail_member(list, 0,
					   "it does not have the layout " + std::string(in_) +
						   " with numKeyValueHeads, which is " +
						   std::to_string(key_heads_));
	return status;
}

/* arrange() - changes a view to [batch, heads, sequence, head size]. Return: false if the view does not have
 * the layout. */
bool Attention::arrange(PlanView &view, std::string_view layout, int64_t heads) const
{
	if (view.ndim != layout.size())
		return false;
	if (layout == "BSH") {
		const int64_t all = view.dims[2], stride = view.strides[2];
		if (all % heads != 0)
			return false;
		view.ndim = 4;
		view.dims[2] = heads;
		view.dims[3] = all / heads;
		/* If the tensor has no elements, the stride may be any number, and the product may overflow.
		 * So it is computed modulo 2^64. */
		view.strides[2] =
			heads == 1 ? 0
				   : static_cast<int64_t>(static_cast<uint64_t>(stride) *
							  static_cast<uint64_t>(all / heads));
		view.strides[3] = view.dims[3] == 1 ? 0 : stride;
	}
	if (layout != "BNSD") {
		std::swap(view.dims[1], view.dims[2]);
		std::swap(view.strides[1], view.strides[2]);
	}
	return view.dims[1] == heads;
}

aclnnStatus Attention::arrange_all()
{
	for (const unsigned slot : {QUERY, OUT}) {
		const std::string_view layout = slot == OUT ? out_ : in_;
		if (!arrange(operands_[slot], layout, heads_))
			return operands_.fail(
				slot, "it does not have the layout " + std::string(layout) +
					      " with numHeads, which is " + std::to_string(heads_));
	}
	const aclnnStatus status = load_member(A_KEY, key_);
	return status == OK ? load_member(A_VALUE, value_) : status;
}

aclnnStatus Attention::check_caches()
{
	const int64_t *query = operands_[QUERY].dims, *out = operands_[OUT].dims;
	if (key_.dims[0] != query[0] || key_.dims[3] != query[3])
		return plan_.fail_member(A_KEY, 0,
					 "query has " + std::to_string(query[0]) +
						 " batches, and " + std::to_string(query[3]) +
						 " numbers in a head");
	if (!std::equal(key_.dims, key_.dims + 3, value_.dims))
		return plan_.fail_member(A_VALUE, 0, "it must have the batches and length of key");
	const int64_t most = UNPU_TENSOR_MAX_HEAD;
	if (query[3] < 1 || query[3] > most)
		return operands_.fail(QUERY,
				      "a head has 1 to " + std::to_string(most) + " numbers");
	if (value_.dims[3] < 1 || value_.dims[3] > most)
		return plan_.fail_member(A_VALUE, 0,
					 "a head has 1 to " + std::to_string(most) + " numbers");
	if (key_.dims[2] > UNPU_TENSOR_MAX_KEYS ||
	    key_.dims[2] * (query[3] + value_.dims[3]) > UNPU_TENSOR_MAX_KEY_NUMBERS)
		return plan_.fail_member(A_KEY, 0,
					 "its length is at most " +
						 std::to_string(UNPU_TENSOR_MAX_KEYS) +
						 ", and with the numbers of a key and a value " +
						 std::to_string(UNPU_TENSOR_MAX_KEY_NUMBERS));
	if (!std::equal(query, query + 3, out) || out[3] != value_.dims[3])
		return operands_.fail(OUT, "it must have the batches and length of query, and the "
					   "numbers of value");
	plan_.add_operand(KEY, UNPU_ACCESS_READ, key_, A_KEY);
	plan_.add_operand(VALUE, UNPU_ACCESS_READ, value_, A_VALUE);
	return OK;
}

aclnnStatus Attention::place_shift()
{
	if (!operands_.has(PSE))
		return OK;
	Shape shape = operands_[QUERY];
	shape.dims[3] = key_.dims[2];
	return broadcast_to(operands_[PSE], shape)
		       ? OK
		       : operands_.fail(PSE, "it can't be broadcast to the shape " +
						     print_shape(shape.dims, shape.ndim));
}

/* A mask may be larger than the queries and keys, and may lack the dim of the heads. */
aclnnStatus Attention::place_mask()
{
	if (!operands_.has(MASK))
		return OK;
	PlanView &mask = operands_[MASK];
	switch (operands_.type(MASK).dtype) {
	case UNPU_DTYPE_BOOL:
	case UNPU_DTYPE_I8:
	case UNPU_DTYPE_U8:
	case UNPU_DTYPE_F16:
		break;
	default:
		return operands_.fail(MASK, "allowed are BOOL, INT8, UINT8 and FLOAT16");
	}
	Shape shape = operands_[QUERY];
	shape.dims[3] = key_.dims[2];
	if (mask.ndim == 3)
		insert_dim(mask, 1);
	for (unsigned d = 2; d < 4 && mask.ndim >= 2; d++) {
		int64_t &size = mask.dims[mask.ndim - 4 + d];
		size = size == 1 ? 1 : std::min(size, shape.dims[d]);
	}
	return broadcast_to(mask, shape)
		       ? OK
		       : operands_.fail(MASK, "it can't be broadcast to the shape " +
						      print_shape(shape.dims, shape.ndim));
}

/* In modes 2 and up the mask has a fixed size, and the mode alone determines its effect. So the mask is left
 * out. */
aclnnStatus Attention::leave_out_unused()
{
	if (plan_.argument(A_SPARSE_MODE).integer >= 2)
		operands_.leave_out(MASK);
	if (!plan_.argument(A_HAS_LSE).integer)
		operands_.leave_out(LSE);
	else if (!operands_.has(LSE))
		return plan_.fail_missing("softmaxLse, with softmaxLseFlag,");
	return OK;
}

aclnnStatus Attention::check_lse()
{
	if (!operands_.has(LSE))
		return OK;
	const int64_t *query = operands_[QUERY].dims;
	return operands_.check_shape(LSE, {query[0], query[1], query[2], 1});
}

/* add_lengths() - adds array @i, which has one entry for each batch, or one entry for all. */
aclnnStatus Attention::add_lengths(unsigned attribute, size_t i, int64_t most)
{
	const aclIntArray *lengths = plan_.argument(i).integers;
	const auto batches = static_cast<uint64_t>(operands_[QUERY].dims[0]);
	const std::string name = plan_.row().arguments[i].name;
	if (!lengths || lengths->size == 0)
		return OK;
	if (lengths->size != 1 && lengths->size != batches)
		return plan_.fail(name + " has " + std::to_string(lengths->size) +
				  " entries; there are " + std::to_string(batches) + " batches");
	bool is_whole = true;
	for (uint64_t k = 0; k < lengths->size; k++) {
		const int64_t length = lengths->values[k];
		if (length < 0 || length > most)
			return plan_.fail(name + " has the entry " + std::to_string(length) +
					  "; allowed are 0 to " + std::to_string(most));
		is_whole = is_whole && length == most;
	}
	if (is_whole)
		return OK;
	if (batches > UNPU_TENSOR_MAX_WORDS)
		return plan_.fail(name + " is for " + std::to_string(batches) +
				  " batches; at most " + std::to_string(UNPU_TENSOR_MAX_WORDS) +
				  " are possible");
	int64_t all[UNPU_TENSOR_MAX_WORDS];
	for (uint64_t k = 0; k < batches; k++)
		all[k] = lengths->values[lengths->size == 1 ? 0 : k];
	return plan_.add_integers(attribute, {all, batches}, name.c_str());
}

aclnnStatus Attention::run()
{
	aclnnStatus status = check_others();
	if (status == OK)
		status = find_layout();
	if (status == OK)
		status = leave_out_unused();
	if (status == OK)
		status = operands_.check_floating(1u << MASK);
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = arrange_all();
	if (status == OK)
		status = check_caches();
	if (status == OK)
		status = place_shift();
	if (status == OK)
		status = place_mask();
	if (status == OK)
		status = check_lse();
	if (status == OK)
		status = add_attributes(plan_, operands_.type(OUT));
	if (status == OK)
		status = add_lengths(LENGTHS, A_LENGTHS, operands_[QUERY].dims[2]);
	if (status == OK)
		status = add_lengths(KEY_LENGTHS, A_KEY_LENGTHS, key_.dims[2]);
	return status == OK ? operands_.finish() : status;
}

} // namespace

/* The 39 arguments of aclnnFusedInferAttentionScoreV2. */
aclnnStatus plan_attention(Plan &plan)
{
	return Attention(plan).run();
}

/* (x, cos, sin, mode, yOut): cos and sin are broadcast. */
aclnnStatus plan_rotary(Plan &plan)
{
	Operands operands(plan);
	const int64_t mode = plan.argument(3).integer;
	if (mode != 0 && mode != 1)
		return plan.fail("mode is " + std::to_string(mode) +
				 "; allowed are 0 for halves and 1 for pairs");
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(1, 1, max_dims);
	if (status != OK)
		return status;
	const Shape shape = operands[1];
	if (shape.dims[shape.ndim - 1] % 2 != 0 ||
	    shape.dims[shape.ndim - 1] > UNPU_TENSOR_MAX_ROTARY)
		return operands.fail(1, "the size of its last dim must be even, and at most " +
						std::to_string(UNPU_TENSOR_MAX_ROTARY));
	for (unsigned slot = 2; slot < 4; slot++)
		if (!broadcast_to(operands[slot], shape))
			return operands.fail(slot, "it can't be broadcast to the shape " +
							   print_shape(shape.dims, shape.ndim));
	status = operands.check_shape(0, shape);
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

} // namespace umd
