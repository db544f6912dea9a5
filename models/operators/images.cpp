// SPDX-License-Identifier: MIT
/*
 * DOC: Preprocessing of images
 *
 * The node that atc puts in front of an input with --insert_op_conf. It is no operator of ONNX: its domain is "unpu".
 * Operand 0 is the images, dense: [N, rows, width, bytes of a pixel] where attribute "steps" has a struct unpu_aipp,
 * and any number of bytes where operand 1 has one for each image. Sizes of "steps" that are 0 are those of the image.
 */
#include <bit>
#include <cstring>

#include "base/aipp_image.h"
#include "models/lower/rows.h"
#include "row.h"
#include "uapi/tensor_limits.h"

namespace models {

namespace images {

namespace {

/* struct Read - how a node reads. @dims: N, C, H, W of the result */
struct Read {
	unpu_aipp steps{};
	bool is_fixed = false;
	ir::Dims dims;
};

bool find_image(Inference &at, unpu_aipp &steps)
{
	const std::span<const int64_t> words = at.node.integers("steps");
	const ir::Dims &dims = at.dims(0);
	uint32_t copy[UNPU_AIPP_WORDS];
	if (words.size() != UNPU_AIPP_WORDS || dims.rank() != 4)
		return at.fail("its steps or its image have no form of steps and images");
	for (size_t k = 0; k < words.size(); k++)
		copy[k] = static_cast<uint32_t>(words[k]);
	std::memcpy(&steps, copy, sizeof(steps));
	const int64_t height = steps.format == UNPU_AIPP_YUV420SP   ? dims[1] / 3 * 2
			       : steps.format == UNPU_AIPP_YUV422SP ? dims[1] / 2
								    : dims[1];
	if (std::max(height, dims[2]) > UNPU_TENSOR_MAX_WINDOW)
		return at.fail("its image is too large");
	steps.width = static_cast<uint32_t>(dims[2]);
	steps.height = static_cast<uint32_t>(height);
	const base::AippBytes bytes = base::aipp_bytes(steps.format, steps.width, steps.height);
	if (base::aipp_channels(steps.format) == 0 ||
	    bytes.rows != static_cast<uint64_t>(dims[1]) ||
	    bytes.bytes != static_cast<uint64_t>(dims[3]))
		return at.fail("its image is " + ir::print(dims) + ", which is none of its format");
	if (steps.crop_width == 0 && steps.crop_height == 0) {
		steps.crop_width = steps.width;
		steps.crop_height = steps.height;
	}
	return true;
}

bool find_read(Inference &at, Read &read)
{
	const int64_t channels = at.node.integer("channels", 3);
	read.is_fixed = at.node.find("steps") != nullptr;
	if (at.type(0) != ir::Type::UINT8 || read.is_fixed == at.has(1))
		return at.fail("it needs bytes, and steps of one kind");
	if (read.is_fixed) {
		if (!find_image(at, read.steps))
			return false;
		const unpu_aipp &of = read.steps;
		read.dims = {at.dims(0)[0], channels,
			     int64_t{of.pad_top} + of.crop_height + of.pad_bottom,
			     int64_t{of.pad_left} + of.crop_width + of.pad_right};
		return true;
	}
	if (at.type(1) != ir::Type::INT32 || at.dims(1).rank() != 2 ||
	    at.dims(1)[1] != UNPU_AIPP_WORDS)
		return at.fail("its steps are " + ir::print(at.dims(1)) + " of " +
			       ir::type_name(at.type(1)));
	read.dims = {at.dims(1)[0], channels, at.node.integer("height", 0),
		     at.node.integer("width", 0)};
	return true;
}

bool infer_images(Inference &at)
{
	Read read;
	const auto type = static_cast<ir::Type>(at.node.integer("to", 1));
	if (type != ir::Type::FLOAT && type != ir::Type::FLOAT16 && type != ir::Type::UINT8 &&
	    type != ir::Type::INT8)
		return at.fail("its result must be FLOAT, FLOAT16, UINT8 or INT8");
	if (!find_read(at, read))
		return false;
	const ir::Dims &d = read.dims;
	if (!d.is_known())
		return at.fail("its result would be " + ir::print(d));
	return at.set(0, type,
		      at.node.integer("channels_last", 0) != 0 ? ir::Dims{d[0], d[2], d[3], d[1]}
							       : d);
}

bool lower_images(Lowering &l)
{
	Read read;
	Tensor image = l.in(0), out = l.out();
	if (!find_read(l.at, read) || !l.make_dense(image))
		return false;
	image.view = View::dense({*ir::count(image.dims())});
	if (l.at.node.integer("channels_last", 0) != 0) {
		const ir::Dims strides = out.view.strides;
		out.view.dims = read.dims;
		out.view.strides = {strides[0], strides[3], strides[1], strides[2]};
	}
	if (!read.is_fixed)
		return l.call(aipp_row, {image, l.in(1), out});
	uint32_t words[UNPU_AIPP_WORDS];
	double numbers[UNPU_AIPP_WORDS];
	std::memcpy(words, &read.steps, sizeof(words));
	for (size_t k = 0; k < UNPU_AIPP_WORDS; k++)
		numbers[k] = std::bit_cast<int32_t>(words[k]);
	const Tensor steps = l.table(ir::Type::INT32, {1, UNPU_AIPP_WORDS}, numbers);
	return l.call(aipp_row, {image, broadcast_to(steps, {read.dims[0], UNPU_AIPP_WORDS}), out});
}

constexpr OperatorRow IMAGES[] = {
	{"Aipp", 1, 0, 1, 2, "steps channels channels_last height width to ", infer_images, nullptr,
	 nullptr, lower_images, "unpu"},
};

} // namespace

} // namespace images

std::span<const OperatorRow> image_rows()
{
	return images::IMAGES;
}

} // namespace models
