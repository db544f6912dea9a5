// SPDX-License-Identifier: MIT
/*
 * DOC: Sizes of weights
 *
 * Programs allocate a weight with the size that it has in the format FRACTAL_NZ. The size counts elements.
 */
#include <string>

#include "aclnnop/aclnn_calculate_matmul_weight_size.h"
#include "objects.h"
#include "types.h"

namespace {

constexpr int64_t block = 16;

/* round_up() - Return: whether the result fits. */
bool round_up(int64_t &size, int64_t to)
{
	if (size < 0 || __builtin_add_overflow(size, to - 1, &size))
		return false;
	size -= size % to;
	return true;
}

aclnnStatus count_elements(const aclIntArray &shape, aclDataType dtype, uint64_t &size)
{
	const uint64_t ndim = shape.size;
	if (dtype != ACL_FLOAT && dtype != ACL_FLOAT16 && dtype != ACL_BF16 && dtype != ACL_INT8)
		return umd::refuse("a weight has type " + umd::print_type(dtype) +
				   "; allowed are FLOAT, FLOAT16, BF16 and INT8");
	if (ndim < 2 || ndim > 6)
		return umd::refuse("tensorShape has " + std::to_string(ndim) +
				   " dims; allowed are 2 to 6");
	int64_t product = 1;
	for (uint64_t d = 0; d < ndim; d++) {
		int64_t dim = shape.values[d];
		const int64_t rows = dtype == ACL_INT8 ? 2 * block : block;
		const int64_t to = d + 2 == ndim ? rows : d + 1 == ndim ? block : 1;
		if (!round_up(dim, to) || __builtin_mul_overflow(product, dim, &product))
			return umd::refuse("tensorShape has the entry " +
					   std::to_string(shape.values[d]) +
					   ", which is negative or too large");
	}
	size = static_cast<uint64_t>(product);
	return OK;
}

} // namespace

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray *tensorShape, aclDataType dataType,
					     uint64_t *weightTensorSize)
{
	if (!tensorShape || !weightTensorSize)
		return umd::refuse_missing("tensorShape or weightTensorSize");
	const aclIntArray *const shape = umd::find_object(tensorShape, "tensorShape");
	return shape ? count_elements(*shape, dataType, *weightTensorSize) : umd::wrong_parameter;
}

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray *tensorShape,
					   uint64_t *weightTensorSize)
{
	return aclnnCalculateMatmulWeightSizeV2(tensorShape, ACL_FLOAT16, weightTensorSize);
}
