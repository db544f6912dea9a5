// SPDX-License-Identifier: MIT
/*
 * DOC: Attention kernels, tested
 *
 * Random shapes, strides and types against naive loops in double.
 */
#include <functional>
#include <memory>
#include <numeric>

#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t F32 = UNPU_DTYPE_F32;
constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};
constexpr uint32_t masks[] = {UNPU_DTYPE_BOOL, UNPU_DTYPE_I8, UNPU_DTYPE_U8, UNPU_DTYPE_F16};

void repeat(unsigned usual, const std::function<void(Random &, unsigned)> &one)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		one(random, i);
	}
}

int64_t up_to(Random &random, int64_t most)
{
	return static_cast<int64_t>(random() % static_cast<uint64_t>(most + 1));
}

TEST(Rotary, TurnsPairs)
{
	repeat(200, [](Random &random, unsigned i) {
		Dims dims = random_dims(random, 5, 30);
		dims.push_back(2 * up_to(random, i % 64 ? 40 : 1200));
		const int64_t mode = up_to(random, 1), half = dims.back() / 2;
		const Operand x(random, floats[random() % 3], dims, random() % 2, false);
		const Operand other(random, floats[random() % 3], dims, random() % 2, false);
		const Operand &out = random() % 4 ? other : x;
		const Operand cosines(random, floats[random() % 3], dims, random() % 2, true);
		const Operand sines(random, floats[random() % 3], dims, random() % 2, true);
		for (const Operand *operand : {&x, &cosines, &sines})
			fill(random, *operand, 2, random() % 8 == 0);
		std::vector<double> wanted, scales;
		for_each(dims, [&](const Dims &at) {
			const int64_t d = at.back();
			const bool is_first = mode ? d % 2 == 0 : d < half;
			const int64_t step = mode ? 1 : half;
			Dims pair = at;
			pair.back() += is_first ? step : -step;
			const double straight = x.get(at) * cosines.get(at);
			const double crossed = (is_first ? -1 : 1) * x.get(pair) * sines.get(at);
			wanted.push_back(straight + crossed);
			scales.push_back(std::fabs(straight) + std::fabs(crossed));
		});
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_ROTARY, F32);
		builder.add(0, out).add(1, x).add(2, cosines).add(3, sines).integer(mode);
		run(random, builder.call);
		size_t number = 0;
		for_each(dims, [&](const Dims &at) {
			const double got = out.get(at), expected = wanted[number];
			const double scale = scales[number++];
			const double top = out.view.dtype == UNPU_DTYPE_F16 ? 65504 : 3.3e38;
			/* A product may overflow where the sum does not. */
			if (!(scale < top))
				return;
			const double share = out.view.dtype == F32		? 0x1p-22
					     : out.view.dtype == UNPU_DTYPE_F16 ? 0x1p-10
										: 0x1p-7;
			ASSERT_NEAR(got, expected, scale * share + 0x1p-24) << scale;
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Rotary, KeepsNotANumberAndInfinity)
{
	Random random(seed());
	for (const int64_t mode : {0, 1}) {
		const Operand x(random, F32, {1, 40}, false, false);
		const Operand cosines(random, F32, {1, 40}, false, false);
		const Operand sines(random, F32, {1, 40}, false, false);
		fill(random, x, 2, false);
		fill(random, cosines, 1, false);
		fill(random, sines, 1, false);
		x.set({0, 4}, NAN);
		x.set({0, 36}, HUGE_VAL);
		cosines.set({0, 36}, 0.5);
		run(random, CallBuilder(UNPU_TENSOR_ROTARY, F32)
				    .add(0, x)
				    .add(1, x)
				    .add(2, cosines)
				    .add(3, sines)
				    .integer(mode)
				    .call);
		EXPECT_TRUE(std::isnan(x.get({0, 4})));
		EXPECT_TRUE(std::isnan(x.get({0, mode ? 5 : 24})));
		EXPECT_EQ(x.get({0, 36}), HUGE_VAL);
		EXPECT_TRUE(std::isinf(x.get({0, mode ? 37 : 16})));
		EXPECT_TRUE(std::isfinite(x.get({0, 6})));
	}
}

TEST(Rotary, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	const Operand good(random, F32, {2, 4}, false, false),
		odd(random, F32, {2, 3}, false, false);
	const Operand none(random, F32, {}, false, false);
	const Operand packed(random, UNPU_DTYPE_I4, {2, 4}, false, false);
	const Operand wide(random, F32, {1, 65536}, false, false);
	const Operand wider(random, F32, {1, 65538}, false, false);
	const auto refused = [](const Operand *const(&operands)[4], int64_t mode,
				uint32_t compute) {
		CallBuilder builder(UNPU_TENSOR_ROTARY, compute);
		for (unsigned slot = 0; slot < 4; slot++)
			builder.add(slot, *operands[slot]);
		builder.integer(mode);
		return !find_kernel(UNPU_TENSOR_ROTARY)->check(builder.call);
	};
	EXPECT_FALSE(refused({&good, &good, &good, &good}, 0, F32));
	for (unsigned slot = 0; slot < 4; slot++) {
		const Operand *operands[4] = {&good, &good, &good, &good};
		operands[slot] = &odd;
		EXPECT_TRUE(refused(operands, 0, F32)) << slot;
		operands[slot] = &packed;
		EXPECT_TRUE(refused(operands, 0, F32)) << slot;
	}
	EXPECT_TRUE(refused({&odd, &odd, &odd, &odd}, 0, F32));
	EXPECT_FALSE(refused({&wide, &wide, &wide, &wide}, 0, F32));
	EXPECT_TRUE(refused({&wider, &wider, &wider, &wider}, 0, F32));
	EXPECT_TRUE(refused({&none, &none, &none, &none}, 0, F32));
	EXPECT_TRUE(refused({&good, &good, &good, &good}, 0, UNPU_DTYPE_I64));
	for (const int64_t mode : {int64_t{2}, int64_t{-1}, INT64_MIN, int64_t{1} << 32})
		EXPECT_TRUE(refused({&good, &good, &good, &good}, mode, F32));
}

/* struct Attention - a call of ATTENTION. Operands that are absent are nullptr. */
struct Attention {
	std::unique_ptr<Operand> out, lse, query, key, value, pse, mask;
	double scale = 1;
	int64_t before = INT64_MAX, behind = INT64_MAX, mode = 0;
	Dims lengths, key_lengths;

	void build(CallBuilder &builder) const
	{
		const std::unique_ptr<Operand> *const all[] = {&out,   &lse, &query, &key,
							       &value, &pse, &mask};
		for (unsigned slot = 0; slot < std::size(all); slot++)
			if (*all[slot])
				builder.add(slot, **all[slot]);
		builder.real(scale).integer(before).integer(behind).integer(mode);
		builder.words({lengths.begin(), lengths.end()});
		builder.words({key_lengths.begin(), key_lengths.end()});
	}

	bool is_refused(uint32_t compute = F32) const
	{
		CallBuilder builder(UNPU_TENSOR_ATTENTION, compute);
		build(builder);
		return !find_kernel(UNPU_TENSOR_ATTENTION)->check(builder.call);
	}
};

/* is_seen() - whether a query sees a key, but for mask and pse. */
bool is_seen(const Attention &call, int64_t batch, int64_t query, int64_t key)
{
	int64_t queries = call.query->view.dims[2], keys = call.key->view.dims[2];
	if (!call.lengths.empty())
		queries = call.lengths[static_cast<size_t>(batch)];
	if (!call.key_lengths.empty())
		keys = call.key_lengths[static_cast<size_t>(batch)];
	if (query >= queries || key >= keys)
		return false;
	/* Distance from the diagonal. */
	const int64_t left = key - query, right = left - (keys - queries);
	switch (call.mode) {
	case 0:
		return !call.mask || (left >= -call.before && left <= call.behind);
	case 2:
		return left <= 0;
	case 3:
		return right <= 0;
	case 4:
		return right >= -call.before && right <= call.behind;
	}
	return true;
}

/* scores_of() - the scores of a query; -infinity for a key that is hidden. */
std::vector<double> scores_of(const Attention &call, int64_t b, int64_t n, int64_t s)
{
	const int64_t group = n / (call.query->view.dims[1] / call.key->view.dims[1]);
	std::vector<double> scores;
	for (int64_t t = 0; t < call.key->view.dims[2]; t++) {
		double score = 0;
		for (int64_t d = 0; d < call.key->view.dims[3]; d++)
			score += call.query->get({b, n, s, d}) * call.key->get({b, group, t, d});
		score *= call.scale;
		const double shift = call.pse ? call.pse->get({b, n, s, t}) : 0;
		const bool is_hidden = shift == -HUGE_VAL || !is_seen(call, b, s, t) ||
				       (call.mask && call.mask->get({b, n, s, t}) != 0);
		scores.push_back(is_hidden ? -HUGE_VAL : score + shift);
	}
	return scores;
}

/* struct Answer - the expected row of a query. */
struct Answer {
	std::vector<double> row;
	double lse = -HUGE_VAL;
};

Answer answer_of(const Attention &call, int64_t b, int64_t n, int64_t s)
{
	const int64_t group = n / (call.query->view.dims[1] / call.key->view.dims[1]);
	std::vector<double> scores = scores_of(call, b, n, s);
	Answer answer{std::vector<double>(static_cast<size_t>(call.value->view.dims[3]))};
	double top = -HUGE_VAL, sum = 0;
	for (const double score : scores)
		top = std::isnan(score) || score > top ? score : top;
	if (top == -HUGE_VAL)
		return answer;
	for (double &score : scores)
		sum += score = std::exp(score - top);
	answer.lse = top + std::log(sum);
	for (size_t t = 0; t < scores.size(); t++)
		for (size_t e = 0; e < answer.row.size() && scores[t] != 0; e++)
			answer.row[e] += scores[t] / sum *
					 call.value->get({b, group, static_cast<int64_t>(t),
							  static_cast<int64_t>(e)});
	return answer;
}

void compare(const Attention &call)
{
	const auto &dims = call.query->view.dims;
	double error = 0, square = 0;
	for_each({dims[0], dims[1], dims[2]}, [&](const Dims &at) {
		const Answer answer = answer_of(call, at[0], at[1], at[2]);
		for (size_t e = 0; e < answer.row.size(); e++) {
			const double got =
				call.out->get({at[0], at[1], at[2], static_cast<int64_t>(e)});
			const double wanted = answer.row[e];
			if (!std::isfinite(wanted)) {
				ASSERT_EQ(std::isnan(got), std::isnan(wanted)) << wanted;
				ASSERT_TRUE(std::isnan(got) || got == wanted) << got;
				continue;
			}
			ASSERT_TRUE(std::isfinite(got)) << wanted;
			error += (got - wanted) * (got - wanted);
			square += wanted * wanted;
			ASSERT_TRUE(answer.lse != -HUGE_VAL || got == 0);
		}
		if (!call.lse)
			return;
		const double got = call.lse->get({at[0], at[1], at[2], 0});
		const double unit = std::max(1.0, std::fabs(answer.lse)) * 0x1p-7;
		ASSERT_TRUE(std::isfinite(answer.lse) ? std::fabs(got - answer.lse) <= unit
						      : got == answer.lse || std::isnan(answer.lse))
			<< got << " " << answer.lse;
	});
	ASSERT_LE(error, (call.out->view.dtype == UNPU_DTYPE_BF16 ? 2e-5 : 1e-6) * square + 1e-12);
}

std::unique_ptr<Operand> random_operand(Random &random, uint32_t dtype, const Dims &dims, bool out)
{
	return std::make_unique<Operand>(random, dtype, dims, random() % 2, !out && random() % 2);
}

void fill_optional(Random &random, Attention &call, const Dims &scores)
{
	if (random() % 2) {
		call.pse = random_operand(random, floats[random() % 3], scores, false);
		fill(random, *call.pse, 2, false);
		for_each(scores, [&](const Dims &at) {
			if (random() % 8 == 0)
				call.pse->set(at, -HUGE_VAL);
		});
	}
	if (random() % 2) {
		call.mask = random_operand(random, masks[random() % 4], scores, false);
		for_each(scores, [&](const Dims &at) {
			call.mask->set(at, static_cast<double>(random() % 2));
		});
	}
	if (random() % 2)
		call.before = up_to(random, 8) - 2;
	if (random() % 2)
		call.behind = up_to(random, 8) - 2;
	call.mode = up_to(random, 4);
	for (int64_t b = 0; b < scores[0] && random() % 2; b++)
		call.lengths.push_back(up_to(random, scores[2]));
	for (int64_t b = 0; b < scores[0] && random() % 2; b++)
		call.key_lengths.push_back(up_to(random, scores[3]));
	if (call.lengths.size() != static_cast<size_t>(scores[0]))
		call.lengths.clear();
	if (call.key_lengths.size() != static_cast<size_t>(scores[0]))
		call.key_lengths.clear();
}

Attention random_attention(Random &random, unsigned i)
{
	const bool has_many_keys = i % 32 == 0, has_many_queries = i % 32 == 1;
	const int64_t b = up_to(random, 2), m = 1 + up_to(random, 1);
	const int64_t n = m * up_to(random, has_many_queries ? 1 : 3);
	const int64_t s = has_many_queries ? up_to(random, 300) : up_to(random, 6);
	const int64_t t = has_many_keys ? up_to(random, 700) : up_to(random, 12);
	const int64_t d = 1 + up_to(random, 20), e = random() % 2 ? d : 1 + up_to(random, 20);
	Attention call;
	call.out = random_operand(random, floats[random() % 3], {b, n, s, e}, true);
	if (random() % 2)
		call.lse = random_operand(random, floats[random() % 3], {b, n, s, 1}, true);
	call.query = random_operand(random, floats[random() % 3], {b, n, s, d}, false);
	call.key = random_operand(random, floats[random() % 3], {b, m, t, d}, false);
	call.value = random_operand(random, floats[random() % 3], {b, m, t, e}, false);
	for (const Operand *operand : {call.query.get(), call.key.get(), call.value.get()})
		fill(random, *operand, 1, false);
	call.scale = 1 / std::sqrt(static_cast<double>(d));
	fill_optional(random, call, {b, n, s, t});
	return call;
}

void run_and_compare(Random &random, const Attention &call)
{
	const auto outside = bytes_outside(*call.out);
	CallBuilder builder(UNPU_TENSOR_ATTENTION, F32);
	call.build(builder);
	run(random, builder.call);
	compare(call);
	ASSERT_EQ(bytes_outside(*call.out), outside);
}

TEST(Attention, EqualsTheNaiveLoops)
{
	repeat(300, [](Random &random, unsigned i) {
		run_and_compare(random, random_attention(random, i));
	});
}

TEST(Attention, ValuesOfKeysWithoutWeightAddNothing)
{
	repeat(100, [](Random &random, unsigned i) {
		Attention call = random_attention(random, i);
		const double odd[] = {NAN, HUGE_VAL, -HUGE_VAL};
		for (const Operand *operand : {call.key.get(), call.value.get()})
			for_each(operand->dims(), [&](const Dims &at) {
				if (random() % 32 == 0)
					operand->set(at, odd[random() % 3]);
			});
		run_and_compare(random, call);
	});
}

TEST(Attention, QueriesThatSeeNoKeyGetZero)
{
	Random random(seed());
	Attention call;
	call.out = random_operand(random, UNPU_DTYPE_F16, {1, 2, 3, 4}, true);
	call.lse = random_operand(random, F32, {1, 2, 3, 1}, true);
	call.query =
		std::make_unique<Operand>(random, UNPU_DTYPE_F16, Dims{1, 2, 3, 4}, false, false);
	call.key =
		std::make_unique<Operand>(random, UNPU_DTYPE_F16, Dims{1, 1, 400, 4}, false, false);
	call.value =
		std::make_unique<Operand>(random, UNPU_DTYPE_F16, Dims{1, 1, 400, 4}, false, false);
	call.pse =
		std::make_unique<Operand>(random, UNPU_DTYPE_F16, Dims{1, 2, 3, 400}, false, false);
	for (const Operand *operand : {call.query.get(), call.key.get(), call.value.get()})
		fill(random, *operand, 1, false);
	for_each(call.pse->dims(), [&](const Dims &at) { call.pse->set(at, -HUGE_VAL); });
	/* One query sees one key of the second block. */
	call.pse->set({0, 1, 1, 300}, 0);
	CallBuilder builder(UNPU_TENSOR_ATTENTION, F32);
	call.build(builder);
	run(random, builder.call);
	for_each(call.out->dims(), [&](const Dims &at) {
		const bool sees = at[1] == 1 && at[2] == 1;
		ASSERT_EQ(call.out->get(at), sees ? call.value->get({0, 0, 300, at[3]}) : 0);
	});
	EXPECT_EQ(call.lse->get({0, 0, 0, 0}), -HUGE_VAL);
	EXPECT_TRUE(std::isfinite(call.lse->get({0, 1, 1, 0})));
}

/* A call whose operands have the dims that a test gives. */
Attention shaped(Random &random, const Dims (&dims)[7], uint32_t mask = UNPU_DTYPE_BOOL)
{
	Attention call;
	std::unique_ptr<Operand> *const all[] = {&call.out,   &call.lse, &call.query, &call.key,
						 &call.value, &call.pse, &call.mask};
	for (unsigned slot = 0; slot < std::size(all); slot++)
		*all[slot] = std::make_unique<Operand>(random, slot == 6 ? mask : F32, dims[slot],
						       false, false);
	return call;
}

TEST(Attention, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	const Dims good[7] = {{2, 4, 3, 6}, {2, 4, 3, 1}, {2, 4, 3, 5}, {2, 2, 7, 5},
			      {2, 2, 7, 6}, {2, 4, 3, 7}, {2, 4, 3, 7}};
	EXPECT_FALSE(shaped(random, good).is_refused());
	EXPECT_TRUE(shaped(random, good).is_refused(UNPU_DTYPE_F64));
	for (unsigned slot = 0; slot < 7; slot++) {
		for (unsigned d = 0; d < 4; d++) {
			Dims dims[7];
			std::copy(std::begin(good), std::end(good), dims);
			dims[slot][d]++;
			EXPECT_TRUE(shaped(random, dims).is_refused()) << slot << " " << d;
		}
		Dims dims[7];
		std::copy(std::begin(good), std::end(good), dims);
		dims[slot].push_back(1);
		EXPECT_TRUE(shaped(random, dims).is_refused()) << slot;
	}
	EXPECT_TRUE(shaped(random, good, UNPU_DTYPE_I32).is_refused());
	EXPECT_TRUE(shaped(random, good, UNPU_DTYPE_I4).is_refused());
	/* Heads that do not share keys evenly, or no keys' heads. */
	EXPECT_TRUE(shaped(random, {{2, 4, 3, 6},
				    {2, 4, 3, 1},
				    {2, 4, 3, 5},
				    {2, 3, 7, 5},
				    {2, 3, 7, 6},
				    {2, 4, 3, 7},
				    {2, 4, 3, 7}})
			    .is_refused());
	EXPECT_TRUE(shaped(random, {{2, 4, 3, 6},
				    {2, 4, 3, 1},
				    {2, 4, 3, 5},
				    {2, 0, 7, 5},
				    {2, 0, 7, 6},
				    {2, 4, 3, 7},
				    {2, 4, 3, 7}})
			    .is_refused());
	/* Numbers of a query or a value: none, or more than scratch memory is for. */
	for (const int64_t d : {int64_t{0}, int64_t{4097}}) {
		EXPECT_TRUE(shaped(random, {{1, 1, 1, 2},
					    {1, 1, 1, 1},
					    {1, 1, 1, d},
					    {1, 1, 1, d},
					    {1, 1, 1, 2},
					    {1, 1, 1, 1},
					    {1, 1, 1, 1}})
				    .is_refused());
		EXPECT_TRUE(shaped(random, {{1, 1, 1, d},
					    {1, 1, 1, 1},
					    {1, 1, 1, 2},
					    {1, 1, 1, 2},
					    {1, 1, 1, d},
					    {1, 1, 1, 1},
					    {1, 1, 1, 1}})
				    .is_refused());
	}
}

TEST(Attention, RefusesBadTypes)
{
	Random random(seed());
	const Dims good[7] = {{2, 4, 3, 6}, {2, 4, 3, 1}, {2, 4, 3, 5}, {2, 2, 7, 5},
			      {2, 2, 7, 6}, {2, 4, 3, 7}, {2, 4, 3, 7}};
	for (unsigned slot = 0; slot < 6; slot++) {
		Attention call = shaped(random, good);
		std::unique_ptr<Operand> *const all[] = {&call.out, &call.lse,	 &call.query,
							 &call.key, &call.value, &call.pse};
		(*all[slot])->view.dtype = UNPU_DTYPE_I32;
		EXPECT_TRUE(call.is_refused()) << slot;
		(*all[slot])->view.dtype = UNPU_DTYPE_I4;
		EXPECT_TRUE(call.is_refused()) << slot;
	}
}

TEST(Attention, RefusesBadAttributes)
{
	Random random(seed());
	const Dims good[7] = {{2, 4, 3, 6}, {2, 4, 3, 1}, {2, 4, 3, 5}, {2, 2, 7, 5},
			      {2, 2, 7, 6}, {2, 4, 3, 7}, {2, 4, 3, 7}};
	Attention call = shaped(random, good);
	for (const int64_t mode : {int64_t{5}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
		call.mode = mode;
		EXPECT_TRUE(call.is_refused());
	}
	call.mode = 0;
	call.lengths = {3, 0};
	call.key_lengths = {0, 7};
	EXPECT_FALSE(call.is_refused());
	for (const Dims &lengths : {Dims{3}, Dims{3, 3, 3}, Dims{3, 4}, Dims{-1, 3},
				    Dims{INT64_MAX, 3}, Dims{INT64_MIN, 3}}) {
		call.lengths = lengths;
		EXPECT_TRUE(call.is_refused());
	}
	call.lengths.clear();
	for (const Dims &lengths : {Dims{7}, Dims{7, 8}, Dims{7, -1}, Dims{7, INT64_MIN}}) {
		call.key_lengths = lengths;
		EXPECT_TRUE(call.is_refused());
	}
}

/* Any numbers of tokens before and behind a query: sums of them do not overflow. */
TEST(Attention, WindowsOfAnySize)
{
	Random random(seed());
	for (const int64_t before : {INT64_MIN, int64_t{0}, INT64_MAX})
		for (const int64_t behind : {INT64_MIN, int64_t{0}, INT64_MAX})
			for (const int64_t mode : {0, 4}) {
				Attention call = shaped(random, {{1, 1, 3, 2},
								 {1, 1, 3, 1},
								 {1, 1, 3, 2},
								 {1, 1, 4, 2},
								 {1, 1, 4, 2},
								 {1, 1, 3, 4},
								 {1, 1, 3, 4}});
				for (const Operand *operand : {call.query.get(), call.key.get(),
							       call.value.get(), call.pse.get()})
					fill(random, *operand, 1, false);
				for_each(call.mask->dims(),
					 [&](const Dims &at) { call.mask->set(at, 0); });
				call.before = before;
				call.behind = behind;
				call.mode = mode;
				CallBuilder builder(UNPU_TENSOR_ATTENTION, F32);
				call.build(builder);
				run(random, builder.call);
				/* The naive loop has no room for the smallest number. */
				call.before = std::clamp<int64_t>(before, -100, 100);
				call.behind = std::clamp<int64_t>(behind, -100, 100);
				compare(call);
			}
}

} // namespace
