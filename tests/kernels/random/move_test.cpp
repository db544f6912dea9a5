// SPDX-License-Identifier: MIT
/*
 * DOC: Random casts and copies
 *
 * A narrow format is a list of its numbers here: a cast takes one of the two neighbours, which a search finds.
 */
#include "random.h"

using namespace AscendC;
using namespace random_test;

namespace {

/* The value of the bits of a magnitude; above the largest number comes the next power of two, which means infinity. */
template <class D> long double magnitude(uint32_t bits)
{
	if constexpr (std::is_same_v<D, half>) {
		const int exponent = int(bits >> 10), fraction = bits & 0x3ff;

		return std::ldexp((long double)(exponent ? fraction + 1024 : fraction),
				  (exponent ? exponent : 1) - 25);
	} else {
		constexpr int digits = std::is_same_v<D, float> ? 23 : 7;
		const int exponent = int(bits >> digits),
			  fraction = int(bits & ((1u << digits) - 1));

		return std::ldexp((long double)(exponent ? fraction + (1 << digits) : fraction),
				  (exponent ? exponent : 1) - 127 - digits);
	}
}

/* Of the neighbours @low and @low + 1 of a magnitude the one that a mode takes: 0 or 1. @is_odd: of the lower one */
uint32_t chosen(RoundMode mode, long double low, long double high, long double size,
		bool is_negative, bool is_odd)
{
	if (size == low)
		return 0;
	const long double below = size - low, above = high - size;

	switch (mode) {
	case RoundMode::CAST_NONE:
	case RoundMode::CAST_RINT:
		return below > above || (below == above && is_odd);
	case RoundMode::CAST_ROUND:
		return below >= above;
	case RoundMode::CAST_FLOOR:
		return is_negative;
	case RoundMode::CAST_CEIL:
		return !is_negative;
	case RoundMode::CAST_TRUNC:
		return 0;
	case RoundMode::CAST_ODD:
		return !is_odd;
	}
	abort();
}

template <class D> D to_narrow(long double value, RoundMode mode)
{
	constexpr uint32_t infinite = std::is_same_v<D, half>	 ? 0x7c00
				      : std::is_same_v<D, float> ? 0x7f800000u
								 : 0x7f80;
	using Bits = std::conditional_t<sizeof(D) == 2, uint16_t, uint32_t>;
	const bool is_negative = std::signbit(value);
	const long double size = std::fabs(value);
	uint32_t low = 0, high = infinite;

	if (value != value)
		return D(NAN);
	if (std::isinf(value)) {
		low = infinite;
	} else {
		while (high - low > 1) {
			const uint32_t middle = low + (high - low) / 2;

			(magnitude<D>(middle) <= size ? low : high) = middle;
		}
		low += size >= magnitude<D>(infinite)
			       ? uint32_t(mode == RoundMode::CAST_NONE ||
					  mode == RoundMode::CAST_RINT ||
					  mode == RoundMode::CAST_ROUND ||
					  chosen(mode, 0, 2, 1, is_negative, low & 1) == 1)
			       : chosen(mode, magnitude<D>(low), magnitude<D>(high), size,
					is_negative, low & 1);
	}
	const Bits bits = Bits(low | uint32_t(is_negative) << (sizeof(D) * 8 - 1));
	D result;

	memcpy(static_cast<void *>(&result), &bits, sizeof(D));
	return result;
}

long double to_whole(long double value, RoundMode mode)
{
	const long double size = std::fabs(value), low = std::floor(size);

	if (value != value || std::isinf(value))
		return value;
	return std::copysign(
		low + chosen(mode, low, low + 1, size, value < 0, std::fmod(low, 2.0L) == 1),
		value);
}

template <class D> D to_integer(long double value, RoundMode mode)
{
	const long double whole = value != value ? 0 : to_whole(value, mode);
	const long double least = std::numeric_limits<D>::min(),
			  most = std::numeric_limits<D>::max();

	return whole < least  ? std::numeric_limits<D>::min()
	       : whole > most ? std::numeric_limits<D>::max()
			      : D(whole);
}

template <class S> long double exact(S value)
{
	if constexpr (std::is_integral_v<S>)
		return value;
	else
		return float(value);
}

template <class D, class S> D cast(S value, RoundMode mode)
{
	if constexpr (std::is_same_v<D, float> && std::is_same_v<S, float>)
		return mode == RoundMode::CAST_NONE ? value : float(to_whole(value, mode));
	else if constexpr (std::is_integral_v<D>)
		return to_integer<D>(exact(value), mode);
	else
		return to_narrow<D>(exact(value), mode);
}

template <class S> S draw_source(Draw &draw)
{
	/* Near a number that a narrow format has: halves of its last place, and their neighbours. */
	if (!std::is_integral_v<S> && draw.one_of(2)) {
		const float near = float(value_of<half>(draw, Values::ANY));
		const float part =
			std::ldexp(float(int(draw.number(0, 4)) - 2), int(draw.number(0, 24)) - 24);

		return S(draw.one_of(2) ? near * (1 + part) : near + part);
	}
	return value_of<S>(draw, draw.one_of(2) ? Values::ANY : Values::BITS);
}

template <class D, class S> void check_cast(Draw &draw)
{
	const RoundMode mode =
		draw.pick({RoundMode::CAST_NONE, RoundMode::CAST_RINT, RoundMode::CAST_FLOOR,
			   RoundMode::CAST_CEIL, RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC,
			   RoundMode::CAST_ODD});
	constexpr uint32_t per_repeat = 256 / (sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S));
	const bool is_counted = draw.one_of(3);
	Mask mask = Mask::make(draw, per_repeat);

	if (is_counted)
		mask.form = Mask::COUNTER;
	if (is_counted) {
		mask.count = draw.number(1, 700);
		mask.repeats = uint32_t((mask.count + per_repeat - 1) / per_repeat);
	}
	Stride to = draw_target(draw, sizeof(D), mask),
	       from = draw_stride(draw, sizeof(S), per_repeat);

	if (is_counted) {
		to = {sizeof(D), 1, per_repeat * uint32_t(sizeof(D)) / 32};
		from = {sizeof(S), 1, per_repeat * uint32_t(sizeof(S)) / 32};
	}
	Region dst = Region::make<D>(draw, mask.reach(to) + 64, Values::WHOLE);
	Region src = Region::make<S>(draw, mask.reach(from), Values::ANY);
	Bytes wanted = dst.before;

	for (uint64_t at = 0; at + sizeof(S) <= src.before.size(); at += sizeof(S))
		Region::put(src.before, at, draw_source<S>(draw));
	mask.each([&](uint32_t repeat, uint32_t i) {
		Region::put(wanted, to.at(repeat, i),
			    cast<D, S>(src.first<S>(from.at(repeat, i)), mode));
	});
	const std::string said = run(draw.number(0, 3), {&dst, &src}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<D>();
		const auto s = t[1].ReinterpretCast<S>();
		const UnaryRepeatParams params(to.block, from.block, to.repeat, from.repeat);
		const uint8_t times = uint8_t(mask.repeats);

		SetDeqScale(half(1));
		if (is_counted)
			return Cast(d, s, mode, uint32_t(mask.count));
		mask.with<std::conditional_t<(sizeof(D) > sizeof(S)), D, S>>(
			[&](auto m) { Cast<D, S, true>(d, s, mode, m, times, params); },
			[&] {
				Cast<D, S, false>(d, s, mode, uint64_t(MASK_PLACEHOLDER), times,
						  params);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<D>(dst, wanted)) << "mode " << int(mode) << ", mask " << int(mask.form);
}

/* Blocks of any number of bytes into UB, and out of it with a stride; what lies between them stays. */
template <class T> void check_pad(Draw &draw)
{
	const uint32_t count = draw.number(1, 5), length = draw.number(1, 40) * sizeof(T);
	const uint32_t in_gap = draw.number(0, 3) * sizeof(T), ub_gap = draw.number(0, 2),
		       out_gap = draw.number(0, 70);
	const bool is_padded = draw.one_of(2);
	const uint32_t most = 32 / sizeof(T), left = is_padded ? draw.number(0, most) : 0;
	const uint32_t right = is_padded ? draw.number(0, most) : 0;
	const uint64_t footprint = (left * sizeof(T) + length + right * sizeof(T) + 31) / 32 * 32,
		       step = footprint + ub_gap * 32;
	const uint64_t packed = (length + 31) / 32 * 32, out_step = packed + ub_gap * 32;
	const T value = value_of<T>(draw, Values::BITS);
	kernel_test::BlockHost host(draw.number(0, 3));
	Region in = Region::make<T>(draw, count * (length + in_gap), Values::BITS);
	Region ub = Region::make<T>(draw, (count - 1) * step + footprint, Values::BITS);
	Region source = Region::make<T>(draw, (count - 1) * out_step + packed, Values::BITS);
	Region out = Region::make<T>(draw, count * (length + out_gap) + 32, Values::BITS);
	Bytes wanted_ub = ub.before, wanted_out = out.before;
	uint8_t *memory[] = {host.make(in.before), host.make(ub.before), host.make(source.before),
			     host.make(out.before)};

	for (uint32_t i = 0; i < count; i++) {
		const uint64_t base = i * step, start = base + left * sizeof(T),
			       from = uint64_t(i) * (length + in_gap);
		const T around = is_padded ? value : in.first<T>(from);

		for (uint64_t at = base; at + sizeof(T) <= base + footprint; at += sizeof(T))
			Region::put(wanted_ub, at, around);
		std::copy_n(&in.before[from], length, &wanted_ub[start]);
		std::copy_n(&source.before[i * out_step], length,
			    &wanted_out[uint64_t(i) * (length + out_gap)]);
	}
	const bool is_good = host.run(1, [&] {
		TPipe pipe;
		TBuf<TPosition::VECCALC> buffers[2];
		LocalTensor<uint8_t> t[2];
		GlobalTensor<uint8_t> bytes[4];
		GlobalTensor<T> from, to;

		for (uint32_t i = 0; i < 4; i++)
			bytes[i].SetGlobalBuffer(memory[i]);
		for (uint32_t i = 0; i < 2; i++) {
			const uint32_t size = uint32_t(i ? source.before.size() : ub.before.size());

			pipe.InitBuffer(buffers[i], size);
			t[i] = buffers[i].Get<uint8_t>(size);
			DataCopy(t[i], bytes[i + 1], size);
		}
		from.SetGlobalBuffer(reinterpret_cast<T *>(memory[0]));
		to.SetGlobalBuffer(reinterpret_cast<T *>(memory[3]));
		PipeBarrier<PIPE_ALL>();
		DataCopyPad(t[0].ReinterpretCast<T>(), from,
			    DataCopyExtParams(count, length, in_gap, ub_gap, 0),
			    DataCopyPadExtParams<T>(is_padded, left, right, value));
		DataCopyPad(to, t[1].ReinterpretCast<T>(),
			    DataCopyExtParams(count, length, ub_gap, out_gap, 0));
		PipeBarrier<PIPE_ALL>();
		DataCopy(bytes[1], t[0], uint32_t(ub.before.size()));
	});

	EXPECT_TRUE(is_good) << host.failure().sentence;
	ub.after.assign(memory[1], memory[1] + ub.before.size());
	out.after.assign(memory[3], memory[3] + out.before.size());
	EXPECT_TRUE(agrees<uint8_t>(ub, wanted_ub)) << "padded " << is_padded;
	EXPECT_TRUE(agrees<uint8_t>(out, wanted_out));
}

} // namespace

TEST(KernelRandom, CastsToNarrowFormats)
{
	for_seeds(100, [](Draw &draw) {
		check_cast<half, float>(draw);
		check_cast<bfloat16_t, float>(draw);
		check_cast<float, float>(draw);
		check_cast<float, int32_t>(draw);
		check_cast<float, int64_t>(draw);
		check_cast<half, int16_t>(draw);
	});
}

TEST(KernelRandom, CastsToWideFormats)
{
	for_seeds(40, [](Draw &draw) {
		check_cast<float, half>(draw);
		check_cast<float, bfloat16_t>(draw);
		check_cast<float, int16_t>(draw);
		check_cast<half, int8_t>(draw);
		check_cast<half, uint8_t>(draw);
		check_cast<int64_t, int32_t>(draw);
	});
}

TEST(KernelRandom, CastsToIntegers)
{
	for_seeds(80, [](Draw &draw) {
		check_cast<int32_t, float>(draw);
		check_cast<int64_t, float>(draw);
		check_cast<int16_t, float>(draw);
		check_cast<int32_t, half>(draw);
		check_cast<int16_t, half>(draw);
		check_cast<int8_t, half>(draw);
		check_cast<uint8_t, half>(draw);
		check_cast<int32_t, bfloat16_t>(draw);
		check_cast<int16_t, int32_t>(draw);
		check_cast<int32_t, int64_t>(draw);
	});
}

TEST(KernelRandom, CopiesOfAnyLength)
{
	for_seeds(100, [](Draw &draw) {
		check_pad<uint8_t>(draw);
		check_pad<half>(draw);
		check_pad<float>(draw);
	});
}
