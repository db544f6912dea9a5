/* SPDX-License-Identifier: MIT */
/*
 * DOC: Instructions that fill a tensor
 *
 * Duplicate, CreateVecIndex, ArithProgression, Brcb, and Copy inside of UB.
 */
#ifndef UNPU_ASCENDC_VECTOR_FILL_H
#define UNPU_ASCENDC_VECTOR_FILL_H

#include "unpu_ascendc/copy/params.h"
#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

template <class T>
inline constexpr bool has_duplicate =
	is_one_of<T, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t>;

template <class T>
inline void duplicate_lanes(const LocalTensor<T> &dst, T value, const Pattern &pattern,
			    uint32_t block, uint32_t repeat, Where where)
{
	const Lane lanes[] = {lane_of("dst", dst, block, repeat)};
	const TBuffAddr *const addresses[] = {&dst.address_};

	require_lanes("Duplicate", lanes, addresses, pattern, where);
	for_each_run(lanes, pattern, [&](unsigned char *const *at, uint32_t count) {
		T *elements = reinterpret_cast<T *>(at[0]);

		for (uint32_t i = 0; i < count; i++)
			elements[i] = value;
	});
}

struct CopyOp {
	template <class T> T operator()(T value) const { return value; }
};

/* A copy of bits: half is not converted. */
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, uint16_t,
				  std::conditional_t<sizeof(T) == 4, uint32_t, T>>;

template <bool isSetMask, class T, class Mask>
inline void copy_masked(const LocalTensor<T> &dst, const LocalTensor<T> &src, Mask mask,
			uint64_t repeat, const AscendC::CopyRepeatParams &params, Where where)
{
	using Bits = BitsOf<T>;
	const auto to = dst.template ReinterpretCast<Bits>();
	const auto from = src.template ReinterpretCast<Bits>();

	run_pattern("Copy", CopyOp{},
		    make_pattern<isSetMask>("Copy", mask, per_repeat<T>, repeat, where), where,
		    Arg<Bits>{"dst", to, params.dstStride, params.dstRepeatSize},
		    Arg<Bits>{"src", from, params.srcStride, params.srcRepeatSize});
}

/* Elements first, first + step, ... */
template <class T>
inline void progress(const char *call, const LocalTensor<T> &dst, T first, T step, int64_t count,
		     Where where)
{
	if (count <= 0) {
		explain_count(call, count, where);
		return;
	}
	require_local(call, "dst", dst.address_, uint64_t(count) * sizeof(T), 32, where);
	if (deepest > 1)
		note_result({call, Pipe::V, where}, "dst", dst.address_.absAddr,
			    uint64_t(count) * sizeof(T));
	for (int64_t i = 0; i < count; i++) {
		if constexpr (std::is_integral_v<T>)
			dst.data()[i] = static_cast<T>(int64_t(first) + int64_t(step) * i);
		else
			dst.data()[i] = static_cast<T>(float(first) + float(step) * float(i));
	}
}

} // namespace unpu::lang

namespace AscendC {

#define UNPU_DUPLICATE_TYPES(T) \
	static_assert(unpu::lang::has_duplicate<T>, \
		      "Duplicate: the vector unit of this chip has it for 16-bit and " \
		      "32-bit types; ReinterpretCast a tensor of another type")

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const unpu::lang::Same<T> &value, int32_t count,
	       UNPU_WHERE)
{
	UNPU_DUPLICATE_TYPES(T);
	if (count <= 0)
		return unpu::lang::explain_count("Duplicate", count, where);
	unpu::lang::require_local("Duplicate", "dst", dst.address_, uint64_t(count) * sizeof(T), 32,
				  where);
	if (__builtin_expect(unpu::lang::deepest > 1, 0))
		unpu::lang::note_result({"Duplicate", unpu::lang::Pipe::V, where}, "dst",
					dst.address_.absAddr, uint64_t(count) * sizeof(T));
	const T element = value;
	T *elements = dst.data();

	for (int32_t i = 0; i < count; i++)
		elements[i] = element;
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const unpu::lang::Same<T> &value, uint64_t mask,
	       uint32_t repeat, uint16_t dst_block, uint8_t dst_repeat, UNPU_WHERE)
{
	UNPU_DUPLICATE_TYPES(T);
	unpu::lang::duplicate_lanes<T>(
		dst, value,
		unpu::lang::make_pattern<isSetMask>("Duplicate", mask, unpu::lang::per_repeat<T>,
						    repeat, where),
		dst_block, dst_repeat, where);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const unpu::lang::Same<T> &value, const uint64_t mask[],
	       uint32_t repeat, uint16_t dst_block, uint8_t dst_repeat, UNPU_WHERE)
{
	UNPU_DUPLICATE_TYPES(T);
	unpu::lang::duplicate_lanes<T>(
		dst, value,
		unpu::lang::make_pattern<isSetMask>("Duplicate", mask, unpu::lang::per_repeat<T>,
						    repeat, where),
		dst_block, dst_repeat, where);
}

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, uint32_t repeat,
	  const CopyRepeatParams &params, UNPU_WHERE)
{
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "Copy: the vector unit copies 16-bit and 32-bit elements");
	unpu::lang::copy_masked<isSetMask>(dst, src, mask, repeat, params, where);
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
	  uint32_t repeat, const CopyRepeatParams &params, UNPU_WHERE)
{
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "Copy: the vector unit copies 16-bit and 32-bit elements");
	unpu::lang::copy_masked<isSetMask>(dst, src, mask, repeat, params, where);
}

template <typename T>
void ArithProgression(const LocalTensor<T> &dst, unpu::lang::Same<T> first,
		      unpu::lang::Same<T> step, int32_t count, UNPU_WHERE)
{
	UNPU_ONLY(ArithProgression, T, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t);
	unpu::lang::progress<T>("ArithProgression", dst, first, step, count, where);
}
template <typename T>
void CreateVecIndex(const LocalTensor<T> &dst, unpu::lang::Same<T> first, uint32_t count,
		    UNPU_WHERE)
{
	UNPU_ONLY(CreateVecIndex, T, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t);
	unpu::lang::progress<T>("CreateVecIndex", dst, first, T(1), count, where);
}

struct BrcbRepeatParams {
	uint16_t dstBlkStride = 1;
	uint16_t dstRepStride = 8;

	constexpr BrcbRepeatParams() = default;
	template <class A, class B>
	constexpr BrcbRepeatParams(A block, B repeat)
		: dstBlkStride(static_cast<uint16_t>(block)),
		  dstRepStride(static_cast<uint16_t>(repeat))
	{
	}
};

/* Each repeat takes 8 elements; each element fills a block of 32 bytes. */
template <typename T>
void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
	  const BrcbRepeatParams &params, UNPU_WHERE)
{
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "Brcb: the vector unit has it for 16-bit and 32-bit types");
	const uint64_t reach =
		repeat ? (uint64_t(repeat - 1) * params.dstRepStride + 7ull * params.dstBlkStride +
			  1) * 32
		       : 0;
	const unpu::lang::Actor actor = {"Brcb", unpu::lang::Pipe::V, where};

	unpu::lang::require_local("Brcb", "dst", dst.address_, reach, 32, where);
	unpu::lang::require_local("Brcb", "src", src.address_, uint64_t(repeat) * 8 * sizeof(T), 32,
				  where);
	for (uint32_t i = 0; i < repeat * 8; i++) {
		unsigned char *block =
			dst.address_.absAddr + (uint64_t(i / 8) * params.dstRepStride +
						uint64_t(i % 8) * params.dstBlkStride) *
						       32;

		for (uint32_t k = 0; k < unpu::lang::per_block<T>; k++) {
			if (__builtin_expect(unpu::lang::deepest > 1, 0)) {
				const unpu::lang::Span spans[2] = {
					{"dst", block + k * sizeof(T), sizeof(T) * 8},
					{"src", src.address_.absAddr + i * sizeof(T),
					 sizeof(T) * 8}};

				unpu::lang::note_elements(actor, spans, 1);
			}
			reinterpret_cast<T *>(block)[k] = src.data()[i];
		}
	}
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_FILL_H */
