/* SPDX-License-Identifier: MIT */
/*
 * DOC: Traits
 *
 * Sizes and names of element types, and the small library of types and scalars that kernels use.
 */
#ifndef UNPU_ASCENDC_TYPES_TRAITS_H
#define UNPU_ASCENDC_TYPES_TRAITS_H

#include <type_traits>
#include <utility>

#include "unpu_ascendc/types/bfloat16.h"
#include "unpu_ascendc/types/int4.h"

/* The words between this language and unpu-ascendcc. */
#if __has_include("unpu_marks.h")
#include "unpu_marks.h"

template <> struct unpu::IsNumber<half> : std::true_type {
};
template <> struct unpu::IsNumber<bfloat16_t> : std::true_type {
};
#endif

/* A configuration as a parameter of a template: a reference to a constant in C++17. unpu-ascendcc compiles in C++20,
 * where it is a value, since gcc 12 ends at a reference to a constant within a function of a class template. */
#if defined(UNPU_ASCENDCC) && !defined(__clang__)
#define UNPU_CONFIG(Type) Type
#else
#define UNPU_CONFIG(Type) const Type &
#endif

namespace unpu::lang {

/* Always false, but evaluated only when a template is instantiated: for static_assert. */
template <class... T> inline constexpr bool never = false;

/* Keeps T out of template argument deduction, so that a scalar argument converts to the type of the tensor. */
template <class T> struct Plain {
	using type = T;
};
template <class T> using Same = typename Plain<T>::type;

template <class T, class... Any> inline constexpr bool is_one_of = (std::is_same_v<T, Any> || ...);

template <class T>
inline constexpr uint32_t bits_per_element = std::is_same_v<T, AscendC::int4b_t> ? 4
										 : sizeof(T) * 8;

template <class T> constexpr uint64_t bytes_of(uint64_t count)
{
	return std::is_same_v<T, AscendC::int4b_t> ? (count + 1) / 2 : count * sizeof(T);
}

template <class T> constexpr uint64_t elements_in(uint64_t bytes)
{
	return bytes * 8 / bits_per_element<T>;
}

/* Elements in a block of 32 bytes, and in a repeat of 8 blocks. */
template <class T> inline constexpr uint32_t per_block = 256 / bits_per_element<T>;
template <class T> inline constexpr uint32_t per_repeat = 2048 / bits_per_element<T>;

template <class T> constexpr const char *type_name()
{
	if constexpr (std::is_same_v<T, half>)
		return "float16";
	else if constexpr (std::is_same_v<T, bfloat16_t>)
		return "bfloat16";
	else if constexpr (std::is_same_v<T, float>)
		return "float32";
	else if constexpr (std::is_same_v<T, AscendC::int4b_t>)
		return "int4b_t";
	else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
		return sizeof(T) == 1	? "int8"
		       : sizeof(T) == 2 ? "int16"
		       : sizeof(T) == 4 ? "int32"
					: "int64";
	else if constexpr (std::is_integral_v<T>)
		return sizeof(T) == 1	? "uint8"
		       : sizeof(T) == 2 ? "uint16"
		       : sizeof(T) == 4 ? "uint32"
					: "uint64";
	else
		return "struct";
}

} // namespace unpu::lang

namespace AscendC {

template <class A, class B> struct IsSameType {
	static constexpr bool value = std::is_same_v<A, B>;
};

namespace Std {
using std::add_const;
using std::add_const_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_integral;
using std::is_same;
using std::is_same_v;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_reference;
using std::remove_reference_t;
using std::true_type;

template <class A, class B> constexpr A min(A a, B b)
{
	return static_cast<A>(b) < a ? static_cast<A>(b) : a;
}
template <class A, class B> constexpr A max(A a, B b)
{
	return a < static_cast<A>(b) ? static_cast<A>(b) : a;
}
} // namespace Std

/* Whole multiples and quotients that are rounded up. */
template <class A, class B>
constexpr auto DivCeil(A a, B b)
	-> std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, A>
{
	return b == 0 ? a : static_cast<A>((a + b - 1) / b);
}
template <class A, class B>
constexpr auto Ceil(A a, B b) -> std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, A>
{
	return DivCeil(a, b);
}
template <class A, class B>
constexpr auto AlignUp(A a, B b)
	-> std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, A>
{
	return b == 0 ? a : static_cast<A>((a + b - 1) / b * b);
}

} // namespace AscendC

/* The device's compiler accepts two scalars of different types here. */
template <class A, class B>
constexpr auto min(A a, B b)
	-> std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, decltype(a + b)>
{
	using Common = decltype(a + b);

	return static_cast<Common>(b) < static_cast<Common>(a) ? b : a;
}
template <class A, class B>
constexpr auto max(A a, B b)
	-> std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, decltype(a + b)>
{
	using Common = decltype(a + b);

	return static_cast<Common>(a) < static_cast<Common>(b) ? b : a;
}
inline half min(half a, half b)
{
	return b < a ? b : a;
}
inline half max(half a, half b)
{
	return a < b ? b : a;
}

#endif /* UNPU_ASCENDC_TYPES_TRAITS_H */
