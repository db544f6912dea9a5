// SPDX-License-Identifier: MIT
/*
 * DOC: Random instructions of the vector unit, element by element
 */
#include "random.h"

using namespace AscendC;
using namespace random_test;

namespace {

/* The numbers of a type as the test computes with them. */
template <class T> using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, double>;

template <class T> T narrow(Wide<T> value)
{
	if constexpr (std::is_integral_v<T>)
		return T(uint64_t(value)); /* integers wrap */
	else if constexpr (std::is_same_v<T, half>)
		return half(float(value)); /* float is wide enough for two roundings to be as one */
	else
		return T(value);
}
template <class T> Wide<T> widen(T value)
{
	if constexpr (std::is_integral_v<T>)
		return value;
	else
		return double(float(value));
}

enum class Op { ADD, SUB, MUL, MAX, MIN, DIV, ADD_RELU, SUB_RELU, AND, OR };

template <class T> T compute(Op op, T x, T y)
{
	const Wide<T> a = widen(x), b = widen(y);
	const bool is_none = a != a || b != b;

	switch (op) {
	case Op::ADD:
		return narrow<T>(a + b);
	case Op::SUB:
		return narrow<T>(a - b);
	case Op::MUL:
		return narrow<T>(Wide<T>(uint64_t(1)) * a * b);
	case Op::MAX:
		return is_none ? narrow<T>(a + b) : a > b ? x : y;
	case Op::MIN:
		return is_none ? narrow<T>(a + b) : a < b ? x : y;
	case Op::DIV:
		if constexpr (!std::is_integral_v<T>)
			return narrow<T>(a / b);
		break;
	case Op::ADD_RELU: {
		const T sum = narrow<T>(a + b);

		return widen(sum) > 0 || sum != sum ? sum : T(0);
	}
	case Op::SUB_RELU: {
		const T sum = narrow<T>(a - b);

		return widen(sum) > 0 || sum != sum ? sum : T(0);
	}
	case Op::AND:
		if constexpr (std::is_integral_v<T>)
			return T(x & y);
		break;
	case Op::OR:
		if constexpr (std::is_integral_v<T>)
			return T(x | y);
		break;
	}
	abort();
}

template <class T, bool set, class M>
void call(Op op, const LocalTensor<T> &d, const LocalTensor<T> &a, const LocalTensor<T> &b, M mask,
	  uint32_t repeat, const BinaryRepeatParams &p)
{
	switch (op) {
	case Op::ADD:
		return Add<T, set>(d, a, b, mask, uint8_t(repeat), p);
	case Op::SUB:
		return Sub<T, set>(d, a, b, mask, uint8_t(repeat), p);
	case Op::MUL:
		return Mul<T, set>(d, a, b, mask, uint8_t(repeat), p);
	case Op::MAX:
		return Max<T, set>(d, a, b, mask, uint8_t(repeat), p);
	case Op::MIN:
		return Min<T, set>(d, a, b, mask, uint8_t(repeat), p);
	case Op::DIV:
		if constexpr (!std::is_integral_v<T>)
			Div<T, set>(d, a, b, mask, uint8_t(repeat), p);
		return;
	case Op::ADD_RELU:
		if constexpr (!std::is_same_v<T, int32_t> && !std::is_same_v<T, uint16_t>)
			AddRelu<T, set>(d, a, b, mask, uint8_t(repeat), p);
		return;
	case Op::SUB_RELU:
		if constexpr (!std::is_same_v<T, int32_t> && !std::is_same_v<T, uint16_t>)
			SubRelu<T, set>(d, a, b, mask, uint8_t(repeat), p);
		return;
	case Op::AND:
		if constexpr (std::is_same_v<T, int16_t>)
			And<T, set>(d, a, b, mask, uint8_t(repeat), p);
		return;
	case Op::OR:
		if constexpr (std::is_same_v<T, int16_t>)
			Or<T, set>(d, a, b, mask, uint8_t(repeat), p);
		return;
	}
}

template <class T> Op draw_op(Draw &draw)
{
	if constexpr (std::is_same_v<T, int16_t>)
		return draw.pick({Op::ADD, Op::SUB, Op::MUL, Op::MAX, Op::MIN, Op::ADD_RELU,
				  Op::SUB_RELU, Op::AND, Op::OR});
	else if constexpr (std::is_same_v<T, int32_t>)
		return draw.pick({Op::ADD, Op::SUB, Op::MUL, Op::MAX, Op::MIN});
	else
		return draw.pick({Op::ADD, Op::SUB, Op::MUL, Op::MAX, Op::MIN, Op::DIV,
				  Op::ADD_RELU, Op::SUB_RELU});
}

template <class T> void check_binary(Draw &draw)
{
	const Op op = draw_op<T>(draw);
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride to = draw_target(draw, sizeof(T), mask);
	const bool in_place = draw.one_of(4);
	const Stride from0 = in_place ? to : draw_stride(draw, sizeof(T), mask.per_repeat);
	const Stride from1 = draw_stride(draw, sizeof(T), mask.per_repeat);
	Region dst = Region::make<T>(draw, mask.reach(to) + 64, Values::ANY);
	Region src0 = Region::make<T>(draw, mask.reach(from0), Values::ANY);
	Region src1 = Region::make<T>(draw, mask.reach(from1), Values::ANY);
	const Region &first = in_place ? dst : src0;
	Bytes wanted = dst.before;

	mask.each([&](uint32_t repeat, uint32_t i) {
		Region::put(wanted, to.at(repeat, i),
			    compute<T>(op, first.first<T>(from0.at(repeat, i)),
				       src1.first<T>(from1.at(repeat, i))));
	});
	const std::string said = run(draw.number(0, 3), {&dst, &src0, &src1}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), b = t[2].ReinterpretCast<T>();
		const auto a = in_place ? d : t[1].ReinterpretCast<T>();
		const BinaryRepeatParams params(to.block, from0.block, from1.block, to.repeat,
						from0.repeat, from1.repeat);

		mask.with<T>([&](auto m) { call<T, true>(op, d, a, b, m, mask.repeats, params); },
			     [&] {
				     call<T, false>(op, d, a, b, uint64_t(MASK_PLACEHOLDER),
						    mask.repeats, params);
			     });
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted))
		<< "operation " << int(op) << ", mask " << int(mask.form);
}

/* The destination of each repeat is the same, and a source. */
template <class T> void check_accumulation(Draw &draw)
{
	Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride to = {sizeof(T), draw.number(1, 2), 0};
	const Stride from = draw_stride(draw, sizeof(T), mask.per_repeat);
	Region dst = Region::make<T>(draw, mask.reach(to), Values::WHOLE);
	Region src = Region::make<T>(draw, mask.reach(from), Values::WHOLE);
	Bytes wanted = dst.before;

	mask.each([&](uint32_t repeat, uint32_t i) {
		const uint64_t at = to.at(repeat, i);

		Region::put(wanted, at,
			    compute<T>(Op::ADD, Region::get<T>(wanted, at),
				       src.first<T>(from.at(repeat, i))));
	});
	const std::string said = run(draw.number(0, 3), {&dst, &src}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), a = t[1].ReinterpretCast<T>();
		const BinaryRepeatParams params(to.block, from.block, to.block, 0, from.repeat, 0);

		mask.with<T>(
			[&](auto m) { Add<T, true>(d, a, d, m, uint8_t(mask.repeats), params); },
			[&] {
				Add<T, false>(d, a, d, uint64_t(MASK_PLACEHOLDER),
					      uint8_t(mask.repeats), params);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted));
}

enum class Single { ADDS, MULS, MAXS, MINS, LEAKY, ABS, SQRT, RELU, RECIPROCAL, COPY, DUPLICATE };

template <class T> T compute(Single op, T x, T scalar)
{
	const Wide<T> a = widen(x), s = widen(scalar);

	switch (op) {
	case Single::ADDS:
		return compute<T>(Op::ADD, x, scalar);
	case Single::MULS:
		return compute<T>(Op::MUL, x, scalar);
	case Single::MAXS:
		return compute<T>(Op::MAX, x, scalar);
	case Single::MINS:
		return compute<T>(Op::MIN, x, scalar);
	case Single::LEAKY:
		return a >= 0 ? x : narrow<T>(a * s);
	case Single::ABS:
		return narrow<T>(a < 0 ? -a : a);
	case Single::SQRT:
		return narrow<T>(Wide<T>(std::sqrt(double(a))));
	case Single::RELU:
		return a > 0 || a != a ? x : T(0);
	case Single::RECIPROCAL:
		return narrow<T>(Wide<T>(1 / double(a)));
	case Single::COPY:
		return x;
	case Single::DUPLICATE:
		return scalar;
	}
	abort();
}

template <class T, bool set, class M>
void call(Single op, const LocalTensor<T> &d, const LocalTensor<T> &a, T scalar, M mask,
	  uint32_t repeat, const UnaryRepeatParams &p)
{
	constexpr bool is_float = !std::is_integral_v<T>;
	const uint8_t times = uint8_t(repeat);

	switch (op) {
	case Single::ADDS:
		return Adds<T, set>(d, a, scalar, mask, times, p);
	case Single::MULS:
		return Muls<T, set>(d, a, scalar, mask, times, p);
	case Single::MAXS:
		return Maxs<T, set>(d, a, scalar, mask, times, p);
	case Single::MINS:
		return Mins<T, set>(d, a, scalar, mask, times, p);
	case Single::LEAKY:
		if constexpr (is_float)
			LeakyRelu<T, set>(d, a, scalar, mask, times, p);
		return;
	case Single::ABS:
		if constexpr (is_float)
			Abs<T, set>(d, a, mask, times, p);
		return;
	case Single::SQRT:
		if constexpr (is_float)
			Sqrt<T, set>(d, a, mask, times, p);
		return;
	case Single::RECIPROCAL:
		if constexpr (is_float)
			Reciprocal<T, set>(d, a, mask, times, p);
		return;
	case Single::RELU:
		if constexpr (!std::is_same_v<T, int16_t>)
			Relu<T, set>(d, a, mask, times, p);
		return;
	case Single::COPY:
		return Copy<T, set>(d, a, mask, times,
				    CopyRepeatParams(p.dstBlkStride, p.srcBlkStride, p.dstRepStride,
						     p.srcRepStride));
	case Single::DUPLICATE:
		return Duplicate<T, set>(d, scalar, mask, times, p.dstBlkStride, p.dstRepStride);
	}
}

template <class T> Single draw_single(Draw &draw)
{
	if constexpr (std::is_integral_v<T>)
		return draw.pick({Single::ADDS, Single::MULS, Single::MAXS, Single::MINS,
				  Single::COPY, Single::DUPLICATE});
	else
		return draw.pick({Single::ADDS, Single::MULS, Single::MAXS, Single::MINS,
				  Single::LEAKY, Single::ABS, Single::SQRT, Single::RELU,
				  Single::RECIPROCAL, Single::COPY, Single::DUPLICATE});
}

template <class T> void check_single(Draw &draw)
{
	const Single op = draw_single<T>(draw);
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride to = draw_target(draw, sizeof(T), mask);
	const Stride from = draw_stride(draw, sizeof(T), mask.per_repeat);
	Region dst = Region::make<T>(draw, mask.reach(to) + 64, Values::ANY);
	Region src = Region::make<T>(draw, mask.reach(from), Values::ANY);
	const T scalar = value_of<T>(draw, Values::WHOLE);
	Bytes wanted = dst.before;

	mask.each([&](uint32_t repeat, uint32_t i) {
		Region::put(wanted, to.at(repeat, i),
			    compute<T>(op, src.first<T>(from.at(repeat, i)), scalar));
	});
	const std::string said = run(draw.number(0, 3), {&dst, &src}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), a = t[1].ReinterpretCast<T>();
		const UnaryRepeatParams params(to.block, from.block, to.repeat, from.repeat);

		mask.with<T>(
			[&](auto m) { call<T, true>(op, d, a, scalar, m, mask.repeats, params); },
			[&] {
				call<T, false>(op, d, a, scalar, uint64_t(MASK_PLACEHOLDER),
					       mask.repeats, params);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted))
		<< "operation " << int(op) << ", mask " << int(mask.form);
}

bool holds(CMPMODE mode, double x, double y)
{
	return mode == CMPMODE::LT   ? x < y
	       : mode == CMPMODE::GT ? x > y
	       : mode == CMPMODE::EQ ? x == y
	       : mode == CMPMODE::LE ? x <= y
	       : mode == CMPMODE::GE ? x >= y
				     : x != y;
}

/* Compare writes bits of whole repeats; Select takes them. */
template <class T> void check_compare(Draw &draw)
{
	const CMPMODE mode = draw.pick(
		{CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE});
	const uint32_t repeats = draw.number(1, 6), count = repeats * 256 / sizeof(T);
	const bool is_scalar = draw.one_of(2), is_counted = draw.one_of(2);
	const Values kind = draw.pick({Values::ANY, Values::WHOLE});
	Region a = Region::make<T>(draw, count * sizeof(T), kind),
	       b = Region::make<T>(draw, count * sizeof(T), kind);
	Region bits = Region::make<uint8_t>(draw, (count + 7) / 8, Values::BITS),
	       dst = Region::make<T>(draw, count * sizeof(T), kind);
	const T scalar = value_of<T>(draw, kind);
	Bytes wanted_bits = bits.before, wanted = dst.before;

	for (uint32_t i = 0; i < count; i++) {
		const double x = widen(a.first<T>(i * sizeof(T))),
			     y = is_scalar ? widen(scalar) : widen(b.first<T>(i * sizeof(T)));
		const bool is_first = holds(mode, x, y);

		wanted_bits[i / 8] =
			uint8_t((wanted_bits[i / 8] & ~(1 << i % 8)) | int(is_first) << i % 8);
		Region::put(wanted, i * sizeof(T),
			    is_first	? a.first<T>(i * sizeof(T))
			    : is_scalar ? scalar
					: b.first<T>(i * sizeof(T)));
	}
	const std::string said = run(draw.number(0, 3), {&dst, &bits, &a, &b}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), x = t[2].ReinterpretCast<T>(),
			   y = t[3].ReinterpretCast<T>();
		const uint64_t full = 256 / sizeof(T);

		if (is_scalar && is_counted)
			CompareScalar(t[1], x, scalar, mode, count);
		else if (is_scalar)
			CompareScalar(t[1], x, scalar, mode, full, uint8_t(repeats),
				      UnaryRepeatParams(1, 1, 8, 8));
		else if (is_counted)
			Compare(t[1], x, y, mode, count);
		else
			Compare(t[1], x, y, mode, full, uint8_t(repeats),
				BinaryRepeatParams(1, 1, 1, 8, 8, 8));
		PipeBarrier<PIPE_V>();
		if (is_scalar)
			Select(d, t[1], x, scalar, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
		else
			Select(d, t[1], x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<uint8_t>(bits, wanted_bits)) << "mode " << int(mode);
	EXPECT_TRUE(agrees<T>(dst, wanted));
}

/* Compare with a mask and strides: the bits of other elements stay. */
template <class T> void check_compare_masked(Draw &draw)
{
	const CMPMODE mode = draw.pick(
		{CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE});
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride from0 = draw_stride(draw, sizeof(T), mask.per_repeat),
		     from1 = draw_stride(draw, sizeof(T), mask.per_repeat);
	const bool is_scalar = draw.one_of(2);
	const Values kind = draw.pick({Values::ANY, Values::WHOLE});
	Region a = Region::make<T>(draw, mask.reach(from0), kind),
	       b = Region::make<T>(draw, mask.reach(from1), kind);
	Region bits = Region::make<uint8_t>(draw, uint64_t(mask.per_repeat) * mask.repeats / 8,
					    Values::BITS);
	const T scalar = value_of<T>(draw, kind);
	Bytes wanted = bits.before;

	mask.each([&](uint32_t repeat, uint32_t i) {
		const uint32_t bit = repeat * mask.per_repeat + i;
		const double x = widen(a.first<T>(from0.at(repeat, i)));
		const double y = is_scalar ? widen(scalar) : widen(b.first<T>(from1.at(repeat, i)));

		wanted[bit / 8] = uint8_t((wanted[bit / 8] & ~(1 << bit % 8)) |
					  int(holds(mode, x, y)) << bit % 8);
	});
	const std::string said = run(draw.number(0, 3), {&bits, &a, &b}, [&](Tensors &t) {
		const auto x = t[1].ReinterpretCast<T>(), y = t[2].ReinterpretCast<T>();
		const BinaryRepeatParams two(1, from0.block, from1.block, 8, from0.repeat,
					     from1.repeat);
		const UnaryRepeatParams one(1, from0.block, 8, from0.repeat);
		const uint8_t times = uint8_t(mask.repeats);

		mask.with<T>(
			[&](auto m) {
				if (is_scalar)
					CompareScalar<uint8_t, T, true>(t[0], x, scalar, mode, m,
									times, one);
				else
					Compare<uint8_t, T, true>(t[0], x, y, mode, m, times, two);
			},
			[&] {
				const uint64_t m = MASK_PLACEHOLDER;

				if (is_scalar)
					CompareScalar<uint8_t, T, false>(t[0], x, scalar, mode, m,
									 times, one);
				else
					Compare<uint8_t, T, false>(t[0], x, y, mode, m, times, two);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<uint8_t>(bits, wanted))
		<< "mode " << int(mode) << ", mask " << int(mask.form);
}

/* Select with a mask and strides, by bits that the test gives. */
template <class T> void check_select(Draw &draw)
{
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const bool is_register = draw.one_of(3), is_scalar = !is_register && draw.one_of(2);
	const Stride to = draw_target(draw, sizeof(T), mask),
		     from0 = draw_stride(draw, sizeof(T), mask.per_repeat);
	const Stride from1 = draw_stride(draw, sizeof(T), mask.per_repeat);
	Region dst = Region::make<T>(draw, mask.reach(to) + 64, Values::ANY);
	Region a = Region::make<T>(draw, mask.reach(from0), Values::ANY),
	       b = Region::make<T>(draw, mask.reach(from1), Values::ANY);
	Region bits = Region::make<uint8_t>(draw, uint64_t(mask.per_repeat) * mask.repeats / 8,
					    Values::BITS);
	const T scalar = value_of<T>(draw, Values::WHOLE);
	const SELMODE mode = is_register ? SELMODE::VSEL_CMPMASK_SPR
			     : is_scalar ? SELMODE::VSEL_TENSOR_SCALAR_MODE
					 : SELMODE::VSEL_TENSOR_TENSOR_MODE;
	Bytes wanted = dst.before;

	mask.each([&](uint32_t repeat, uint32_t i) {
		const uint32_t bit = is_register ? i : repeat * mask.per_repeat + i;
		const bool is_first = bits.before[bit / 8] >> bit % 8 & 1;

		Region::put(wanted, to.at(repeat, i),
			    is_first	? a.first<T>(from0.at(repeat, i))
			    : is_scalar ? scalar
					: b.first<T>(from1.at(repeat, i)));
	});
	const std::string said = run(draw.number(0, 3), {&dst, &bits, &a, &b}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), x = t[2].ReinterpretCast<T>(),
			   y = t[3].ReinterpretCast<T>();
		const BinaryRepeatParams params(to.block, from0.block, from1.block, to.repeat,
						from0.repeat, from1.repeat);
		const uint8_t times = uint8_t(mask.repeats);

		mask.with<T>(
			[&](auto m) {
				if (is_scalar)
					Select<T, uint8_t, true>(d, t[1], x, scalar, mode, m, times,
								 params);
				else
					Select<T, uint8_t, true>(d, t[1], x, y, mode, m, times,
								 params);
			},
			[&] {
				const uint64_t m = MASK_PLACEHOLDER;

				if (is_scalar)
					Select<T, uint8_t, false>(d, t[1], x, scalar, mode, m,
								  times, params);
				else
					Select<T, uint8_t, false>(d, t[1], x, y, mode, m, times,
								  params);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted)) << "mode " << int(mode) << ", mask " << int(mask.form);
}

} // namespace

TEST(KernelRandom, InstructionsOfTwoTensors)
{
	for_seeds(150, [](Draw &draw) {
		check_binary<half>(draw);
		check_binary<float>(draw);
		check_binary<int16_t>(draw);
		check_binary<int32_t>(draw);
	});
}

TEST(KernelRandom, RepeatsThatAddUp)
{
	for_seeds(60, [](Draw &draw) {
		check_accumulation<half>(draw);
		check_accumulation<float>(draw);
		check_accumulation<int32_t>(draw);
	});
}

TEST(KernelRandom, InstructionsOfOneTensor)
{
	for_seeds(150, [](Draw &draw) {
		check_single<half>(draw);
		check_single<float>(draw);
		check_single<int16_t>(draw);
		check_single<int32_t>(draw);
	});
}

TEST(KernelRandom, CompareAndSelect)
{
	for_seeds(80, [](Draw &draw) {
		check_compare<half>(draw);
		check_compare<float>(draw);
		check_compare_masked<half>(draw);
		check_compare_masked<float>(draw);
		check_select<half>(draw);
		check_select<float>(draw);
	});
}
