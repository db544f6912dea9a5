/* SPDX-License-Identifier: MIT */
/*
 * DOC: Shapes
 *
 * The shape that a kernel may give to a tensor. It is printed by DumpTensor; nothing else looks at it.
 */
#ifndef UNPU_ASCENDC_TENSOR_SHAPE_H
#define UNPU_ASCENDC_TENSOR_SHAPE_H

#include <stdint.h>

namespace AscendC {

constexpr uint32_t MAX_SHAPE_DIM = 8;
constexpr uint32_t K_MAX_SHAPE_DIM = 8;

enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };

struct ShapeInfo {
	uint8_t shapeDim = 0;
	uint8_t originalShapeDim = 0;
	uint32_t shape[MAX_SHAPE_DIM] = {};
	uint32_t originalShape[MAX_SHAPE_DIM] = {};
	DataFormat dataFormat = DataFormat::ND;

	ShapeInfo() = default;
	ShapeInfo(const uint8_t dim, const uint32_t *sizes,
		  const DataFormat format = DataFormat::ND)
		: shapeDim(dim), originalShapeDim(dim), dataFormat(format)
	{
		for (uint32_t i = 0; i < dim && i < MAX_SHAPE_DIM; i++)
			shape[i] = originalShape[i] = sizes[i];
	}
};

/* The number of elements of a shape. */
inline int GetShapeSize(const ShapeInfo &shape)
{
	int size = 1;

	for (uint32_t i = 0; i < shape.shapeDim; i++)
		size *= static_cast<int>(shape.shape[i]);
	return size;
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_TENSOR_SHAPE_H */
