/* SPDX-License-Identifier: MIT */
/*
 * DOC: Select
 */
#ifndef UNPU_ASCENDC_VECTOR_SELECT_H
#define UNPU_ASCENDC_VECTOR_SELECT_H

#include "unpu_ascendc/vector/compare.h"

namespace unpu::lang {

#define UNPU_SELECT_TYPES(T) UNPU_ONLY(Select, T, "half and float", half, float)

/* The bit of element @i of repeat @repeat. The register and the mode SPR use the same bits in each repeat. */
inline bool select_bit(const unsigned char *bits, SELMODE mode, uint32_t per_repeat_,
		       uint32_t repeat, uint32_t i)
{
	return get_bit(bits,
		       mode == SELMODE::VSEL_CMPMASK_SPR ? i : uint64_t(repeat) * per_repeat_ + i);
}

/* A byte of bits becomes a mask of eight elements. */
template <class T, class Second>
inline void select_dense(const unsigned char *bits, T *to, const T *first, Second second,
			 uint32_t count)
{
	constexpr Eight<T> places = EightOf<sizeof(T)>::PLACES;
	uint32_t i = 0;

	for (; i + 8 <= count; i += 8) {
		const Eight<T> mask = (places & bits[i / 8]) == places;
		Eight<T> a, b;

		load_eight(a, first + i);
		second.eight(b, i);
		a = (mask & a) | (~mask & b);
		memcpy(static_cast<void *>(to + i), &a, sizeof(a));
	}
	for (; i < count; i++)
		to[i] = get_bit(bits, i) ? first[i] : second(i);
}

/* Whether whole repeats of neighbouring blocks are selected, by bits of their own. */
inline bool selects_all(const Lane &dst, const Lane &first, SELMODE mode, const Pattern &pattern)
{
	return deepest < 2 && mode != SELMODE::VSEL_CMPMASK_SPR && pattern.repeats > 0 &&
	       pattern.is_full() && is_dense(dst, pattern) && is_dense(first, pattern);
}

/* @second(repeat, element): the address of the element of the second source. */
template <class T, class Second>
inline void select_repeats(const unsigned char *bits, const Lane &dst, const Lane &first,
			   Second second, SELMODE mode, const Pattern &pattern, Where where)
{
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		for (uint32_t i = 0; i < pattern.per_repeat; i++) {
			if (!pattern.has(i) || (repeat + 1 == pattern.repeats && i >= pattern.last))
				continue;
			const T *other = second(repeat, i);
			const T *from = select_bit(bits, mode, pattern.per_repeat, repeat, i)
						? reinterpret_cast<const T *>(first.at(repeat, i))
						: other;
			T *to = reinterpret_cast<T *>(dst.at(repeat, i));

			if (__builtin_expect(deepest > 1, 0)) {
				const Span spans[2] = {
					{"dst", reinterpret_cast<unsigned char *>(to),
					 sizeof(T) * 8},
					{"src",
					 reinterpret_cast<unsigned char *>(const_cast<T *>(from)),
					 sizeof(T) * 8}};

				note_elements({"Select", Pipe::V, where}, spans, 1);
			}
			memcpy(to, from, sizeof(T));
		}
	}
}

template <class T, class M>
inline void require_select(const LocalTensor<M> &bits, const Lane &dst, const TBuffAddr &to,
			   const Lane &first, const TBuffAddr &from, SELMODE mode,
			   const Pattern &pattern, Where where)
{
	const uint64_t elements =
		mode == SELMODE::VSEL_CMPMASK_SPR
			? pattern.per_repeat
			: uint64_t(pattern.repeats - 1) * pattern.per_repeat + pattern.last;

	if (pattern.repeats == 0)
		return;
	require_local("Select", "selMask", bits.address_, (elements + 7) / 8, 32, where);
	require_local("Select", "dst", to, reach_of(dst, pattern), 32, where);
	require_local("Select", "src0", from, reach_of(first, pattern), 32, where);
	if (deepest > 1)
		note_use({"Select", Pipe::V, where}, "selMask", bits.address_.absAddr,
			 (elements + 7) / 8);
}

template <class T, class M>
inline void select_two(const LocalTensor<T> &dst, const LocalTensor<M> &bits,
		       const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE mode,
		       const Pattern &pattern, const BinaryRepeatParams &params, Where where)
{
	const Lane to = lane_of("dst", dst, params.dstBlkStride, params.dstRepStride);
	const Lane a = lane_of("src0", src0, params.src0BlkStride, params.src0RepStride);
	const Lane b = lane_of("src1", src1, params.src1BlkStride, params.src1RepStride);

	require_fitting("Select", params, where);
	require_select<T>(bits, to, dst.address_, a, src0.address_, mode, pattern, where);
	require_local("Select", "src1", src1.address_, reach_of(b, pattern), 32, where);
	if (selects_all(to, a, mode, pattern) && is_dense(b, pattern)) {
		const T *other = reinterpret_cast<const T *>(b.base);

		return select_dense(bits.address_.absAddr, reinterpret_cast<T *>(to.base),
				    reinterpret_cast<const T *>(a.base), Row<T>{other},
				    elements_in(pattern));
	}
	select_repeats<T>(
		bits.address_.absAddr, to, a,
		[&](uint32_t r, uint32_t i) { return reinterpret_cast<const T *>(b.at(r, i)); },
		mode, pattern, where);
}

template <class T, class M>
inline void select_scalar(const LocalTensor<T> &dst, const LocalTensor<M> &bits,
			  const LocalTensor<T> &src0, T scalar, SELMODE mode,
			  const Pattern &pattern, const BinaryRepeatParams &params, Where where)
{
	const Lane to = lane_of("dst", dst, params.dstBlkStride, params.dstRepStride);
	const Lane a = lane_of("src0", src0, params.src0BlkStride, params.src0RepStride);

	require_fitting("Select", params, where);
	require_select<T>(bits, to, dst.address_, a, src0.address_, mode, pattern, where);
	if (selects_all(to, a, mode, pattern))
		return select_dense(bits.address_.absAddr, reinterpret_cast<T *>(to.base),
				    reinterpret_cast<const T *>(a.base), Number<T>{scalar},
				    elements_in(pattern));
	select_repeats<T>(
		bits.address_.absAddr, to, a, [&](uint32_t, uint32_t) { return &scalar; }, mode,
		pattern, where);
}

/* The pattern of the first @count elements, one behind the other. */
template <class T> inline Pattern pattern_of_elements(uint64_t count)
{
	return pattern_of_total(count, per_repeat<T>);
}

} // namespace unpu::lang

namespace AscendC {

template <typename T, typename M, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &selMask, const LocalTensor<T> &src0,
	    const LocalTensor<T> &src1, SELMODE mode, uint32_t count, UNPU_WHERE)
{
	UNPU_SELECT_TYPES(T);
	unpu::lang::select_two(dst, selMask, src0, src1, mode,
			       unpu::lang::pattern_of_elements<T>(count), BinaryRepeatParams(),
			       where);
}
template <typename T, typename M, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &selMask, const LocalTensor<T> &src0,
	    unpu::lang::Same<T> scalar, SELMODE mode, uint32_t count, UNPU_WHERE)
{
	UNPU_SELECT_TYPES(T);
	unpu::lang::select_scalar<T>(dst, selMask, src0, scalar, mode,
				     unpu::lang::pattern_of_elements<T>(count),
				     BinaryRepeatParams(), where);
}
template <typename T, typename M, bool isSetMask = true, typename Mask>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &selMask, const LocalTensor<T> &src0,
	    const LocalTensor<T> &src1, SELMODE mode, const Mask &mask, uint32_t repeat,
	    const BinaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_SELECT_TYPES(T);
	unpu::lang::select_two(dst, selMask, src0, src1, mode,
			       unpu::lang::make_pattern<isSetMask>(
				       "Select", mask, unpu::lang::per_repeat<T>, repeat, where),
			       params, where);
}
template <typename T, typename M, bool isSetMask = true, typename Mask>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &selMask, const LocalTensor<T> &src0,
	    unpu::lang::Same<T> scalar, SELMODE mode, const Mask &mask, uint32_t repeat,
	    const BinaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_SELECT_TYPES(T);
	unpu::lang::select_scalar<T>(dst, selMask, src0, scalar, mode,
				     unpu::lang::make_pattern<isSetMask>("Select", mask,
									 unpu::lang::per_repeat<T>,
									 repeat, where),
				     params, where);
}
/* Uses the mask that SetVectorMask has set. */
template <SELMODE mode, typename T, typename M>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &selMask, const LocalTensor<T> &src0,
	    const LocalTensor<T> &src1, uint32_t repeat, const BinaryRepeatParams &params,
	    UNPU_WHERE)
{
	UNPU_SELECT_TYPES(T);
	unpu::lang::select_two(dst, selMask, src0, src1, mode,
			       unpu::lang::make_pattern<false>("Select", uint64_t(0),
							       unpu::lang::per_repeat<T>, repeat,
							       where),
			       params, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_SELECT_H */
