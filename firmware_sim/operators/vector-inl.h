// SPDX-License-Identifier: MIT
/*
 * DOC: Blocks in vectors
 *
 * Loops of vectors over a block of floats. The last, partial vector goes through a buffer, so that an
 * element's result does not depend on its place. A file that Highway compiles for each instruction set
 * includes this one after hwy/highway.h, inside no namespace.
 */
#if defined(FW_TENSOR_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FW_TENSOR_VECTOR_INL
#undef FW_TENSOR_VECTOR_INL
#else
#define FW_TENSOR_VECTOR_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
constexpr size_t MAX_LANES = HWY_MAX_BYTES / sizeof(float);

/* map_one() - to[i] = f(a[i]). @f: a function of vectors (d, a) */
template <class F> HWY_INLINE void map_one(float *to, const float *a, size_t n, const F &f)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes)
		hn::StoreU(f(d, hn::LoadU(d, a + i)), d, to + i);
	if (i == n)
		return;
	HWY_ALIGN float buffer[MAX_LANES] = {};
	for (size_t k = 0; i + k < n; k++)
		buffer[k] = a[i + k];
	hn::Store(f(d, hn::Load(d, buffer)), d, buffer);
	for (size_t k = 0; i + k < n; k++)
		to[i + k] = buffer[k];
}

/* map_two() - to[i] = f(a[i], b[i]). @f: a function of vectors (d, a, b) */
template <class F>
HWY_INLINE void map_two(float *to, const float *a, const float *b, size_t n, const F &f)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes)
		hn::StoreU(f(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
	if (i == n)
		return;
	HWY_ALIGN float left[MAX_LANES] = {};
	HWY_ALIGN float right[MAX_LANES] = {};
	for (size_t k = 0; i + k < n; k++) {
		left[k] = a[i + k];
		right[k] = b[i + k];
	}
	hn::Store(f(d, hn::Load(d, left), hn::Load(d, right)), d, left);
	for (size_t k = 0; i + k < n; k++)
		to[i + k] = left[k];
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#endif /* FW_TENSOR_VECTOR_INL */
