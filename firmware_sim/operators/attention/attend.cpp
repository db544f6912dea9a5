// SPDX-License-Identifier: MIT
/*
 * DOC: A unit of attention
 *
 * The rows of a unit are queries of heads that share keys, so keys and values are converted only once for all
 * rows. With few rows, they are converted in registers while they are read. The unit processes the keys in
 * blocks, so only one block of scores is in memory at a time. Each row keeps its highest score, the sum of
 * its weights, and the sum of its weighted values; when a block has a higher score, both sums are scaled
 * down.
 */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention.h"
#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/matrix/few_rows.h"
#include "firmware_sim/operators/matrix/gemm.h"
#include "key_window.h"
#include "weights.h"

namespace fw::tensor {

namespace {

constexpr int64_t ROWS = AttentionSizes::ROWS, KEYS = AttentionSizes::KEYS;

/* struct Buffers - scratch memory of a unit, each part aligned to a cache line. */
struct Buffers {
	/* @scratch: nullptr: only computes the size @floats */
	Buffers(const AttentionSizes &sizes, std::byte *scratch)
	{
		const int64_t rows = sizes.rows_per_unit();
		const int64_t keys = std::min(sizes.keys, KEYS);
		auto *at = reinterpret_cast<float *>(scratch);
		const auto take = [&](int64_t count) {
			float *place = at ? at + floats : nullptr;
			floats += (count + 15) / 16 * 16;
			return place;
		};
		query = take(rows * sizes.depth);
		key = take(keys * sizes.depth);
		value = take(keys * sizes.width);
		weights = take(rows * keys);
		part = take(rows * sizes.width);
		sum = take(rows * sizes.width);
		pse = take(keys);
		mask = take(keys);
	}

	float *query, *key, *value;
	float *weights; /* holds the scores first, and later the weights */
	float *part;	/* weighted values of one block */
	float *sum;	/* weighted values of all blocks so far */
	float *pse, *mask;
	int64_t floats = 0;
};

/* class Unit - some rows, and their sums so far. */
class Unit {
public:
	Unit(const Call &call, const AttentionSizes &sizes, int64_t unit, std::byte *scratch)
		: call_(call), sizes_(sizes), buffers_(sizes, scratch)
	{
		const int64_t down = unit % sizes.units_down, rest = unit / sizes.units_down;
		const int64_t across = rest % sizes.units_across;
		const int64_t groups = rest / sizes.units_across;
		const int64_t head = across * sizes.heads_per_unit;
		group_ = groups % sizes.groups;
		batch_ = groups / sizes.groups;
		query_ = down * sizes.queries_per_unit;
		queries_ = std::min(sizes.queries_per_unit, sizes.queries - query_);
		head_ = group_ * sizes.heads_per_group + head;
		rows_ = queries_ * std::min(sizes.heads_per_unit, sizes.heads_per_group - head);
	}

	void run()
	{
		start();
		for (int64_t key = all_.first; key < all_.end; key += KEYS)
			add_block({key, std::min(key + KEYS, all_.end)});
		finish();
	}

private:
	/* The index of a row in the views of queries and results. */
	Index index_of_row(int64_t row) const
	{
		return {batch_, head_ + row / queries_, query_ + row % queries_};
	}

	void start();
	void add_block(const Keys &block);
	void weigh_row(int64_t row, const Keys &block);
	const float *load_part(unsigned slot, int64_t row, const Keys &keys, float *buffer) const;
	bool is_read_once(const View &view) const;
	void add_values(const Keys &block);
	void finish();

	const Call &call_;
	const AttentionSizes &sizes_;
	Buffers buffers_;
	int64_t batch_, group_;
	int64_t head_, query_; /* first head and first query of the unit */
	int64_t queries_, rows_;
	Keys all_{INT64_MAX, 0}; /* the range of keys that at least one of the rows sees */
	Keys keys_[ROWS];
	float tops_[ROWS];
	double sums_[ROWS];
};

void Unit::start()
{
	const View &query = call_.view(QUERY);
	const Window window(call_, batch_);
	for (int64_t row = 0; row < rows_; row++) {
		load_row<float>(query.dtype, place(query, index_of_row(row)), inner_stride(query),
				static_cast<size_t>(sizes_.depth),
				buffers_.query + row * sizes_.depth);
		keys_[row] = window.keys_of(query_ + row % queries_);
		tops_[row] = -HUGE_VALF;
		sums_[row] = 0;
		if (keys_[row].first >= keys_[row].end)
			continue;
		all_.first = std::min(all_.first, keys_[row].first);
		all_.end = std::max(all_.end, keys_[row].end);
	}
	std::memset(buffers_.sum, 0,
		    static_cast<size_t>(rows_ * sizes_.width) * sizeof(*buffers_.sum));
}

/* is_read_once() - whether few rows are multiplied with the rows of a view. These rows are then converted
 * while they are read, not before. */
bool Unit::is_read_once(const View &view) const
{
	return rows_ <= MOST_ROWS && inner_stride(view) == element_bytes(view);
}

/* Return: the distance in bytes from one key or value to the next. */
int64_t step_of(const View &view)
{
	return view.strides[2] * element_bytes(view);
}

void multiply_once(const FewRows &product)
{
	std::fill_n(product.c, product.m * product.stride, 0.0f);
	multiply_few_rows(product);
}

void Unit::add_block(const Keys &block)
{
	const int64_t n = block.end - block.first;
	const Index at{batch_, group_, block.first};
	const View &key = call_.view(KEY), &value = call_.view(VALUE);
	if (is_read_once(key)) {
		multiply_once({buffers_.query, sizes_.depth, place(key, at), key.dtype, true,
			       step_of(key), buffers_.weights, n, rows_, n, sizes_.depth});
	} else {
		Panel panel = load_panel(key, at, n, sizes_.depth, buffers_.key);
		panel.is_transposed = !panel.is_transposed;
		multiply_panels(rows_, n, sizes_.depth, {buffers_.query, sizes_.depth, false},
				panel, buffers_.weights, false);
	}
	for (int64_t row = 0; row < rows_; row++)
		weigh_row(row, block);
	if (is_read_once(value))
		multiply_once({buffers_.weights, n, place(value, at), value.dtype, false,
			       step_of(value), buffers_.part, sizes_.width, rows_, sizes_.width,
			       n});
	else
		multiply_panels(rows_, sizes_.width, n, {buffers_.weights, n, false},
				load_panel(value, at, n, sizes_.width, buffers_.value),
				buffers_.part, false);
	add_values(block);
}

/* load_part() - loads the numbers of an optional slot for one row of scores. Return: nullptr if it is
 * absent */
const float *Unit::load_part(unsigned slot, int64_t row, const Keys &keys, float *buffer) const
{
	if (!call_.has(slot))
		return nullptr;
	const View &view = call_.view(slot);
	Index at = index_of_row(row);
	at[3] = keys.first;
	load_row<float>(view.dtype, place(view, at), inner_stride(view),
			static_cast<size_t>(keys.end - keys.first), buffer);
	return buffer;
}

/* Turns the scores of a block into weights, relative to the highest score of the row so far. */
void Unit::weigh_row(int64_t row, const Keys &block)
{
	const int64_t size = block.end - block.first;
	float *weights = buffers_.weights + row * size;
	const Keys seen{std::max(block.first, keys_[row].first),
			std::min(block.end, keys_[row].end)};
	if (seen.first >= seen.end) {
		std::fill_n(weights, size, 0.0f);
		return;
	}
	const auto n = static_cast<size_t>(seen.end - seen.first);
	float *scores = weights + (seen.first - block.first);
	std::fill(weights, scores, 0.0f);
	std::fill(scores + n, weights + size, 0.0f);
	const float most = score(scores, load_part(PSE, row, seen, buffers_.pse),
				 load_part(MASK, row, seen, buffers_.mask), n,
				 static_cast<float>(call_.real(SCALE)));
	const float top = std::max(tops_[row], most);
	/* Without a score above -infinity each weight is exp(-infinity), whatever it is relative to. */
	const float base = top == -HUGE_VALF ? 0 : top;
	const double sum = weigh(scores, n, base);
	const float factor = std::exp(tops_[row] - base);
	sums_[row] = sums_[row] * static_cast<double>(factor) + sum;
	if (factor != 1)
		scale_row(buffers_.sum + row * sizes_.width, static_cast<size_t>(sizes_.width),
			  factor);
	tops_[row] = top;
}

/* A weight of 0 times a value that is not finite would give NaN. So rows with such values are added one by
 * one, without those of weight 0. */
void Unit::add_values(const Keys &block)
{
	const int64_t n = block.end - block.first;
	const auto width = static_cast<size_t>(sizes_.width);
	for (int64_t row = 0; row < rows_; row++) {
		float *sum = buffers_.sum + row * sizes_.width;
		if (add_row(sum, buffers_.part + row * sizes_.width, width))
			continue;
		const View &view = call_.view(VALUE);
		for (int64_t key = 0; key < n; key++) {
			const float weight = buffers_.weights[row * n + key];
			if (weight == 0)
				continue;
			const Index at{batch_, group_, block.first + key};
			load_row<float>(view.dtype, place(view, at), inner_stride(view), width,
					buffers_.part + row * sizes_.width);
			add_scaled(sum, buffers_.part + row * sizes_.width, width, weight);
		}
	}
}

void Unit::finish()
{
	const View &out = call_.view(OUT);
	for (int64_t row = 0; row < rows_; row++) {
		const Index at = index_of_row(row);
		float *sum = buffers_.sum + row * sizes_.width;
		const double factor = sums_[row] == 0 ? 0 : 1 / sums_[row];
		scale_row(sum, static_cast<size_t>(sizes_.width), static_cast<float>(factor));
		store_row<float>(out.dtype, place(out, at), inner_stride(out),
				 static_cast<size_t>(sizes_.width), sum);
		if (!call_.has(LSE))
			continue;
		const View &lse = call_.view(LSE);
		const double logarithm = static_cast<double>(tops_[row]) + std::log(sums_[row]);
		store_row<double>(lse.dtype, place(lse, at), 0, 1, &logarithm);
	}
}

} // namespace

size_t attention_bytes(const AttentionSizes &sizes)
{
	return static_cast<size_t>(Buffers(sizes, nullptr).floats) * sizeof(float);
}

void attend(const Call &call, const AttentionSizes &sizes, int64_t unit, std::byte *scratch)
{
	Unit(call, sizes, unit, scratch).run();
}

} // namespace fw::tensor
