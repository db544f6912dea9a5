// SPDX-License-Identifier: MIT
/*
 * DOC: attention and rotary embeddings
 *
 * RotaryPositionEmbedding and FusedInferAttentionScoreV2 against loops in double: layouts, groups of heads, position
 * shifts, masks and lengths, and what they refuse.
 */
#include <cmath>
#include <functional>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using AttentionOperators = DeviceTest;

std::vector<float> numbers(size_t count, size_t seed)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>((i + seed) * 7 % 23) / 12 - 0.9f;
	return values;
}

void expect_near(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		EXPECT_NEAR(got[i], wanted[i], 2e-6f + 2e-6f * std::fabs(wanted[i])) << i;
}

TEST_F(AttentionOperators, TurnHalvesAndPairs)
{
	/* x is [2, 3, 2, 4]; cos and sin are [1, 3, 1, 4]. */
	const std::vector<float> values = numbers(48, 0), c = numbers(12, 5), s = numbers(12, 11);
	const DeviceBuffer x = device_copy(values), cosines = device_copy(c),
			   sines = device_copy(s);
	const DeviceBuffer y(48 * sizeof(float));
	for (const int64_t mode : {0, 1}) {
		std::vector<float> wanted(48);
		for (size_t i = 0; i < 48; ++i) {
			const size_t row = i / 4 * 4, k = i % 4, at = i / 8 % 3 * 4 + k;
			const bool is_first = mode == 0 ? k < 2 : k % 2 == 0;
			const size_t other = mode == 0 ? (k + 2) % 4 : k ^ 1;
			const float turned = values[row + other] * (is_first ? -1.0f : 1.0f);
			wanted[i] = values[i] * c[at] + turned * s[at];
		}
		run<BOTH(RotaryPositionEmbedding)>(Tensor(x, ACL_FLOAT, {2, 3, 2, 4}),
						   Tensor(cosines, ACL_FLOAT, {1, 3, 1, 4}),
						   Tensor(sines, ACL_FLOAT, {1, 3, 1, 4}), mode,
						   Tensor(y, ACL_FLOAT, {2, 3, 2, 4}));
		expect_near(y.load<float>(), wanted);
	}
}

/* struct Call - the arguments that tests change. The other ones are those of a plain call. */
struct Call {
	const aclTensor *query = nullptr;
	const aclTensorList *key = nullptr, *value = nullptr;
	const aclTensor *shift = nullptr, *mask = nullptr;
	const aclIntArray *lengths = nullptr, *key_lengths = nullptr;
	const aclTensor *block_table = nullptr;
	int64_t heads = 4, key_heads = 2;
	const char *layout = "BNSD";
	int64_t sparse_mode = 0, before = 65535, behind = 65535;
	const aclTensor *out = nullptr, *lse = nullptr;

	aclnnStatus prepare(uint64_t &bytes, aclOpExecutor *&executor) const
	{
		std::string text = layout;
		return aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
			query, key, value, shift, mask, lengths, key_lengths, nullptr, nullptr,
			nullptr, nullptr, nullptr, nullptr, nullptr, block_table, nullptr, nullptr,
			nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, heads, 0.5,
			before, behind, text.data(), key_heads, sparse_mode, 2, 0, 0,
			lse != nullptr, 0, 0, out, lse, &bytes, &executor);
	}

	void run() const
	{
		uint64_t bytes = 99;
		aclOpExecutor *executor = nullptr;
		ASSERT_OK(prepare(bytes, executor));
		EXPECT_EQ(bytes, 0u);
		ASSERT_OK(aclnnFusedInferAttentionScoreV2(nullptr, 0, executor, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
	}

	void expect_refused(const char *text) const
	{
		uint64_t bytes = 0;
		aclOpExecutor *executor = nullptr;
		EXPECT_EQ(prepare(bytes, executor), kInvalidParameter) << text;
		const std::string sentence = aclGetRecentErrMsg();
		EXPECT_NE(sentence.find(text), std::string::npos) << sentence;
	}
};

/* Batches, heads of queries and of keys, queries, keys, numbers of a key and of a value. */
constexpr size_t B = 2, N = 4, M = 2, S = 3, T = 5, D = 8, E = 8;

/* class Case - queries, keys and values in a layout, and the expected result in the order BNSD. */
class Case {
public:
	Case()
		: query(numbers(B * N * S * D, 1)), key(numbers(B * M * T * D, 4)),
		  value(numbers(B * M * T * E, 9))
	{
	}

	using Score = std::function<double(size_t b, size_t n, size_t s, size_t t)>;

	/* expected() - @score is added to a product; -inf hides the key. */
	void compute(const Score &score)
	{
		out.clear();
		lse.clear();
		for (size_t row = 0; row < B * N * S; ++row)
			compute_row(row / (N * S), row / S % N, row % S, score);
	}

	std::vector<float> query, key, value, out, lse;

private:
	void compute_row(size_t b, size_t n, size_t s, const Score &score)
	{
		const float *q = &query[((b * N + n) * S + s) * D];
		const size_t cache = b * M + n / (N / M);
		double sum = 0, mean[E] = {};
		for (size_t t = 0; t < T; ++t) {
			double product = 0;
			for (size_t d = 0; d < D; ++d)
				product += double(q[d]) * double(key[(cache * T + t) * D + d]);
			const double weight = std::exp(0.5 * product + score(b, n, s, t));
			sum += weight;
			for (size_t e = 0; e < E; ++e)
				mean[e] += weight * double(value[(cache * T + t) * E + e]);
		}
		for (const double x : mean)
			out.push_back(sum == 0 ? 0 : static_cast<float>(x / sum));
		lse.push_back(static_cast<float>(std::log(sum)));
	}
};

double nothing(size_t, size_t, size_t, size_t)
{
	return 0;
}

/* to_bsnd() - the numbers of [.., heads, length, size] in the order [.., length, heads, size]. */
std::vector<float> to_bsnd(const std::vector<float> &from, size_t heads, size_t length, size_t size)
{
	std::vector<float> to(from.size());
	for (size_t i = 0; i < from.size(); ++i) {
		const size_t b = i / (heads * length * size), n = i / (length * size) % heads;
		const size_t s = i / size % length;
		to[((b * length + s) * heads + n) * size + i % size] = from[i];
	}
	return to;
}

/* struct Memory - a case on the device, in the order BNSD. */
struct Memory {
	explicit Memory(const Case &from)
		: query(device_copy(from.query)), key(device_copy(from.key)),
		  value(device_copy(from.value)), out(B * N * S * E * sizeof(float)),
		  lse(B * N * S * sizeof(float)), q(query, ACL_FLOAT, {B, N, S, D}),
		  k({new_tensor(key, ACL_FLOAT, {B, M, T, D})}),
		  v({new_tensor(value, ACL_FLOAT, {B, M, T, E})}),
		  result(out, ACL_FLOAT, {B, N, S, E})
	{
		call.query = q;
		call.key = k;
		call.value = v;
		call.out = result;
	}

	const DeviceBuffer query, key, value, out, lse;
	const Tensor q;
	const TensorList k, v;
	const Tensor result;
	Call call;
};

TEST_F(AttentionOperators, GroupsOfHeadsWithTheLogOfTheSum)
{
	Case own;
	own.compute(nothing);
	Memory memory(own);
	const Tensor lse(memory.lse, ACL_FLOAT, {B, N, S, 1});
	memory.call.lse = lse;
	memory.call.run();
	expect_near(memory.out.load<float>(), own.out);
	expect_near(memory.lse.load<float>(), own.lse);
}

TEST_F(AttentionOperators, LayoutsAreViews)
{
	Case own;
	own.compute(nothing);
	const Memory memory(own);
	const DeviceBuffer query = device_copy(to_bsnd(own.query, N, S, D));
	const DeviceBuffer key = device_copy(to_bsnd(own.key, M, T, D));
	const DeviceBuffer value = device_copy(to_bsnd(own.value, M, T, E));
	const DeviceBuffer out(B * N * S * E * sizeof(float));
	const std::vector<float> wanted = to_bsnd(own.out, N, S, E);
	const auto expect = [&](const char *layout, const Dims &q, const Dims &k, const Dims &v,
				const Dims &result) {
		out.store(std::vector<float>(wanted.size(), -1));
		Call call;
		const bool is_bnsd = std::string(layout) == "BNSD_BSND";
		const Tensor a(is_bnsd ? memory.query : query, ACL_FLOAT, q);
		const TensorList b({new_tensor(is_bnsd ? memory.key : key, ACL_FLOAT, k)});
		const TensorList c({new_tensor(is_bnsd ? memory.value : value, ACL_FLOAT, v)});
		const Tensor d(out, ACL_FLOAT, result);
		call.layout = layout;
		call.query = a;
		call.key = b;
		call.value = c;
		call.out = d;
		call.run();
		expect_near(out.load<float>(), wanted);
	};
	expect("BSND", {B, S, N, D}, {B, T, M, D}, {B, T, M, E}, {B, S, N, E});
	expect("BSH", {B, S, N * D}, {B, T, M * D}, {B, T, M * E}, {B, S, N * E});
	expect("BNSD_BSND", {B, N, S, D}, {B, M, T, D}, {B, M, T, E}, {B, S, N, E});
	/* The caches are [B, T, M, D] views of memory in the order BNSD, as programs keep them. */
	Call call;
	const Tensor q(query, ACL_FLOAT, {B, S, N, D}), result(out, ACL_FLOAT, {B, S, N, E});
	const TensorList k(
		{new_tensor(memory.key, ACL_FLOAT, {B, T, M, D}, {M * T * D, D, T * D, 1})});
	const TensorList v(
		{new_tensor(memory.value, ACL_FLOAT, {B, T, M, E}, {M * T * E, E, T * E, 1})});
	call.layout = "BSND";
	call.query = q;
	call.key = k;
	call.value = v;
	call.out = result;
	out.store(std::vector<float>(wanted.size(), -1));
	call.run();
	expect_near(out.load<float>(), wanted);
}

TEST_F(AttentionOperators, ShiftsThatHideWholeRows)
{
	std::vector<float> shifts = numbers(S * T, 3);
	for (size_t t = 0; t < T; ++t)
		shifts[T + t] = -INFINITY;
	Case own;
	own.compute([&](size_t, size_t, size_t s, size_t t) { return double(shifts[s * T + t]); });
	Memory memory(own);
	const DeviceBuffer shift = device_copy(shifts);
	const Tensor pse(shift, ACL_FLOAT, {1, N, S, T}, {S * T, 0, T, 1}, 0);
	memory.call.shift = pse;
	memory.call.run();
	expect_near(memory.out.load<float>(), own.out);
}

TEST_F(AttentionOperators, MasksOfEachRank)
{
	std::vector<uint8_t> hidden(B * S * T);
	for (size_t i = 0; i < hidden.size(); ++i)
		hidden[i] = i % 3 == 1;
	const DeviceBuffer memory_of_mask = device_copy(hidden);
	const auto expect = [&](const Tensor &mask, size_t per_batch) {
		Case own;
		own.compute([&](size_t b, size_t, size_t s, size_t t) {
			return hidden[b * per_batch + s * T + t] ? double(-INFINITY) : 0;
		});
		Memory memory(own);
		memory.call.mask = mask;
		memory.call.run();
		expect_near(memory.out.load<float>(), own.out);
	};
	expect(Tensor(memory_of_mask, ACL_BOOL, {S, T}), 0);
	expect(Tensor(memory_of_mask, ACL_UINT8, {B, S, T}), S * T);
	expect(Tensor(memory_of_mask, ACL_INT8, {B, 1, S, T}), S * T);
	expect(Tensor(memory_of_mask, ACL_BOOL, {1, 1, S + 1, T}), 0);
}

TEST_F(AttentionOperators, LengthsAndModes)
{
	Case own;
	const size_t keys[] = {3, 5}, queries[] = {2, 3};
	own.compute([&](size_t b, size_t, size_t s, size_t t) {
		return t < keys[b] && s < queries[b] ? 0 : double(-INFINITY);
	});
	Memory memory(own);
	const IntArray lengths({2, 3}), key_lengths({3, 5}), three({3});
	memory.call.lengths = lengths;
	memory.call.key_lengths = key_lengths;
	memory.call.run();
	expect_near(memory.out.load<float>(), own.out);
	/* One length for all batches; the other one is that of the tensor. */
	own.compute([](size_t, size_t, size_t, size_t t) { return t < 3 ? 0 : double(-INFINITY); });
	memory.call.lengths = three;
	memory.call.key_lengths = three;
	memory.call.run();
	expect_near(memory.out.load<float>(), own.out);
	/* Mode 3: the last query sees the last key. The mask has the size that programs give it. */
	own.compute([](size_t, size_t, size_t s, size_t t) {
		return t <= s + T - S ? 0 : double(-INFINITY);
	});
	const DeviceBuffer triangle(2048 * 2048);
	const Tensor mask(triangle, ACL_BOOL, {2048, 2048});
	memory.call.lengths = memory.call.key_lengths = nullptr;
	memory.call.mask = mask;
	memory.call.sparse_mode = 3;
	memory.call.run();
	expect_near(memory.out.load<float>(), own.out);
}

TEST_F(AttentionOperators, RefuseShapesAndTypes)
{
	const Case own;
	const Memory memory(own);
	const DeviceBuffer bytes(4096);
	const Tensor integers(bytes, ACL_INT32, {B, N, S, D}), small(bytes, ACL_FLOAT, {S, T + 1});
	const TensorList two({new_tensor(bytes, ACL_FLOAT, {1, M, T, D}),
			      new_tensor(bytes, ACL_FLOAT, {1, M, T, D})});
	const TensorList halves({new_tensor(bytes, ACL_FLOAT, {B, M, T, D / 2})});
	const IntArray long_one({T + 1}), many({1, 2, 3});
	const auto refuse = [&](const char *text, const std::function<void(Call &)> &change) {
		Call call = memory.call;
		change(call);
		call.expect_refused(text);
	};
	refuse("query is INT32", [&](Call &call) { call.query = integers; });
	refuse("key has 2 members", [&](Call &call) { call.key = two; });
	refuse("key[0] is FLOAT [2, 2, 5, 4]; query has", [&](Call &call) { call.key = halves; });
	refuse("inputLayout is TND", [](Call &call) { call.layout = "TND"; });
	refuse("does not have the layout BSH", [](Call &call) { call.layout = "BSH"; });
	refuse("numHeads, which is 2", [](Call &call) { call.heads = 2; });
	refuse("must be a multiple", [](Call &call) { call.key_heads = 3; });
	refuse("sparseMode is 5", [](Call &call) { call.sparse_mode = 5; });
	refuse("blockTableOptional must be NULL", [&](Call &call) { call.block_table = small; });
	refuse("pseShiftOptional is FLOAT [3, 6]", [&](Call &call) { call.shift = small; });
	refuse("allowed are BOOL", [&](Call &call) { call.mask = small; });
	refuse("has the entry 6", [&](Call &call) { call.key_lengths = long_one; });
	refuse("has 3 entries", [&](Call &call) { call.lengths = many; });
	refuse("attentionOut is FLOAT [3, 6]", [&](Call &call) { call.out = small; });
	refuse("softmaxLse is FLOAT [3, 6]", [&](Call &call) { call.lse = small; });
	const Tensor row(bytes, ACL_FLOAT, {3}), four(bytes, ACL_FLOAT, {4});
	conformance::refuse<aclnnRotaryPositionEmbeddingGetWorkspaceSize>("must be even", row, row,
									  row, 0, row);
	conformance::refuse<aclnnRotaryPositionEmbeddingGetWorkspaceSize>("mode is 2", four, four,
									  four, 2, four);
	conformance::refuse<aclnnRotaryPositionEmbeddingGetWorkspaceSize>(
		"sin is FLOAT [3]; it can't be broadcast", four, four, row, 1, four);
}

} // namespace
