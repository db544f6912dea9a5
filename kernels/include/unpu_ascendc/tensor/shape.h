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

namespace unpu::lang {

/* The shape that the kernel has given to a tensor, or none. It is a pointer, because each slice copies its tensor,
 * and few tensors have a shape. */
class GivenShape {
public:
	GivenShape() {}
	GivenShape(const GivenShape &other) { *this = other; }
	GivenShape &operator=(const GivenShape &other)
	{
		is_given_ = other.is_given_;
		if (__builtin_expect(is_given_, 0))
			shape_ = other.shape_;
		return *this;
	}

	void set(const AscendC::ShapeInfo &shape)
	{
		is_given_ = true;
		shape_ = shape;
	}
	AscendC::ShapeInfo get() const { return is_given_ ? shape_ : AscendC::ShapeInfo(); }

private:
	bool is_given_ = false;
	union {
		AscendC::ShapeInfo shape_;
	};
};

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TENSOR_SHAPE_H */
