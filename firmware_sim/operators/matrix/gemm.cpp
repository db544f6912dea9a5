// SPDX-License-Identifier: MIT
/*
 * DOC: Products of panels
 *
 * oneDNN computes them in F32. Its loops are OpenMP ones: each engine asks for teams of one thread, so the library
 * starts no thread.
 */
#include "gemm.h"

#include <oneapi/dnnl/dnnl.h>

extern "C" void omp_set_num_threads(int threads);

namespace fw::tensor {

void multiply_panels(int64_t m, int64_t n, int64_t k, const Panel &a, const Panel &b, float *c,
		     bool adds)
{
	omp_set_num_threads(1); /* of this thread alone */
	(void)dnnl_sgemm(a.is_transposed ? 'T' : 'N', b.is_transposed ? 'T' : 'N', m, n, k, 1.0f,
			 a.data, a.stride, b.data, b.stride, adds ? 1.0f : 0.0f, c, n);
}

} // namespace fw::tensor
