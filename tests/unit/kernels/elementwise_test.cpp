// SPDX-License-Identifier: MIT
/*
 * DOC: Element-wise operators, tested
 *
 * Every combination of element types and compute types runs against the reference over random
 * views; the conversions of the 16-bit floats are tested for every number and every way to round.
 */
#include <gtest/gtest.h>

#include "tests/unit/support/elementwise_reference.h"

namespace {

using namespace reference;

/* fill_values() - numbers of all sizes, zeros, infinities, NaNs, limits. */
void fill_values(Random &random, uint32_t dtype, Bytes &bytes)
{
	const size_t size = fw::dtype_bytes(dtype);
	constexpr float special[] = {0.0f, -0.0f,    1.0f,   INFINITY, -INFINITY,
				     NAN,  65504.0f, 1e-40f, 3e38f};

	for (size_t i = 0; i + size <= bytes.size(); i += size) {
		const uint64_t bits = random();
		Value value = {true, (long double)((double)(int64_t)bits / 0x1p56), 0};

		if (!is_float(dtype))
			value = {false, 0, (int64_t)(bits % 3 ? bits % 201 - 100 : bits)};
		else if (bits % 8 == 0)
			value.real = special[(bits >> 8) % std::size(special)];
		reference_write(dtype, &bytes[i], value);
		if (bits % 16 == 1 || dtype == UNPU_DTYPE_BOOL)
			std::memcpy(&bytes[i], &bits, size);
	}
}

void fill_all(Random &random, const unpu_operator &op, Memory &memory)
{
	for (unsigned i = 0; i < 3; i++)
		fill_values(random, op.operands[i].dtype, memory.buffer(i));
}

/*
 * random_view() - a permuted, padded, partly reversed layout; sources are broadcast here and
 * there.
 */
void random_view(Random &random, unpu_operator &op, unsigned i)
{
	unpu_operand &operand = op.operands[i];
	std::vector<unsigned> order(op.ndim);
	int64_t stride = 1;

	for (unsigned d = 0; d < op.ndim; d++)
		order[d] = op.ndim - 1 - d;
	if (random() % 2)
		std::shuffle(order.begin(), order.end(), random);
	if (random() % 4 == 0)
		stride = 1 + (int64_t)(random() % 3);
	for (const unsigned d : order) {
		operand.strides[d] = random() % 4 ? stride : -stride;
		stride *= op.dims[d];
		if (random() % 4 == 0)
			stride += (int64_t)(random() % 3);
		if (i != 0 && random() % 4 == 0)
			operand.strides[d] = 0;
		if (op.dims[d] == 1 && random() % 2)
			operand.strides[d] = (int64_t)(random() % 1000) - 500;
	}
}

unpu_operator random_operator(Random &random, uint32_t kind, uint32_t compute,
			      std::array<uint32_t, 3> types)
{
	std::vector<int64_t> dims(random() % 9);
	const int64_t limit = dims.size() > 4 ? 3 : dims.size() > 2 ? 5 : 40;

	for (int64_t &dim : dims)
		dim = 1 + (int64_t)(random() % (uint64_t)limit);
	if (dims.size() == 1 && random() % 4 == 0)
		dims[0] = 200 + (int64_t)(random() % 400);
	unpu_operator op = make_operator(kind, compute, dims, types);
	for (unsigned i = 0; i < 3; i++)
		if (random() % 3)
			random_view(random, op, i);
	if (kind == UNPU_OPERATOR_ADD && compute == UNPU_DTYPE_F32)
		op.scalar_bits = std::bit_cast<uint64_t>(random() % 2 ? 1.0 : -0.3);
	else if (kind == UNPU_OPERATOR_ADD)
		op.scalar_bits = (uint64_t)((int64_t)(random() % 7) - 3);
	return op;
}

void expect_reference(const unpu_operator &op, Memory &memory)
{
	const Bytes expected = memory.run_reference();

	memory.run();
	ASSERT_TRUE(same(op.operands[0].dtype, memory.buffer(0), expected))
		<< "kind " << op.kind << " compute " << op.compute << " ndim " << op.ndim
		<< " types " << op.operands[0].dtype << ' ' << op.operands[1].dtype << ' '
		<< op.operands[2].dtype;
}

TEST(Elementwise, AllTypesAgreeWithTheReference)
{
	const uint64_t seed = new_seed();
	SCOPED_TRACE("seed " + std::to_string(seed));
	Random random(seed);

	for (unsigned n = 0; n < 3 * 4 * 9 * 9 * 9 * 2; n++) {
		const std::array<uint32_t, 3> types = {dtypes[n / 12 % 9], dtypes[n / 108 % 9],
						       dtypes[n / 972 % 9]};
		const unpu_operator op =
			random_operator(random, kinds[n % 4], computes[n / 4 % 3], types);

		ASSERT_EQ(fw::check_operator(op), base::Status::OK);
		Memory memory(op);
		fill_all(random, op, memory);
		expect_reference(op, memory);
		if (HasFatalFailure())
			return;
	}
}

TEST(Elementwise, FloatRowsOfEveryLengthAndForm)
{
	const uint64_t seed = new_seed();
	SCOPED_TRACE("seed " + std::to_string(seed));
	Random random(seed);

	for (int64_t n = 1; n < 300; n++) {
		for (unsigned form = 0; form < 8; form++) {
			unpu_operator op =
				make_operator(kinds[form % 2], UNPU_DTYPE_F32, {n}, {1, 1, 1});
			op.operands[1].strides[0] = form & 2 ? 1 : 0;
			op.operands[2].strides[0] = form & 4 ? 1 : 0;
			Memory memory(op);
			fill_all(random, op, memory);
			expect_reference(op, memory);
		}
	}
}

TEST(Elementwise, InPlaceEqualsOutOfPlace)
{
	const uint64_t seed = new_seed();
	SCOPED_TRACE("seed " + std::to_string(seed));
	Random random(seed);

	for (unsigned n = 0; n < 500; n++) {
		const uint32_t type = dtypes[n % 9];
		unpu_operator op = random_operator(random, kinds[n % 4], computes[n / 4 % 3],
						   {type, type, dtypes[random() % 9]});
		std::memcpy(op.operands[1].strides, op.operands[0].strides,
			    sizeof(op.operands[1].strides));
		Memory memory(op);
		fill_all(random, op, memory);
		memory.buffer(1) = memory.buffer(0);
		const Bytes expected = memory.run_reference();

		fw::run_elementwise(op, {memory.base(0), memory.base(0), memory.base(2), nullptr});
		ASSERT_TRUE(same(type, memory.buffer(0), expected)) << "type " << type;
	}
}

/* The values depend on the order of the loops; bytes outside the result must not change. */
TEST(Elementwise, OverlapWritesNothingButTheResult)
{
	constexpr int64_t COUNT = 300;
	constexpr size_t FIRST = 64;
	constexpr auto UNTOUCHED = std::byte{0xa5};

	for (const uint32_t type : dtypes) {
		const size_t end = FIRST + COUNT * fw::dtype_bytes(type);
		const unpu_operator op =
			make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_F32, {COUNT}, {type, 1, 7});
		Bytes memory(4096, UNTOUCHED);

		fw::run_elementwise(op, {&memory[FIRST], &memory[0], &memory[8], nullptr});
		for (size_t at = 0; at < memory.size(); at++) {
			if (at < FIRST || at >= end) {
				ASSERT_EQ(memory[at], UNTOUCHED) << "type " << type << ", " << at;
			}
		}
	}
}

TEST(Elementwise, UnalignedOperands)
{
	Random random(7);

	for (unsigned n = 0; n < 729; n++) {
		const unpu_operator op =
			make_operator(UNPU_OPERATOR_MUL, UNPU_DTYPE_F32, {37},
				      {dtypes[n % 9], dtypes[n / 9 % 9], dtypes[n / 81]});
		Memory memory(op);
		Bytes shifted[3];
		fill_all(random, op, memory);
		for (unsigned i = 0; i < 3; i++) {
			shifted[i] = Bytes(1);
			shifted[i].insert(shifted[i].end(), memory.buffer(i).begin(),
					  memory.buffer(i).end());
		}
		memory.run();
		fw::run_elementwise(op, {&shifted[0][1], &shifted[1][1], &shifted[2][1], nullptr});
		shifted[0].erase(shifted[0].begin());
		ASSERT_TRUE(same(op.operands[0].dtype, shifted[0], memory.buffer(0)));
	}
}

/* combine_exactly() - all kinds of operator in type T, of packed views and of ones with gaps. */
template <class T> void combine_exactly(uint32_t type)
{
	using Wide = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;
	constexpr int64_t COUNT = 1001;
	Random random(type);
	for (const int64_t step : {1, 3}) {
		std::vector<T> a(COUNT * step), b(COUNT * step), to(COUNT * step, T(9));
		for (auto *values : {&a, &b}) {
			for (T &value : *values)
				value = static_cast<T>(static_cast<Wide>(random()));
		}
		for (const uint32_t kind :
		     {UNPU_OPERATOR_ADD, UNPU_OPERATOR_MUL, UNPU_OPERATOR_MAX, UNPU_OPERATOR_MIN}) {
			unpu_operator op = make_operator(kind, type, {COUNT}, {type, type, type});
			if (kind == UNPU_OPERATOR_ADD && type == UNPU_DTYPE_F64)
				op.scalar_bits = std::bit_cast<uint64_t>(1.0);
			for (unsigned i = 0; i < 3; i++)
				op.operands[i].strides[0] = step;
			ASSERT_EQ(fw::check_operator(op), base::Status::OK);
			fw::run_elementwise(op, {reinterpret_cast<std::byte *>(to.data()),
						 reinterpret_cast<std::byte *>(a.data()),
						 reinterpret_cast<std::byte *>(b.data()), nullptr});
			for (int64_t i = 0; i < COUNT * step; i++) {
				const auto at = static_cast<size_t>(i);
				const T x = a[at], y = b[at];
				const T wanted =
					i % step ? T(9)
					: kind == UNPU_OPERATOR_ADD
						? static_cast<T>(Wide{x} + Wide{y})
					: kind == UNPU_OPERATOR_MUL
						? static_cast<T>(Wide{x} * Wide{y})
						: (kind == UNPU_OPERATOR_MAX ? std::max(x, y)
									     : std::min(x, y));
				ASSERT_EQ(to[at], wanted) << kind << " " << type << " " << i;
			}
		}
	}
}

TEST(Elementwise, ExactTypes)
{
	combine_exactly<double>(UNPU_DTYPE_F64);
	combine_exactly<uint64_t>(UNPU_DTYPE_U64);
	combine_exactly<uint32_t>(UNPU_DTYPE_U32);
	combine_exactly<uint16_t>(UNPU_DTYPE_U16);
	double nan[] = {NAN, 1.0};
	unpu_operator op = make_operator(UNPU_OPERATOR_MIN, UNPU_DTYPE_F64, {1}, {10, 10, 10});
	double to = 0;
	for (int first : {0, 1}) {
		fw::run_elementwise(op, {reinterpret_cast<std::byte *>(&to),
					 reinterpret_cast<std::byte *>(&nan[first]),
					 reinterpret_cast<std::byte *>(&nan[1 - first]), nullptr});
		EXPECT_TRUE(std::isnan(to)) << first;
	}
}

/* run_row() - packed @a op 1 for a row: the plain conversion from one type into another. */
Bytes convert_row(uint32_t from, uint32_t to, const Bytes &a)
{
	const auto n = (int64_t)(a.size() / fw::dtype_bytes(from));
	unpu_operator op = make_operator(UNPU_OPERATOR_MUL, UNPU_DTYPE_F32, {n}, {to, from, 1});
	op.operands[2].strides[0] = 0;
	Bytes result((size_t)n * fw::dtype_bytes(to)), source = a;
	float one = 1.0f;

	fw::run_elementwise(
		op, {result.data(), source.data(), reinterpret_cast<std::byte *>(&one), nullptr});
	return result;
}

void round_trip(uint32_t dtype, Format format)
{
	Bytes all(65536 * 2);

	for (unsigned i = 0; i < 65536; i++) {
		const auto bits = (uint16_t)i;
		std::memcpy(&all[2 * i], &bits, 2);
	}
	const Bytes wide = convert_row(dtype, UNPU_DTYPE_F32, all);
	const Bytes back = convert_row(UNPU_DTYPE_F32, dtype, wide);
	for (unsigned i = 0; i < 65536; i++) {
		const auto bits = (uint16_t)i;
		const long double expected = reference_decode(format, bits);
		const float value = read_bits<float>(&wide[4 * i]);
		const float scalar = dtype == UNPU_DTYPE_F16 ? fw::half_to_float(bits)
							     : fw::bfloat_to_float(bits);

		if (std::isnan(expected)) {
			ASSERT_TRUE(std::isnan(value) && std::isnan(scalar)) << i;
			ASSERT_EQ(read_bits<uint16_t>(&back[2 * i]),
				  reference_encode(format, expected));
			continue;
		}
		ASSERT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>((float)expected))
			<< i;
		ASSERT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(scalar)) << i;
		ASSERT_EQ(read_bits<uint16_t>(&back[2 * i]), bits);
	}
}

TEST(Elementwise, EveryHalfRoundTrips)
{
	round_trip(UNPU_DTYPE_F16, half);
}

TEST(Elementwise, EveryBfloatRoundTrips)
{
	round_trip(UNPU_DTYPE_BF16, bfloat);
}

void round_once(uint32_t dtype, Format format)
{
	Bytes floats;
	const auto append = [&](uint32_t bits) {
		const auto *bytes = reinterpret_cast<const std::byte *>(&bits);
		floats.insert(floats.end(), bytes, bytes + 4);
	};

	/*
	 * Each number, the tie above it and the floats next to both: every way a rounding can go.
	 */
	for (unsigned i = 0; i < 65536; i++) {
		const long double low = reference_decode(format, (uint16_t)i);
		const long double high = reference_decode(format, (uint16_t)(i + 1));
		const float tie = std::isfinite(high) ? (float)((low + high) / 2) : (float)low;

		for (int step = -1; step <= 1; step++) {
			append(std::bit_cast<uint32_t>((float)low) + (uint32_t)step);
			append(std::bit_cast<uint32_t>(tie) + (uint32_t)step);
		}
	}
	for (unsigned i = 0; i < 65536; i++)
		append(i * 65537u);
	for (const float value :
	     {65519.99f, 65520.0f, 3.4e38f, INFINITY, 0x1p-25f, 0x1.000002p-25f, 0x1p-134f})
		append(std::bit_cast<uint32_t>(value));

	const Bytes result = convert_row(UNPU_DTYPE_F32, dtype, floats);
	for (size_t i = 0; i < floats.size() / 4; i++) {
		const float value = read_bits<float>(&floats[4 * i]);
		const uint16_t scalar = dtype == UNPU_DTYPE_F16 ? fw::float_to_half(value)
								: fw::float_to_bfloat(value);
		const uint16_t expected = reference_encode(format, value);

		ASSERT_EQ(scalar, expected) << value;
		ASSERT_EQ(read_bits<uint16_t>(&result[2 * i]), expected) << value;
	}
}

TEST(Elementwise, HalfRoundsToNearestEven)
{
	round_once(UNPU_DTYPE_F16, half);
}

TEST(Elementwise, BfloatRoundsToNearestEven)
{
	round_once(UNPU_DTYPE_BF16, bfloat);
}

template <class T, size_t N>
std::array<T, N> run_typed(unpu_operator op, uint32_t out, uint32_t type, std::array<T, N> a,
			   std::array<T, N> b)
{
	std::array<T, N> result = {};

	op.operands[0].dtype = out;
	op.operands[1].dtype = op.operands[2].dtype = type;
	EXPECT_EQ(fw::check_operator(op), base::Status::OK);
	fw::run_elementwise(op, {reinterpret_cast<std::byte *>(result.data()),
				 reinterpret_cast<std::byte *>(a.data()),
				 reinterpret_cast<std::byte *>(b.data()), nullptr});
	return result;
}

TEST(Elementwise, IntegersWrap)
{
	const unpu_operator add = make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_I64, {2}, {4, 4, 4});
	const unpu_operator mul = make_operator(UNPU_OPERATOR_MUL, UNPU_DTYPE_I64, {2}, {4, 4, 4});

	EXPECT_EQ((run_typed<int8_t, 2>(add, UNPU_DTYPE_I8, UNPU_DTYPE_I8, {127, -128}, {1, -1})),
		  (std::array<int8_t, 2>{-128, 127}));
	EXPECT_EQ((run_typed<int32_t, 2>(add, UNPU_DTYPE_I32, UNPU_DTYPE_I32, {INT32_MAX, -5},
					 {1, 3})),
		  (std::array<int32_t, 2>{INT32_MIN, -2}));
	EXPECT_EQ((run_typed<int64_t, 2>(add, UNPU_DTYPE_I64, UNPU_DTYPE_I64, {INT64_MAX, 1},
					 {1, 1})),
		  (std::array<int64_t, 2>{INT64_MIN, 2}));
	EXPECT_EQ((run_typed<uint8_t, 2>(mul, UNPU_DTYPE_U8, UNPU_DTYPE_U8, {16, 255}, {16, 255})),
		  (std::array<uint8_t, 2>{0, 1}));
	EXPECT_EQ((run_typed<uint8_t, 2>(add, UNPU_DTYPE_BOOL, UNPU_DTYPE_U8, {0, 128}, {0, 128})),
		  (std::array<uint8_t, 2>{0, 1}));
}

TEST(Elementwise, LargeIntegersReachTheShortFloatsRoundedOnce)
{
	/* Just above a tie of BF16; the excess is far below the last bit of an F32. */
	constexpr int64_t tie = (int64_t(0x101) << 54) + 1;
	int64_t a = tie, b = 1;
	uint16_t result = 0;
	const unpu_operator op = make_operator(UNPU_OPERATOR_MUL, UNPU_DTYPE_I64, {}, {3, 7, 7});

	fw::run_elementwise(op, {reinterpret_cast<std::byte *>(&result),
				 reinterpret_cast<std::byte *>(&a),
				 reinterpret_cast<std::byte *>(&b), nullptr});
	EXPECT_EQ(result, reference_encode(bfloat, (long double)tie));
	EXPECT_NE(result, fw::float_to_bfloat((float)tie));
}

TEST(Elementwise, InfinitiesAndNans)
{
	const unpu_operator add = make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_F32, {4}, {1, 1, 1});
	const auto sum =
		run_typed<float, 4>(add, UNPU_DTYPE_F32, UNPU_DTYPE_F32,
				    {INFINITY, INFINITY, NAN, -0.0f}, {1, -INFINITY, 1, -0.0f});

	EXPECT_EQ(sum[0], INFINITY);
	EXPECT_TRUE(std::isnan(sum[1]));
	EXPECT_TRUE(std::isnan(sum[2]));
	EXPECT_TRUE(sum[3] == 0 && std::signbit(sum[3]));
}

TEST(Elementwise, TheProductIsRoundedBeforeTheSum)
{
	/* 0.1f * 10 rounds to 1 in F32; fused, the rest of 1.49e-8 would survive. */
	unpu_operator op = make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_F32, {19}, {1, 1, 1});
	std::array<float, 19> a, b;

	op.scalar_bits = std::bit_cast<uint64_t>(10.0);
	a.fill(-1.0f);
	b.fill(0.1f);
	for (const float value : run_typed<float, 19>(op, UNPU_DTYPE_F32, UNPU_DTYPE_F32, a, b))
		EXPECT_EQ(value, 0.0f);
}

} // namespace
