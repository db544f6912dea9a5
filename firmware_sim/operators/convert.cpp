// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of elements
 *
 * Converts rows between the element types and the three types that arithmetic is done in. Contiguous rows
 * of F32, F16 and BF16 have vector code; every other combination is a plain loop over dtype.h.
 */
#include "convert.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/kernels/half-inl.h"
#include "uapi/tensor.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

void widen_f16(float *to, const std::byte *from, size_t n)
{
	simd::HWY_NAMESPACE::widen<simd::HWY_NAMESPACE::Half>(to, from, n);
}

void widen_bf16(float *to, const std::byte *from, size_t n)
{
	simd::HWY_NAMESPACE::widen<simd::HWY_NAMESPACE::Bfloat>(to, from, n);
}

void narrow_f16(std::byte *to, const float *from, size_t n)
{
	simd::HWY_NAMESPACE::narrow<simd::HWY_NAMESPACE::Half>(to, from, n);
}

void narrow_bf16(std::byte *to, const float *from, size_t n)
{
	simd::HWY_NAMESPACE::narrow<simd::HWY_NAMESPACE::Bfloat>(to, from, n);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(widen_f16);
HWY_EXPORT(widen_bf16);
HWY_EXPORT(narrow_f16);
HWY_EXPORT(narrow_bf16);

namespace {

/* double_to_integer() - toward zero, saturating, NaN gives 0. */
template <class T> T double_to_integer(double value)
{
	/* Both bounds are powers of two or zero, so they are exact. */
	constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
	constexpr double end = static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2.0;

	if (value >= end)
		return std::numeric_limits<T>::max();
	if (value >= low)
		return static_cast<T>(value);
	return value < low ? std::numeric_limits<T>::min() : T(0);
}

/* double_to_float_odd() - rounds to odd, so that rounding the result to a 16-bit float equals rounding the
 * double once. */
float double_to_float_odd(double value)
{
	const float near = static_cast<float>(value);
	if (static_cast<double>(near) == value || std::isnan(value) || std::isinf(near))
		return near;
	const float other =
		std::nextafterf(near, static_cast<double>(near) < value ? INFINITY : -INFINITY);
	return std::bit_cast<uint32_t>(near) & 1 ? near : other;
}

template <uint32_t Dtype, class C> C load_one(const std::byte *from)
{
	return load_element<Dtype, C>(from);
}

template <uint32_t Dtype, class C> void store_one(std::byte *to, C value)
{
	if constexpr (!std::is_same_v<C, double>) {
		store_element<Dtype, C>(to, value);
	} else if constexpr (Dtype == UNPU_DTYPE_F32) {
		store_element<Dtype, float>(to, static_cast<float>(value));
	} else if constexpr (Dtype == UNPU_DTYPE_F16 || Dtype == UNPU_DTYPE_BF16) {
		store_element<Dtype, float>(to, double_to_float_odd(value));
	} else if constexpr (Dtype == UNPU_DTYPE_BOOL) {
		store_element<Dtype, int64_t>(to, value != 0);
	} else {
		using Bits = typename Element<Dtype>::Bits;
		store_element<Dtype, int64_t>(to, double_to_integer<Bits>(value));
	}
}

template <uint32_t Dtype, class C>
void load_plain(const std::byte *from, int64_t stride, size_t n, C *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = load_one<Dtype, C>(from + static_cast<int64_t>(i) * stride);
}

template <uint32_t Dtype, class C>
void store_plain(std::byte *to, int64_t stride, size_t n, const C *from)
{
	for (size_t i = 0; i < n; i++)
		store_one<Dtype, C>(to + static_cast<int64_t>(i) * stride, from[i]);
}

template <class C> void load_doubles(const std::byte *from, int64_t stride, size_t n, C *to)
{
	for (size_t i = 0; i < n; i++) {
		double value;
		std::memcpy(&value, from + static_cast<int64_t>(i) * stride, sizeof(value));
		if constexpr (std::is_same_v<C, int64_t>)
			to[i] = double_to_integer<int64_t>(value);
		else
			to[i] = static_cast<C>(value);
	}
}

template <class C> void store_doubles(std::byte *to, int64_t stride, size_t n, const C *from)
{
	for (size_t i = 0; i < n; i++) {
		const double value = static_cast<double>(from[i]);
		std::memcpy(to + static_cast<int64_t>(i) * stride, &value, sizeof(value));
	}
}

/* load_floats() - loads a row if there is vector code for its type and stride. Return: false if there is
 * none. */
bool load_floats(uint32_t dtype, const std::byte *from, int64_t stride, size_t n, float *to)
{
	if (dtype == UNPU_DTYPE_F32 && stride == sizeof(float))
		std::memcpy(to, from, n * sizeof(float));
	else if (dtype == UNPU_DTYPE_F16 && stride == sizeof(uint16_t))
		HWY_DYNAMIC_DISPATCH(widen_f16)(to, from, n);
	else if (dtype == UNPU_DTYPE_BF16 && stride == sizeof(uint16_t))
		HWY_DYNAMIC_DISPATCH(widen_bf16)(to, from, n);
	else
		return false;
	return true;
}

bool store_floats(uint32_t dtype, std::byte *to, int64_t stride, size_t n, const float *from)
{
	if (dtype == UNPU_DTYPE_F32 && stride == sizeof(float))
		std::memcpy(to, from, n * sizeof(float));
	else if (dtype == UNPU_DTYPE_F16 && stride == sizeof(uint16_t))
		HWY_DYNAMIC_DISPATCH(narrow_f16)(to, from, n);
	else if (dtype == UNPU_DTYPE_BF16 && stride == sizeof(uint16_t))
		HWY_DYNAMIC_DISPATCH(narrow_bf16)(to, from, n);
	else
		return false;
	return true;
}

} // namespace

template <class C>
void load_row(uint32_t dtype, const std::byte *from, int64_t stride, size_t n, C *to)
{
	if constexpr (std::is_same_v<C, float>)
		if (load_floats(dtype, from, stride, n, to))
			return;
	if (stride == 0 && n > 1) {
		load_row<C>(dtype, from, 0, 1, to);
		std::fill_n(to + 1, n - 1, to[0]);
		return;
	}
	switch (dtype) {
#define FW_LOAD(name, number, bytes) \
	case number: \
		return load_plain<number, C>(from, stride, n, to);
		UNPU_DTYPE_LIST(FW_LOAD)
#undef FW_LOAD
	case UNPU_DTYPE_F64:
		return load_doubles<C>(from, stride, n, to);
	}
}

template <class C>
void store_row(uint32_t dtype, std::byte *to, int64_t stride, size_t n, const C *from)
{
	if constexpr (std::is_same_v<C, float>)
		if (store_floats(dtype, to, stride, n, from))
			return;
	switch (dtype) {
#define FW_STORE(name, number, bytes) \
	case number: \
		return store_plain<number, C>(to, stride, n, from);
		UNPU_DTYPE_LIST(FW_STORE)
#undef FW_STORE
	case UNPU_DTYPE_F64:
		return store_doubles<C>(to, stride, n, from);
	}
}

template void load_row(uint32_t, const std::byte *, int64_t, size_t, float *);
template void load_row(uint32_t, const std::byte *, int64_t, size_t, double *);
template void load_row(uint32_t, const std::byte *, int64_t, size_t, int64_t *);
template void store_row(uint32_t, std::byte *, int64_t, size_t, const float *);
template void store_row(uint32_t, std::byte *, int64_t, size_t, const double *);
template void store_row(uint32_t, std::byte *, int64_t, size_t, const int64_t *);

namespace {

template <size_t Bytes>
void copy_elements(std::byte *to, int64_t to_stride, const std::byte *from, int64_t from_stride,
		   size_t n)
{
	for (size_t i = 0; i < n; i++)
		std::memcpy(to + static_cast<int64_t>(i) * to_stride,
			    from + static_cast<int64_t>(i) * from_stride, Bytes);
}

} // namespace

void copy_row(std::byte *to, int64_t to_stride, const std::byte *from, int64_t from_stride,
	      size_t n, unsigned bytes)
{
	if (to_stride == bytes && from_stride == bytes)
		std::memmove(to, from, n * bytes);
	else if (bytes == 1)
		copy_elements<1>(to, to_stride, from, from_stride, n);
	else if (bytes == 2)
		copy_elements<2>(to, to_stride, from, from_stride, n);
	else if (bytes == 4)
		copy_elements<4>(to, to_stride, from, from_stride, n);
	else if (bytes == 8)
		copy_elements<8>(to, to_stride, from, from_stride, n);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
