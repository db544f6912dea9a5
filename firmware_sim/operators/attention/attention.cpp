// SPDX-License-Identifier: MIT
/*
 * DOC: ATTENTION
 *
 * Slot 0 = softmax(slot 2 * slot 3 transposed * scale + slot 5) * slot 4 for each batch and head. Slots 2 .. 4 are
 * query [B, N, S, D], key [B, M, T, D] and value [B, M, T, E]: N / M neighbouring heads share keys and values. Slot 5
 * is added to the scores. A query does not see a key where slot 5 is -infinity, or where the mask, slot 6, is not 0.
 * Attributes are the scale, the tokens of the band before and behind a query, the mode, and the lengths of queries
 * and keys in each batch. Slot 1 gets the logarithm of the sum of exp(score) for each query. For a query that sees no
 * key, slot 0 gets 0 and slot 1 -infinity.
 *
 * A key whose weight is 0 adds nothing, even if its value is NaN.
 */
#include "attention.h"

#include <algorithm>

#include "firmware_sim/operators/kernels.h"
#include "key_window.h"

namespace fw::tensor {

namespace {

using Shape = std::array<int64_t, 4>;

bool has_dims(const View &view, const Shape &dims)
{
	return view.ndim == 4 && std::equal(dims.begin(), dims.end(), view.dims.begin());
}

bool has_floats(const View &view)
{
	return view.dtype == UNPU_DTYPE_F32 || view.dtype == UNPU_DTYPE_F16 ||
	       view.dtype == UNPU_DTYPE_BF16;
}

bool is_mask_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_BOOL || dtype == UNPU_DTYPE_I8 || dtype == UNPU_DTYPE_U8 ||
	       dtype == UNPU_DTYPE_F16;
}

bool check_attention(const Call &call)
{
	for (const unsigned slot : {OUT, QUERY, KEY, VALUE})
		if (!call.has(slot) || call.view(slot).ndim != 4 || !has_floats(call.view(slot)))
			return false;
	const View &query = call.view(QUERY), &key = call.view(KEY);
	const int64_t b = query.dims[0], n = query.dims[1], s = query.dims[2], d = query.dims[3];
	const int64_t m = key.dims[1], t = key.dims[2], e = call.view(VALUE).dims[3];
	constexpr int64_t MOST = UNPU_TENSOR_MAX_HEAD;
	if (d < 1 || d > MOST || e < 1 || e > MOST || m < 1 || n % m != 0 ||
	    t > UNPU_TENSOR_MAX_KEYS || t * (d + e) > UNPU_TENSOR_MAX_KEY_NUMBERS)
		return false;
	if (!has_dims(key, {b, m, t, d}) || !has_dims(call.view(VALUE), {b, m, t, e}) ||
	    !has_dims(call.view(OUT), {b, n, s, e}))
		return false;
	if (call.has(LSE) &&
	    (!has_dims(call.view(LSE), {b, n, s, 1}) || !has_floats(call.view(LSE))))
		return false;
	if (call.has(PSE) &&
	    (!has_dims(call.view(PSE), {b, n, s, t}) || !has_floats(call.view(PSE))))
		return false;
	if (call.has(MASK) &&
	    (!has_dims(call.view(MASK), {b, n, s, t}) || !is_mask_type(call.view(MASK).dtype)))
		return false;
	return call.compute == UNPU_DTYPE_F32 && Window::is_good(call);
}

uint64_t attention_units(const Call &call)
{
	if (call.view(OUT).count() == 0)
		return 0;
	return static_cast<uint64_t>(AttentionSizes(call).units());
}

/* About 8 multiplications, and a tenth of a softmax, in the time of a copy of one byte. */
uint64_t attention_cost(const Call &call)
{
	const AttentionSizes sizes(call);
	const auto results = static_cast<unsigned __int128>(call.view(OUT).count());
	const auto rows = results / static_cast<uint64_t>(sizes.width);
	const auto scores = rows * static_cast<uint64_t>(sizes.keys);
	const auto cost =
		scores * static_cast<uint64_t>((sizes.depth + sizes.width) / 8 + 10) + 4 * results;
	return static_cast<uint64_t>(std::min(cost, static_cast<unsigned __int128>(INT64_MAX)));
}

size_t attention_scratch(const Call &call)
{
	return attention_bytes(AttentionSizes(call));
}

Finding run_attention(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const AttentionSizes sizes(call);
	for (uint64_t unit = first; unit < first + count; unit++)
		attend(call, sizes, static_cast<int64_t>(unit), scratch);
	return {};
}

constexpr Kernel ATTENTION_KERNELS[] = {
	{UNPU_TENSOR_ATTENTION, check_attention, attention_units, attention_cost, attention_scratch,
	 run_attention},
};

} // namespace

AttentionSizes::AttentionSizes(const Call &call)
{
	const View &query = call.view(QUERY);
	batches = query.dims[0];
	heads = query.dims[1];
	queries = query.dims[2];
	depth = query.dims[3];
	groups = call.view(KEY).dims[1];
	keys = call.view(KEY).dims[2];
	width = call.view(VALUE).dims[3];
	heads_per_group = heads / groups;
	queries_per_unit = std::clamp<int64_t>(queries, 1, ROWS);
	heads_per_unit = std::clamp<int64_t>(ROWS / queries_per_unit, 1,
					     std::max<int64_t>(1, heads_per_group));
	units_across = (heads_per_group + heads_per_unit - 1) / heads_per_unit;
	units_down = (queries + queries_per_unit - 1) / queries_per_unit;
}

const std::span<const Kernel> attention_kernels = ATTENTION_KERNELS;

} // namespace fw::tensor
