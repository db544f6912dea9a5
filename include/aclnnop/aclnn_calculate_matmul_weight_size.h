/* SPDX-License-Identifier: MIT */
/*
 * DOC: Sizes of weights
 *
 * How much memory a weight needs in the format FRACTAL_NZ, which has blocks of 16 rows and 16 columns, or 32 rows for
 * INT8. Products of this device read weights as they lie, so no more than the weight itself is used.
 */
#ifndef ACLNNOP_ACLNN_CALCULATE_MATMUL_WEIGHT_SIZE_H
#define ACLNNOP_ACLNN_CALCULATE_MATMUL_WEIGHT_SIZE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnCalculateMatmulWeightSize() - elements of a FLOAT16 weight in whole blocks
 * @tensorShape: 2 to 6 dims; the last two are those of the matrix
 * @weightTensorSize: out, number of elements
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002 for another number of dims, a negative dim or a size that
 *	   does not fit.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray *tensorShape,
							       uint64_t *weightTensorSize);

/**
 * aclnnCalculateMatmulWeightSizeV2() - elements of a weight of any type in whole blocks
 * @tensorShape: 2 to 6 dims; the last two are those of the matrix
 * @dataType: ACL_FLOAT, ACL_FLOAT16, ACL_BF16 or ACL_INT8
 * @weightTensorSize: out, number of elements
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002 for another type, another number of dims, a negative dim or a
 *	   size that does not fit.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray *tensorShape,
								 aclDataType dataType,
								 uint64_t *weightTensorSize);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_CALCULATE_MATMUL_WEIGHT_SIZE_H */
