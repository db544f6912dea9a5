// SPDX-License-Identifier: MIT
/*
 * DOC: Element-wise operators
 *
 * The operator is divided into rows (shape.h). A row of contiguous F32 goes to the vector kernel of ADD or
 * MUL as it is. Any other row is cut into pieces that fit the first-level cache: each source is converted
 * into the compute type, the pieces are combined, and the result is rounded once into the output.
 *
 * F64 and the unsigned types are computed in the type itself, and all operands have it.
 *
 * Arithmetic: F32 rounds the product of ADD before the sum, as two instructions would. I64 and unsigned types
 * wrap. BOOL adds and takes the maximum with "or", multiplies and takes the minimum with "and". MAX and MIN
 * of a NaN and a number are NaN.
 */
#include "elementwise.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "dtype.h"
#include "elementwise_simd.h"
#include "operator_table.h"
#include "shape.h"

namespace fw {

namespace {

constexpr unsigned noperands = 3;
constexpr size_t piece_elements = 256;
constexpr uint32_t dtype_end = 10;

using Shape = StridedShape<noperands>;
using Pointers = std::array<std::byte *, noperands>;

/* Conversion of up to piece_elements elements at @stride bytes from or to a piece. */
template <class Compute>
using Load = void (*)(Compute *to, const std::byte *from, int64_t stride, size_t n);
template <class Compute>
using Store = void (*)(std::byte *to, int64_t stride, const Compute *from, size_t n);

template <uint32_t Dtype, class Compute>
void load_piece(Compute *to, const std::byte *from, int64_t stride, size_t n)
{
	constexpr int64_t packed = sizeof(typename Element<Dtype>::Bits);
	constexpr bool to_float = std::is_same_v<Compute, float>;

	if (stride == 0) {
		std::fill_n(to, n, load_element<Dtype, Compute>(from));
	} else if (to_float && Dtype == UNPU_DTYPE_F16 && stride == packed) {
		if constexpr (to_float)
			simd::widen_f16(to, from, n);
	} else if (to_float && Dtype == UNPU_DTYPE_BF16 && stride == packed) {
		if constexpr (to_float)
			simd::widen_bf16(to, from, n);
	} else if (stride == packed) {
		for (size_t i = 0; i < n; i++)
			to[i] = load_element<Dtype, Compute>(from + i * packed);
	} else {
		for (size_t i = 0; i < n; i++)
			to[i] = load_element<Dtype, Compute>(from +
							     static_cast<int64_t>(i) * stride);
	}
}

template <uint32_t Dtype, class Compute>
void store_piece(std::byte *to, int64_t stride, const Compute *from, size_t n)
{
	constexpr int64_t packed = sizeof(typename Element<Dtype>::Bits);
	constexpr bool from_float = std::is_same_v<Compute, float>;

	if (from_float && Dtype == UNPU_DTYPE_F16 && stride == packed) {
		if constexpr (from_float)
			simd::narrow_f16(to, from, n);
	} else if (from_float && Dtype == UNPU_DTYPE_BF16 && stride == packed) {
		if constexpr (from_float)
			simd::narrow_bf16(to, from, n);
	} else if (stride == packed) {
		for (size_t i = 0; i < n; i++)
			store_element<Dtype, Compute>(to + i * packed, from[i]);
	} else {
		for (size_t i = 0; i < n; i++)
			store_element<Dtype, Compute>(to + static_cast<int64_t>(i) * stride,
						      from[i]);
	}
}

#define FW_LOAD_ENTRY(name, number, bytes) table[number] = load_piece<number, Compute>;
#define FW_STORE_ENTRY(name, number, bytes) table[number] = store_piece<number, Compute>;
#define FW_DTYPE_FITS(name, number, bytes) static_assert(number < dtype_end);

UNPU_DTYPE_LIST(FW_DTYPE_FITS)

template <class Compute>
constexpr auto load_table = [] {
	std::array<Load<Compute>, dtype_end> table = {};
	UNPU_DTYPE_LIST(FW_LOAD_ENTRY)
	return table;
}();

template <class Compute>
constexpr auto store_table = [] {
	std::array<Store<Compute>, dtype_end> table = {};
	UNPU_DTYPE_LIST(FW_STORE_ENTRY)
	return table;
}();

#undef FW_LOAD_ENTRY
#undef FW_STORE_ENTRY
#undef FW_DTYPE_FITS

/* greater(), lesser() - maximum and minimum of two numbers; NaN if either is NaN. */
template <class T> T greater(T a, T b)
{
	return a > b || a != a ? a : b;
}

template <class T> T lesser(T a, T b)
{
	return a < b || a != a ? a : b;
}

/* Elementwise::f32, ::i64 and ::boolean of MAX and MIN. */
template <class T, T (*PICK)(T, T)> void pick_each(T *to, const T *a, const T *b, size_t n, T)
{
	for (size_t i = 0; i < n; i++)
		to[i] = PICK(a[i], b[i]);
}

template <Elementwise::Row KERNEL>
void combine_f32(float *to, const float *a, const float *b, size_t n, float scalar)
{
	KERNEL(reinterpret_cast<std::byte *>(to), reinterpret_cast<const std::byte *>(a),
	       reinterpret_cast<const std::byte *>(b), n, scalar, simd::Form::ROW_ROW);
}

/* Unsigned arithmetic wraps where signed would be undefined. */
constexpr uint64_t word(int64_t value)
{
	return static_cast<uint64_t>(value);
}

void add_i64(int64_t *to, const int64_t *a, const int64_t *b, size_t n, int64_t scalar)
{
	if (scalar == 1) {
		for (size_t i = 0; i < n; i++)
			to[i] = static_cast<int64_t>(word(a[i]) + word(b[i]));
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[i] = static_cast<int64_t>(word(a[i]) + word(scalar) * word(b[i]));
}

void mul_i64(int64_t *to, const int64_t *a, const int64_t *b, size_t n, int64_t)
{
	for (size_t i = 0; i < n; i++)
		to[i] = static_cast<int64_t>(word(a[i]) * word(b[i]));
}

void add_bool(bool *to, const bool *a, const bool *b, size_t n, bool scalar)
{
	for (size_t i = 0; i < n; i++)
		to[i] = a[i] | (scalar & b[i]);
}

void max_bool(bool *to, const bool *a, const bool *b, size_t n, bool)
{
	add_bool(to, a, b, n, true);
}

void and_bool(bool *to, const bool *a, const bool *b, size_t n, bool)
{
	for (size_t i = 0; i < n; i++)
		to[i] = a[i] & b[i];
}

template <class Compute>
using Combine = void (*)(Compute *to, const Compute *a, const Compute *b, size_t n, Compute scalar);

/* run_pieces() - the general case: any element types, any strides. */
template <class Compute>
void run_pieces(const unpu_operator &op, const Shape &shape, const std::array<std::byte *, 4> &base,
		Combine<Compute> combine, Compute scalar)
{
	const int64_t(&strides)[noperands] = shape.strides[shape.ndim - 1];
	const size_t length = static_cast<size_t>(shape.dims[shape.ndim - 1]);
	const Store<Compute> store = store_table<Compute>[op.operands[0].dtype];
	const Load<Compute> load_a = load_table<Compute>[op.operands[1].dtype];
	const Load<Compute> load_b = load_table<Compute>[op.operands[2].dtype];
	Compute a[piece_elements], b[piece_elements];

	for_each_row(shape, base, [&](const Pointers &at) {
		for (size_t done = 0; done < length; done += piece_elements) {
			const size_t n = std::min(length - done, piece_elements);
			const int64_t i = static_cast<int64_t>(done);

			load_a(a, at[1] + i * strides[1], strides[1], n);
			load_b(b, at[2] + i * strides[2], strides[2], n);
			combine(a, a, b, n, scalar);
			store(at[0] + i * strides[0], strides[0], a, n);
		}
	});
}

/*
 * all_f32() - whether all operands are F32, so that no conversion is needed.
 */
bool all_f32(const unpu_operator &op)
{
	return op.operands[0].dtype == UNPU_DTYPE_F32 && op.operands[1].dtype == UNPU_DTYPE_F32 &&
	       op.operands[2].dtype == UNPU_DTYPE_F32;
}

/* find_form() - the vector kernel's form for a row with these strides, if there is one. */
bool find_form(const int64_t (&strides)[noperands], simd::Form &form)
{
	constexpr int64_t packed = sizeof(float);

	if (strides[0] != packed)
		return false;
	if (strides[1] == packed && strides[2] == packed)
		form = simd::Form::ROW_ROW;
	else if (strides[1] == packed && strides[2] == 0)
		form = simd::Form::ROW_ONE;
	else if (strides[1] == 0 && strides[2] == packed)
		form = simd::Form::ONE_ROW;
	else
		return false;
	return true;
}

void run_f32(const unpu_operator &op, const Elementwise &arithmetic, const Shape &shape,
	     const std::array<std::byte *, 4> &base)
{
	const float scalar = static_cast<float>(std::bit_cast<double>(op.scalar_bits));
	const size_t length = static_cast<size_t>(shape.dims[shape.ndim - 1]);
	simd::Form form;

	if (!arithmetic.row || !all_f32(op) || !find_form(shape.strides[shape.ndim - 1], form)) {
		run_pieces<float>(op, shape, base, arithmetic.f32, scalar);
		return;
	}
	for_each_row(shape, base, [&](const Pointers &at) {
		arithmetic.row(at[0], at[1], at[2], length, scalar, form);
	});
}

/* combine_row() - a loop so simple that a compiler uses vectors if @steps are constants. */
template <class T, class Pair>
void combine_row(const Pointers &at, int64_t length, const int64_t (&steps)[noperands], Pair pair)
{
	for (int64_t i = 0; i < length; i++) {
		T a, b;
		std::memcpy(&a, at[1] + i * steps[1], sizeof(T));
		std::memcpy(&b, at[2] + i * steps[2], sizeof(T));
		a = pair(a, b);
		std::memcpy(at[0] + i * steps[0], &a, sizeof(T));
	}
}

template <class T, class Pair>
void combine_rows(const Shape &shape, const std::array<std::byte *, 4> &base, Pair pair)
{
	constexpr int64_t PACKED[noperands] = {sizeof(T), sizeof(T), sizeof(T)};
	const int64_t(&strides)[noperands] = shape.strides[shape.ndim - 1];
	const int64_t length = shape.dims[shape.ndim - 1];
	const bool is_packed = std::equal(std::begin(PACKED), std::end(PACKED), strides);

	for_each_row(shape, base, [&](const Pointers &at) {
		if (is_packed)
			combine_row<T>(at, length, PACKED, pair);
		else
			combine_row<T>(at, length, strides, pair);
	});
}

/* run_exact() - the operators of a type that is computed in itself. */
template <class T>
void run_exact(uint32_t kind, const Shape &shape, const std::array<std::byte *, 4> &base)
{
	/* Without this type, the product of two 16-bit numbers would be computed in signed integers and could
	 * overflow. */
	using Wide = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;

	if (kind == UNPU_OPERATOR_ADD)
		combine_rows<T>(shape, base,
				[](T a, T b) { return static_cast<T>(Wide{a} + Wide{b}); });
	else if (kind == UNPU_OPERATOR_MUL)
		combine_rows<T>(shape, base,
				[](T a, T b) { return static_cast<T>(Wide{a} * Wide{b}); });
	else if (kind == UNPU_OPERATOR_MAX)
		combine_rows<T>(shape, base, greater<T>);
	else
		combine_rows<T>(shape, base, lesser<T>);
}

} // namespace

const Elementwise elementwise_add = {combine_f32<simd::add_f32>, add_i64, add_bool, simd::add_f32};
const Elementwise elementwise_mul = {combine_f32<simd::mul_f32>, mul_i64, and_bool, simd::mul_f32};
const Elementwise elementwise_max = {pick_each<float, greater>, pick_each<int64_t, greater>,
				     max_bool, nullptr};
const Elementwise elementwise_min = {pick_each<float, lesser>, pick_each<int64_t, lesser>, and_bool,
				     nullptr};

void run_elementwise(const unpu_operator &op, const std::array<std::byte *, 4> &base)
{
	const Elementwise &arithmetic = *operator_row(op.kind).elementwise;
	Shape shape;

	flatten(op, shape);
	lengthen_rows(shape);
	switch (op.compute) {
	case UNPU_DTYPE_F32:
		return run_f32(op, arithmetic, shape, base);
	case UNPU_DTYPE_I64:
		return run_pieces<int64_t>(op, shape, base, arithmetic.i64,
					   static_cast<int64_t>(op.scalar_bits));
	case UNPU_DTYPE_F64:
		return run_exact<double>(op.kind, shape, base);
	case UNPU_DTYPE_U64:
		return run_exact<uint64_t>(op.kind, shape, base);
	case UNPU_DTYPE_U32:
		return run_exact<uint32_t>(op.kind, shape, base);
	case UNPU_DTYPE_U16:
		return run_exact<uint16_t>(op.kind, shape, base);
	default:
		return run_pieces<bool>(op, shape, base, arithmetic.boolean, op.scalar_bits != 0);
	}
}

} // namespace fw
