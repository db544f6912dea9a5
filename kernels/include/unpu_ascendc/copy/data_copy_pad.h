/* SPDX-License-Identifier: MIT */
/*
 * DOC: DataCopyPad
 *
 * Copies blocks of any number of bytes. Each block begins at a multiple of 32 bytes in UB. A copy to UB pads the rest
 * of a block's last 32 bytes; a copy to global memory skips it.
 */
#ifndef UNPU_ASCENDC_COPY_DATA_COPY_PAD_H
#define UNPU_ASCENDC_COPY_DATA_COPY_PAD_H

#include "unpu_ascendc/copy/move.h"

namespace unpu::lang {

inline constexpr uint32_t PAD_LENGTH_MAX = 2097151;

inline void require_pad_blocks(const Blocks &blocks, Where where)
{
	if (level() == 0)
		return;
	if (blocks.count > 4095)
		fail(where, "DataCopyPad: blockCount is %llu, 4095 at most",
		     static_cast<unsigned long long>(blocks.count));
	if (blocks.bytes > PAD_LENGTH_MAX)
		fail(where, "DataCopyPad: blockLen is %llu bytes, %u at most",
		     static_cast<unsigned long long>(blocks.bytes), PAD_LENGTH_MAX);
}

template <class T> inline void fill_elements(unsigned char *bytes, uint64_t count, const T &value)
{
	for (uint64_t i = 0; i < count; i++)
		memcpy(bytes + i * sizeof(T), &value, sizeof(T));
}

/* The padding around the bytes of a block in UB. */
template <class T> struct Padding {
	uint64_t left; /* elements */
	uint64_t right;
	bool has_value;
	T value;

	uint64_t footprint(uint64_t bytes) const
	{
		return (left * sizeof(T) + bytes + right * sizeof(T) + 31) / 32 * 32;
	}
};

/* Fills the padding around a block of @bytes. Return: whether the interface documents the value of each padded byte. */
template <class T>
inline bool pad_block(unsigned char *base, uint64_t bytes, const Padding<T> &padding)
{
	const uint64_t start = padding.left * sizeof(T);
	const uint64_t tail = (padding.footprint(bytes) - start - bytes) / sizeof(T);
	T value = padding.value;

	if (!padding.has_value && (padding.left || padding.right))
		return false;
	if (!padding.has_value && bytes >= sizeof(T))
		memcpy(&value, base, sizeof(T));
	fill_elements(base, padding.left, value);
	fill_elements(base + start + bytes, tail, value);
	return true;
}

template <class T>
inline void copy_in_padded(const LocalTensor<T> &dst, uint64_t dst_gap, const GlobalTensor<T> &src,
			   uint64_t src_gap, const Blocks &blocks, const Padding<T> &padding,
			   Where where)
{
	const uint64_t footprint = padding.footprint(blocks.bytes);
	const uint64_t step = footprint + dst_gap * 32;
	const Side from = {reinterpret_cast<unsigned char *>(src.GetPhyAddr()),
			   blocks.bytes + src_gap};
	const Actor actor = {"DataCopyPad", Pipe::MTE2, where};

	require_pad_blocks(blocks, where);
	if ((padding.left * sizeof(T) > 32 || padding.right * sizeof(T) > 32) && level() > 0)
		fail(where,
		     "DataCopyPad: paddings of %llu and %llu elements of %u bytes; each has 32 "
		     "bytes at most",
		     static_cast<unsigned long long>(padding.left),
		     static_cast<unsigned long long>(padding.right), unsigned(sizeof(T)));
	if (blocks.count == 0 || blocks.bytes == 0)
		return;
	require_local("DataCopyPad", "dst", dst.address_,
		      Blocks{blocks.count, footprint}.reach(step), 32, where);
	note_global_blocks("DataCopyPad", from, blocks, Access::READ, src.origin(), where);
	for (uint64_t i = 0; i < blocks.count; i++) {
		unsigned char *base = dst.address_.absAddr + i * step;
		unsigned char *start = base + padding.left * sizeof(T);

		copy_block(start, from.base + i * from.step, blocks.bytes);
		const bool is_padded = pad_block(base, blocks.bytes, padding);

		if (__builtin_expect(deepest > 1, 0))
			note_result(actor, "dst", is_padded ? base : start,
				    is_padded ? footprint : blocks.bytes);
	}
}

template <class T>
inline Padding<T> padding_of(const AscendC::DataCopyPadParams &params, Where where)
{
	T value;

	require_fitting("DataCopyPad", params, where);
	memcpy(&value, &params.paddingValue, sizeof(T));
	return {params.leftPadding, params.rightPadding, params.isPad, value};
}

} // namespace unpu::lang

namespace AscendC {

/* The padding value of copies that have none of their own. */
template <typename T, TPosition position = TPosition::MAX>
void SetPadValue(unpu::lang::Same<T> value)
{
	uint64_t bits = 0;

	memcpy(&bits, &value, sizeof(value));
	unpu::lang::state().pad_value = bits;
}

template <typename T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
		 const DataCopyExtParams &params,
		 const DataCopyPadExtParams<unpu::lang::Same<T>> &pad, UNPU_WHERE)
{
	unpu::lang::require_fitting("DataCopyPad", params, where);
	unpu::lang::require_fitting("DataCopyPad", pad, where);
	unpu::lang::copy_in_padded<T>(
		dst, params.dstStride, src, params.srcStride, {params.blockCount, params.blockLen},
		{pad.leftPadding, pad.rightPadding, pad.isPad, pad.paddingValue}, where);
}
template <typename T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
		 const DataCopyParams &params, const DataCopyPadParams &pad, UNPU_WHERE)
{
	unpu::lang::require_fitting("DataCopyPad", params, where);
	unpu::lang::copy_in_padded<T>(dst, params.dstStride, src, params.srcStride,
				      {params.blockCount, params.blockLen},
				      unpu::lang::padding_of<T>(pad, where), where);
}

template <typename T>
void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
		 const DataCopyExtParams &params, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = {params.blockCount, params.blockLen};
	const uint64_t step =
		(uint64_t(params.blockLen) + 31) / 32 * 32 + uint64_t(params.srcStride) * 32;

	unpu::lang::require_fitting("DataCopyPad", params, where);
	unpu::lang::require_pad_blocks(blocks, where);
	unpu::lang::copy_out("DataCopyPad", dst, uint64_t(params.blockLen) + params.dstStride, src,
			     step, blocks, where);
}
template <typename T>
void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
		 const DataCopyParams &params, UNPU_WHERE)
{
	unpu::lang::require_fitting("DataCopyPad", params, where);
	DataCopyPad(dst, src,
		    DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride,
				      params.dstStride, 0),
		    where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_DATA_COPY_PAD_H */
