/* SPDX-License-Identifier: MIT */
/*
 * DOC: Compare and Select
 *
 * Compare writes a bit for each element, the lowest first; or, without a destination, into the compare register. Select
 * takes an element of the first source for a 1 and of the second for a 0.
 */
#ifndef UNPU_ASCENDC_VECTOR_COMPARE_H
#define UNPU_ASCENDC_VECTOR_COMPARE_H

#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

using AscendC::CMPMODE;
using AscendC::SELMODE;

/* half is compared as float. */
template <class T> constexpr auto float_or_integer(T value)
{
	if constexpr (std::is_same_v<T, half>)
		return float(value);
	else
		return value;
}

template <class T> inline bool compares(CMPMODE mode, T a, T b)
{
	switch (mode) {
	case CMPMODE::LT:
		return a < b;
	case CMPMODE::GT:
		return a > b;
	case CMPMODE::EQ:
		return a == b;
	case CMPMODE::LE:
		return a <= b;
	case CMPMODE::GE:
		return a >= b;
	default:
		return a != b;
	}
}

template <class T> inline void require_compare_mode(const char *call, CMPMODE mode, Where where)
{
	static_assert(is_one_of<T, half, float, int32_t>,
		      "Compare: the vector unit of this chip compares half and float, and int32_t "
		      "for equality; Cast the tensors first");
	if (std::is_same_v<T, int32_t> && mode != CMPMODE::EQ && level() > 0)
		fail(where,
		     "%s: int32_t can be compared with CMPMODE::EQ only; cast to float for the "
		     "other modes",
		     call);
}

inline void set_bit(unsigned char *bits, uint64_t index, bool value)
{
	const unsigned char bit = static_cast<unsigned char>(1u << (index % 8));

	bits[index / 8] =
		static_cast<unsigned char>(value ? bits[index / 8] | bit : bits[index / 8] & ~bit);
}
inline bool get_bit(const unsigned char *bits, uint64_t index)
{
	return (bits[index / 8] >> (index % 8)) & 1;
}

/* Eight elements as bits, which compilers keep in a register. */
template <size_t bytes> struct EightOf;
template <> struct EightOf<2> {
	typedef int16_t type __attribute__((vector_size(16)));
	static constexpr type PLACES = {1, 2, 4, 8, 16, 32, 64, 128};
};
template <> struct EightOf<4> {
	typedef int32_t type __attribute__((vector_size(32)));
	static constexpr type PLACES = {1, 2, 4, 8, 16, 32, 64, 128};
};
template <class T> using Eight = typename EightOf<sizeof(T)>::type;

/* Returned by reference, because the calling convention for such vectors depends on the CPU for which the file is
 * compiled. */
template <class T> inline void load_eight(Eight<T> &to, const T *from)
{
	memcpy(&to, from, sizeof(to));
}

/* Second sources of elements that lie one behind the other: a tensor, and a number. */
template <class T> struct Row {
	const T *elements;

	T operator()(uint32_t i) const { return elements[i]; }
	void eight(Eight<T> &to, uint32_t i) const { load_eight(to, elements + i); }
	void widened(float *to, uint32_t first, uint32_t count) const
	{
		widen(to, elements + first, count);
	}
};
template <class T> struct Number {
	T value;

	T operator()(uint32_t) const { return value; }
	void eight(Eight<T> &to, uint32_t) const
	{
		const T all[8] = {value, value, value, value, value, value, value, value};

		load_eight(to, all);
	}
	void widened(float *to, uint32_t, uint32_t count) const
	{
		for (uint32_t i = 0; i < count; i++)
			to[i] = float(value);
	}
};

#if defined(__x86_64__) && defined(__AVX__)
#define UNPU_HAS_BITS_OF_SIGNS 1
/* Compares eight pairs. Return: a byte with one bit for each result. */
template <CMPMODE mode>
inline unsigned char compare_eight(const Eight<float> &a, const Eight<float> &b)
{
	typedef float Floats __attribute__((vector_size(32)));
	const Floats x = (Floats)a, y = (Floats)b;
	Eight<float> results;

	if constexpr (mode == CMPMODE::LT)
		results = x < y;
	else if constexpr (mode == CMPMODE::GT)
		results = x > y;
	else if constexpr (mode == CMPMODE::EQ)
		results = x == y;
	else if constexpr (mode == CMPMODE::LE)
		results = x <= y;
	else if constexpr (mode == CMPMODE::GE)
		results = x >= y;
	else
		results = x != y;
	return static_cast<unsigned char>(__builtin_ia32_movmskps256((Floats)results));
}
#endif

/* Computes a byte of results at a time, which the compiler can vectorize. */
template <CMPMODE mode, class T, class Second>
inline void compare_elements(unsigned char *bits, const T *first, Second second, uint32_t count)
{
	uint32_t i = 0;

#if defined(UNPU_HAS_BITS_OF_SIGNS)
	if constexpr (std::is_same_v<T, float>)
		for (; i + 8 <= count; i += 8) {
			Eight<float> a, b;

			load_eight(a, first + i);
			second.eight(b, i);
			bits[i / 8] = compare_eight<mode>(a, b);
		}
#endif
	for (; i + 8 <= count; i += 8) {
		uint32_t parts[8], byte = 0;

		for (uint32_t k = 0; k < 8; k++)
			parts[k] = compares(mode, float_or_integer(first[i + k]),
					    float_or_integer(second(i + k)))
					   ? 1u << k
					   : 0u;
		for (const uint32_t part : parts)
			byte |= part;
		bits[i / 8] = static_cast<unsigned char>(byte);
	}
	for (; i < count; i++)
		set_bit(bits, i,
			compares(mode, float_or_integer(first[i]), float_or_integer(second(i))));
}

/* Compares elements with those of a second tensor, or with a scalar. */
template <class T, class Second>
inline void compare_count(unsigned char *bits, const T *first, Second second, CMPMODE mode,
			  uint32_t count)
{
	switch (mode) {
	case CMPMODE::LT:
		return compare_elements<CMPMODE::LT>(bits, first, second, count);
	case CMPMODE::GT:
		return compare_elements<CMPMODE::GT>(bits, first, second, count);
	case CMPMODE::EQ:
		return compare_elements<CMPMODE::EQ>(bits, first, second, count);
	case CMPMODE::LE:
		return compare_elements<CMPMODE::LE>(bits, first, second, count);
	case CMPMODE::GE:
		return compare_elements<CMPMODE::GE>(bits, first, second, count);
	default:
		return compare_elements<CMPMODE::NE>(bits, first, second, count);
	}
}

/* Converts halves to floats first, many at a time. */
template <class Second>
inline void compare_count(unsigned char *bits, const half *first, Second second, CMPMODE mode,
			  uint32_t count)
{
	for (uint32_t at = 0; at < count; at += CHUNK) {
		const uint32_t now = count - at < CHUNK ? count - at : CHUNK;
		float a[CHUNK], b[CHUNK];

		widen(a, first + at, now);
		second.widened(b, at, now);
		compare_count(bits + at / 8, static_cast<const float *>(a), Row<float>{b}, mode,
			      now);
	}
}

/* The count of a comparison is a whole number of repeats. */
template <class T, class D>
inline void require_compare(const char *call, const LocalTensor<D> &dst, const LocalTensor<T> &src0,
			    CMPMODE mode, uint64_t count, Where where)
{
	require_compare_mode<T>(call, mode, where);
	if (count * sizeof(T) % 256 != 0 && level() > 0)
		fail(where,
		     "%s: count is %llu, which is no multiple of 256 bytes of %s (%u elements)",
		     call, static_cast<unsigned long long>(count), type_name<T>(),
		     unsigned(256 / sizeof(T)));
	require_local(call, "dst", dst.address_, (count + 7) / 8, 32, where);
	require_local(call, "src0", src0.address_, count * sizeof(T), 32, where);
}

/* A result bit is defined if its elements are. A byte of results counts as defined if any of its bits is. */
template <class T>
inline void note_compare(const char *call, const TBuffAddr &dst, const TBuffAddr &src,
			 uint64_t count, Where where)
{
	const Actor actor = {call, Pipe::V, where};

	if (deepest < 2)
		return;
	note_read(actor, "src0", src.absAddr, count * sizeof(T));
	note_result(actor, "dst", dst.absAddr, (count + 7) / 8);
}

/* With a mask: 8 results of each block of 8 elements; a repeat of results follows the one before. */
template <class T, class Second>
inline void compare_repeats(unsigned char *bits, const Lane &first, Second second, CMPMODE mode,
			    const Pattern &pattern)
{
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		for (uint32_t i = 0; i < pattern.per_repeat; i++) {
			if (!pattern.has(i) || (repeat + 1 == pattern.repeats && i >= pattern.last))
				continue;
			const T a = *reinterpret_cast<const T *>(first.at(repeat, i));

			set_bit(bits, uint64_t(repeat) * pattern.per_repeat + i,
				compares(mode, float_or_integer(a),
					 float_or_integer(second(repeat, i))));
		}
	}
}

/* Whether whole repeats lie one behind the other, as with a count. */
inline bool is_row(const Lane &lane, const Pattern &pattern)
{
	return pattern.repeats > 0 && pattern.is_full() && is_dense(lane, pattern);
}

template <bool isSetMask, class D, class T, class Mask>
inline void compare_masked(const LocalTensor<D> &dst, const LocalTensor<T> &src0,
			   const LocalTensor<T> &src1, CMPMODE mode, Mask mask, uint64_t repeat,
			   const BinaryRepeatParams &params, Where where)
{
	const Pattern pattern =
		make_pattern<isSetMask>("Compare", mask, per_repeat<T>, repeat, where);
	const Lane a = lane_of("src0", src0, params.src0BlkStride, params.src0RepStride);
	const Lane b = lane_of("src1", src1, params.src1BlkStride, params.src1RepStride);

	require_fitting("Compare", params, where);
	require_local("Compare", "dst", dst.address_, uint64_t(pattern.repeats) * per_repeat<T> / 8,
		      32, where);
	require_local("Compare", "src0", src0.address_, reach_of(a, pattern), 32, where);
	require_local("Compare", "src1", src1.address_, reach_of(b, pattern), 32, where);
	if (deepest > 1)
		note_result({"Compare", Pipe::V, where}, "dst", dst.address_.absAddr,
			    uint64_t(pattern.repeats) * per_repeat<T> / 8);
	require_compare_mode<T>("Compare", mode, where);
	if (is_row(a, pattern) && is_row(b, pattern))
		return compare_count(dst.address_.absAddr, reinterpret_cast<const T *>(a.base),
				     Row<T>{reinterpret_cast<const T *>(b.base)}, mode,
				     elements_in(pattern));
	compare_repeats<T>(
		dst.address_.absAddr, a,
		[&](uint32_t r, uint32_t i) { return *reinterpret_cast<const T *>(b.at(r, i)); },
		mode, pattern);
}

template <bool isSetMask, class D, class T, class Mask>
inline void compare_scalar_masked(const LocalTensor<D> &dst, const LocalTensor<T> &src0, T scalar,
				  CMPMODE mode, Mask mask, uint64_t repeat,
				  const UnaryRepeatParams &params, Where where)
{
	const Pattern pattern =
		make_pattern<isSetMask>("CompareScalar", mask, per_repeat<T>, repeat, where);
	const Lane a = lane_of("src0", src0, params.srcBlkStride, params.srcRepStride);

	require_fitting("CompareScalar", params, where);
	require_local("CompareScalar", "dst", dst.address_,
		      uint64_t(pattern.repeats) * per_repeat<T> / 8, 32, where);
	require_local("CompareScalar", "src0", src0.address_, reach_of(a, pattern), 32, where);
	if (deepest > 1)
		note_result({"CompareScalar", Pipe::V, where}, "dst", dst.address_.absAddr,
			    uint64_t(pattern.repeats) * per_repeat<T> / 8);
	require_compare_mode<T>("CompareScalar", mode, where);
	if (is_row(a, pattern))
		return compare_count(dst.address_.absAddr, reinterpret_cast<const T *>(a.base),
				     Number<T>{scalar}, mode, elements_in(pattern));
	compare_repeats<T>(
		dst.address_.absAddr, a, [&](uint32_t, uint32_t) { return scalar; }, mode, pattern);
}

/* The compare register, of one repeat. */
template <bool isSetMask, class T, class Mask>
inline void compare_into_register(const LocalTensor<T> &src0, const LocalTensor<T> &src1,
				  CMPMODE mode, Mask mask, const BinaryRepeatParams &params,
				  Where where)
{
	const Pattern pattern = make_pattern<isSetMask>("Compare", mask, per_repeat<T>, 1, where);
	const Lane a = lane_of("src0", src0, params.src0BlkStride, params.src0RepStride);
	const Lane b = lane_of("src1", src1, params.src1BlkStride, params.src1RepStride);

	require_local("Compare", "src0", src0.address_, reach_of(a, pattern), 32, where);
	require_local("Compare", "src1", src1.address_, reach_of(b, pattern), 32, where);
	require_compare_mode<T>("Compare", mode, where);
	compare_repeats<T>(
		reinterpret_cast<unsigned char *>(state().compare), a,
		[&](uint32_t r, uint32_t i) { return *reinterpret_cast<const T *>(b.at(r, i)); },
		mode, pattern);
}

} // namespace unpu::lang

namespace AscendC {

template <typename D, typename T>
void Compare(const LocalTensor<D> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	     CMPMODE mode, uint32_t count, UNPU_WHERE)
{
	static_assert(sizeof(D) == 1, "Compare: the destination is a tensor of uint8_t or int8_t");
	unpu::lang::require_compare("Compare", dst, src0, mode, count, where);
	unpu::lang::require_local("Compare", "src1", src1.address_, uint64_t(count) * sizeof(T), 32,
				  where);
	unpu::lang::note_compare<T>("Compare", dst.address_, src0.address_, count, where);
	unpu::lang::compare_count(dst.address_.absAddr, static_cast<const T *>(src0.data()),
				  unpu::lang::Row<T>{src1.data()}, mode, count);
}
template <typename D, typename T, bool isSetMask = true>
void Compare(const LocalTensor<D> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	     CMPMODE mode, uint64_t mask, uint32_t repeat, const BinaryRepeatParams &params,
	     UNPU_WHERE)
{
	unpu::lang::compare_masked<isSetMask>(dst, src0, src1, mode, mask, repeat, params, where);
}
template <typename D, typename T, bool isSetMask = true>
void Compare(const LocalTensor<D> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
	     CMPMODE mode, const uint64_t mask[], uint32_t repeat, const BinaryRepeatParams &params,
	     UNPU_WHERE)
{
	unpu::lang::compare_masked<isSetMask>(dst, src0, src1, mode, mask, repeat, params, where);
}
/* Into the compare register. */
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode, uint64_t mask,
	     const BinaryRepeatParams &params, UNPU_WHERE)
{
	unpu::lang::compare_into_register<isSetMask>(src0, src1, mode, mask, params, where);
}
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode,
	     const uint64_t mask[], const BinaryRepeatParams &params, UNPU_WHERE)
{
	unpu::lang::compare_into_register<isSetMask>(src0, src1, mode, mask, params, where);
}

template <typename D, typename T, bool isSetMask = true>
void CompareScalar(const LocalTensor<D> &dst, const LocalTensor<T> &src0,
		   unpu::lang::Same<T> scalar, CMPMODE mode, uint32_t count, UNPU_WHERE)
{
	static_assert(sizeof(D) == 1,
		      "CompareScalar: the destination is a tensor of uint8_t or int8_t");
	unpu::lang::require_compare("CompareScalar", dst, src0, mode, count, where);
	unpu::lang::note_compare<T>("CompareScalar", dst.address_, src0.address_, count, where);
	unpu::lang::compare_count(dst.address_.absAddr, static_cast<const T *>(src0.data()),
				  unpu::lang::Number<T>{T(scalar)}, mode, count);
}
template <typename D, typename T, bool isSetMask = true>
void CompareScalar(const LocalTensor<D> &dst, const LocalTensor<T> &src0,
		   unpu::lang::Same<T> scalar, CMPMODE mode, uint64_t mask, uint32_t repeat,
		   const UnaryRepeatParams &params, UNPU_WHERE)
{
	unpu::lang::compare_scalar_masked<isSetMask, D, T>(dst, src0, scalar, mode, mask, repeat,
							   params, where);
}
template <typename D, typename T, bool isSetMask = true>
void CompareScalar(const LocalTensor<D> &dst, const LocalTensor<T> &src0,
		   unpu::lang::Same<T> scalar, CMPMODE mode, const uint64_t mask[], uint32_t repeat,
		   const UnaryRepeatParams &params, UNPU_WHERE)
{
	unpu::lang::compare_scalar_masked<isSetMask, D, T>(dst, src0, scalar, mode, mask, repeat,
							   params, where);
}

/* The compare register, as bits. */
template <typename D> void GetCmpMask(const LocalTensor<D> &dst, UNPU_WHERE)
{
	unpu::lang::require_local("GetCmpMask", "dst", dst.address_, 16, 16, where);
	memcpy(dst.address_.absAddr, unpu::lang::state().compare, 16);
}
template <typename D> void SetCmpMask(const LocalTensor<D> &src, UNPU_WHERE)
{
	unpu::lang::require_local("SetCmpMask", "src", src.address_, 16, 16, where);
	memcpy(unpu::lang::state().compare, src.address_.absAddr, 16);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_COMPARE_H */
