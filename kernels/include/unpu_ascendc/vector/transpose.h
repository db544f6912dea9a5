/* SPDX-License-Identifier: MIT */
/*
 * DOC: Transpositions
 *
 * Transpose turns a matrix of 16 x 16 elements of 16 bits. TransDataTo5HD turns blocks that 16 addresses name: each
 * address is that of a block of 32 bytes in UB.
 */
#ifndef UNPU_ASCENDC_VECTOR_TRANSPOSE_H
#define UNPU_ASCENDC_VECTOR_TRANSPOSE_H

#include "unpu_ascendc/tensor/operand.h"
#include "unpu_ascendc/vector/params.h"

namespace AscendC {

/* Strides in blocks of 32 bytes, from start to start. @srcHighHalf, @dstHighHalf: for elements of 8 bits */
struct TransDataTo5HDParams {
	bool dstHighHalf = false;
	bool srcHighHalf = false;
	uint8_t repeatTimes = 1;
	uint16_t dstRepStride = 0;
	uint16_t srcRepStride = 0;
	bool is_narrowed = false;

	constexpr TransDataTo5HDParams() = default;
	template <class A, class B, class C>
	constexpr TransDataTo5HDParams(bool dst_high, bool src_high, A repeats, B dst_stride,
				       C src_stride)
		: dstHighHalf(dst_high), srcHighHalf(src_high),
		  repeatTimes(static_cast<uint8_t>(repeats)),
		  dstRepStride(static_cast<uint16_t>(dst_stride)),
		  srcRepStride(static_cast<uint16_t>(src_stride)),
		  is_narrowed(!(unpu::lang::fits<uint8_t>(repeats) &&
				unpu::lang::fits<uint16_t>(dst_stride) &&
				unpu::lang::fits<uint16_t>(src_stride)))
	{
	}
};

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

} // namespace AscendC

namespace unpu::lang {

inline constexpr uint32_t LIST = AscendC::NCHW_CONV_ADDR_LIST_SIZE;

/* The 16 blocks of one repeat; of elements of 4 bytes a column of dst fills two of them. */
template <class T>
inline void turn_blocks(unsigned char *const (&dst)[LIST], unsigned char *const (&src)[LIST],
			const AscendC::TransDataTo5HDParams &params)
{
	constexpr uint32_t across = sizeof(T) == 1 ? 16 : 32 / sizeof(T);
	const uint32_t from = sizeof(T) == 1 && params.srcHighHalf ? 16 : 0;
	const uint32_t to = sizeof(T) == 1 && params.dstHighHalf ? 16 : 0;
	T block[LIST][across];

	for (uint32_t i = 0; i < LIST; i++)
		memcpy(block[i], src[i] + from, sizeof(block[i]));
	for (uint32_t column = 0; column < across; column++)
		for (uint32_t i = 0; i < LIST; i++) {
			const uint32_t place = column * LIST + i;
			const uint32_t list = sizeof(T) == 4 ? place / 8 : column;
			const uint32_t at = sizeof(T) == 4 ? place % 8 : i;

			memcpy(dst[list] + to + at * sizeof(T), &block[i][column], sizeof(T));
		}
}

/* All repeats; @dst and @src are blocks in UB that were checked. */
template <class T>
inline void turn(const Actor &actor, unsigned char *const (&dst)[LIST],
		 unsigned char *const (&src)[LIST], const AscendC::TransDataTo5HDParams &params)
{
	const bool is_one = params.repeatTimes == 1; /* strides mean nothing */

	for (uint64_t repeat = 0; repeat < params.repeatTimes; repeat++) {
		unsigned char *to[LIST], *from[LIST];

		for (uint32_t i = 0; i < LIST; i++) {
			to[i] = dst[i] + (is_one ? 0 : repeat * params.dstRepStride * 32);
			from[i] = src[i] + (is_one ? 0 : repeat * params.srcRepStride * 32);
			if (__builtin_expect(deepest > 1, 0))
				note_use(actor, "a block of src", from[i], 32);
		}
		turn_blocks<T>(to, from, params);
		for (uint32_t i = 0; i < LIST && deepest > 1; i++)
			note_result(actor, "a block of dst", to[i], 32);
	}
}

/* The bytes that the repeats of one address cover, from the first block to the end of the last one. */
inline uint64_t reach_of_repeats(const AscendC::TransDataTo5HDParams &params, uint64_t stride)
{
	return params.repeatTimes > 1 ? (params.repeatTimes - 1) * stride * 32 + 32 : 32;
}

/* The block in UB at an address that GetPhyAddr() gave; fails if it leaves UB. */
inline unsigned char *block_at(const Actor &actor, const char *list, uint32_t i, uint64_t address,
			       uint64_t bytes)
{
	const unpu_kernel_local &ub = block().local[UNPU_KERNEL_UB];
	const uint64_t offset = address - reinterpret_cast<uint64_t>(ub.base);

	if (level() > 0 && (offset >= ub.bytes || bytes > ub.bytes - offset || offset % 32 != 0))
		fail(actor.where,
		     "%s: address %u of %s, and the %llu bytes of its repeats, are not whole "
		     "blocks of 32 bytes in UB",
		     actor.call, i, list, static_cast<unsigned long long>(bytes));
	return reinterpret_cast<unsigned char *>(address);
}

template <class T>
inline void require_turn(const Actor &actor, const AscendC::TransDataTo5HDParams &params)
{
	static_assert(sizeof(T) <= 4 && !std::is_same_v<T, AscendC::int4b_t>,
		      "TransDataTo5HD: elements have 1, 2 or 4 bytes");
	require_fitting(actor.call, params, actor.where);
	require_number(actor, "TransDataTo5HDParams::repeatTimes", params.repeatTimes, 1, 255);
}

} // namespace unpu::lang

namespace AscendC {

/* dst[j][i] = src[i][j], of 16 x 16 elements. */
template <typename T>
void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, UNPU_WHERE)
{
	static_assert(sizeof(T) == 2, "Transpose: elements have 2 bytes");
	const unpu::lang::Actor actor = {"Transpose", unpu::lang::Pipe::V, where};
	T turned[16][16];

	unpu::lang::note_source(actor, "src", src, 256);
	unpu::lang::note_target(actor, "dst", dst, 256);
	for (uint32_t i = 0; i < 16; i++)
		for (uint32_t j = 0; j < 16; j++)
			turned[j][i] = src.data()[i * 16 + j];
	memcpy(dst.address_.absAddr, turned, sizeof(turned));
}

template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
		    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
		    const TransDataTo5HDParams &params, UNPU_WHERE)
{
	const unpu::lang::Actor actor = {"TransDataTo5HD", unpu::lang::Pipe::V, where};
	unsigned char *dst[unpu::lang::LIST], *src[unpu::lang::LIST];

	unpu::lang::require_turn<T>(actor, params);
	for (uint32_t i = 0; i < unpu::lang::LIST; i++) {
		unpu::lang::require_local(actor.call, "a tensor of dstList", dstList[i].address_,
					  unpu::lang::reach_of_repeats(params, params.dstRepStride),
					  32, where);
		unpu::lang::require_local(actor.call, "a tensor of srcList", srcList[i].address_,
					  unpu::lang::reach_of_repeats(params, params.srcRepStride),
					  32, where);
		dst[i] = dstList[i].address_.absAddr;
		src[i] = srcList[i].address_.absAddr;
	}
	unpu::lang::turn<T>(actor, dst, src, params);
}

/* The lists are numbers that GetPhyAddr() gave. */
template <typename T>
void TransDataTo5HD(const uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
		    const uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
		    const TransDataTo5HDParams &params, UNPU_WHERE)
{
	const unpu::lang::Actor actor = {"TransDataTo5HD", unpu::lang::Pipe::V, where};
	unsigned char *dst[unpu::lang::LIST], *src[unpu::lang::LIST];

	unpu::lang::require_turn<T>(actor, params);
	for (uint32_t i = 0; i < unpu::lang::LIST; i++) {
		dst[i] = unpu::lang::block_at(
			actor, "dstList", i, dstList[i],
			unpu::lang::reach_of_repeats(params, params.dstRepStride));
		src[i] = unpu::lang::block_at(
			actor, "srcList", i, srcList[i],
			unpu::lang::reach_of_repeats(params, params.srcRepStride));
	}
	unpu::lang::turn<T>(actor, dst, src, params);
}
template <typename T>
void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src,
		    const TransDataTo5HDParams &params, UNPU_WHERE)
{
	const unpu::lang::Actor actor = {"TransDataTo5HD", unpu::lang::Pipe::V, where};

	unpu::lang::note_source(actor, "the list of dst", dst, unpu::lang::LIST);
	unpu::lang::note_source(actor, "the list of src", src, unpu::lang::LIST);
	TransDataTo5HD<T>(dst.data(), src.data(), params, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_TRANSPOSE_H */
