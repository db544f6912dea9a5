// SPDX-License-Identifier: MIT
/**
 * DOC: Launches of kernels that compute
 */
#pragma once

#include <cstdint>

/** struct ProductShape - C (m x n) = A (m x k) * B (k x n); multiples of 128. */
struct ProductShape {
	uint32_t m, n, k;
};

/** struct NormShape - a matrix whose rows are normalised, a share in each block; columns are a multiple of 8. */
struct NormShape {
	uint32_t rows, columns;
	float epsilon;
};

/** launch_product() - of half matrices into a float one.
 * @by_object: by a Matmul object; otherwise by instructions of the cube unit
 * Return: the error of the launch, or 0
 */
int launch_product(bool by_object, uint32_t blocks, void *stream, void *a, void *b, void *c,
		   const ProductShape &shape);

/** launch_norm() - of float rows.
 * @has_mean: LayerNorm, otherwise RmsNorm, which has no beta
 * Return: the error of the launch, or 0
 */
int launch_norm(bool has_mean, uint32_t blocks, void *stream, void *x, void *gamma, void *beta,
		void *y, const NormShape &shape);
