// SPDX-License-Identifier: MIT
/*
 * DOC: Products of BF16
 *
 * A processor that multiplies BF16 itself does so twice as fast as it multiplies F32, and nothing has to be converted.
 * It adds the products in F32; subnormal numbers count as 0. oneDNN has no simple call for that, so an object of its
 * own is made for each product, of code that it keeps.
 */
#include "gemm.h"

#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_version.h>

extern "C" void omp_set_num_threads(int threads);

namespace fw::tensor {

namespace {

/* The dims and strides of a matrix in memory, if oneDNN multiplies such a one. */
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

bool has_products()
{
	return dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core_bf16;
}

} // namespace

bool multiply_bfloats(const BfloatProduct &product)
{
	const auto [m, n, k] = product.size;
	dnnl::memory::desc a, b;
	if (!describe(product.a, m, k, a) || !describe(product.b, k, n, b) || !has_products())
		return false;
	omp_set_num_threads(1); /* of this thread alone */
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
