/* SPDX-License-Identifier: MIT */
/*
 * DOC: Gather and GatherMask
 *
 * Gather takes elements at byte offsets; Gatherb takes blocks of 32 bytes; GatherMask packs the elements that a pattern
 * or a tensor of bits selects.
 */
#ifndef UNPU_ASCENDC_VECTOR_GATHER_H
#define UNPU_ASCENDC_VECTOR_GATHER_H

#include "unpu_ascendc/vector/compare.h"

namespace AscendC {

struct GatherMaskParams {
	uint8_t src0BlockStride = 1;
	uint16_t repeatTimes = 1;
	uint16_t src0RepeatStride = 8;
	uint8_t src1RepeatStride = 8;

	constexpr GatherMaskParams() = default;
	template <class A, class B, class C, class D>
	constexpr GatherMaskParams(A block, B repeats, C repeat0, D repeat1)
		: src0BlockStride(static_cast<uint8_t>(block)),
		  repeatTimes(static_cast<uint16_t>(repeats)),
		  src0RepeatStride(static_cast<uint16_t>(repeat0)),
		  src1RepeatStride(static_cast<uint8_t>(repeat1))
	{
	}
};

struct GatherRepeatParams {
	uint16_t dstBlkStride = 1;
	uint16_t dstRepStride = 8;

	constexpr GatherRepeatParams() = default;
	template <class A, class B>
	constexpr GatherRepeatParams(A block, B repeat)
		: dstBlkStride(static_cast<uint16_t>(block)),
		  dstRepStride(static_cast<uint16_t>(repeat))
	{
	}
};

} // namespace AscendC

namespace unpu::lang {

/* Fails if an offset leads out of the source. */
template <class T>
inline void require_offset(const char *call, const LocalTensor<T> &src, uint64_t byte,
			   uint64_t bytes, uint64_t index, Where where)
{
	if (__builtin_expect(byte + bytes > src.address_.dataLen, 0) && level() > 0)
		fail(where, "%s: offset %llu (element %llu) leads out of src, which has %u bytes",
		     call, static_cast<unsigned long long>(byte),
		     static_cast<unsigned long long>(index), src.address_.dataLen);
	if (__builtin_expect(byte % sizeof(T) != 0, 0) && level() > 0)
		fail(where,
		     "%s: offset %llu (element %llu) is no multiple of the %u bytes of an element",
		     call, static_cast<unsigned long long>(byte),
		     static_cast<unsigned long long>(index), unsigned(sizeof(T)));
}

template <class T>
inline void gather_lane(const Lane &to, const LocalTensor<T> &src,
			const LocalTensor<uint32_t> &offsets, uint32_t base, const Pattern &pattern,
			Where where)
{
	for (uint32_t repeat = 0, index = 0; repeat < pattern.repeats; repeat++) {
		for (uint32_t i = 0; i < pattern.per_repeat; i++, index++) {
			if (!pattern.has(i) || (repeat + 1 == pattern.repeats && i >= pattern.last))
				continue;
			const uint64_t byte = uint64_t(base) + offsets.data()[index];

			require_offset("Gather", src, byte, sizeof(T), index, where);
			if (__builtin_expect(deepest > 1, 0)) {
				const Span spans[2] = {
					{"dst", to.at(repeat, i), sizeof(T) * 8},
					{"src", src.address_.absAddr + byte, sizeof(T) * 8}};

				note_elements({"Gather", Pipe::V, where}, spans, 1);
			}
			memcpy(to.at(repeat, i), src.address_.absAddr + byte, sizeof(T));
		}
	}
}

template <class T>
inline void gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
		   const LocalTensor<uint32_t> &offsets, uint32_t base, const Pattern &pattern,
		   uint32_t repeat_stride, Where where)
{
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "Gather: the vector unit has it for 16-bit and 32-bit types");
	const Lane to = lane_of("dst", dst, 1, repeat_stride);
	const uint64_t last =
		pattern.repeats
			? uint64_t(pattern.repeats - 1) * pattern.per_repeat +
				  (pattern.end() < pattern.last ? pattern.end() : pattern.last)
			: 0;

	require_local("Gather", "dst", dst.address_, reach_of(to, pattern), 32, where);
	require_local("Gather", "offsets", offsets.address_, last * 4, 32, where);
	if (deepest > 1)
		note_use({"Gather", Pipe::V, where}, "offsets", offsets.address_.absAddr, last * 4);
	gather_lane(to, src, offsets, base, pattern, where);
}

/* Whether a fixed pattern selects element @i. */
inline bool pattern_has(uint8_t pattern, uint64_t i)
{
	switch (pattern) {
	case 1:
		return i % 2 == 0;
	case 2:
		return i % 2 == 1;
	case 3:
	case 4:
	case 5:
	case 6:
		return i % 4 == pattern - 3u;
	default:
		return true;
	}
}

/* @has(repeat, element): whether the element is selected. Return: the number of elements that were kept. */
template <class T, class Has>
inline uint64_t gather_mask(const LocalTensor<T> &dst, const LocalTensor<T> &src, bool is_reduced,
			    uint32_t mask, const AscendC::GatherMaskParams &params, Has has,
			    Where where)
{
	const Lane from = lane_of("src0", src, params.src0BlockStride, params.src0RepeatStride);
	/* With a mask, a repeat may be longer than 256 bytes: the elements follow each other. */
	const uint32_t elements = is_reduced ? mask : per_repeat<T>;
	uint64_t kept = 0;

	for (uint32_t repeat = 0; repeat < params.repeatTimes; repeat++) {
		for (uint32_t i = 0; i < elements; i++) {
			if (!has(repeat, i))
				continue;
			const uint64_t byte =
				static_cast<uint64_t>(from.at(repeat, i) - src.address_.absAddr);

			require_local("GatherMask", "src0", src.address_, byte + sizeof(T), 32,
				      where);
			require_local("GatherMask", "dst", dst.address_, (kept + 1) * sizeof(T), 32,
				      where);
			if (__builtin_expect(deepest > 1, 0)) {
				const Span spans[2] = {{"dst",
							dst.address_.absAddr + kept * sizeof(T),
							sizeof(T) * 8},
						       {"src0", from.at(repeat, i), sizeof(T) * 8}};

				note_elements({"GatherMask", Pipe::V, where}, spans, 1);
			}
			memcpy(dst.address_.absAddr + kept * sizeof(T), from.at(repeat, i),
			       sizeof(T));
			kept++;
		}
	}
	state().left_over = kept;
	state().is_counter = 0;
	return kept;
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	    const LocalTensor<uint32_t> &offsets, uint32_t base, uint32_t count, UNPU_WHERE)
{
	unpu::lang::gather(dst, src, offsets, base,
			   unpu::lang::pattern_of_total(count, unpu::lang::per_repeat<T>), 8,
			   where);
}
template <typename T, typename Mask>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	    const LocalTensor<uint32_t> &offsets, uint32_t base, const Mask &mask, uint32_t repeat,
	    uint16_t dst_repeat, UNPU_WHERE)
{
	unpu::lang::gather(dst, src, offsets, base,
			   unpu::lang::make_pattern<true>("Gather", mask, unpu::lang::per_repeat<T>,
							  repeat, where),
			   dst_repeat, where);
}

/* Each offset takes a block of 32 bytes; a repeat is 8 of them. */
template <typename T>
void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src,
	     const LocalTensor<uint32_t> &offsets, uint32_t repeat,
	     const GatherRepeatParams &params, UNPU_WHERE)
{
	unpu::lang::require_local("Gatherb", "offsets", offsets.address_, uint64_t(repeat) * 32, 32,
				  where);
	for (uint64_t i = 0; i < uint64_t(repeat) * 8; i++) {
		const uint64_t to =
			(i / 8 * params.dstRepStride + i % 8 * params.dstBlkStride) * 32;
		const uint64_t from = offsets.data()[i];

		unpu::lang::require_local("Gatherb", "dst", dst.address_, to + 32, 32, where);
		unpu::lang::require_offset("Gatherb", src, from, 32, i, where);
		if (__builtin_expect(unpu::lang::deepest > 1, 0)) {
			const unpu::lang::Span spans[2] = {{"dst", dst.address_.absAddr + to, 8},
							   {"src", src.address_.absAddr + from, 8}};

			unpu::lang::note_elements({"Gatherb", unpu::lang::Pipe::V, where}, spans,
						  32);
		}
		memcpy(dst.address_.absAddr + to, src.address_.absAddr + from, 32);
	}
}

template <typename T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t pattern,
		bool reduceMode, uint32_t mask, const GatherMaskParams &params, uint64_t &kept,
		UNPU_WHERE)
{
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "GatherMask: the vector unit has it for 16-bit and 32-bit types");
	if ((pattern < 1 || pattern > 7) && unpu::lang::level() > 0)
		unpu::lang::fail(where, "GatherMask: there is no pattern %u; there are 1 to 7",
				 pattern);
	kept = unpu::lang::gather_mask(
		dst, src0, reduceMode, mask, params,
		[=](uint32_t, uint32_t i) { return unpu::lang::pattern_has(pattern, i); }, where);
}
template <typename T, typename U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
		const LocalTensor<U> &pattern, bool reduceMode, uint32_t mask,
		const GatherMaskParams &params, uint64_t &kept, UNPU_WHERE)
{
	static_assert(
		sizeof(T) == sizeof(U) && std::is_unsigned_v<U>,
		"GatherMask: the pattern is of uint16_t or uint32_t, as wide as the elements");
	const uint32_t elements = reduceMode ? mask : unpu::lang::per_repeat<T>;
	const uint64_t stride = uint64_t(params.src1RepeatStride) * 32;
	const uint64_t reach =
		params.repeatTimes ? (params.repeatTimes - 1) * stride + (elements + 7) / 8 : 0;

	unpu::lang::require_local("GatherMask", "src1Pattern", pattern.address_, reach, 32, where);
	kept = unpu::lang::gather_mask(
		dst, src0, reduceMode, mask, params,
		[&](uint32_t repeat, uint32_t i) {
			return unpu::lang::get_bit(pattern.address_.absAddr + repeat * stride, i);
		},
		where);
}

/* Elements that the last GatherMask has kept. */
inline int64_t GetGatherMaskRemainCount()
{
	return static_cast<int64_t>(unpu::lang::state().left_over);
}

template <typename... T> void Scatter(const T &...)
{
	static_assert(unpu::lang::never<T...>, "unpu has no Scatter (see kernel-names): the vector "
					       "unit of this chip does not have it");
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_GATHER_H */
