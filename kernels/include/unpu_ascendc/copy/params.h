/* SPDX-License-Identifier: MIT */
/*
 * DOC: Parameters of copies
 *
 * Constructors take numbers of any type and remember whether a field was too narrow for its number.
 */
#ifndef UNPU_ASCENDC_COPY_PARAMS_H
#define UNPU_ASCENDC_COPY_PARAMS_H

#include "unpu_ascendc/types/traits.h"
#include "unpu_ascendc/vector/params.h"

namespace AscendC {

/* DataCopy: lengths and gaps in blocks of 32 bytes. DataCopyPad: the length in bytes. */
struct DataCopyParams {
	uint16_t blockCount = 1;
	uint16_t blockLen = 0;
	union {
		uint16_t srcStride = 0;
		uint16_t srcGap;
	};
	union {
		uint16_t dstStride = 0;
		uint16_t dstGap;
	};
	bool is_narrowed = false;

	constexpr DataCopyParams() = default;
	template <class A, class B, class C, class D>
	constexpr DataCopyParams(A count, B length, C src, D dst)
		: blockCount(static_cast<uint16_t>(count)), blockLen(static_cast<uint16_t>(length)),
		  srcStride(static_cast<uint16_t>(src)), dstStride(static_cast<uint16_t>(dst)),
		  is_narrowed(!(unpu::lang::fits<uint16_t>(count) &&
				unpu::lang::fits<uint16_t>(length) &&
				unpu::lang::fits<uint16_t>(src) && unpu::lang::fits<uint16_t>(dst)))
	{
	}
};

/* What a copy from L0C to UB reads, on chips that have such copies. */
enum class BlockMode : uint8_t {
	BLOCK_MODE_NORMAL = 0,
	BLOCK_MODE_MATRIX,
	BLOCK_MODE_VECTOR,
	BLOCK_MODE_SMALL_CHANNEL,
	BLOCK_MODE_DEPTHWISE,
};

/* How such a copy converts an int32_t. */
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };

} // namespace AscendC

enum pad_t { PAD_NONE = 0 };

namespace AscendC {

using ::pad_t;

/* This chip has no such copies, so only the default values are allowed. */
struct DataCopyEnhancedParams {
	BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
	DeqScale deqScale = DeqScale::DEQ_NONE;
	uint64_t deqValue = 0;
	uint8_t sidStoreMode = 0;
	bool isRelu = false;
	pad_t padMode = PAD_NONE;
	uint64_t padValue = 0;
	uint64_t deqTensorAddr = 0;
};

/* DataCopyPad: the length and the gap of global memory in bytes, the gap of UB in blocks of 32 bytes. */
struct DataCopyExtParams {
	uint16_t blockCount = 1;
	uint32_t blockLen = 0;
	uint32_t srcStride = 0;
	uint32_t dstStride = 0;
	uint32_t rsv = 0;
	bool is_narrowed = false;

	constexpr DataCopyExtParams() = default;
	template <class A, class B, class C, class D, class E>
	constexpr DataCopyExtParams(A count, B length, C src, D dst, E reserved)
		: blockCount(static_cast<uint16_t>(count)), blockLen(static_cast<uint32_t>(length)),
		  srcStride(static_cast<uint32_t>(src)), dstStride(static_cast<uint32_t>(dst)),
		  rsv(static_cast<uint32_t>(reserved)),
		  is_narrowed(!(unpu::lang::fits<uint16_t>(count) &&
				unpu::lang::fits<uint32_t>(length) &&
				unpu::lang::fits<uint32_t>(src) && unpu::lang::fits<uint32_t>(dst)))
	{
	}
};

/* Paddings count elements. */
struct DataCopyPadParams {
	bool isPad = false;
	uint8_t leftPadding = 0;
	uint8_t rightPadding = 0;
	uint64_t paddingValue = 0;
	bool is_narrowed = false;

	constexpr DataCopyPadParams() = default;
	template <class A, class B, class C, class D>
	constexpr DataCopyPadParams(A is_pad, B left, C right, D value)
		: isPad(static_cast<bool>(is_pad)), leftPadding(static_cast<uint8_t>(left)),
		  rightPadding(static_cast<uint8_t>(right)),
		  paddingValue(static_cast<uint64_t>(value)),
		  is_narrowed(
			  !(unpu::lang::fits<uint8_t>(left) && unpu::lang::fits<uint8_t>(right)))
	{
	}
};

template <typename T> struct DataCopyPadExtParams {
	bool isPad = false;
	uint8_t leftPadding = 0;
	uint8_t rightPadding = 0;
	T paddingValue = T(0);
	bool is_narrowed = false;

	constexpr DataCopyPadExtParams() = default;
	template <class A, class B, class C, class D>
	constexpr DataCopyPadExtParams(A is_pad, B left, C right, D value)
		: isPad(static_cast<bool>(is_pad)), leftPadding(static_cast<uint8_t>(left)),
		  rightPadding(static_cast<uint8_t>(right)), paddingValue(static_cast<T>(value)),
		  is_narrowed(
			  !(unpu::lang::fits<uint8_t>(left) && unpu::lang::fits<uint8_t>(right)))
	{
	}
};

struct Nd2NzParams {
	uint16_t ndNum = 0;
	uint16_t nValue = 0;
	uint16_t dValue = 0;
	uint32_t srcNdMatrixStride = 0;
	uint32_t srcDValue = 0;
	uint16_t dstNzC0Stride = 0;
	uint16_t dstNzNStride = 0;
	uint32_t dstNzMatrixStride = 0;

	constexpr Nd2NzParams() = default;
	template <class A, class B, class C, class D, class E, class F, class G, class H>
	constexpr Nd2NzParams(A nd_num, B n, C d, D src_matrix, E src_d, F dst_c0, G dst_n,
			      H dst_matrix)
		: ndNum(static_cast<uint16_t>(nd_num)), nValue(static_cast<uint16_t>(n)),
		  dValue(static_cast<uint16_t>(d)),
		  srcNdMatrixStride(static_cast<uint32_t>(src_matrix)),
		  srcDValue(static_cast<uint32_t>(src_d)),
		  dstNzC0Stride(static_cast<uint16_t>(dst_c0)),
		  dstNzNStride(static_cast<uint16_t>(dst_n)),
		  dstNzMatrixStride(static_cast<uint32_t>(dst_matrix))
	{
	}
};

struct SliceInfo {
	uint32_t startIndex = 0;
	uint32_t endIndex = 0;
	uint32_t stride = 0;
	uint32_t burstLen = 0;
	uint32_t shapeValue = 0;

	constexpr SliceInfo() = default;
	template <class A, class B, class C, class D, class E = int>
	constexpr SliceInfo(A start, B end, C gap, D burst, E shape = 0)
		: startIndex(static_cast<uint32_t>(start)), endIndex(static_cast<uint32_t>(end)),
		  stride(static_cast<uint32_t>(gap)), burstLen(static_cast<uint32_t>(burst)),
		  shapeValue(static_cast<uint32_t>(shape))
	{
	}
};

/* Copy: strides in blocks of 32 bytes, from start to start. */
struct CopyRepeatParams {
	uint16_t dstStride = 1;
	uint16_t srcStride = 1;
	uint16_t dstRepeatSize = 8;
	uint16_t srcRepeatSize = 8;

	constexpr CopyRepeatParams() = default;
	template <class A, class B, class C, class D>
	constexpr CopyRepeatParams(A dst, B src, C dst_repeat, D src_repeat)
		: dstStride(static_cast<uint16_t>(dst)), srcStride(static_cast<uint16_t>(src)),
		  dstRepeatSize(static_cast<uint16_t>(dst_repeat)),
		  srcRepeatSize(static_cast<uint16_t>(src_repeat))
	{
	}
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_PARAMS_H */
