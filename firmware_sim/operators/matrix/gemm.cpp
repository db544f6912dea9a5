// SPDX-License-Identifier: MIT
/*
 * DOC: Products of panels
 *
 * oneDNN computes them in F32. Its loops use OpenMP. Each engine asks for teams of one thread, so oneDNN
 * starts no threads.
 */
#include "gemm.h"

#include <oneapi/dnnl/dnnl.h>

#include "firmware_sim/operators/convert.h"

extern "C" void omp_set_num_threads(int threads);

namespace fw::tensor {

void load_rows(const View &view, const Index &at, int64_t m, int64_t n, float *to)
{
	const std::byte *from = place(view, at);
	const int64_t down = view.strides[view.ndim - 2] * element_bytes(view);
	for (int64_t i = 0; i < m; i++)
		load_row<float>(view.dtype, from + i * down, inner_stride(view),
				static_cast<size_t>(n), to + i * n);
}

Panel load_panel(const View &view, const Index &at, int64_t m, int64_t n, float *buffer)
{
	const std::byte *from = place(view, at);
	const int64_t down = m > 1 ? view.strides[view.ndim - 2] : n;
	const int64_t across = n > 1 ? view.strides[view.ndim - 1] : 1;
	const bool is_direct = view.dtype == UNPU_DTYPE_F32 &&
			       reinterpret_cast<uintptr_t>(from) % alignof(float) == 0;
	const auto *floats = reinterpret_cast<const float *>(from);
	if (is_direct && across == 1 && down >= n)
		return {floats, down, false};
	/* For a single row, the stride between rows does not matter. */
	if (is_direct && (down == 1 || m == 1) && across >= m)
		return {floats, across, true};
	const int64_t bytes = element_bytes(view);
	if (down == 1 && across != 1) {
		/* Rows of the transposed panel are contiguous. */
		for (int64_t j = 0; j < n; j++)
			load_row<float>(view.dtype, from + j * across * bytes, bytes,
					static_cast<size_t>(m), buffer + j * m);
		return {buffer, m, true};
	}
	load_rows(view, at, m, n, buffer);
	return {buffer, n, false};
}

void multiply_panels(int64_t m, int64_t n, int64_t k, const Panel &a, const Panel &b, float *c,
		     bool adds)
{
	omp_set_num_threads(1); /* used only by this thread */
	(void)dnnl_sgemm(a.is_transposed ? 'T' : 'N', b.is_transposed ? 'T' : 'N', m, n, k, 1.0f,
			 a.data, a.stride, b.data, b.stride, adds ? 1.0f : 0.0f, c, n);
}

} // namespace fw::tensor
