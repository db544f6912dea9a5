/* SPDX-License-Identifier: MIT */
/*
 * DOC: Fixpipe
 *
 * Copies sums from L0C to global memory or L1, converts and scales them, and makes rows of the fractals.
 */
#ifndef UNPU_ASCENDC_CUBE_FIXPIPE_H
#define UNPU_ASCENDC_CUBE_FIXPIPE_H

#include "unpu_ascendc/copy/move.h"
#include "unpu_ascendc/cube/layout.h"
#include "unpu_ascendc/types/bits.h"

/* How Fixpipe converts a sum. */
enum QuantMode_t {
	NoQuant = 0,
	F322F16,
	F322BF16,
	DEQF16,	 /* int32_t * deqScalar as half */
	VDEQF16, /* int32_t * the scale of its column as half */
	QF322B8_PRE,
	VQF322B8_PRE,
	REQ8,
	VREQ8,
};

namespace AscendC {

using ::QuantMode_t;

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
	CO2Layout format;
	bool isToUB = false;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

/*
 * @srcStride: rows from one column of fractals to the next. @dstStride: elements from row to row; with CFG_NZ blocks of
 * 32 bytes from column to column. Matrices of ndNum are @srcNdStride fractals of 1024 bytes and
 * @dstNdStride elements apart.
 */
struct FixpipeParamsV220 {
	uint16_t nSize = 0;
	uint16_t mSize = 0;
	uint16_t srcStride = 0;
	uint32_t dstStride = 0;
	QuantMode_t quantPre = QuantMode_t::NoQuant;
	uint64_t deqScalar = 0; /* the bits of a float */
	uint16_t ndNum = 1;
	uint16_t srcNdStride = 0;
	uint16_t dstNdStride = 0;
	bool reluEn = false;
	uint8_t unitFlag = 0;
	bool isChannelSplit = false;
	bool is_narrowed = false;

	constexpr FixpipeParamsV220() = default;
	template <class A, class B, class C, class D>
	constexpr FixpipeParamsV220(A n, B m, C src_stride, D dst_stride, bool relu,
				    QuantMode_t quant = QuantMode_t::NoQuant, uint64_t scalar = 0,
				    uint16_t nd = 1, uint16_t src_nd = 0, uint16_t dst_nd = 0,
				    uint8_t flag = 0)
		: nSize(static_cast<uint16_t>(n)), mSize(static_cast<uint16_t>(m)),
		  srcStride(static_cast<uint16_t>(src_stride)),
		  dstStride(static_cast<uint32_t>(dst_stride)), quantPre(quant), deqScalar(scalar),
		  ndNum(nd), srcNdStride(src_nd), dstNdStride(dst_nd), reluEn(relu), unitFlag(flag),
		  is_narrowed(!(unpu::lang::fits<uint16_t>(n) && unpu::lang::fits<uint16_t>(m) &&
				unpu::lang::fits<uint16_t>(src_stride) &&
				unpu::lang::fits<uint32_t>(dst_stride)))
	{
	}
};

struct QuantParams {
	QuantMode_t quantPre = QuantMode_t::NoQuant;
	uint64_t deqScalar = 0; /* the bits of a float */

	constexpr QuantParams() = default;
	constexpr QuantParams(QuantMode_t mode, uint64_t scalar = 0)
		: quantPre(mode), deqScalar(scalar)
	{
	}
};

/* Rows of @originalNSize elements. The strides are those of FixpipeParamsV220. */
struct Nz2NdParams {
	bool nz2ndEn = false;
	uint16_t ndNum = 1;
	uint16_t srcNdStride = 0;
	uint16_t dstNdStride = 0;
	uint16_t originalNSize = 0;
};

/*
 * The parameters of older releases. @cburstNum: columns of fractals. @burstLen: each in blocks of 32 bytes of the sums.
 * @srcStride: blocks from the end of one to the start of the next. @dstStride: with nz2ndEn elements from row to row,
 * else the same as @srcStride for what is written.
 */
template <class T> struct FixpipeParams {
	uint16_t cburstNum = 0;
	uint16_t burstLen = 0;
	uint16_t srcStride = 0;
	uint32_t dstStride = 0;
	QuantParams quantParams;
	bool reluEn = false;
	Nz2NdParams nz2ndParams;
	uint8_t unitFlag = 0;
	bool is_narrowed = false;

	constexpr FixpipeParams() = default;
	template <class A, class B, class C, class D>
	constexpr FixpipeParams(A bursts, B length, C src_stride, D dst_stride)
		: cburstNum(static_cast<uint16_t>(bursts)), burstLen(static_cast<uint16_t>(length)),
		  srcStride(static_cast<uint16_t>(src_stride)),
		  dstStride(static_cast<uint32_t>(dst_stride)),
		  is_narrowed(!(unpu::lang::fits<uint16_t>(bursts) &&
				unpu::lang::fits<uint16_t>(length) &&
				unpu::lang::fits<uint16_t>(src_stride) &&
				unpu::lang::fits<uint32_t>(dst_stride)))
	{
	}
};

} // namespace AscendC

namespace unpu::lang {

/* Whether quantPre makes D of S. */
template <class D, class S> constexpr bool fits_quant(QuantMode_t mode)
{
	if constexpr (std::is_same_v<S, float>)
		return (mode == NoQuant && std::is_same_v<D, float>) ||
		       (mode == F322F16 && std::is_same_v<D, half>) ||
		       (mode == F322BF16 && std::is_same_v<D, bfloat16_t>);
	else
		return (mode == NoQuant && std::is_same_v<D, int32_t>) ||
		       ((mode == DEQF16 || mode == VDEQF16) && std::is_same_v<D, half>);
}

/* The sums of a matrix. @scales: one for each column, or NULL */
template <class D, class S> struct Sums {
	const S *elements;
	uint64_t padded_rows;
	float scale;
	const uint64_t *scales;
	bool has_relu;

	D at(uint64_t i, uint64_t j) const
	{
		S sum = elements[j / 16 * padded_rows * 16 + i * 16 + j % 16];

		if (has_relu && sum < S(0))
			sum = S(0);
		if constexpr (std::is_same_v<S, int32_t> && std::is_same_v<D, half>)
			return static_cast<D>(
				float(sum) *
				(scales ? cast_bits<float>(static_cast<uint32_t>(scales[j]))
					: scale));
		else
			return static_cast<D>(sum);
	}
};

template <class D, class S>
inline void require_fixpipe(const Actor &actor, const LocalTensor<S> &src,
			    const AscendC::FixpipeParamsV220 &params, bool is_rows)
{
	static_assert(is_one_of<S, float, int32_t>, "Fixpipe: the sums are float or int32_t");
	require_cube_core(actor);
	require_fitting(actor.call, params, actor.where);
	require_memory(actor, "src", src.address_, UNPU_KERNEL_L0C);
	require_number(actor, "FixpipeParamsV220::nSize", params.nSize, 1, 4095);
	require_number(actor, "FixpipeParamsV220::mSize", params.mSize, 1, 8192);
	require_number(actor, "FixpipeParamsV220::ndNum", params.ndNum, 1, is_rows ? 65535 : 1);
	require_number(actor, "FixpipeParamsV220::srcStride", params.srcStride, params.mSize,
		       65535);
	if (level() == 0)
		return;
	if (params.isChannelSplit)
		fail(actor.where, "Fixpipe: this implementation has no isChannelSplit; copy rows "
				  "with CFG_ROW_MAJOR");
	if (!fits_quant<D, S>(params.quantPre))
		fail(actor.where,
		     "Fixpipe: quantPre is %u, which does not make %s of %s; this implementation "
		     "has NoQuant (0) for the same type, F322F16 (1), F322BF16 (2), and DEQF16 (3) "
		     "and VDEQF16 (4) of int32_t",
		     unsigned(params.quantPre), type_name<D>(), type_name<S>());
	const uint64_t columns = fractals_of(params.nSize, 16);

	require_local(actor.call, "src", src.address_,
		      (params.ndNum - 1) * uint64_t(params.srcNdStride) * 256 * sizeof(S) +
			      ((columns - 1) * params.srcStride + params.mSize) * 16 * sizeof(S),
		      32, actor.where);
}

/* Levels 2 and 3: the sums that are copied have to be defined. */
template <class S>
__attribute__((noinline)) inline void note_sums(const Actor &actor, const S *sums,
						const AscendC::FixpipeParamsV220 &params)
{
	for (uint64_t j = 0; j < params.nSize; j += 16) {
		const S *column = sums + j * params.srcStride;
		const uint64_t width = params.nSize - j < 16 ? params.nSize - j : 16;

		for (uint64_t i = 0; i < params.mSize; i++)
			note_use(actor, "src", column + i * 16, width * sizeof(S));
	}
}

/* Where rows are written: element @at and those behind it. */
template <class D> struct RowsOfGlobal {
	const AscendC::GlobalTensor<D> &dst;

	void store(const Actor &actor, uint64_t at, const D *row, uint64_t width) const
	{
		store_global(actor.call, dst.GetPhyAddr(at), row, width, state().atomic,
			     dst.origin(), actor.where);
	}
};

template <class D> struct RowsOfL1 {
	const LocalTensor<D> &dst;

	void store(const Actor &actor, uint64_t at, const D *row, uint64_t width) const
	{
		D *to = dst.data() + at;
		const uint64_t bytes = width * sizeof(D);

		require_local(actor.call, "dst", dst.address_, at * sizeof(D) + bytes, 32,
			      actor.where);
		if (__builtin_expect(deepest > 1, 0))
			note_result(actor, "dst", to, bytes);
		memcpy(static_cast<void *>(to), row, bytes);
	}
};

/* Rows of @width elements at a distance of @pitch, from column @column on. */
template <class Rows, class D, class S>
inline void store_rows(const Actor &actor, const Rows &dst, uint64_t first, uint64_t pitch,
		       const Sums<D, S> &sums, uint64_t rows, uint64_t column, uint64_t width)
{
	D row[4096];

	for (uint64_t i = 0; i < rows; i++) {
		for (uint64_t j = 0; j < width; j++)
			row[j] = sums.at(i, column + j);
		dst.store(actor, first + i * pitch, row, width);
	}
}

template <class D, class S, class Rows>
inline void fix_pipe(const Actor &actor, const Rows &dst, const LocalTensor<S> &src,
		     const uint64_t *scales, const AscendC::FixpipeParamsV220 &params, bool is_rows)
{
	require_fixpipe<D>(actor, src, params, is_rows);
	if (scales && __builtin_expect(deepest > 1, 0))
		note_use(actor, "the scales", scales, params.nSize * sizeof(uint64_t));
	for (uint64_t nd = 0; nd < params.ndNum; nd++) {
		if (__builtin_expect(deepest > 1, 0))
			note_sums(actor, src.data() + nd * params.srcNdStride * 256, params);
		const Sums<D, S> sums = {src.data() + nd * params.srcNdStride * 256,
					 params.srcStride,
					 cast_bits<float>(static_cast<uint32_t>(params.deqScalar)),
					 scales, params.reluEn};

		if (is_rows) {
			store_rows(actor, dst, nd * params.dstNdStride, params.dstStride, sums,
				   params.mSize, 0, params.nSize);
			continue;
		}
		for (uint64_t j = 0; j < params.nSize; j += 16)
			store_rows(actor, dst, j / 16 * params.dstStride * 32 / sizeof(D), 16, sums,
				   params.mSize, j, 16);
	}
}

inline const uint64_t *scales_of(const Actor &actor, const LocalTensor<uint64_t> &scales,
				 const AscendC::FixpipeParamsV220 &params)
{
	require_memory(actor, "the scales", scales.address_, UNPU_KERNEL_L1);
	require_local(actor.call, "the scales", scales.address_, params.nSize * sizeof(uint64_t),
		      32, actor.where);
	return params.quantPre == VDEQF16 ? scales.data() : nullptr;
}

inline const uint64_t *no_scales(const Actor &actor, const AscendC::FixpipeParamsV220 &params)
{
	if (params.quantPre == VDEQF16 && level() > 0)
		fail(actor.where, "Fixpipe: VDEQF16 needs the tensor of scales as the third "
				  "argument");
	return nullptr;
}

template <class D>
inline RowsOfGlobal<D> rows_of(const Actor &, const AscendC::GlobalTensor<D> &dst)
{
	return {dst};
}

/* L1 holds fractals of 16 columns, which elements of two bytes fill. */
template <class D> inline RowsOfL1<D> rows_of(const Actor &actor, const LocalTensor<D> &dst)
{
	static_assert(sizeof(D) == 2, "unpu: Fixpipe to L1 makes half or bfloat16_t");
	require_memory(actor, "dst", dst.address_, UNPU_KERNEL_L1);
	return {dst};
}

/* @scales: or NULL */
template <class D, class Dst, class S>
inline void copy_sums(const Actor &actor, const Dst &dst, const LocalTensor<S> &src,
		      const LocalTensor<uint64_t> *scales, const AscendC::FixpipeParamsV220 &params,
		      bool is_rows)
{
	UNPU_MARK_CUBE_UNIT();
	fix_pipe<D>(actor, rows_of(actor, dst), src,
		    scales ? scales_of(actor, *scales, params) : no_scales(actor, params), params,
		    is_rows);
}

/* Converts the parameters of older releases to those of newer ones. */
template <class D, class S>
inline AscendC::FixpipeParamsV220 newer(const Actor &actor, const AscendC::FixpipeParams<S> &older)
{
	constexpr uint64_t ROW_BLOCKS = 16 * sizeof(S) / 32; /* of a fractal, in L0C */
	AscendC::FixpipeParamsV220 params;

	require_fitting(actor.call, older, actor.where);
	if (level() > 0 && (older.burstLen % ROW_BLOCKS || older.srcStride % ROW_BLOCKS))
		fail(actor.where,
		     "Fixpipe: FixpipeParams::burstLen and srcStride are %u and %u blocks of 32 "
		     "bytes; a row of 16 sums is %llu",
		     unsigned(older.burstLen), unsigned(older.srcStride),
		     static_cast<unsigned long long>(ROW_BLOCKS));
	const uint64_t rows = older.burstLen / ROW_BLOCKS;

	params.mSize = static_cast<uint16_t>(rows);
	params.srcStride = static_cast<uint16_t>(rows + older.srcStride / ROW_BLOCKS);
	params.quantPre = older.quantParams.quantPre;
	params.deqScalar = older.quantParams.deqScalar;
	params.reluEn = older.reluEn;
	params.unitFlag = older.unitFlag;
	if (older.nz2ndParams.nz2ndEn) {
		params.nSize = older.nz2ndParams.originalNSize;
		params.ndNum = older.nz2ndParams.ndNum;
		params.srcNdStride = older.nz2ndParams.srcNdStride;
		params.dstNdStride = older.nz2ndParams.dstNdStride;
		params.dstStride = older.dstStride;
	} else {
		require_number(actor, "FixpipeParams::cburstNum", older.cburstNum, 1, 4095);
		params.nSize = static_cast<uint16_t>(older.cburstNum * 16);
		params.is_narrowed = older.cburstNum > 4095;
		params.dstStride =
			static_cast<uint32_t>(rows * 16 * sizeof(D) / 32 + older.dstStride);
	}
	return params;
}

inline Actor fixpipe_at(Where where)
{
	return {"Fixpipe", Pipe::FIX, where};
}

} // namespace unpu::lang

#define UNPU_FIXPIPE_TO_8_BITS \
	"unpu has no Fixpipe to 8 bits yet (see kernel-names): copy half or float, and quantise " \
	"with " \
	"AscendQuant on a vector core"

/* The kinds of copies of sums that the chip has. */
#define UNPU_FIXPIPE_TO(D, config) \
	static_assert(config.format != CO2Layout::COLUMN_MAJOR, \
		      "Fixpipe: this chip copies with CFG_ROW_MAJOR and CFG_NZ"); \
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS)

namespace AscendC {

/* @scales: of each column in L1, the bits of a float in the low half of each element. A local @dst lies in L1. */
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParamsV220 &params,
	     UNPU_WHERE)
{
	UNPU_FIXPIPE_TO(D, config);
	unpu::lang::copy_sums<D>(unpu::lang::fixpipe_at(where), dst, src, nullptr, params,
				 config.format == CO2Layout::ROW_MAJOR);
}
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src,
	     const LocalTensor<uint64_t> &scales, const FixpipeParamsV220 &params, UNPU_WHERE)
{
	UNPU_FIXPIPE_TO(D, config);
	unpu::lang::copy_sums<D>(unpu::lang::fixpipe_at(where), dst, src, &scales, params,
				 config.format == CO2Layout::ROW_MAJOR);
}
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParamsV220 &params,
	     UNPU_WHERE)
{
	UNPU_FIXPIPE_TO(D, config);
	unpu::lang::copy_sums<D>(unpu::lang::fixpipe_at(where), dst, src, nullptr, params,
				 config.format == CO2Layout::ROW_MAJOR);
}
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src,
	     const LocalTensor<uint64_t> &scales, const FixpipeParamsV220 &params, UNPU_WHERE)
{
	UNPU_FIXPIPE_TO(D, config);
	unpu::lang::copy_sums<D>(unpu::lang::fixpipe_at(where), dst, src, &scales, params,
				 config.format == CO2Layout::ROW_MAJOR);
}
template <typename D, typename S>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParams<S> &older,
	     UNPU_WHERE)
{
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	const unpu::lang::Actor actor = unpu::lang::fixpipe_at(where);

	unpu::lang::copy_sums<D>(actor, dst, src, nullptr, unpu::lang::newer<D>(actor, older),
				 older.nz2ndParams.nz2ndEn);
}
template <typename D, typename S>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src,
	     const LocalTensor<uint64_t> &scales, const FixpipeParams<S> &older, UNPU_WHERE)
{
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	const unpu::lang::Actor actor = unpu::lang::fixpipe_at(where);

	unpu::lang::copy_sums<D>(actor, dst, src, &scales, unpu::lang::newer<D>(actor, older),
				 older.nz2ndParams.nz2ndEn);
}
template <typename D, typename S>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParams<S> &older,
	     UNPU_WHERE)
{
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	const unpu::lang::Actor actor = unpu::lang::fixpipe_at(where);

	unpu::lang::copy_sums<D>(actor, dst, src, nullptr, unpu::lang::newer<D>(actor, older),
				 older.nz2ndParams.nz2ndEn);
}
template <typename D, typename S>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src,
	     const LocalTensor<uint64_t> &scales, const FixpipeParams<S> &older, UNPU_WHERE)
{
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	const unpu::lang::Actor actor = unpu::lang::fixpipe_at(where);

	unpu::lang::copy_sums<D>(actor, dst, src, &scales, unpu::lang::newer<D>(actor, older),
				 older.nz2ndParams.nz2ndEn);
}

} // namespace AscendC

#undef UNPU_FIXPIPE_TO

#endif /* UNPU_ASCENDC_CUBE_FIXPIPE_H */
