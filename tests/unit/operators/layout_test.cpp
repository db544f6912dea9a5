// SPDX-License-Identifier: MIT
/*
 * DOC: Layout kernels, tested
 *
 * Random shapes, strides and types; each element of the result against the one that it must come from.
 */
#include <functional>

#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t types[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_I8,
			      UNPU_DTYPE_I32, UNPU_DTYPE_I64, UNPU_DTYPE_F64};

uint32_t any_type(Random &random)
{
	return types[random() % std::size(types)];
}

/* Small whole numbers, which every type has. */
void fill_whole(Random &random, const Operand &operand)
{
	for_each(operand.dims(),
		 [&](const Dims &at) { operand.set(at, static_cast<double>(random() % 100)); });
}

/* Fails the test if an element of @out is not @expected(its index). */
template <class Expected> void compare(const Operand &out, Expected expected)
{
	for_each(out.dims(), [&](const Dims &at) { ASSERT_EQ(out.get(at), expected(at)); });
}

/* repeat() - runs @one for each case, until one fails. */
void repeat(unsigned usual, const std::function<void(Random &)> &one)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		one(random);
	}
}

bool is_refused(const CallBuilder &builder)
{
	return !find_kernel(builder.call.kind)->check(builder.call);
}

TEST(Layout, CastsBetweenAllTypes)
{
	constexpr uint32_t all[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16, UNPU_DTYPE_I8,
				    UNPU_DTYPE_I16, UNPU_DTYPE_I32, UNPU_DTYPE_I64,  UNPU_DTYPE_U8,
				    UNPU_DTYPE_F64, UNPU_DTYPE_BOOL};
	repeat(300, [&](Random &random) {
		const Dims dims = random_dims(random, 8, random() % 16 ? 300 : 20000);
		const uint32_t from = all[random() % std::size(all)];
		const uint32_t to = all[random() % std::size(all)];
		const Operand out(random, to, dims, random() % 2, false);
		const Operand self(random, from, dims, random() % 2, true);
		for_each(dims, [&](const Dims &at) {
			self.set(at, static_cast<double>(random() % 127) + (random() % 2) * 0.5);
		});
		const auto outside = bytes_outside(out);
		run(random, CallBuilder(UNPU_TENSOR_CAST).add(0, out).add(1, self).call);
		compare(out, [&](const Dims &at) {
			const double value = self.get(at);
			std::byte bits[8];
			double rounded;
			store_row<double>(to, bits, 0, 1, &value);
			load_row<double>(to, bits, 0, 1, &rounded);
			return rounded;
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

/* What the conversion unit of a device does, from each floating type into each integer. */
TEST(Layout, CastsOfLargeNumbersSaturate)
{
	const std::pair<uint32_t, std::pair<double, double>> integers[] = {
		{UNPU_DTYPE_I8, {-128, 127}},
		{UNPU_DTYPE_U8, {0, 255}},
		{UNPU_DTYPE_I16, {-32768, 32767}},
		{UNPU_DTYPE_I32, {-2147483648.0, 2147483647.0}},
		{UNPU_DTYPE_I64, {-0x1p63, 0x1p63}},
	};
	constexpr uint32_t floating[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16,
					 UNPU_DTYPE_F64};
	Random random(seed());
	for (const auto &[to, range] : integers)
		for (const uint32_t from : floating) {
			const Operand out(random, to, {5}, false, false);
			const Operand self(random, from, {5}, false, false);
			const double values[] = {INFINITY, -INFINITY, NAN, 1e30, -1e30};
			for (int64_t i = 0; i < 5; i++)
				self.set({i}, values[i]);
			run(random, CallBuilder(UNPU_TENSOR_CAST).add(0, out).add(1, self).call);
			const double wanted[] = {range.second, range.first, 0, range.second,
						 range.first};
			for (int64_t i = 0; i < 5; i++)
				EXPECT_EQ(out.get({i}), wanted[i]) << to << " " << from << " " << i;
		}
}

TEST(Layout, CopiesBitsOfOneType)
{
	repeat(100, [](Random &random) {
		const Dims dims = random_dims(random, 8, 3000);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		run(random, CallBuilder(UNPU_TENSOR_CAST).add(0, out).add(1, self).call);
		for_each(dims, [&](const Dims &at) {
			ASSERT_EQ(
				std::memcmp(out.place(at), self.place(at), element_bits(dtype) / 8),
				0);
		});
	});
}

TEST(Layout, Cat)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 7, random() % 16 ? 300 : 20000);
		dims.push_back(1);
		std::shuffle(dims.begin(), dims.end(), random);
		const size_t dim = random() % dims.size();
		const uint32_t dtype = any_type(random);
		std::deque<Operand> parts;
		std::vector<int64_t> starts;
		int64_t total = 0;
		for (unsigned k = 1 + random() % 5; k > 0; k--) {
			Dims part = dims;
			part[dim] = static_cast<int64_t>(random() % 40);
			starts.push_back(total);
			total += part[dim];
			parts.emplace_back(random, dtype, part, random() % 2, true);
			fill_whole(random, parts.back());
		}
		dims[dim] = total;
		const Operand out(random, dtype, dims, random() % 2, false);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_CAT);
		builder.add(0, out);
		for (const Operand &part : parts)
			builder.add(1, part);
		run(random, builder.integer(static_cast<int64_t>(dim)).call);
		compare(out, [&](Dims at) {
			size_t k = starts.size() - 1;
			while (starts[k] > at[dim])
				k--;
			at[dim] -= starts[k];
			return parts[k].get(at);
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Layout, Roll)
{
	repeat(100, [](Random &random) {
		const Dims dims = random_dims(random, 8, 3000);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill_whole(random, self);
		std::vector<uint64_t> shifts;
		for (size_t d = 0; d < dims.size(); d++)
			shifts.push_back(static_cast<uint64_t>(int64_t(random() % 50) - 25));
		CallBuilder builder(UNPU_TENSOR_ROLL);
		run(random, builder.add(0, out).add(1, self).words(shifts).call);
		compare(out, [&](Dims at) {
			for (size_t d = 0; d < dims.size(); d++) {
				const int64_t from = at[d] - static_cast<int64_t>(shifts[d]);
				at[d] = (from % dims[d] + dims[d]) % dims[d];
			}
			return self.get(at);
		});
	});
}

TEST(Layout, RollOfOneNumberShiftsAllElementsAsOneRow)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 8, 300);
		if (dims.size() == 1)
			dims.push_back(2);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill_whole(random, self);
		const auto shift = int64_t(random() % 900) - 450;
		std::vector<double> row;
		for_each(dims, [&](const Dims &at) { row.push_back(self.get(at)); });
		CallBuilder builder(UNPU_TENSOR_ROLL);
		run(random, builder.add(0, out).add(1, self).integer(shift).call);
		const auto count = static_cast<int64_t>(row.size());
		int64_t number = 0;
		compare(out, [&](const Dims &) {
			const int64_t from = (number++ - shift) % count;
			return row[static_cast<size_t>((from + count) % count)];
		});
	});
}

/* A random number of elements before and behind each dim, at most @most. */
std::vector<uint64_t> random_pads(Random &random, const Dims &dims, bool below_size)
{
	std::vector<uint64_t> pads;
	for (const int64_t dim : dims)
		pads.push_back(random() % (below_size ? std::max<uint64_t>(1, dim) : 4));
	return pads;
}

Dims padded(Dims dims, const std::vector<uint64_t> &low, const std::vector<uint64_t> &high)
{
	for (size_t d = 0; d < dims.size(); d++)
		dims[d] += static_cast<int64_t>(low[d] + high[d]);
	return dims;
}

TEST(Layout, Pad)
{
	repeat(100, [](Random &random) {
		const Dims dims = random_dims(random, 6, random() % 16 ? 100 : 10000);
		const auto low = random_pads(random, dims, false);
		const auto high = random_pads(random, dims, false);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, padded(dims, low, high), random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill_whole(random, self);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_PAD);
		builder.add(0, out).add(1, self).words(low).words(high).scalar(-5);
		run(random, builder.call);
		compare(out, [&](Dims at) {
			for (size_t d = 0; d < dims.size(); d++) {
				at[d] -= static_cast<int64_t>(low[d]);
				if (at[d] < 0 || at[d] >= dims[d])
					return -5.0;
			}
			return self.get(at);
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Layout, ReflectionPad)
{
	repeat(100, [](Random &random) {
		const Dims dims = random_dims(random, 4, 100);
		const auto low = random_pads(random, dims, true);
		const auto high = random_pads(random, dims, true);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, padded(dims, low, high), random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill_whole(random, self);
		CallBuilder builder(UNPU_TENSOR_REFLECTION_PAD);
		run(random, builder.add(0, out).add(1, self).words(low).words(high).call);
		compare(out, [&](Dims at) {
			for (size_t d = 0; d < dims.size(); d++) {
				at[d] = std::abs(at[d] - static_cast<int64_t>(low[d]));
				if (at[d] >= dims[d])
					at[d] = 2 * (dims[d] - 1) - at[d];
			}
			return self.get(at);
		});
	});
}

/* A row of indices for @size entries, some of them negative. */
Operand random_indices(Random &random, int64_t count, int64_t size)
{
	Operand index(random, random() % 2 ? UNPU_DTYPE_I32 : UNPU_DTYPE_I64, {count}, random() % 2,
		      false);
	for (int64_t i = 0; i < count; i++) {
		const auto entry = static_cast<int64_t>(random() % static_cast<uint64_t>(size));
		index.set({i}, static_cast<double>(random() % 4 ? entry : entry - size));
	}
	return index;
}

int64_t entry_of(const Operand &index, int64_t i, int64_t size)
{
	const auto entry = static_cast<int64_t>(index.get({i}));
	return entry < 0 ? entry + size : entry;
}

TEST(Layout, Gather)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 7, random() % 16 ? 300 : 20000);
		dims.insert(dims.begin(), 1 + static_cast<int64_t>(random() % 9));
		Dims result = dims;
		result[0] = static_cast<int64_t>(random() % 12);
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, result, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand index = random_indices(random, result[0], dims[0]);
		fill_whole(random, self);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_GATHER);
		run(random, builder.add(0, out).add(1, self).add(2, index).call);
		compare(out, [&](Dims at) {
			at[0] = entry_of(index, at[0], dims[0]);
			return self.get(at);
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Layout, GatherBySeveralDimsOfIndices)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 4, 60);
		dims.insert(dims.begin(), 1 + static_cast<int64_t>(random() % 9));
		Dims names = random_dims(random, 3, 20);
		names.push_back(1 + static_cast<int64_t>(random() % 3));
		Dims result = names;
		result.insert(result.end(), dims.begin() + 1, dims.end());
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, result, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand index(random, UNPU_DTYPE_I32, names, random() % 2, true);
		fill_whole(random, self);
		for_each(names, [&](const Dims &at) {
			const auto size = static_cast<uint64_t>(dims[0]);
			index.set(at, static_cast<double>(random() % (2 * size)) -
					      static_cast<double>(size));
		});
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_GATHER);
		run(random, builder.add(0, out).add(1, self).add(2, index).call);
		compare(out, [&](const Dims &at) {
			const auto split = at.begin() + static_cast<long>(names.size());
			Dims from(split - 1, at.end());
			from[0] = static_cast<int64_t>(index.get({at.begin(), split}));
			from[0] += from[0] < 0 ? dims[0] : 0;
			return self.get(from);
		});
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Layout, IndexCopyLetsTheLastEqualIndexWin)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 7, random() % 16 ? 300 : 20000);
		dims.insert(dims.begin(), 1 + static_cast<int64_t>(random() % 9));
		Dims rows = dims;
		rows[0] = static_cast<int64_t>(random() % 12);
		const uint32_t dtype = any_type(random);
		const Operand self(random, dtype, dims, random() % 2, false);
		const Operand source(random, dtype, rows, random() % 2, true);
		const Operand index = random_indices(random, rows[0], dims[0]);
		fill_whole(random, self);
		fill_whole(random, source);
		std::vector<double> before;
		for_each(dims, [&](const Dims &at) { before.push_back(self.get(at)); });
		CallBuilder builder(UNPU_TENSOR_INDEX_COPY);
		run(random, builder.add(0, self).add(1, index).add(2, source).call);
		size_t number = 0;
		compare(self, [&](Dims at) {
			double expected = before[number++];
			const int64_t entry = at[0];
			for (int64_t i = 0; i < rows[0]; i++) {
				at[0] = i;
				if (entry_of(index, i, dims[0]) == entry)
					expected = source.get(at);
			}
			return expected;
		});
	});
}

TEST(Layout, IndexFill)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 7, 300);
		dims.insert(dims.begin(), 5);
		const uint32_t dtype = any_type(random);
		const Operand self(random, dtype, dims, random() % 2, false);
		fill_whole(random, self);
		std::vector<double> before;
		for_each(dims, [&](const Dims &at) { before.push_back(self.get(at)); });
		CallBuilder builder(UNPU_TENSOR_INDEX_FILL);
		builder.add(0, self).words({1, static_cast<uint64_t>(-1)}).scalar_integer(77);
		run(random, builder.call);
		size_t number = 0;
		compare(self, [&](const Dims &at) {
			const double old = before[number++];
			return at[0] == 1 || at[0] == 4 ? 77 : old;
		});
	});
}

TEST(Layout, NamesTheIndexThatIsOutOfRange)
{
	Random random(seed());
	for (const int64_t bad : {5, -6, INT32_MAX, INT32_MIN}) {
		const Operand out(random, UNPU_DTYPE_F32, {3, 2}, false, false);
		const Operand self(random, UNPU_DTYPE_F32, {5, 2}, false, false);
		const Operand index(random, UNPU_DTYPE_I32, {3}, false, false);
		fill_whole(random, self);
		for (int64_t i = 0; i < 3; i++)
			index.set({i}, static_cast<double>(i == 2 ? bad : i));
		CallBuilder gather(UNPU_TENSOR_GATHER);
		Finding found = run(random, gather.add(0, out).add(1, self).add(2, index).call);
		EXPECT_EQ(found.status, base::Status::BAD_INDEX);
		EXPECT_EQ(found.view, 2u);
		EXPECT_EQ(found.offset, 8u);

		const auto before = self.bytes;
		CallBuilder copy(UNPU_TENSOR_INDEX_COPY);
		found = run(random, copy.add(0, self).add(1, index).add(2, out).call);
		EXPECT_EQ(found.status, base::Status::BAD_INDEX);
		EXPECT_EQ(found.view, 1u);
		EXPECT_EQ(found.offset, 8u);
		EXPECT_EQ(self.bytes, before);
	}
}

TEST(Layout, Triangles)
{
	repeat(100, [](Random &random) {
		Dims dims = random_dims(random, 6, 100);
		dims.push_back(1 + static_cast<int64_t>(random() % 20));
		dims.push_back(1 + static_cast<int64_t>(random() % 20));
		const bool upper = random() % 2;
		const int64_t extremes[] = {INT64_MIN, INT64_MAX, 0};
		const int64_t diagonal = random() % 8 ? static_cast<int64_t>(random() % 50) - 25
						      : extremes[random() % 3];
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand other(random, dtype, dims, random() % 2, true);
		const bool in_place = random() % 2;
		const Operand &self = in_place ? out : other;
		fill_whole(random, self);
		std::vector<double> before;
		for_each(dims, [&](const Dims &at) { before.push_back(self.get(at)); });
		CallBuilder builder(upper ? UNPU_TENSOR_TRIU : UNPU_TENSOR_TRIL);
		run(random, builder.add(0, out).add(1, self).integer(diagonal).call);
		size_t number = 0;
		compare(out, [&](const Dims &at) {
			const double old = before[number++];
			const int64_t behind = at[dims.size() - 1] - at[dims.size() - 2];
			return (upper ? behind >= diagonal : behind <= diagonal) ? old : 0;
		});
	});
}

TEST(Layout, Arange)
{
	repeat(100, [](Random &random) {
		const Dims dims = random_dims(random, 4, random() % 16 ? 300 : 20000);
		const Operand floats(random, UNPU_DTYPE_F32, dims, random() % 2, false);
		const Operand whole(random, UNPU_DTYPE_I64, dims, random() % 2, false);
		CallBuilder real(UNPU_TENSOR_ARANGE, UNPU_DTYPE_F32);
		run(random, real.add(0, floats).scalar(0.5).scalar(-0.1).call);
		CallBuilder integer(UNPU_TENSOR_ARANGE, UNPU_DTYPE_I64);
		run(random, integer.add(0, whole).scalar_integer(-3).scalar_integer(7).call);
		int64_t number = 0;
		compare(floats, [&](const Dims &) {
			return static_cast<float>(0.5 + static_cast<double>(number++) * -0.1);
		});
		number = 0;
		compare(whole, [&](const Dims &) { return -3 + 7 * number++; });
	});
}

TEST(Layout, UpsampleNearest)
{
	repeat(100, [](Random &random) {
		Dims dims, result;
		for (int d = 0; d < 4; d++) {
			dims.push_back(1 + static_cast<int64_t>(random() % 9));
			result.push_back(d < 2 ? dims[d] : 1 + static_cast<int64_t>(random() % 20));
		}
		const uint32_t dtype = any_type(random);
		const Operand out(random, dtype, result, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill_whole(random, self);
		CallBuilder builder(UNPU_TENSOR_UPSAMPLE_NEAREST);
		run(random, builder.add(0, out).add(1, self).call);
		compare(out, [&](Dims at) {
			for (int d = 2; d < 4; d++) {
				const float scale = float(dims[d]) / float(result[d]);
				at[d] = std::min<int64_t>(dims[d] - 1,
							  std::floor(float(at[d]) * scale));
			}
			return self.get(at);
		});
	});
}

TEST(Layout, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	const Operand two(random, UNPU_DTYPE_F32, {2, 2}, false, false);
	const Operand three(random, UNPU_DTYPE_F32, {3, 2}, false, false);
	const Operand wide(random, UNPU_DTYPE_F64, {2, 2}, false, false);
	const Operand packed(random, UNPU_DTYPE_I4, {2, 2}, false, false);
	const Operand indices(random, UNPU_DTYPE_I32, {2}, false, false);
	const Operand floats(random, UNPU_DTYPE_F32, {2}, false, false);
	const auto call = [](uint32_t kind) { return CallBuilder(kind); };

	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAST).add(0, two).add(1, three)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAST).add(0, packed).add(1, packed)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAT).add(0, three).add(1, two).integer(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAT).add(0, two).add(1, three).integer(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAT).add(0, two).add(1, two).integer(2)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_CAT).add(0, two).add(1, wide).integer(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_ROLL).add(0, two).add(1, two).words({1, 2, 3})));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_ROLL).add(0, two).add(1, three).words({1, 1})));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_PAD)
				       .add(0, three)
				       .add(1, two)
				       .words({0, 0})
				       .words({0, 0})
				       .scalar(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_PAD)
				       .add(0, two)
				       .add(1, three)
				       .words({static_cast<uint64_t>(-1), 0})
				       .words({0, 0})
				       .scalar(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_REFLECTION_PAD)
				       .add(0, three)
				       .add(1, two)
				       .words({2, 0})
				       .words({0, 0})));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_GATHER).add(0, three).add(1, two).add(2, indices)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_GATHER).add(0, two).add(1, two).add(2, floats)));
	EXPECT_TRUE(
		is_refused(call(UNPU_TENSOR_INDEX_COPY).add(0, two).add(1, indices).add(2, three)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_INDEX_COPY).add(0, two).add(1, indices)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_INDEX_FILL).add(0, two).words({2}).scalar(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_TRIL).add(0, indices).add(1, indices).integer(0)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_UPSAMPLE_NEAREST).add(0, two).add(1, two)));
	EXPECT_TRUE(is_refused(call(UNPU_TENSOR_ARANGE).add(0, two).scalar(0).scalar(1)));
}

} // namespace
