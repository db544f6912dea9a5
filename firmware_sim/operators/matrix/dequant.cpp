// SPDX-License-Identifier: MIT
/*
 * DOC: Weights of I8 and I4 as floats
 *
 * Rows of quantised weights become floats, for each instruction set.
 */
#include "dequant.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/matrix/dequant.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

/* unpack_bytes() - unpacks both halves of each of @n bytes, the low half first. */
void unpack_bytes(const uint8_t *from, size_t n, int8_t *to)
{
	auto *bytes = reinterpret_cast<uint8_t *>(to);
	size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
	const hn::ScalableTag<uint8_t> d;
	const hn::Repartition<uint16_t, decltype(d)> dw;
	const size_t lanes = hn::Lanes(d);
	const auto low = hn::Set(d, 0x0f), sign = hn::Set(d, 0x08);
	for (; i + lanes <= n; i += lanes) {
		const auto both = hn::LoadU(d, from + i);
		const auto even = hn::And(both, low);
		/* The vectors have no shift of single bytes. */
		const auto odd =
			hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(dw, both))), low);
		hn::StoreInterleaved2(hn::Sub(hn::Xor(even, sign), sign),
				      hn::Sub(hn::Xor(odd, sign), sign), d, bytes + 2 * i);
	}
#endif
	for (; i < n; i++) {
		bytes[2 * i] = static_cast<uint8_t>(((from[i] & 15) ^ 8) - 8);
		bytes[2 * i + 1] = static_cast<uint8_t>(((from[i] >> 4) ^ 8) - 8);
	}
}

HWY_INLINE hn::VFromD<Floats> load_bytes(const int8_t *from)
{
	const hn::Rebind<int8_t, Floats> d;
	const hn::Rebind<int32_t, Floats> di;
	return hn::ConvertTo(Floats(), hn::PromoteTo(di, hn::LoadU(d, from)));
}

HWY_INLINE void scale_row(const int8_t *from, size_t n, float scale, float offset, float *to)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const auto factor = hn::Set(d, scale), term = hn::Set(d, offset);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes)
		hn::StoreU(hn::Mul(hn::Add(load_bytes(from + i), term), factor), d, to + i);
	for (; i < n; i++)
		to[i] = (static_cast<float>(from[i]) + offset) * scale;
}

void scale_all_groups(const int8_t *from, size_t n, const Groups &groups, float *to)
{
	size_t size = std::min(groups.rest, n);
	for (size_t i = 0, group = 0; i < n; group++) {
		scale_row(from + i, size, groups.scales[group],
			  groups.offsets ? groups.offsets[group] : 0.0f, to + i);
		i += size;
		size = std::min(groups.size, n - i);
	}
}

void scale_elements(const int8_t *from, size_t n, const float *scales, const float *offsets,
		    float *to)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		auto weight = load_bytes(from + i);
		if (offsets)
			weight = hn::Add(weight, hn::LoadU(d, offsets + i));
		hn::StoreU(hn::Mul(weight, hn::LoadU(d, scales + i)), d, to + i);
	}
	for (; i < n; i++)
		to[i] = (static_cast<float>(from[i]) + (offsets ? offsets[i] : 0.0f)) * scales[i];
}

float add_products(const float *a, const float *b, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
	size_t i = 0;
	for (; i + 4 * lanes <= n; i += 4 * lanes) {
		const float *x = a + i, *y = b + i;
		sum0 = hn::MulAdd(hn::LoadU(d, x), hn::LoadU(d, y), sum0);
		sum1 = hn::MulAdd(hn::LoadU(d, x + lanes), hn::LoadU(d, y + lanes), sum1);
		sum2 = hn::MulAdd(hn::LoadU(d, x + 2 * lanes), hn::LoadU(d, y + 2 * lanes), sum2);
		sum3 = hn::MulAdd(hn::LoadU(d, x + 3 * lanes), hn::LoadU(d, y + 3 * lanes), sum3);
	}
	for (; i + lanes <= n; i += lanes)
		sum0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum0);
	const auto sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
	float total = hn::GetLane(hn::SumOfLanes(d, sum));
	for (; i < n; i++)
		total += a[i] * b[i];
	return total;
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(unpack_bytes);
HWY_EXPORT(scale_all_groups);
HWY_EXPORT(scale_elements);
HWY_EXPORT(add_products);

void unpack_nibbles(const std::byte *from, bool is_high, size_t n, int8_t *to)
{
	const auto half = [](std::byte byte, bool high) {
		const int bits = std::to_integer<int>(byte) >> (high ? 4 : 0) & 15;
		return static_cast<int8_t>((bits ^ 8) - 8);
	};
	if (is_high && n > 0) {
		*to++ = half(*from++, true);
		n--;
	}
	HWY_DYNAMIC_DISPATCH(unpack_bytes)(reinterpret_cast<const uint8_t *>(from), n / 2, to);
	if (n % 2)
		to[n - 1] = half(from[n / 2], false);
}

void scale_groups(const int8_t *from, size_t n, const Groups &groups, float *to)
{
	HWY_DYNAMIC_DISPATCH(scale_all_groups)(from, n, groups, to);
}

void scale_each(const int8_t *from, size_t n, const float *scales, const float *offsets, float *to)
{
	HWY_DYNAMIC_DISPATCH(scale_elements)(from, n, scales, offsets, to);
}

float dot_product(const float *a, const float *b, size_t n)
{
	return HWY_DYNAMIC_DISPATCH(add_products)(a, b, n);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
