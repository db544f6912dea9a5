// SPDX-License-Identifier: MIT
/*
 * DOC: Strips of convolutions
 *
 * The loops of convolutions whose channels lie side by side, for each instruction set. The sums of some pixels stay in
 * registers while all elements below their windows go by: an element is multiplied with the weights of
 * PACKED_CHANNELS channels.
 */
#include "strip.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware_sim/operators/view.h"

/* The checks of sanitizers make so much code of unrolled loops, and of each number of pixels, that a compiler takes
 * minutes for it. */
#if defined(UNPU_ASAN) || defined(UNPU_TSAN)
#define FW_UNROLL(count)
#define FW_MOST_PAIRS 4
#else
#define FW_UNROLL(count) HWY_UNROLL(count)
#define FW_MOST_PAIRS 14
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/convolution/strip.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/math-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
using Lane = hn::CappedTag<float, 1>;
#else
using Lane = hn::CappedTag<float, 16>;
#endif
using Vector = hn::VFromD<Lane>;

/* How many pixels have their sums in registers: with two vectors each, 28 of the 32 registers or 12 of the 16. */
constexpr size_t PAIRS = std::min(HWY_TARGET <= HWY_AVX3 ? 14 : 6, FW_MOST_PAIRS);

template <class D, class V> HWY_INLINE V finish_of(D d, const Strip &strip, V x)
{
	const V zero = hn::Zero(d);
	switch (strip.function) {
	case UNPU_FINISH_RELU:
		return keep_nan(x, hn::Min(hn::Max(x, zero), hn::Set(d, strip.number)));
	case UNPU_FINISH_SILU:
		return hn::Mul(x, sigmoid_of(d, x));
	case UNPU_FINISH_HARDSWISH: {
		const V line = hn::Div(hn::Add(x, hn::Set(d, 3.0f)), hn::Set(d, 6.0f));
		return hn::Mul(x, keep_nan(x, hn::Min(hn::Max(line, zero), hn::Set(d, 1.0f))));
	}
	default:
		return x;
	}
}

/* load() - a float at any address. */
HWY_INLINE float load(const float *from)
{
	float number;
	std::memcpy(&number, from, sizeof(number));
	return number;
}

/* store() - the results of @count channels of a pixel, of which @sum has the sums. @at: the first of them */
HWY_INLINE void store(const Strip &strip, Vector sum, size_t pixel, size_t at, size_t count)
{
	const Lane d;
	const size_t lanes = hn::Lanes(d);
	float *to = strip.out + static_cast<int64_t>(pixel) * strip.out_step + at;
	const float *more =
		strip.more ? strip.more + static_cast<int64_t>(pixel) * strip.more_step + at
			   : nullptr;
	if (HWY_LIKELY(count >= lanes)) {
		if (more)
			sum = hn::Add(sum, hn::LoadU(d, more));
		hn::StoreU(finish_of(d, strip, sum), d, to);
		return;
	}
	HWY_ALIGN float buffer[16] = {};
	if (more) {
		std::memcpy(buffer, more, count * sizeof(float));
		sum = hn::Add(sum, hn::Load(d, buffer));
	}
	hn::Store(finish_of(d, strip, sum), d, buffer);
	std::memcpy(to, buffer, count * sizeof(float));
}

HWY_INLINE Vector bias_of(const Strip &strip, size_t at, size_t count)
{
	const Lane d;
	if (!strip.bias || count == 0)
		return hn::Zero(d);
	if (count >= hn::Lanes(d))
		return hn::LoadU(d, strip.bias + at);
	HWY_ALIGN float buffer[16] = {};
	std::memcpy(buffer, strip.bias + at, count * sizeof(float));
	return hn::Load(d, buffer);
}

/* tile() - @Pixels pixels from @first on, and @Count vectors of channels from @channel on */
template <size_t Pixels, size_t Count>
HWY_NOINLINE void tile(const Strip &strip, size_t first, size_t channel)
{
	const Lane d;
	const size_t lanes = hn::Lanes(d);
	const size_t left = static_cast<size_t>(strip.channels) - channel;
	Vector sums[Pixels][Count];
	FW_UNROLL(2)
	for (size_t v = 0; v < Count; v++) {
		const size_t before = v * lanes;
		const Vector bias =
			bias_of(strip, channel + before, left > before ? left - before : 0);
		FW_UNROLL(16)
		for (size_t p = 0; p < Pixels; p++)
			sums[p][v] = bias;
	}
	const int64_t step = strip.in_step;
	const float *row = strip.input + static_cast<int64_t>(first) * step;
	const float *weights = strip.weights + channel;
	for (int64_t r = 0; r < strip.rows; r++, row += strip.row_step) {
		const float *run = row;
		for (int64_t t = 0; t < strip.runs; t++, run += strip.run_step) {
			const float *end = run + strip.length;
			for (const float *x = run; x != end; x++, weights += PACKED_CHANNELS) {
				Vector by[Count];
				FW_UNROLL(2)
				for (size_t v = 0; v < Count; v++)
					by[v] = hn::LoadU(d, weights + v * lanes);
				FW_UNROLL(16)
				for (size_t p = 0; p < Pixels; p++) {
					const Vector value = hn::Set(
						d, load(x + static_cast<int64_t>(p) * step));
					FW_UNROLL(2)
					for (size_t v = 0; v < Count; v++)
						sums[p][v] = hn::MulAdd(value, by[v], sums[p][v]);
				}
			}
		}
	}
	FW_UNROLL(16)
	for (size_t p = 0; p < Pixels; p++)
		FW_UNROLL(2)
	for (size_t v = 0; v < Count; v++)
		if (left > v * lanes)
			store(strip, sums[p][v], first + p, channel + v * lanes, left - v * lanes);
}

using Tile = void (*)(const Strip &, size_t, size_t);

template <size_t Count, size_t... Pixels>
HWY_INLINE Tile tile_of(size_t pixels, std::index_sequence<Pixels...>)
{
	static constexpr Tile TILES[] = {tile<Pixels + 1, Count>...};
	return TILES[pixels - 1];
}

void compute_whole_strip(const Strip &strip)
{
	const size_t lanes = hn::Lanes(Lane());
	const auto channels = static_cast<size_t>(strip.channels),
		   all = static_cast<size_t>(strip.pixels);
	/* Tiles of about the same size. */
	const size_t tiles = (all + PAIRS - 1) / PAIRS;
	for (size_t channel = 0; channel < channels; channel += 2 * lanes) {
		size_t first = 0;
		for (size_t i = 0; i < tiles; i++) {
			const size_t count = (all - first) / (tiles - i);
			constexpr auto each = std::make_index_sequence<PAIRS>();
			const Tile run = channels - channel > lanes ? tile_of<2>(count, each)
								    : tile_of<1>(count, each);
			run(strip, first, channel);
			first += count;
		}
	}
}

template <size_t Pixels, class D>
HWY_INLINE void depth_tile(D d, const Strip &strip, size_t first, size_t channel)
{
	hn::VFromD<D> sums[Pixels];
	const auto bias = strip.bias ? hn::LoadU(d, strip.bias + channel) : hn::Zero(d);
	FW_UNROLL(8)
	for (size_t p = 0; p < Pixels; p++)
		sums[p] = bias;
	const float *row = strip.input + static_cast<int64_t>(first) * strip.in_step + channel;
	const float *weights = strip.weights + channel;
	for (int64_t r = 0; r < strip.rows; r++, row += strip.row_step) {
		const float *x = row;
		for (int64_t t = 0; t < strip.runs;
		     t++, x += strip.run_step, weights += strip.weight_step) {
			const auto by = hn::LoadU(d, weights);
			FW_UNROLL(8)
			for (size_t p = 0; p < Pixels; p++)
				sums[p] = hn::MulAdd(
					hn::LoadU(d, x + static_cast<int64_t>(p) * strip.in_step),
					by, sums[p]);
		}
	}
	FW_UNROLL(8)
	for (size_t p = 0; p < Pixels; p++) {
		const auto pixel = static_cast<int64_t>(first + p);
		if (strip.more)
			sums[p] =
				hn::Add(sums[p], hn::LoadU(d, strip.more + pixel * strip.more_step +
								      channel));
		hn::StoreU(finish_of(d, strip, sums[p]), d,
			   strip.out + pixel * strip.out_step + channel);
	}
}

template <class D> HWY_INLINE void depth_column(D d, const Strip &strip, size_t channel)
{
	const auto all = static_cast<size_t>(strip.pixels);
	size_t first = 0;
	for (; first + 8 <= all; first += 8)
		depth_tile<8>(d, strip, first, channel);
	for (; first + 4 <= all; first += 4)
		depth_tile<4>(d, strip, first, channel);
	for (; first < all; first++)
		depth_tile<1>(d, strip, first, channel);
}

void compute_all_depths(const Strip &strip)
{
	const Lane d;
	const size_t lanes = hn::Lanes(d);
	const auto channels = static_cast<size_t>(strip.channels);
	size_t channel = 0;
	for (; channel + lanes <= channels; channel += lanes)
		depth_column(d, strip, channel);
	/* Channels behind the last vector are computed again, or one by one. */
	if (channel < channels && channels >= lanes) {
		depth_column(d, strip, channels - lanes);
		return;
	}
	for (; channel < channels; channel++)
		depth_column(hn::CappedTag<float, 1>(), strip, channel);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(compute_whole_strip);
HWY_EXPORT(compute_all_depths);

void compute_strip(const Strip &strip)
{
	HWY_DYNAMIC_DISPATCH(compute_whole_strip)(strip);
}

void compute_depths(const Strip &strip)
{
	HWY_DYNAMIC_DISPATCH(compute_all_depths)(strip);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
