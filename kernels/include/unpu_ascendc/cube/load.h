/* SPDX-License-Identifier: MIT */
/*
 * DOC: LoadData
 *
 * Copies fractals from L1 or global memory to L0A and L0B, and turns them on the way if asked to.
 */
#ifndef UNPU_ASCENDC_CUBE_LOAD_H
#define UNPU_ASCENDC_CUBE_LOAD_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/cube/layout.h"
#include "unpu_ascendc/tensor/global_tensor.h"

namespace AscendC {

/* Numbers of fractals. @srcStride: from start to start; @dstGap: from the end of one to the start of the next. */
struct LoadData2DParams {
	uint16_t startIndex = 0;
	uint8_t repeatTimes = 0;
	uint16_t srcStride = 0;
	uint8_t sid = 0;
	uint16_t dstGap = 0;
	bool ifTranspose = false;
	uint8_t addrMode = 0; /* 1: from the start downwards */
	bool is_narrowed = false;

	constexpr LoadData2DParams() = default;
	template <class A, class B, class C, class D, class E>
	constexpr LoadData2DParams(A start, B repeats, C stride, D id, E gap, bool transposes,
				   uint8_t mode)
		: startIndex(static_cast<uint16_t>(start)),
		  repeatTimes(static_cast<uint8_t>(repeats)),
		  srcStride(static_cast<uint16_t>(stride)), sid(static_cast<uint8_t>(id)),
		  dstGap(static_cast<uint16_t>(gap)), ifTranspose(transposes), addrMode(mode),
		  is_narrowed(!(
			  unpu::lang::fits<uint16_t>(start) && unpu::lang::fits<uint8_t>(repeats) &&
			  unpu::lang::fits<uint16_t>(stride) && unpu::lang::fits<uint16_t>(gap)))
	{
	}
};
/* The spelling of older sources. */
using LoadData2dParams = LoadData2DParams;

/*
 * @startIndex and @srcStride count squares: one fractal of 2-byte elements, two of 1 or 4 bytes. @dstGap and
 * @dstFracGap count fractals between the first fractals of two squares, and between the fractals of one square.
 */
struct LoadData2dTransposeParams {
	uint16_t startIndex = 0;
	uint8_t repeatTimes = 0;
	uint16_t srcStride = 0;
	uint16_t dstGap = 0;
	uint16_t dstFracGap = 0;
	uint8_t addrMode = 0;
	bool is_narrowed = false;

	constexpr LoadData2dTransposeParams() = default;
	template <class A, class B, class C, class D, class E>
	constexpr LoadData2dTransposeParams(A start, B repeats, C stride, D gap, E fractal_gap,
					    uint8_t mode = 0)
		: startIndex(static_cast<uint16_t>(start)),
		  repeatTimes(static_cast<uint8_t>(repeats)),
		  srcStride(static_cast<uint16_t>(stride)), dstGap(static_cast<uint16_t>(gap)),
		  dstFracGap(static_cast<uint16_t>(fractal_gap)), addrMode(mode),
		  is_narrowed(!(
			  unpu::lang::fits<uint16_t>(start) && unpu::lang::fits<uint8_t>(repeats) &&
			  unpu::lang::fits<uint16_t>(stride) && unpu::lang::fits<uint16_t>(gap) &&
			  unpu::lang::fits<uint16_t>(fractal_gap)))
	{
	}
};

} // namespace AscendC

namespace unpu::lang {

/* The first byte that a load reads, and the end, in units of @unit bytes from the start of the source. */
struct LoadReach {
	uint64_t first;
	uint64_t end;
};

template <class Params>
inline LoadReach reach_of_load(const Actor &actor, const Params &params, uint64_t unit)
{
	const uint64_t far = uint64_t(params.repeatTimes - 1) * params.srcStride;

	if (params.addrMode == 0)
		return {params.startIndex * unit, (params.startIndex + far + 1) * unit};
	if (far > params.startIndex && level() > 0)
		fail(actor.where,
		     "%s: with addrMode 1, %u repeats of stride %u begin before the start of src "
		     "(startIndex is %u)",
		     actor.call, unsigned(params.repeatTimes), unsigned(params.srcStride),
		     unsigned(params.startIndex));
	return {(params.startIndex - far) * unit, (params.startIndex + uint64_t(1)) * unit};
}

/* Where repeat @i reads, in units from the start of the source. */
template <class Params> inline uint64_t load_index(const Params &params, uint64_t i)
{
	return params.addrMode == 0 ? params.startIndex + i * params.srcStride
				    : params.startIndex - i * params.srcStride;
}

/* A square of @side x @side elements; both sides are @parts fractals of 16 rows of 32 bytes. */
template <class T>
inline void turn_square(unsigned char *const *to, const unsigned char *from, uint32_t side)
{
	constexpr uint32_t width = 32 / sizeof(T);

	for (uint32_t i = 0; i < side; i++)
		for (uint32_t j = 0; j < side; j++) {
			/* Fractals of 1-byte elements lie below each other, others side by side. */
			const uint32_t part = sizeof(T) == 1 ? i / 16 : j / width;
			const uint32_t row = sizeof(T) == 1 ? i % 16 : i;
			const uint32_t turned = sizeof(T) == 1 ? j / 16 : i / width;
			const uint32_t turned_row = sizeof(T) == 1 ? j % 16 : j;

			memcpy(to[turned] + (turned_row * width + i % width) * sizeof(T),
			       from + part * FRACTAL + (row * width + j % width) * sizeof(T),
			       sizeof(T));
		}
}

/*
 * What the checks learn of a fractal, or a square of them: each byte of @to is as defined as the byte of @from that it
 * comes from. @turn: makes cells of @to of those of @from, as it does with the elements
 */
template <class Turn>
inline void note_square(const Actor &actor, unsigned char *const *to, uint32_t parts,
			const unsigned char *from, Turn turn)
{
	Shadow *source = shadow_at(from);
	Shadow *target = shadow_at(to[0]);

	if (source) {
		source->require_owned(actor.call, "src", from, parts * FRACTAL, actor.where);
		source->read(actor, "src", from, parts * FRACTAL);
	}
	if (!target)
		return;
	unsigned char *cells[2] = {};

	for (uint32_t i = 0; i < parts; i++) {
		target->require_owned(actor.call, "dst", to[i], FRACTAL, actor.where);
		target->write(actor, "dst", to[i], FRACTAL);
		target->mark(to[i], FRACTAL, Shadow::WRITTEN);
		cells[i] = target->cells + target->offset(to[i]);
	}
	if (source)
		turn(cells, source->cells + source->offset(from));
}

template <class T>
inline void load_fractals(const Actor &actor, const LocalTensor<T> &dst, const unsigned char *src,
			  const AscendC::LoadData2DParams &params)
{
	const auto turn = [&](unsigned char *const *to, const unsigned char *from) {
		if constexpr (sizeof(T) == 2) {
			if (params.ifTranspose) {
				turn_square<T>(to, from, 16);
				return;
			}
		}
		memcpy(to[0], from, FRACTAL);
	};

	for (uint64_t i = 0; i < params.repeatTimes; i++) {
		unsigned char *to = dst.address_.absAddr + i * (1 + params.dstGap) * FRACTAL;
		const unsigned char *from = src + load_index(params, i) * FRACTAL;

		if (__builtin_expect(deepest > 1, 0))
			note_square(actor, &to, 1, from, turn);
		turn(&to, from);
	}
}

/* Checks the source and the destination of a load. */
template <class T, class Params>
inline void require_load(const Actor &actor, const LocalTensor<T> &dst, const Params &params,
			 uint64_t reach)
{
	const uint32_t memory = memory_of(static_cast<TPosition>(dst.address_.logicPos));

	require_cube_core(actor);
	require_fitting(actor.call, params, actor.where);
	require_number(actor, "repeatTimes", params.repeatTimes, 1, 255);
	require_number(actor, "addrMode", params.addrMode, 0, 1);
	if (memory != UNPU_KERNEL_L0A && memory != UNPU_KERNEL_L0B && level() > 0)
		fail(actor.where, "%s: dst lies in %s; it has to lie in L0A or L0B", actor.call,
		     memory_name(memory));
	require_local(actor.call, "dst", dst.address_, reach, FRACTAL, actor.where);
}

template <class T>
inline void require_load_2d(const Actor &actor, const LocalTensor<T> &dst,
			    const AscendC::LoadData2DParams &params)
{
	if (params.ifTranspose && sizeof(T) != 2 && level() > 0)
		fail(actor.where,
		     "%s: ifTranspose is for elements of 2 bytes; call LoadDataWithTranspose",
		     actor.call);
	require_load(actor, dst, params,
		     uint64_t(params.repeatTimes - 1) * (1 + params.dstGap) * FRACTAL + FRACTAL);
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &params,
	      UNPU_WHERE)
{
	UNPU_MARK_CUBE_UNIT();
	const unpu::lang::Actor actor = {"LoadData", unpu::lang::Pipe::MTE1, where};

	unpu::lang::require_load_2d(actor, dst, params);
	unpu::lang::require_memory(actor, "src", src.address_, UNPU_KERNEL_L1);
	unpu::lang::require_local("LoadData", "src", src.address_,
				  unpu::lang::reach_of_load(actor, params, unpu::lang::FRACTAL).end,
				  32, where);
	unpu::lang::load_fractals(actor, dst, src.address_.absAddr, params);
}
template <typename T>
void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &params,
	      UNPU_WHERE)
{
	UNPU_MARK_CUBE_UNIT();
	const unpu::lang::Actor actor = {"LoadData", unpu::lang::Pipe::MTE2, where};

	unpu::lang::require_load_2d(actor, dst, params);
	const uint64_t start = reinterpret_cast<uint64_t>(src.GetPhyAddr());
	const unpu::lang::LoadReach reach =
		unpu::lang::reach_of_load(actor, params, unpu::lang::FRACTAL);

	unpu::lang::note_global_copy(start + reach.first, reach.end - reach.first,
				     unpu::lang::Access::READ, "LoadData", src.origin(), where);
	unpu::lang::note_global_read(start + reach.first, reach.end - reach.first, "LoadData",
				     where);
	unpu::lang::load_fractals(actor, dst, reinterpret_cast<unsigned char *>(src.GetPhyAddr()),
				  params);
}

template <typename T>
void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
			   const LoadData2dTransposeParams &params, UNPU_WHERE)
{
	UNPU_MARK_CUBE_UNIT();
	constexpr uint32_t parts = sizeof(T) == 2 ? 1 : 2;
	constexpr uint32_t side = sizeof(T) == 1 ? 32 : 16;
	const unpu::lang::Actor actor = {"LoadDataWithTranspose", unpu::lang::Pipe::MTE1, where};
	const uint64_t step = (1 + params.dstGap) * unpu::lang::FRACTAL;
	const uint64_t apart = (1 + params.dstFracGap) * unpu::lang::FRACTAL;

	static_assert(sizeof(T) <= 4, "LoadDataWithTranspose: elements have 1, 2 or 4 bytes");
	unpu::lang::require_load(actor, dst, params,
				 uint64_t(params.repeatTimes - 1) * step + (parts - 1) * apart +
					 unpu::lang::FRACTAL);
	unpu::lang::require_memory(actor, "src", src.address_, UNPU_KERNEL_L1);
	unpu::lang::require_local(
		actor.call, "src", src.address_,
		unpu::lang::reach_of_load(actor, params, parts * unpu::lang::FRACTAL).end, 32,
		where);
	const auto turn = [](unsigned char *const *to, const unsigned char *from) {
		unpu::lang::turn_square<T>(to, from, side);
	};

	for (uint64_t i = 0; i < params.repeatTimes; i++) {
		unsigned char *const to[2] = {dst.address_.absAddr + i * step,
					      dst.address_.absAddr + i * step + apart};
		const unsigned char *from =
			src.address_.absAddr +
			unpu::lang::load_index(params, i) * parts * unpu::lang::FRACTAL;

		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_square(actor, to, parts, from, turn);
		turn(to, from);
	}
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_CUBE_LOAD_H */
