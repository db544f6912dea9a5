// SPDX-License-Identifier: MIT
/*
 * DOC: Good descriptors of tensor operators
 *
 * A table of descriptors that the device executes, of each kind: tests change them.
 */
#pragma once

#include <cstring>
#include <string>

#include "tensor_words.h"
#include "uapi/aipp.h"
#include "uapi/picture.h"

namespace tensor_words {

/* struct Good - a descriptor. Operands are contiguous F32, in the order of the slots, and 512 bytes apart. */
struct Good {
	using Words = std::vector<uint64_t>;
	using Dims = std::vector<int64_t>;

	const char *name;
	uint32_t kind;
	std::vector<Words> attributes;
	std::vector<Dims> operands; /* ABSENT: the slot has none */
	/* dtypes of operands that are not F32, by their number in @operands */
	std::vector<std::pair<size_t, uint32_t>> types = {};
	uint32_t compute = UNPU_DTYPE_F32;
	std::vector<size_t> slots = {}; /* of the operands, where a list is not the last */
	std::vector<uint32_t> last =
		{}; /* what the last operand has to hold; else it may hold anything */
};

inline const Good::Dims ABSENT = {-1};

/* Attributes: a scalar and a real. */
inline Good::Words scalar_of(double value)
{
	return {UNPU_DTYPE_F64, std::bit_cast<uint64_t>(value)};
}

inline Good::Words real_of(double value)
{
	return {std::bit_cast<uint64_t>(value)};
}

/* good_simple() - kinds whose operands all have one shape, and kinds along the last dim. */
inline std::vector<Good> good_simple()
{
	const Good::Dims whole = {4, 6}, column = {4, 1};
	std::vector<Good> all;
	struct Row {
		const char *name;
		uint32_t kind;
		const char *slots, *attributes;
	};
	static constexpr Row rows[] = {
#define ROW(name, number, slots, attributes) {#name, number, slots, attributes},
		UNPU_TENSOR_LIST(ROW)
#undef ROW
	};
	for (const Row &row : rows) {
		const bool has_column =
			row.kind == UNPU_TENSOR_REDUCE_SUM || row.kind == UNPU_TENSOR_MEAN ||
			row.kind == UNPU_TENSOR_NORM || row.kind == UNPU_TENSOR_ARGMAX ||
			(row.kind >= UNPU_TENSOR_REDUCE_MAX && row.kind <= UNPU_TENSOR_LOG_SUM_EXP);
		const bool is_simple =
			row.kind <= UNPU_TENSOR_POW_SCALAR || row.kind == UNPU_TENSOR_CAST ||
			row.kind == UNPU_TENSOR_ROTARY ||
			(row.kind >= UNPU_TENSOR_FLOOR && row.kind <= UNPU_TENSOR_LOG_SUM_EXP) ||
			row.kind == UNPU_TENSOR_LOG_SOFTMAX ||
			(row.kind >= UNPU_TENSOR_ADDCMUL && row.kind <= UNPU_TENSOR_MISH) ||
			(row.kind >= UNPU_TENSOR_LOGICAL_NOT && row.kind <= UNPU_TENSOR_ADDCDIV) ||
			(row.kind >= UNPU_TENSOR_TRIL && row.kind <= UNPU_TENSOR_SOFTMAX &&
			 row.kind != UNPU_TENSOR_UPSAMPLE_NEAREST);
		if (!is_simple)
			continue;
		Good good{row.name, row.kind, {}, {}};
		for (const char *letter = row.attributes; *letter; letter++)
			good.attributes.push_back(*letter == 'i' ? Good::Words{0} : scalar_of(2));
		for (const char *letter = row.slots; *letter; letter++)
			good.operands.push_back(whole);
		if (has_column)
			good.operands[0] = column;
		if (row.kind == UNPU_TENSOR_ARGMAX || row.kind == UNPU_TENSOR_ARGSORT ||
		    row.kind == UNPU_TENSOR_ARGMIN)
			good.types = {{0, UNPU_DTYPE_I64}};
		if (row.kind >= UNPU_TENSOR_BITWISE_AND && row.kind <= UNPU_TENSOR_BITWISE_XOR)
			good.compute = UNPU_DTYPE_I64;
		if (row.kind == UNPU_TENSOR_BITWISE_NOT)
			good.compute = UNPU_DTYPE_I64;
		all.push_back(good);
	}
	return all;
}

inline std::vector<Good> good_layouts()
{
	return {
		{"SWIGLU", UNPU_TENSOR_SWIGLU, {{1}}, {{4, 3}, {4, 6}}},
		{"GEGLU", UNPU_TENSOR_GEGLU, {{1}, {0}, {1}}, {{4, 3}, {4, 3}, {4, 6}}},
		{"CAT", UNPU_TENSOR_CAT, {{0}}, {{4, 6}, {1, 6}, {3, 6}}},
		{"SPLIT",
		 UNPU_TENSOR_SPLIT,
		 {{0}},
		 {{1, 6}, {3, 6}, {4, 6}},
		 {},
		 UNPU_DTYPE_F32,
		 {0, 0, 1}},
		{"PAD", UNPU_TENSOR_PAD, {{1, 0}, {0, 1}, scalar_of(2)}, {{5, 7}, {4, 6}}},
		{"REFLECTION_PAD", UNPU_TENSOR_REFLECTION_PAD, {{0, 1}, {0, 2}}, {{4, 9}, {4, 6}}},
		{"ROLL", UNPU_TENSOR_ROLL, {{1, 2}}, {{4, 6}, {4, 6}}},
		{"GATHER", UNPU_TENSOR_GATHER, {}, {{3, 6}, {4, 6}, {3}}, {{2, UNPU_DTYPE_I32}}},
		{"GATHER_LONG",
		 UNPU_TENSOR_GATHER,
		 {},
		 {{3, 6}, {4, 6}, {3}},
		 {{2, UNPU_DTYPE_I64}}},
		{"INDEX_COPY",
		 UNPU_TENSOR_INDEX_COPY,
		 {},
		 {{4, 6}, {3}, {3, 6}},
		 {{1, UNPU_DTYPE_I32}}},
		{"INDEX_COPY_LONG",
		 UNPU_TENSOR_INDEX_COPY,
		 {},
		 {{4, 6}, {3}, {3, 6}},
		 {{1, UNPU_DTYPE_I64}}},
		{"INDEX_FILL", UNPU_TENSOR_INDEX_FILL, {{0, 2}, scalar_of(3)}, {{4, 6}}},
		{"MAX_DIM",
		 UNPU_TENSOR_MAX_DIM,
		 {},
		 {{4, 1}, {4, 1}, {4, 6}},
		 {{1, UNPU_DTYPE_I64}}},
		{"MIN_DIM",
		 UNPU_TENSOR_MIN_DIM,
		 {},
		 {{4, 1}, {4, 1}, {4, 6}},
		 {{1, UNPU_DTYPE_I32}}},
		{"TOPK", UNPU_TENSOR_TOPK, {{1}}, {{4, 3}, {4, 3}, {4, 6}}, {{1, UNPU_DTYPE_I64}}},
		{"GATHER_ELEMENTS",
		 UNPU_TENSOR_GATHER_ELEMENTS,
		 {},
		 {{3, 2}, {4, 6}, {3, 2}},
		 {{2, UNPU_DTYPE_I32}}},
		{"GATHER_ND",
		 UNPU_TENSOR_GATHER_ND,
		 {{0}},
		 {{3, 6}, {4, 6}, {3, 1}},
		 {{2, UNPU_DTYPE_I64}}},
		{"SCATTER_ND",
		 UNPU_TENSOR_SCATTER_ND,
		 {{1}},
		 {{4, 6}, {4, 6}, {3, 1}, {3, 6}},
		 {{2, UNPU_DTYPE_I32}}},
		{"ONE_HOT",
		 UNPU_TENSOR_ONE_HOT,
		 {},
		 {{4, 3}, {4, 1}, {1}, {1}},
		 {{1, UNPU_DTYPE_I32}}},
		{"SUM", UNPU_TENSOR_SUM, {}, {{4, 6}, {4, 6}, {4, 6}}},
		{"MASKED_FILL",
		 UNPU_TENSOR_MASKED_FILL,
		 {scalar_of(3)},
		 {{4, 6}, {4, 6}},
		 {{1, UNPU_DTYPE_BOOL}}},
		{"SCATTER",
		 UNPU_TENSOR_SCATTER,
		 {{1}, {}},
		 {{4, 6}, {4, 6}, {3, 1}, {3, 1}},
		 {{2, UNPU_DTYPE_I32}}},
		{"SCATTER_VALUE",
		 UNPU_TENSOR_SCATTER,
		 {{0}, scalar_of(3)},
		 {{4, 6}, {4, 6}, {3, 1}},
		 {{2, UNPU_DTYPE_I64}}},
		{"EDGE_PAD", UNPU_TENSOR_EDGE_PAD, {{0, 1}, {0, 2}}, {{4, 9}, {4, 6}}},
		{"RESIZE",
		 UNPU_TENSOR_RESIZE,
		 {{1}, {0}, {0}, {real_of(1)[0], real_of(1.5)[0]}, real_of(-0.75), {0}},
		 {{4, 9}, {4, 6}}},
		{"UPSAMPLE_NEAREST",
		 UNPU_TENSOR_UPSAMPLE_NEAREST,
		 {},
		 {{1, 2, 4, 5}, {1, 2, 2, 3}}},
		{"CROSS_ENTROPY", UNPU_TENSOR_CROSS_ENTROPY, {}, {{4}, {4, 6}, {4, 6}, {4, 6}}},
	};
}

inline std::vector<Good> good_matrices()
{
	const Good::Dims rows = {4, 6}, row = {6}, each = {4}, scores = {1, 2, 3, 5};
	const Good::Words epsilon = real_of(1e-5);
	return {
		{"MATMUL", UNPU_TENSOR_MATMUL, {{}, {}}, {{4, 5}, {4, 6}, {6, 5}}},
		{"MATMUL_SUM",
		 UNPU_TENSOR_MATMUL,
		 {scalar_of(2), scalar_of(3)},
		 {{4, 5}, {4, 6}, {6, 5}, {4, 5}}},
		{"MATMUL_BATCH", UNPU_TENSOR_MATMUL, {{}, {}}, {{2, 2, 3}, {2, 2, 4}, {2, 4, 3}}},
		{"QUANT_MATMUL",
		 UNPU_TENSOR_QUANT_MATMUL,
		 {{0}},
		 {{2, 4}, {2, 16}, {16, 4}, {1, 4}},
		 {{2, UNPU_DTYPE_I8}}},
		{"QUANT_MATMUL_HALF",
		 UNPU_TENSOR_QUANT_MATMUL,
		 {{8}},
		 {{2, 4}, {2, 16}, {16, 4}, {2, 4}, {2, 4}, {4}},
		 {{1, UNPU_DTYPE_F16}, {2, UNPU_DTYPE_I4}, {3, UNPU_DTYPE_F16}}},
		{"TRIANGULAR_SOLVE",
		 UNPU_TENSOR_TRIANGULAR_SOLVE,
		 {{0}, {0}, {0}},
		 {{4, 3}, {4, 4}, {4, 3}, {4, 4}}},
		{"RMS_NORM", UNPU_TENSOR_RMS_NORM, {epsilon}, {rows, each, rows, row}},
		{"ADD_RMS_NORM",
		 UNPU_TENSOR_ADD_RMS_NORM,
		 {epsilon},
		 {rows, each, rows, rows, rows, row}},
		{"LAYER_NORM",
		 UNPU_TENSOR_LAYER_NORM,
		 {{1}, epsilon},
		 {rows, each, each, rows, row, row}},
		{"BATCH_NORM",
		 UNPU_TENSOR_BATCH_NORM,
		 {{0}, real_of(0.1), real_of(1e-5)},
		 {{3, 2, 4}, ABSENT, ABSENT, ABSENT, ABSENT, {3, 2, 4}, {3}, {3}, {3}, {3}}},
		{"BATCH_NORM_TRAINING",
		 UNPU_TENSOR_BATCH_NORM,
		 {{1}, real_of(0.1), real_of(1e-5)},
		 {{3, 2, 4}, {3}, {3}, {3}, {3}, {3, 2, 4}, {3}, {3}, {3}, {3}}},
		{"GROUP_NORM",
		 UNPU_TENSOR_GROUP_NORM,
		 {{2}, {4}, {3}, {2}, epsilon},
		 {{2, 4, 3}, {2, 2}, {2, 2}, {2, 4, 3}, {4}, {4}}},
		{"ATTENTION",
		 UNPU_TENSOR_ATTENTION,
		 {real_of(0.5), {2}, {1}, {0}, {2}, {4}},
		 {{1, 2, 3, 4},
		  {1, 2, 3, 1},
		  {1, 2, 3, 4},
		  {1, 1, 5, 4},
		  {1, 1, 5, 4},
		  scores,
		  scores},
		 {{6, UNPU_DTYPE_BOOL}}},
		{"ATTENTION_BARE",
		 UNPU_TENSOR_ATTENTION,
		 {real_of(0.5), {2}, {1}, {3}, {}, {}},
		 {{1, 2, 3, 4}, ABSENT, {1, 2, 3, 4}, {1, 1, 5, 4}, {1, 1, 5, 4}}},
	};
}

inline std::vector<Good> good_windows()
{
	const Good::Words one = {1, 1}, none = {0, 0}, two = {2, 2};
	return {
		{"CONVOLUTION",
		 UNPU_TENSOR_CONVOLUTION,
		 {one, none, one, {0}, none, {1}},
		 {{1, 2, 3, 3}, {1, 2, 5, 5}, {2, 2, 3, 3}, {2}}},
		{"CONVOLUTION_GROUPS",
		 UNPU_TENSOR_CONVOLUTION,
		 {one, one, one, {0}, none, {2}},
		 {{1, 2, 5, 5}, {1, 2, 5, 5}, {2, 1, 3, 3}}},
		{"CONVOLUTION_TRANSPOSED",
		 UNPU_TENSOR_CONVOLUTION,
		 {two, none, one, {1}, one, {1}},
		 {{1, 1, 7, 7}, {1, 2, 3, 3}, {2, 1, 2, 2}}},
		{"PACKED_CONVOLUTION",
		 UNPU_TENSOR_PACKED_CONVOLUTION,
		 {one, {0, 0, 0, 0}, one, {1}, {0x4018000000000000}},
		 {{1, 1, 3, 3}, {1, 1, 4, 4}, {1, 2, 2, 1, 32}, {1}, {1, 1, 3, 3}}},
		{"IM2COL", UNPU_TENSOR_IM2COL, {two, one, none, one}, {{1, 8, 9}, {1, 2, 4, 4}}},
		{"AVG_POOL",
		 UNPU_TENSOR_AVG_POOL,
		 {two, one, none, {0}, {1}, {0}},
		 {{1, 2, 4, 4}, {1, 2, 5, 5}}},
		{"MAX_POOL",
		 UNPU_TENSOR_MAX_POOL,
		 {two, one, {0, 0, 0, 0}, one, {0}},
		 {{1, 2, 4, 4}, {1, 2, 5, 5}}},
	};
}

/* good_recurrent() - the weights are a list in the middle, so slots are given. */
inline std::vector<Good> good_recurrent()
{
	const Good::Dims x = {3, 2, 4}, state = {1, 2, 5};
	const std::vector<size_t> lstm = {0, 1, 2, 3, 4, 4, 4, 4, 6, 7};
	const std::vector<size_t> gru = {0, 1, 2, 3, 3, 5};
	return {
		{"LSTM",
		 UNPU_TENSOR_LSTM,
		 {{0}, {0, 1, 1}, real_of(0), {0}},
		 {{3, 1, 2, 5},
		  state,
		  state,
		  x,
		  {1, 20, 4},
		  {1, 20, 5},
		  {1, 40},
		  {1, 15},
		  state,
		  state},
		 {},
		 UNPU_DTYPE_F32,
		 lstm},
		{"GRU",
		 UNPU_TENSOR_GRU,
		 {{1}, {0, 1}, real_of(0), {1}},
		 {{3, 1, 2, 5}, state, x, {1, 15, 4}, {1, 15, 5}, state},
		 {},
		 UNPU_DTYPE_F32,
		 gru},
		{"RNN",
		 UNPU_TENSOR_RNN,
		 {{0}, {1}, real_of(0)},
		 {{3, 1, 2, 5}, state, x, {1, 5, 4}, {1, 5, 5}, state},
		 {},
		 UNPU_DTYPE_F32,
		 gru},
	};
}

/* good_images() - a grey image of 2 x 2 pixels as it is, and one of other colours and another size. */
inline std::vector<Good> good_images()
{
	std::vector<uint32_t> steps(UNPU_AIPP_WORDS);
	unpu_aipp whole{};
	whole.magic = UNPU_AIPP_MAGIC;
	whole.format = UNPU_AIPP_YUV400;
	whole.width = whole.height = whole.crop_width = whole.crop_height = 2;
	std::memcpy(steps.data(), &whole, sizeof(whole));
	return {
		{"AIPP",
		 UNPU_TENSOR_AIPP,
		 {},
		 {{1, 1, 2, 2}, {4}, {1, UNPU_AIPP_WORDS}},
		 {{1, UNPU_DTYPE_U8}, {2, UNPU_DTYPE_I32}},
		 0,
		 {},
		 steps},
		{"PICTURE",
		 UNPU_TENSOR_PICTURE,
		 {{UNPU_PICTURE_YUV420SP}, {UNPU_PICTURE_RGB888}, {UNPU_PICTURE_BILINEAR}},
		 {{4, 6}, {2, 6}, {4, 9}},
		 {{0, UNPU_DTYPE_U8}, {1, UNPU_DTYPE_U8}, {2, UNPU_DTYPE_U8}},
		 0,
		 {}},
	};
}

/* good_operators() - each kind at least once. */
inline std::vector<Good> good_operators()
{
	std::vector<Good> all = good_simple();
	for (const auto &some :
	     {good_layouts(), good_matrices(), good_windows(), good_recurrent(), good_images()})
		all.insert(all.end(), some.begin(), some.end());
	return all;
}

inline const char *slots_of(uint32_t kind)
{
	switch (kind) {
#define SLOTS(name, number, slots, attributes) \
	case number: \
		return slots;
		UNPU_TENSOR_LIST(SLOTS)
#undef SLOTS
	}
	return "";
}

/* access_of() - what a slot's letter says. */
inline uint32_t access_of(char letter)
{
	const bool is_written = std::strchr("wvqm", letter) != nullptr;
	const bool is_partial = letter == 'p' || letter == 'q';
	return (is_written ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ) |
	       (is_partial ? UNPU_ACCESS_PARTIAL : 0);
}

/* prepare() - the memory at @data gets what @good has to find there. */
inline void prepare(const Good &good, std::byte *data)
{
	if (!good.last.empty())
		std::memcpy(data + 512 * (good.operands.size() - 1), good.last.data(),
			    good.last.size() * sizeof(good.last[0]));
}

/* words_of() - @good with its operands from @va on. */
inline std::vector<uint64_t> words_of(const Good &good, uint64_t va)
{
	Builder builder(good.kind, good.compute);
	for (const Good::Words &attribute : good.attributes)
		builder.attribute(attribute);
	const std::string slots = slots_of(good.kind);
	for (size_t i = 0; i < good.operands.size(); i++) {
		const Good::Dims &dims = good.operands[i];
		if (dims == ABSENT)
			continue;
		uint32_t dtype = UNPU_DTYPE_F32;
		for (const auto &[number, type] : good.types)
			dtype = number == i ? type : dtype;
		Good::Dims strides(dims.size(), 1);
		for (size_t d = dims.size(); d-- > 1;)
			strides[d - 1] = strides[d] * dims[d];
		/* Members of a list share the last slot. */
		const size_t slot =
			good.slots.empty() ? std::min(i, slots.size() - 1) : good.slots[i];
		builder.operand(static_cast<unsigned>(slot), access_of(slots[slot]), dtype,
				va + 512 * i, dims, strides);
	}
	return builder.words();
}

} // namespace tensor_words
