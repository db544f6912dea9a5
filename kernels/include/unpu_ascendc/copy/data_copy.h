/* SPDX-License-Identifier: MIT */
/*
 * DOC: DataCopy
 *
 * Copies whole blocks of 32 bytes: a count of elements is rounded down to them, and lengths and gaps are numbers of
 * blocks.
 */
#ifndef UNPU_ASCENDC_COPY_DATA_COPY_H
#define UNPU_ASCENDC_COPY_DATA_COPY_H

#include "unpu_ascendc/copy/move.h"

namespace unpu::lang {

/* The blocks of a copy of @count elements. */
template <class T> inline Blocks blocks_of_count(uint64_t count, Where where)
{
	const uint64_t bytes = bytes_of<T>(count);

	if (__builtin_expect(bytes % 32 != 0, 0) && level() > 0)
		fail(where,
		     "DataCopy: %llu elements are %llu bytes; the last %llu are no whole block of "
		     "32 bytes and are not copied: "
		     "use DataCopyPad",
		     static_cast<unsigned long long>(count), static_cast<unsigned long long>(bytes),
		     static_cast<unsigned long long>(bytes % 32));
	return {1, bytes / 32 * 32};
}

/*
 * The same for a copy to local memory. 32 int4b_t have 16 bytes by their width, but one block by sizeof. The device
 * uses sizeof, and public kernels rely on that. A whole block is right for both.
 */
template <class T> inline Blocks blocks_to_read(uint64_t count, Where where)
{
	const uint64_t bytes = bytes_of<T>(count);

	if (!std::is_same_v<T, int4b_t> || bytes % 32 == 0)
		return blocks_of_count<T>(count, where);
	if (level() > 1) {
		char note[256];

		snprintf(note, sizeof(note),
			 "DataCopy (%s:%u): %llu int4b_t are %llu bytes; the whole block of 32 "
			 "bytes "
			 "is copied\n",
			 where.file ? where.file : "?", unsigned(where.line),
			 static_cast<unsigned long long>(count),
			 static_cast<unsigned long long>(bytes));
		services->print(note, strlen(note));
	}
	return {1, (bytes + 31) / 32 * 32};
}

inline Blocks blocks_of_params(const AscendC::DataCopyParams &params, Where where)
{
	require_fitting("DataCopy", params, where);
	if (params.blockCount > 4095 && level() > 0)
		fail(where, "DataCopy: blockCount is %u, 4095 at most", params.blockCount);
	return {params.blockCount, uint64_t(params.blockLen) * 32};
}

inline void require_plain(const AscendC::DataCopyEnhancedParams &params, Where where)
{
	if (level() > 0 && (params.deqScale != AscendC::DeqScale::DEQ_NONE || params.isRelu ||
			    params.padMode != PAD_NONE))
		fail(where,
		     "DataCopy: this chip computes nothing on the way (deqScale, isRelu, padMode): "
		     "copy, then use AscendDequant, Relu or DataCopyPad");
}

/* The distance from the start of a block to the start of the next one. @gap: between them, in blocks of 32 bytes */
constexpr uint64_t step_of(const Blocks &blocks, uint64_t gap)
{
	return blocks.bytes + gap * 32;
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_to_read<T>(count, where);

	unpu::lang::copy_in("DataCopy", dst, blocks.bytes, src, blocks.bytes, blocks, where);
}
template <typename T>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_of_count<T>(count, where);

	unpu::lang::copy_out("DataCopy", dst, blocks.bytes, src, blocks.bytes, blocks, where);
}
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_of_count<T>(count, where);

	unpu::lang::copy_local("DataCopy", dst, blocks.bytes, src, blocks.bytes, blocks, where);
}

template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params,
	      UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_of_params(params, where);

	unpu::lang::copy_in("DataCopy", dst, unpu::lang::step_of(blocks, params.dstStride), src,
			    unpu::lang::step_of(blocks, params.srcStride), blocks, where);
}
template <typename T>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
	      UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_of_params(params, where);

	unpu::lang::copy_out("DataCopy", dst, unpu::lang::step_of(blocks, params.dstStride), src,
			     unpu::lang::step_of(blocks, params.srcStride), blocks, where);
}
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
	      UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = unpu::lang::blocks_of_params(params, where);

	unpu::lang::copy_local("DataCopy", dst, unpu::lang::step_of(blocks, params.dstStride), src,
			       unpu::lang::step_of(blocks, params.srcStride), blocks, where);
}

/* Any blockMode copies blocks of 32 bytes: others are for sums in L0C, which this chip copies with Fixpipe. */
template <typename D, typename S>
void DataCopy(const D &dst, const S &src, const DataCopyParams &params,
	      const DataCopyEnhancedParams &enhanced, UNPU_WHERE)
{
	unpu::lang::require_plain(enhanced, where);
	DataCopy(dst, src, params, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_DATA_COPY_H */
