/* SPDX-License-Identifier: MIT */
/*
 * DOC: Cast
 *
 * The pairs of types that the vector unit converts between, each with the rounding modes.
 */
#ifndef UNPU_ASCENDC_VECTOR_CAST_H
#define UNPU_ASCENDC_VECTOR_CAST_H

#include "unpu_ascendc/types/rounding.h"
#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

using AscendC::int4b_t;

template <class D, class S> constexpr bool has_cast()
{
	if constexpr (std::is_same_v<S, half>)
		return is_one_of<D, float, int32_t, int16_t, int8_t, uint8_t, int4b_t>;
	else if constexpr (std::is_same_v<S, float>)
		return is_one_of<D, half, bfloat16_t, int32_t, int64_t, int16_t, float>;
	else if constexpr (std::is_same_v<S, bfloat16_t>)
		return is_one_of<D, float, int32_t>;
	else if constexpr (is_one_of<S, int4b_t, int8_t, uint8_t>)
		return std::is_same_v<D, half>;
	else if constexpr (std::is_same_v<S, int16_t>)
		return is_one_of<D, half, float>;
	else if constexpr (std::is_same_v<S, int32_t>)
		return is_one_of<D, float, int16_t, int64_t, half>;
	else if constexpr (std::is_same_v<S, int64_t>)
		return is_one_of<D, int32_t, float>;
	else
		return false;
}

/* A Cast to a narrower integer type saturates at the limits of D. */
template <class D, class S> inline D clamp_integer(S value)
{
	constexpr S most = static_cast<S>((1ull << (sizeof(D) * 8 - 1)) - 1);

	return static_cast<D>(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

/* Whether a half or a float becomes the other of them, rounded to nearest. */
template <class D, class S, RoundMode mode>
inline constexpr bool only_widens_or_narrows =
	(std::is_same_v<D, float> && std::is_same_v<S, half>) ||
	(std::is_same_v<D, half> && std::is_same_v<S, float> &&
	 (mode == RoundMode::CAST_RINT || mode == RoundMode::CAST_NONE));
template <class D, class S>
inline constexpr bool is_to_short_integer =
	is_one_of<D, int8_t, uint8_t, int16_t> &&is_one_of<S, half, float>;

/* One element; half is a float here. @scale: of SetDeqScale. */
template <class D, class S, RoundMode mode> struct Converter {
	float scale;

	void loop(bool saturate, uint32_t count, D *dst, const S *src) const
	{
		if constexpr (std::is_same_v<D, float>) {
			widen(dst, src, count);
		} else if constexpr (std::is_same_v<D, half>) {
			if (saturate)
				apply_in_chunks<D>(*this, true, count, dst, Source<S>(src));
			else
				narrow(dst, src, count);
		} else {
			loop_to_integers(count, dst, src);
		}
	}

	/* Limits all numbers of a chunk before it converts them: in one loop gcc converts the limits, too, and selects
	 * among bytes. */
	static void loop_to_integers(uint32_t count, D *dst, const S *src)
	{
		Source<S> source(src);

		for (uint32_t first = 0; first < count; first += CHUNK) {
			const uint32_t now = count - first < CHUNK ? count - first : CHUNK;
			const float *values = source.load(first, now);
			D *to = dst + first;
			float whole[CHUNK];

			for (uint32_t i = 0; i < now; i++)
				whole[i] = limit_to<D>(round_whole<mode>(values[i]));
			UNPU_INDEPENDENT
			for (uint32_t i = 0; i < now; i++)
				to[i] = static_cast<D>(static_cast<int32_t>(whole[i]));
		}
	}

	Computed<D> operator()(Computed<S> value) const
	{
		if constexpr (std::is_same_v<S, bfloat16_t> && std::is_same_v<D, float>)
			return float_of_bfloat16(value.bits);
		else if constexpr (std::is_same_v<S, bfloat16_t>)
			return saturate_to<D>(round_whole<mode>(float_of_bfloat16(value.bits)));
		else if constexpr (std::is_same_v<D, bfloat16_t>)
			return cast_bits<bfloat16_t>(bfloat16_by<mode>(value));
		else if constexpr (std::is_same_v<D, half>)
			return to_half(value);
		else if constexpr (std::is_same_v<D, float>)
			return to_float(value);
		else if constexpr (std::is_integral_v<S>)
			return sizeof(D) < sizeof(S) ? clamp_integer<D>(value)
						     : static_cast<D>(value);
		else
			return saturate_to<D>(round_whole<mode>(value));
	}

	static float half_value(float value)
	{
		if constexpr (mode == RoundMode::CAST_RINT || mode == RoundMode::CAST_NONE)
			return value;
		else
			return float_of_half(half_by<mode>(value));
	}
	float to_half(Computed<S> value) const
	{
		if constexpr (std::is_same_v<S, int32_t>)
			return half_value(static_cast<float>(value) * scale);
		else
			return half_value(static_cast<float>(value));
	}
	static float to_float(Computed<S> value)
	{
		if constexpr (std::is_same_v<S, float>)
			return mode == RoundMode::CAST_NONE ? value : round_whole<mode>(value);
		else if constexpr (std::is_same_v<S, int32_t>)
			return mode == RoundMode::CAST_RINT || mode == RoundMode::CAST_NONE
				       ? static_cast<float>(value)
				       : float_by<mode>(static_cast<double>(value));
		else if constexpr (std::is_same_v<S, int64_t>)
			return float_by<mode>(static_cast<long double>(value));
		else
			return static_cast<float>(value);
	}
};

template <class D, class S, RoundMode mode>
inline constexpr bool has_loop<Converter<D, S, mode>> =
	only_widens_or_narrows<D, S, mode> || is_to_short_integer<D, S>;

/* Calls with(converter) for the mode that the kernel gives when it runs. */
template <class D, class S, class With> inline void with_converter(RoundMode mode, With with)
{
	const float scale =
		std::is_same_v<S, int32_t> && std::is_same_v<D, half> ? state().deq_scale : 1.0f;

	switch (mode) {
	case RoundMode::CAST_NONE:
		/* Numbers that the result type cannot represent are rounded to nearest. This includes a float that
		 * becomes an integer. */
		return with(Converter<D, S, RoundMode::CAST_NONE>{scale});
	case RoundMode::CAST_RINT:
		return with(Converter<D, S, RoundMode::CAST_RINT>{scale});
	case RoundMode::CAST_FLOOR:
		return with(Converter<D, S, RoundMode::CAST_FLOOR>{scale});
	case RoundMode::CAST_CEIL:
		return with(Converter<D, S, RoundMode::CAST_CEIL>{scale});
	case RoundMode::CAST_ROUND:
		return with(Converter<D, S, RoundMode::CAST_ROUND>{scale});
	case RoundMode::CAST_TRUNC:
		return with(Converter<D, S, RoundMode::CAST_TRUNC>{scale});
	case RoundMode::CAST_ODD:
		return with(Converter<D, S, RoundMode::CAST_ODD>{scale});
	}
}

/* int4b_t to half, and back: elements share bytes, so there is no array of them. */
template <class Op>
inline void loop_from_int4(Op, uint32_t count, half *dst, const unsigned char *src)
{
	for (uint32_t i = 0; i < count; i++)
		dst[i] = half(float(get_int4(src, i)));
}
template <class Op>
inline void loop_to_int4(Op op, uint32_t count, unsigned char *dst, const half *src)
{
	for (uint32_t i = 0; i < count; i++) {
		const int value = op(float(src[i]));

		set_int4(dst, i, value < -8 ? -8 : value > 7 ? 7 : value);
	}
}

template <class Op> inline void loop_int4(Op op, uint32_t count, half *dst, const int4b_t *src)
{
	loop_from_int4(op, count, dst, reinterpret_cast<const unsigned char *>(src));
}
template <class Op> inline void loop_int4(Op op, uint32_t count, int4b_t *dst, const half *src)
{
	loop_to_int4(op, count, reinterpret_cast<unsigned char *>(dst), src);
}

template <class D, class S>
inline constexpr bool is_int4_cast = std::is_same_v<D, int4b_t> || std::is_same_v<S, int4b_t>;

template <class D, class S, class With> inline void with_int4_converter(RoundMode mode, With with)
{
	/* A half is first converted to a byte, and then limited to the range of int4b_t. */
	if constexpr (std::is_same_v<D, int4b_t>)
		with_converter<int8_t, half>(mode, with);
	else
		with(0);
}

template <class D, class S>
inline void cast_count(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode,
		       int64_t count, Where where)
{
	if constexpr (!is_int4_cast<D, S>) {
		with_converter<D, S>(mode, [&](auto converter) {
			run_count("Cast", converter, count, where, Arg<D>{"dst", dst},
				  Arg<S>{"src", src});
		});
	} else {
		require_local("Cast", "dst", dst.address_,
			      bytes_of<D>(static_cast<uint64_t>(count)), 32, where);
		require_local("Cast", "src", src.address_,
			      bytes_of<S>(static_cast<uint64_t>(count)), 32, where);
		if (__builtin_expect(deepest > 1, 0)) {
			note_use({"Cast", Pipe::V, where}, "src", src.address_.absAddr,
				 bytes_of<S>(static_cast<uint64_t>(count)));
			note_result({"Cast", Pipe::V, where}, "dst", dst.address_.absAddr,
				    bytes_of<D>(static_cast<uint64_t>(count)));
		}
		with_int4_converter<D, S>(mode, [&](auto converter) {
			loop_int4(converter, static_cast<uint32_t>(count), dst.data(),
				  static_cast<const S *>(src.data()));
		});
	}
}

template <bool isSetMask, class D, class S, class Mask>
inline void cast_masked(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode,
			Mask mask, uint64_t repeat, const UnaryRepeatParams &params, Where where)
{
	if constexpr (!is_int4_cast<D, S>) {
		with_converter<D, S>(mode, [&](auto converter) {
			unary_masked<isSetMask>("Cast", converter, dst, src, mask, repeat, params,
						where);
		});
	} else {
		const Pattern pattern = make_pattern<isSetMask>(
			"Cast", mask, repeat_elements<D, S>(), repeat, where);
		const Lane lanes[] = {
			lane_of("dst", dst, params.dstBlkStride, params.dstRepStride),
			lane_of("src", src, params.srcBlkStride, params.srcRepStride)};
		const TBuffAddr *const addresses[] = {&dst.address_, &src.address_};

		require_fitting("Cast", params, where);
		require_lanes("Cast", lanes, addresses, pattern, where);
		with_int4_converter<D, S>(mode, [&](auto converter) {
			for_each_run(lanes, pattern, [&](unsigned char *const *at, uint32_t count) {
				loop_int4(converter, count, reinterpret_cast<D *>(at[0]),
					  reinterpret_cast<const S *>(at[1]));
			});
		});
	}
}

} // namespace unpu::lang

#define UNPU_HAS_CAST(D, S) \
	static_assert( \
		unpu::lang::has_cast<D, S>(), \
		"Cast: the vector unit of this chip does not convert between these two types; " \
		"Cast to float or half first")

namespace AscendC {

template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode, uint32_t count,
	  UNPU_WHERE)
{
	UNPU_HAS_CAST(D, S);
	if constexpr (unpu::lang::has_cast<D, S>())
		unpu::lang::cast_count(dst, src, mode, count, where);
}
template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode, uint64_t mask,
	  uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_CAST(D, S);
	if constexpr (unpu::lang::has_cast<D, S>())
		unpu::lang::cast_masked<isSetMask>(dst, src, mode, mask, repeat, params, where);
}
template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode,
	  const uint64_t mask[], uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_CAST(D, S);
	if constexpr (unpu::lang::has_cast<D, S>())
		unpu::lang::cast_masked<isSetMask>(dst, src, mode, mask, repeat, params, where);
}

/* The scale of Cast from int32_t to half. */
inline void SetDeqScale(half scale)
{
	unpu::lang::state().deq_scale = float(scale);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_CAST_H */
