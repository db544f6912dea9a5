/* SPDX-License-Identifier: MIT */
/*
 * DOC: TopK
 *
 * The k largest or smallest elements of each row, with their indices. Elements with the same value keep their order.
 */
#ifndef UNPU_ASCENDC_SORT_TOP_K_H
#define UNPU_ASCENDC_SORT_TOP_K_H

#include <stdlib.h>

#include "unpu_ascendc/sort/stable.h"
#include "unpu_ascendc/tensor/operand.h"

namespace AscendC {

enum class TopKMode { TOPK_NORMAL = 0, TOPK_NSMALL };

/* Rows are @inner elements apart. Only the first @n elements of a row are used. */
struct TopKInfo {
	int32_t outter = 1;
	int32_t inner = 0;
	int32_t n = 0;
};

} // namespace AscendC

/* The tiling that the host computes for TopK. Unused here. */
struct TopkTiling {
	uint32_t numbers[24] = {};
};

namespace unpu::lang {

/* @order: the indices of the elements of a row, the best first. */
template <class T> inline void choose(const T *row, uint32_t n, bool is_largest, uint32_t *order)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_stably(order, n, [=](uint32_t a, uint32_t b) {
		const float x = float(row[a]), y = float(row[b]);

		return is_largest ? x > y : x < y;
	});
}

} // namespace unpu::lang

namespace AscendC {

/*
 * Row i of dstValue and of dstIndex begins at a multiple of 32 bytes. A row that finishLocal marks gets n as all its
 * indices. Without isInitIndex the index of an element is its place in the row.
 */
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
	  TopKMode mode = TopKMode::TOPK_NORMAL>
void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex,
	  const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex,
	  const LocalTensor<bool> &finish, const int32_t k, const TopkTiling &,
	  const TopKInfo &info, const bool isLargest = true, UNPU_WHERE)
{
	static_assert(unpu::lang::is_one_of<T, half, float>, "TopK: values are half or float");
	const unpu::lang::Actor actor = {"TopK", unpu::lang::Pipe::V, where};
	const uint64_t rows = static_cast<uint64_t>(info.outter);
	const uint64_t inner = static_cast<uint64_t>(info.inner);
	const uint64_t n = static_cast<uint64_t>(info.n);
	const uint64_t value_pitch = unpu::lang::padded<T>(static_cast<uint64_t>(k));
	const uint64_t index_pitch = unpu::lang::padded<int32_t>(static_cast<uint64_t>(k));

	unpu::lang::require_number(actor, "TopKInfo::outter", rows, 1, 65535);
	unpu::lang::require_number(actor, "TopKInfo::inner", inner, 32, 4096);
	if (inner % 32 != 0 && unpu::lang::level() > 0)
		unpu::lang::fail(where, "TopK: TopKInfo::inner is %llu, which is no multiple of 32",
				 static_cast<unsigned long long>(inner));
	if constexpr (mode == TopKMode::TOPK_NSMALL)
		unpu::lang::require_number(actor, "TopKInfo::inner with TOPK_NSMALL", inner, 32,
					   32);
	unpu::lang::require_number(actor, "TopKInfo::n", n, 1, inner);
	unpu::lang::require_number(actor, "k", static_cast<uint64_t>(k), 1, n);
	unpu::lang::note_source(actor, "src", src, (rows - 1) * inner + n);
	if constexpr (isInitIndex)
		unpu::lang::note_source(actor, "srcIndex", srcIndex, n);
	if constexpr (isHasfinish)
		unpu::lang::note_source(actor, "finish", finish, rows);
	unpu::lang::note_target(actor, "dstValue", dstValue, rows * value_pitch);
	unpu::lang::note_target(actor, "dstIndex", dstIndex, rows * index_pitch);
	uint32_t *order = static_cast<uint32_t *>(malloc(n * sizeof(uint32_t)));

	for (uint64_t i = 0; i < rows; i++) {
		const T *row = src.data() + i * inner;
		bool is_finished = false;

		if constexpr (isHasfinish)
			is_finished = finish.data()[i];
		unpu::lang::choose(row, static_cast<uint32_t>(n), isLargest, order);
		for (uint64_t j = 0; j < static_cast<uint64_t>(k); j++) {
			const int32_t index = static_cast<int32_t>(order[j]);

			dstValue.data()[i * value_pitch + j] = row[order[j]];
			dstIndex.data()[i * index_pitch + j] = is_finished ? info.n
							       : isInitIndex
								       ? srcIndex.data()[order[j]]
								       : index;
		}
	}
	free(order);
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
	  TopKMode mode = TopKMode::TOPK_NORMAL>
void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex,
	  const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex,
	  const LocalTensor<bool> &finish, const LocalTensor<uint8_t> &, const int32_t k,
	  const TopkTiling &tiling, const TopKInfo &info, const bool isLargest = true, UNPU_WHERE)
{
	TopK<T, isInitIndex, isHasfinish, isReuseSrc, mode>(
		dstValue, dstIndex, src, srcIndex, finish, k, tiling, info, isLargest, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_SORT_TOP_K_H */
