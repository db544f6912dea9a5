// SPDX-License-Identifier: MIT
/*
 * DOC: 16-bit floats in vectors
 *
 * Conversions between F32 and the 16-bit floats. A file that Highway compiles for each instruction set
 * includes this one after hwy/highway.h, inside no namespace.
 */
#if defined(FW_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FW_HALF_INL
#undef FW_HALF_INL
#else
#define FW_HALF_INL
#endif

#include <hwy/highway.h>

#include "dtype.h"

HWY_BEFORE_NAMESPACE();

namespace fw::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/* A loop processes a row in whole vectors first, then in vectors of up to 4 lanes, and then element by
 * element. */
using Whole = hn::ScalableTag<float>;
using Short = hn::CappedTag<float, 4>;

template <class D> using Words = hn::RebindToUnsigned<D>;
template <class D> using SignedWords = hn::RebindToSigned<D>;
template <class D> using Halves = hn::Rebind<uint16_t, D>;
template <class D> using FloatVector = hn::VFromD<D>;
template <class D> using WordVector = hn::VFromD<Words<D>>;

/* choose() - @yes where @left < @right, both unsigned, else @no. */
template <class V> HWY_INLINE V choose(V left, V right, V yes, V no)
{
	return hn::IfThenElse(hn::Lt(left, right), yes, no);
}

/* load_words() - loads 16-bit words from any address and extends each to 32 bits. */
template <class D> HWY_INLINE WordVector<D> load_words(D, const std::byte *from)
{
	const auto *words = reinterpret_cast<const uint16_t *>(from);
	return hn::PromoteTo(Words<D>(), hn::LoadU(Halves<D>(), words));
}

struct Half {
	static constexpr uint32_t dtype = UNPU_DTYPE_F16;

	template <class D> static HWY_INLINE FloatVector<D> widen(D d, WordVector<D> halves)
	{
		const Words<D> dw;
		const auto wide = hn::ShiftLeft<16>(halves);
		const auto magnitude = hn::Add(wide, wide);
		const auto rebased =
			hn::Add(hn::ShiftRight<4>(magnitude), hn::Set(dw, 0xe0u << 23));
		const auto normal = hn::Mul(hn::BitCast(d, rebased), hn::Set(d, 0x1p-112f));
		const auto mantissa =
			hn::Or(hn::ShiftRight<17>(magnitude), hn::Set(dw, 126u << 23));
		const auto subnormal = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 0.5f));
		const auto value = choose(magnitude, hn::Set(dw, 1u << 27),
					  hn::BitCast(dw, subnormal), hn::BitCast(dw, normal));

		return hn::BitCast(d, hn::Or(hn::And(wide, hn::Set(dw, 0x80000000u)), value));
	}

	/* load() - the floats at any address. Instruction sets from AVX2 on convert them themselves. */
	template <class D> static HWY_INLINE FloatVector<D> load(D d, const std::byte *from)
	{
#if HWY_TARGET <= HWY_AVX2
		const hn::Rebind<hwy::float16_t, D> dh;
		return hn::PromoteTo(d,
				     hn::LoadU(dh, reinterpret_cast<const hwy::float16_t *>(from)));
#else
		return widen(d, load_words(d, from));
#endif
	}

	template <class D> static HWY_INLINE WordVector<D> narrow(D d, FloatVector<D> floats)
	{
		const Words<D> dw;
		const auto bits = hn::BitCast(dw, floats);
		const auto sign = hn::And(bits, hn::Set(dw, 0x80000000u));
		const auto shifted = hn::Add(bits, bits);
		const auto exponent = hn::And(shifted, hn::Set(dw, 0xff000000u));
		const auto half_bias =
			hn::ShiftRight<1>(hn::Max(exponent, hn::Set(dw, 0x71000000u)));
		const auto bias = hn::BitCast(d, hn::Add(half_bias, hn::Set(dw, 0x07800000u)));
		const auto large = hn::Mul(hn::Abs(floats), hn::Set(d, 0x1p+112f));
		const auto scaled = hn::Mul(large, hn::Set(d, 0x1p-110f));
		const auto rounded = hn::BitCast(dw, hn::Add(bias, scaled));
		const auto number =
			hn::Add(hn::And(hn::ShiftRight<13>(rounded), hn::Set(dw, 0x7c00u)),
				hn::And(rounded, hn::Set(dw, 0x0fffu)));
		const auto value =
			choose(hn::Set(dw, 0xff000000u), shifted, hn::Set(dw, 0x7e00u), number);

		return hn::Or(hn::ShiftRight<16>(sign), value);
	}
};

struct Bfloat {
	static constexpr uint32_t dtype = UNPU_DTYPE_BF16;

	template <class D> static HWY_INLINE FloatVector<D> widen(D d, WordVector<D> bfloats)
	{
		return hn::BitCast(d, hn::ShiftLeft<16>(bfloats));
	}

	template <class D> static HWY_INLINE FloatVector<D> load(D d, const std::byte *from)
	{
		return widen(d, load_words(d, from));
	}

	template <class D> static HWY_INLINE WordVector<D> narrow(D, FloatVector<D> floats)
	{
		const Words<D> dw;
		const auto bits = hn::BitCast(dw, floats);
		const auto sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(dw, 0x80000000u)));
		const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(dw, 1u));
		const auto number =
			hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(dw, 0x7fffu))));

		return choose(hn::Set(dw, 0xff000000u), hn::Add(bits, bits),
			      hn::Or(sign, hn::Set(dw, 0x7fc0u)), number);
	}
};

template <class Type, class D>
HWY_INLINE size_t widen_span(D d, float *to, const std::byte *from, size_t n, size_t i)
{
	const size_t lanes = hn::Lanes(d);

	for (; n - i >= lanes; i += lanes)
		hn::StoreU(Type::load(d, from + 2 * i), d, to + i);
	return i;
}

template <class Type> HWY_INLINE void widen(float *to, const std::byte *from, size_t n)
{
	size_t i = 0;

	if (n >= hn::Lanes(Whole()))
		i = widen_span<Type>(Whole(), to, from, n, i);
	i = widen_span<Type>(Short(), to, from, n, i);
	for (; i < n; i++)
		to[i] = load_element<Type::dtype, float>(from + 2 * i);
}

template <class Type, class D>
HWY_INLINE size_t narrow_span(D d, std::byte *to, const float *from, size_t n, size_t i)
{
	const size_t lanes = hn::Lanes(d);

	for (; n - i >= lanes; i += lanes) {
		const auto words = Type::narrow(d, hn::LoadU(d, from + i));
		const auto halves = hn::DemoteTo(Halves<D>(), hn::BitCast(SignedWords<D>(), words));

		hn::StoreU(halves, Halves<D>(), reinterpret_cast<uint16_t *>(to + 2 * i));
	}
	return i;
}

template <class Type> HWY_INLINE void narrow(std::byte *to, const float *from, size_t n)
{
	size_t i = 0;

	if (n >= hn::Lanes(Whole()))
		i = narrow_span<Type>(Whole(), to, from, n, i);
	i = narrow_span<Type>(Short(), to, from, n, i);
	for (; i < n; i++)
		store_element<Type::dtype, float>(to + 2 * i, from[i]);
}

} // namespace HWY_NAMESPACE
} // namespace fw::simd

HWY_AFTER_NAMESPACE();

#endif /* FW_HALF_INL */
