// SPDX-License-Identifier: MIT
/*
 * DOC: Products of BF16
 *
 * A processor with instructions for products of BF16 computes them twice as fast as products of F32, and
 * nothing has to be converted. It adds the products in F32, but treats subnormal numbers as 0, in operands
 * and in results. So operands with numbers that are so small that this could matter are multiplied as F32.
 * oneDNN has no simple call for such products, so the library makes an object of oneDNN for each product.
 * oneDNN keeps the generated code.
 */
#include "gemm.h"

#include <algorithm>
#include <cstring>

#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_version.h>

extern "C" void omp_set_num_threads(int threads);

namespace fw::tensor {

namespace {

/* Gets the dims and strides of a matrix in memory, if oneDNN can multiply a matrix of this layout. */
bool describe(const View &view, int64_t m, int64_t n, dnnl::memory::desc &desc)
{
	const int64_t down = m > 1 ? view.strides[view.ndim - 2] : n;
	const int64_t across = n > 1 ? view.strides[view.ndim - 1] : 1;
	if (view.dtype != UNPU_DTYPE_BF16 ||
	    !((across == 1 && down >= n) || (down == 1 && across >= m)))
		return false;
	desc = {{m, n}, dnnl::memory::data_type::bf16, {down, across}};
	return true;
}

constexpr unsigned MANTISSA_BITS = 7, NO_EXPONENT = 0xff;

/* The least exponent field of the numbers of a row that are not 0; NO_EXPONENT: all are. */
unsigned least_exponent(const std::byte *row, int64_t n)
{
	uint16_t least = UINT16_MAX;
	for (int64_t i = 0; i < n; i++) {
		uint16_t bits;
		std::memcpy(&bits, row + i * int64_t{sizeof(bits)}, sizeof(bits));
		/* The number 0 gets the greatest key. */
		const auto key = static_cast<uint16_t>((bits & 0x7fff) - 1);
		least = std::min(least, key);
	}
	return least == UINT16_MAX ? NO_EXPONENT : (least + 1u) >> MANTISSA_BITS;
}

/* The same for a matrix that describe() accepts. */
unsigned least_exponent(const View &view, const Index &at, int64_t m, int64_t n)
{
	const std::byte *first = place(view, at);
	const bool has_columns = n > 1 && view.strides[view.ndim - 1] != 1;
	const int64_t lines = has_columns ? n : m, length = has_columns ? m : n;
	const int64_t step = view.strides[view.ndim - (has_columns ? 1 : 2)] * element_bytes(view);
	unsigned least = NO_EXPONENT;
	for (int64_t i = 0; i < lines; i++)
		least = std::min(least, least_exponent(first + i * step, length));
	return least;
}

/* Whether no operand is subnormal, and no sum of products can be: a product of exponents a and b is a multiple of
 * 2^(a + b - 14), and so is each sum. */
bool is_far_from_subnormal(const BfloatProduct &product)
{
	constexpr unsigned BIAS = 127, LEAST = 2 * BIAS + 2 * MANTISSA_BITS - 126;
	const auto [m, n, k] = product.size;
	const unsigned a = least_exponent(product.a, product.at_a, m, k);
	const unsigned b = a == 0 ? 0 : least_exponent(product.b, product.at_b, k, n);
	return a != 0 && b != 0 && a + b >= LEAST;
}

bool has_products()
{
	return dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core_bf16;
}

} // namespace

bool multiply_bfloats(const BfloatProduct &product)
{
	const auto [m, n, k] = product.size;
	dnnl::memory::desc a, b;
	if (!describe(product.a, m, k, a) || !describe(product.b, k, n, b) || !has_products() ||
	    !is_far_from_subnormal(product))
		return false;
	omp_set_num_threads(1); /* used only by this thread */
	try {
		const dnnl::memory::desc c({m, n}, dnnl::memory::data_type::f32, {n, 1});
		const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
		dnnl::stream stream(engine);
		dnnl::primitive_attr attributes;
		if (product.adds) {
			dnnl::post_ops operations;
			operations.append_sum();
			attributes.set_post_ops(operations);
		}
#if DNNL_VERSION_MAJOR >= 3
		const dnnl::matmul multiply(
			dnnl::matmul::primitive_desc(engine, a, b, c, attributes));
#else
		const dnnl::matmul multiply(
			dnnl::matmul::primitive_desc({a, b, c}, attributes, engine));
#endif
		const auto memory = [&](const dnnl::memory::desc &desc, const void *data) {
			return dnnl::memory(desc, engine, const_cast<void *>(data));
		};
		multiply.execute(stream,
				 {{DNNL_ARG_SRC, memory(a, place(product.a, product.at_a))},
				  {DNNL_ARG_WEIGHTS, memory(b, place(product.b, product.at_b))},
				  {DNNL_ARG_DST, memory(c, product.c)}});
	} catch (const dnnl::error &) {
		return false;
	}
	return true;
}

} // namespace fw::tensor
