/* SPDX-License-Identifier: MIT */
/*
 * DOC: Fixpipe
 *
 * Copies sums from L0C to global memory, converts and scales them, and makes rows of the fractals.
 */
#ifndef UNPU_ASCENDC_CUBE_FIXPIPE_H
#define UNPU_ASCENDC_CUBE_FIXPIPE_H

#include "unpu_ascendc/copy/move.h"
#include "unpu_ascendc/cube/layout.h"
#include "unpu_ascendc/types/bits.h"

/* What becomes of a sum on its way. */
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

/* The sums of a matrix; @scales: of each column, or NULL. */
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

/* Rows of @width elements at a distance of @pitch, from column @column on. */
template <class D, class S>
inline void store_rows(const Actor &actor, const AscendC::GlobalTensor<D> &dst, uint64_t first,
		       uint64_t pitch, const Sums<D, S> &sums, uint64_t rows, uint64_t column,
		       uint64_t width)
{
	D row[4096];

	for (uint64_t i = 0; i < rows; i++) {
		for (uint64_t j = 0; j < width; j++)
			row[j] = sums.at(i, column + j);
		store_global(actor.call, dst.GetPhyAddr(first + i * pitch), row, width,
			     state().atomic, dst.origin(), actor.where);
	}
}

template <class D, class S>
inline void fix_pipe(const Actor &actor, const AscendC::GlobalTensor<D> &dst,
		     const LocalTensor<S> &src, const uint64_t *scales,
		     const AscendC::FixpipeParamsV220 &params, bool is_rows)
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

} // namespace unpu::lang

#define UNPU_FIXPIPE_TO_8_BITS \
	"unpu: Fixpipe to 8 bits is not supported: copy half or float, and quantise with " \
	"AscendQuant on a vector core"

namespace AscendC {

template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParamsV220 &params,
	     UNPU_WHERE)
{
	static_assert(config.format != CO2Layout::COLUMN_MAJOR,
		      "Fixpipe: this chip copies with CFG_ROW_MAJOR and CFG_NZ");
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	UNPU_MARK_CUBE_UNIT();
	if (params.quantPre == VDEQF16 && unpu::lang::level() > 0)
		unpu::lang::fail(where, "Fixpipe: VDEQF16 needs the tensor of scales as the third "
					"argument");
	unpu::lang::fix_pipe({"Fixpipe", unpu::lang::Pipe::FIX, where}, dst, src, nullptr, params,
			     config.format == CO2Layout::ROW_MAJOR);
}
/* @scales: of each column in L1, the bits of a float in the low half of each element. */
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src,
	     const LocalTensor<uint64_t> &scales, const FixpipeParamsV220 &params, UNPU_WHERE)
{
	static_assert(config.format != CO2Layout::COLUMN_MAJOR,
		      "Fixpipe: this chip copies with CFG_ROW_MAJOR and CFG_NZ");
	static_assert(sizeof(D) > 1, UNPU_FIXPIPE_TO_8_BITS);
	UNPU_MARK_CUBE_UNIT();
	const unpu::lang::Actor actor = {"Fixpipe", unpu::lang::Pipe::FIX, where};

	unpu::lang::require_memory(actor, "the scales", scales.address_, UNPU_KERNEL_L1);
	unpu::lang::require_local("Fixpipe", "the scales", scales.address_,
				  params.nSize * sizeof(uint64_t), 32, where);
	unpu::lang::fix_pipe(actor, dst, src, params.quantPre == VDEQF16 ? scales.data() : nullptr,
			     params, config.format == CO2Layout::ROW_MAJOR);
}
template <typename D, typename S, UNPU_CONFIG(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<D> &, const LocalTensor<S> &, const FixpipeParamsV220 &)
{
	static_assert(unpu::lang::never<D>,
		      "unpu: Fixpipe to local memory is not supported: copy to global memory, and "
		      "from there with DataCopy");
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_CUBE_FIXPIPE_H */
