/* SPDX-License-Identifier: MIT */
/*
 * DOC: Mmad
 *
 * C = A * B of the fractals in L0A and L0B, with sums in L0C. Of one row (m = 1) A is the row itself, without fractals.
 */
#ifndef UNPU_ASCENDC_CUBE_MMAD_H
#define UNPU_ASCENDC_CUBE_MMAD_H

#include <stdlib.h>

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/cube/layout.h"
#include "unpu_ascendc/matmul/product.h"
#include "unpu_ascendc/pipe/tpipe.h"

namespace AscendC {

/* @cmatrixInitVal: whether C begins with 0, or else with the contents of dst. @isBias: an older name for the latter */
struct MmadParams {
	uint16_t m = 0;
	uint16_t n = 0;
	uint16_t k = 0;
	bool isBias = false;
	int32_t fmOffset = 0;
	bool enSsparse = false;
	bool enWinogradA = false;
	bool enWinogradB = false;
	uint8_t unitFlag = 0;
	bool kDirectionAlign = false;
	bool cmatrixSource = false;
	bool cmatrixInitVal = true;
	bool is_narrowed = false;

	constexpr MmadParams() = default;
	template <class A, class B, class C>
	constexpr MmadParams(A rows, B columns, C depth, bool is_bias, int32_t offset, bool sparse,
			     bool winograd_a, bool winograd_b)
		: MmadParams(rows, columns, depth, 0, false, true)
	{
		isBias = is_bias;
		fmOffset = offset;
		enSsparse = sparse;
		enWinogradA = winograd_a;
		enWinogradB = winograd_b;
	}
	template <class A, class B, class C>
	constexpr MmadParams(A rows, B columns, C depth, uint8_t flag, bool source, bool init)
		: m(static_cast<uint16_t>(rows)), n(static_cast<uint16_t>(columns)),
		  k(static_cast<uint16_t>(depth)), unitFlag(flag), cmatrixSource(source),
		  cmatrixInitVal(init), is_narrowed(!(unpu::lang::fits<uint16_t>(rows) &&
						      unpu::lang::fits<uint16_t>(columns) &&
						      unpu::lang::fits<uint16_t>(depth)))
	{
	}
};

} // namespace AscendC

namespace unpu::lang {

template <class T> inline constexpr uint32_t fractal_width = 32 / sizeof(T);

/* A copy of L0A in the type of the sums, with the elements in the same order (fractals row by row, or one row). Return:
 * NULL if L0A already has that type. */
template <class Sum, class T> inline Sum *widen_a(const T *from, uint64_t elements)
{
	if constexpr (std::is_same_v<T, Sum>)
		return nullptr;
	Sum *to = static_cast<Sum *>(malloc(elements * sizeof(Sum)));

	widen_elements(to, from, elements);
	return to;
}

/* Copies 16 columns of L0B, which begin at fractal @from, to @strip: @k rows of 16 elements. @across: number of
 * fractals from one row of fractals to the next */
template <class T, class Sum>
inline void unpack_strip(const T *from, uint64_t across, Sum *strip, uint64_t k)
{
	constexpr uint64_t width = fractal_width<T>;
	Sum fractal[FRACTAL_ROWS * width];

	for (uint64_t first = 0; first < k; first += width) {
		widen_elements(fractal, from, FRACTAL_ROWS * width);
		for (uint64_t i = 0; i < width && first + i < k; i++)
			for (uint64_t j = 0; j < FRACTAL_ROWS; j++)
				strip[(first + i) * FRACTAL_ROWS + j] = fractal[j * width + i];
		from += across * FRACTAL_ROWS * width;
	}
}

/* The index of element (@i, @j) of C in L0C. */
constexpr uint64_t place_in_l0c(uint64_t i, uint64_t j, uint64_t padded_rows)
{
	return j / 16 * padded_rows * 16 + i * 16 + j % 16;
}

/* What C begins with. */
enum class Begin { ZERO, OLD, BIAS };

/* @bias: of the next @columns columns */
template <class C>
inline void begin_sums(Begin begin, C *sums, uint64_t rows, const C *bias, uint64_t columns)
{
	C line[STRIP_COLUMNS] = {};

	if (begin == Begin::OLD)
		return;
	if (begin == Begin::BIAS)
		memcpy(line, bias, (columns < STRIP_COLUMNS ? columns : STRIP_COLUMNS) * sizeof(C));
	for (uint64_t i = 0; i < rows; i++)
		memcpy(sums + i * STRIP_COLUMNS, line, sizeof(line));
}

/* Whether the bytes behind a tensor are in no buffer of the block's pipe. Kernels that only want to start the cube
 * core multiply buffers that are too short. On the chip that does no harm; level 2 reports it. */
inline bool is_free_behind(const TBuffAddr &address, uint64_t bytes)
{
	const uint32_t memory = memory_of(static_cast<TPosition>(address.logicPos));
	AscendC::TPipe *pipe = state().pipe;

	return level() == 1 && pipe && address.bufferAddr + bytes <= usable_bytes(memory) &&
	       address.bufferAddr + address.dataLen >= pipe->pool().used(memory);
}

inline void require_matrix(const Actor &actor, const char *name, const TBuffAddr &address,
			   uint64_t bytes, uint64_t alignment)
{
	if (bytes > address.dataLen && is_free_behind(address, bytes))
		bytes = address.dataLen;
	require_local(actor.call, name, address, bytes, alignment, actor.where);
}

template <class C, class A>
inline void require_mmad(const Actor &actor, const LocalTensor<C> &dst, const LocalTensor<A> &fm,
			 const LocalTensor<A> &filter, const AscendC::MmadParams &params)
{
	constexpr uint64_t width = fractal_width<A>;
	const uint64_t depth = fractals_of(params.k, width);

	static_assert((is_one_of<A, half, bfloat16_t, float> && std::is_same_v<C, float>) ||
			      (std::is_same_v<A, int8_t> && std::is_same_v<C, int32_t>),
		      "Mmad: the cube unit of this chip multiplies half, bfloat16_t and float to "
		      "float, and int8_t to int32_t");
	require_cube_core(actor);
	require_fitting(actor.call, params, actor.where);
	require_number(actor, "MmadParams::m", params.m, 0, 4095);
	require_number(actor, "MmadParams::n", params.n, 0, 4095);
	require_number(actor, "MmadParams::k", params.k, 0, 4095);
	if ((params.enSsparse || params.enWinogradA || params.enWinogradB) && level() > 0)
		fail(actor.where, "Mmad: this implementation has neither sparse nor Winograd "
				  "products: enSsparse, enWinogradA and enWinogradB have to be "
				  "false");
	require_memory(actor, "dst", dst.address_, UNPU_KERNEL_L0C);
	require_memory(actor, "fm", fm.address_, UNPU_KERNEL_L0A);
	require_memory(actor, "filter", filter.address_, UNPU_KERNEL_L0B);
	require_matrix(actor, "fm", fm.address_,
		       params.m == 1 ? params.k * sizeof(A)
				     : fractals_of(params.m, FRACTAL_ROWS) * depth * FRACTAL,
		       FRACTAL);
	require_matrix(actor, "filter", filter.address_,
		       depth * fractals_of(params.n, FRACTAL_ROWS) * FRACTAL, FRACTAL);
	require_matrix(actor, "dst", dst.address_,
		       fractals_of(params.n, 16) * fractals_of(params.m, 16) * 256 * sizeof(C), 32);
}

/* The shadow of an operand, of which the call reads @bytes; NULL below level 2. */
inline Shadow *begin_operand(const Actor &actor, const char *name, const void *base, uint64_t bytes)
{
	Shadow *shadow = shadow_at(base);

	if (shadow)
		shadow->read(actor, name, base, bytes);
	return shadow;
}

/* Levels 2 and 3: the elements of the matrices must be defined; the padding of fractals need not be. */
template <class C, class A>
__attribute__((noinline)) inline void note_mmad(const Actor &actor, const LocalTensor<C> &dst,
						const LocalTensor<A> &fm,
						const LocalTensor<A> &filter, Begin begin,
						const C *bias, const AscendC::MmadParams &params)
{
	constexpr uint64_t width = fractal_width<A>;
	const uint64_t m = params.m, n = params.n, k = params.k;
	const uint64_t depth = fractals_of(k, width), across = fractals_of(n, FRACTAL_ROWS);
	const uint64_t padded_rows = fractals_of(m, 16) * 16;
	const uint64_t bytes = fractals_of(n, 16) * padded_rows * 16 * sizeof(C);

	if (Shadow *a = begin_operand(actor, "fm", fm.data(),
				      m == 1 ? k * sizeof(A) : padded_rows * depth * 32))
		for (uint64_t i = 0; i < m; i++)
			for (uint64_t j = 0; j < k; j += width) {
				const uint64_t fractal = i / FRACTAL_ROWS * depth + j / width;
				const uint64_t row = fractal * FRACTAL_ROWS + i % FRACTAL_ROWS;

				a->require_written(
					actor.call, "fm", fm.data() + (m == 1 ? j : row * width),
					(k - j < width ? k - j : width) * sizeof(A), actor.where);
			}
	if (Shadow *b = begin_operand(actor, "filter", filter.data(), depth * across * FRACTAL))
		for (uint64_t i = 0; i < k; i += width)
			for (uint64_t j = 0; j < n; j++) {
				const uint64_t fractal = i / width * across + j / FRACTAL_ROWS;
				const uint64_t column = fractal * FRACTAL_ROWS + j % FRACTAL_ROWS;

				b->require_written(
					actor.call, "filter", filter.data() + column * width,
					(k - i < width ? k - i : width) * sizeof(A), actor.where);
			}
	if (begin == Begin::BIAS)
		note_use(actor, "bias", bias, n * sizeof(C));
	Shadow *c = begin == Begin::OLD ? begin_operand(actor, "dst", dst.data(), bytes) : nullptr;

	for (uint64_t i = 0; c && i < m; i++)
		for (uint64_t j = 0; j < n; j += 16)
			c->require_written(actor.call, "dst, to which the product is added,",
					   dst.data() + place_in_l0c(i, j, padded_rows),
					   (n - j < 16 ? n - j : 16) * sizeof(C), actor.where);
	note_result(actor, "dst", dst.data(), bytes);
}

template <class C, class A>
inline void multiply(const Actor &actor, const LocalTensor<C> &dst, const LocalTensor<A> &fm,
		     const LocalTensor<A> &filter, Begin begin, const C *bias,
		     const AscendC::MmadParams &params)
{
	if (__builtin_expect(deepest > 1, 0))
		note_mmad(actor, dst, fm, filter, begin, bias, params);
	constexpr uint64_t width = fractal_width<A>;
	const uint64_t m = params.m, n = params.n, k = params.k;
	const uint64_t depth = fractals_of(k, width), across = fractals_of(n, FRACTAL_ROWS);
	const uint64_t padded_rows = fractals_of(m, FRACTAL_ROWS) * FRACTAL_ROWS;
	C *const widened = widen_a<C>(fm.data(), m == 1 ? k : padded_rows * depth * width);
	C *const strip = static_cast<C *>(malloc(depth * width * STRIP_COLUMNS * sizeof(C)));
	const C *const a = widened ? widened : reinterpret_cast<const C *>(fm.data());

	for (uint64_t j = 0; j < n; j += STRIP_COLUMNS) {
		C *const sums = dst.data() + place_in_l0c(0, j, padded_rows);

		begin_sums(begin, sums, m, bias + (bias ? j : 0), n - j);
		unpack_strip(filter.data() + j * width, across, strip, k);
		for (uint64_t i = 0; i < m; i += STRIP_ROWS) {
			const uint64_t fractal = i / FRACTAL_ROWS * depth * FRACTAL_ROWS * width;
			const StripRows<C> rows = {a + fractal + i % FRACTAL_ROWS * width, width,
						   m == 1 ? k : width, FRACTAL_ROWS * width};

			add_rows(m - i, rows, strip, k, sums + i * STRIP_COLUMNS, STRIP_COLUMNS);
		}
	}
	free(strip);
	free(widened);
}

} // namespace unpu::lang

namespace AscendC {

/* @fm: A in L0A. @filter: B in L0B. */
template <typename C, typename A, typename B>
void Mmad(const LocalTensor<C> &dst, const LocalTensor<A> &fm, const LocalTensor<B> &filter,
	  const MmadParams &params, UNPU_WHERE)
{
	static_assert(std::is_same_v<A, B>, "Mmad: A and B have the same type here");
	UNPU_MARK_CUBE_UNIT();
	const unpu::lang::Actor actor = {"Mmad", unpu::lang::Pipe::M, where};
	const bool is_old = params.isBias || !params.cmatrixInitVal;

	if (params.m == 0 || params.n == 0)
		return; /* nothing is multiplied, whatever the tensors are */
	unpu::lang::require_mmad(actor, dst, fm, filter, params);
	if (is_old && params.cmatrixSource && unpu::lang::level() > 0)
		unpu::lang::fail(where, "Mmad: cmatrixSource says that C begins with a bias in C2; "
					"pass that tensor as the fourth argument");
	unpu::lang::multiply(actor, dst, fm, filter,
			     is_old ? unpu::lang::Begin::OLD : unpu::lang::Begin::ZERO,
			     static_cast<const C *>(nullptr), params);
}
/* Each row of C begins with @bias, a tensor of n elements in C2. */
template <typename C, typename A, typename B>
void Mmad(const LocalTensor<C> &dst, const LocalTensor<A> &fm, const LocalTensor<B> &filter,
	  const LocalTensor<C> &bias, const MmadParams &params, UNPU_WHERE)
{
	static_assert(std::is_same_v<A, B>, "Mmad: A and B have the same type here");
	UNPU_MARK_CUBE_UNIT();
	const unpu::lang::Actor actor = {"Mmad", unpu::lang::Pipe::M, where};

	if (params.m == 0 || params.n == 0)
		return; /* nothing is multiplied, whatever the tensors are */
	unpu::lang::require_mmad(actor, dst, fm, filter, params);
	if (bias.GetPosition() != TPosition::C2 && unpu::lang::level() > 0)
		unpu::lang::fail(where, "Mmad: bias lies in %s; it has to lie in C2",
				 unpu::lang::position_name(bias.GetPosition()));
	unpu::lang::require_local("Mmad", "bias", bias.address_, params.n * sizeof(C), 32, where);
	unpu::lang::multiply(actor, dst, fm, filter, unpu::lang::Begin::BIAS,
			     static_cast<const C *>(bias.data()), params);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_CUBE_MMAD_H */
