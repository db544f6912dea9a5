// SPDX-License-Identifier: MIT
/**
 * DOC: Planes of pictures
 *
 * What a description says becomes tensors of bytes: a plane of a picture, or the part of it that a region has. The
 * device takes any strides; strict mode tells which generation of hardware would refuse some.
 */
#include "planes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "uapi/tensor.h"
#include "umd/acl/front.h"
#include "umd/core/process/check.h"

namespace umd {

using base::PictureFormat;
using base::Status;

namespace {

/* struct Words - where sentences come from. */
struct Words {
	const char *caller, *argument;

	Status refuse(const std::string &text) const
	{
		return set_error(Status::NULL_POINTER,
				 fmt::format("{}: {} {}", caller, argument, text));
	}

	/* warn() - strict mode: a generation of hardware refuses it. */
	Status warn(const std::string &text) const
	{
		return check::misuse(Status::NULL_POINTER,
				     fmt::format("{}: {} {}", caller, argument, text));
	}
};

Status check_strides(const Words &words, const acldvppPicDesc &picture, const PictureFormat &format)
{
	constexpr uint32_t COLUMNS = 16, ROWS = 2, FEWEST = 32;
	if (!check::is_on())
		return Status::OK;
	/* The bytes of a pixel where the stride counts them. */
	const uint32_t unit = COLUMNS * format.bytes;
	if (picture.width_stride % unit != 0 || picture.width_stride < FEWEST)
		TRY(words.warn(
			fmt::format("has a width stride of {}; Ascend310, 310P and 910 need a "
				    "multiple of {}, and {} or more",
				    picture.width_stride, unit, FEWEST)));
	if (picture.height_stride % ROWS != 0)
		TRY(words.warn(
			fmt::format("has a height stride of {}; Ascend310, 310P and 910 need an "
				    "even one",
				    picture.height_stride)));
	return Status::OK;
}

Status check_region_sides(const Words &words, const acldvppRoiConfig &region, Use use)
{
	constexpr uint32_t COLUMNS = 16;
	if (!check::is_on())
		return Status::OK;
	if (use == Use::PASTE && region.left % COLUMNS != 0)
		return words.warn(
			fmt::format("begins at column {}; Ascend310, 310P and 910 paste at "
				    "multiples of {}",
				    region.left, COLUMNS));
	if (region.left % 2 != 0 || region.top % 2 != 0 || region.right % 2 == 0 ||
	    region.bottom % 2 == 0)
		return words.warn(
			fmt::format("is columns {} to {} and rows {} to {}; Ascend310 and 910 "
				    "need even first and odd last ones",
				    region.left, region.right, region.top, region.bottom));
	return Status::OK;
}

/* bytes_needed() - the memory that the strides say. */
uint64_t bytes_needed(const PictureFormat &format, uint64_t stride, uint64_t rows)
{
	const uint64_t first = stride * rows;
	return format.planes == 1 ? first
				  : first + first * 2 / (uint64_t{format.columns} * format.rows);
}

} // namespace

base::Result<Planes> find_planes(const char *caller, const acldvppPicDesc &picture,
				 const char *argument)
{
	const Words words{caller, argument};
	const PictureFormat format = base::picture_format(static_cast<uint32_t>(picture.format));
	if (format.planes == 0)
		return words.refuse(fmt::format("has format {}; the device has 0 to {}",
						static_cast<int>(picture.format),
						UNPU_PICTURE_FORMATS - 1));
	if (!picture.data)
		return words.refuse("has no memory: its data is NULL");
	const uint32_t width = picture.width / format.columns * format.columns;
	const uint32_t height = picture.height / format.rows * format.rows;
	if (width == 0 || height == 0 || std::max(width, height) > UNPU_PICTURE_MAX_LENGTH)
		return words.refuse(
			fmt::format("has {} x {} pixels; its format allows {} x {} to {} x {}",
				    picture.width, picture.height, format.columns, format.rows,
				    UNPU_PICTURE_MAX_LENGTH, UNPU_PICTURE_MAX_LENGTH));
	const auto row = static_cast<uint64_t>(format.row_bytes(0, width));
	const uint64_t stride = picture.width_stride != 0 ? picture.width_stride : row;
	const uint64_t rows = picture.height_stride != 0 ? picture.height_stride : height;
	if (stride < row || rows < height)
		return words.refuse(
			fmt::format("has strides {} and {}; {} x {} pixels of its format need "
				    "{} and {} or more",
				    stride, rows, width, height, row, height));
	if (bytes_needed(format, stride, rows) > picture.size)
		return words.refuse(
			fmt::format("has a size of {}; its strides and its format need {} bytes",
				    picture.size, bytes_needed(format, stride, rows)));
	TRY(check_strides(words, picture, format));
	const auto address = std::bit_cast<uint64_t>(picture.data);
	const uint64_t colour_stride = stride * 2 / format.columns;
	Planes planes{static_cast<uint32_t>(picture.format), width, height, format.planes, {}};
	planes.plane[0] = {address, height, static_cast<int64_t>(row),
			   static_cast<int64_t>(stride)};
	planes.plane[1] = {address + stride * rows, format.plane_rows(1, height),
			   format.row_bytes(1, width), static_cast<int64_t>(colour_stride)};
	return planes;
}

base::Result<Planes> find_region(const char *caller, const acldvppPicDesc &picture,
				 const char *argument, const acldvppRoiConfig &region,
				 const char *region_argument, Use use)
{
	Planes planes = TRY(find_planes(caller, picture, argument));
	const PictureFormat format = base::picture_format(planes.format);
	const Words words{caller, region_argument};
	if (region.left > region.right || region.top > region.bottom ||
	    region.right >= picture.width || region.bottom >= picture.height)
		return words.refuse(
			fmt::format("is columns {} to {} and rows {} to {}; the picture has {} x "
				    "{} pixels, from 0 on",
				    region.left, region.right, region.top, region.bottom,
				    picture.width, picture.height));
	TRY(check_region_sides(words, region, use));
	const uint32_t left = region.left / format.columns * format.columns;
	const uint32_t top = region.top / format.rows * format.rows;
	const uint32_t right =
		std::min((region.right / format.columns + 1) * format.columns, planes.width);
	const uint32_t bottom =
		std::min((region.bottom / format.rows + 1) * format.rows, planes.height);
	if (left >= right || top >= bottom)
		return words.refuse("has only columns or rows that the format can't have");
	planes.width = right - left;
	planes.height = bottom - top;
	for (unsigned p = 0; p < planes.count; p++) {
		Planes::Plane &plane = planes.plane[p];
		plane.address += static_cast<uint64_t>(format.plane_rows(p, top) * plane.stride +
						       format.row_bytes(p, left));
		plane.rows = format.plane_rows(p, planes.height);
		plane.bytes = format.row_bytes(p, planes.width);
	}
	return planes;
}

std::vector<uint64_t> picture_words(const Planes &out, const Planes &in, uint32_t filter)
{
	constexpr unsigned ATTRIBUTES = 3;
	unpu_tensor_op head{};
	head.kind = UNPU_TENSOR_PICTURE;
	head.noperands = static_cast<uint8_t>(out.count + in.count);
	head.nattributes = ATTRIBUTES;
	for (unsigned a = 0; a < ATTRIBUTES; a++)
		head.words[a] = 1;
	std::vector<uint64_t> words(sizeof(head) / sizeof(uint64_t));
	std::memcpy(words.data(), &head, sizeof(head));
	words.insert(words.end(), {out.format, in.format, filter});
	const auto add = [&words](const Planes &picture, unsigned slot, uint8_t access) {
		for (unsigned p = 0; p < picture.count; p++) {
			const Planes::Plane &plane = picture.plane[p];
			unpu_tensor_operand operand{};
			operand.address = plane.address;
			operand.slot = static_cast<uint8_t>(slot + p);
			operand.dtype = UNPU_DTYPE_U8;
			operand.access = access;
			operand.ndim = 2;
			const auto bits = std::bit_cast<std::array<uint64_t, 2>>(operand);
			words.insert(words.end(), bits.begin(), bits.end());
			words.insert(words.end(), {static_cast<uint64_t>(plane.rows),
						   static_cast<uint64_t>(plane.bytes),
						   static_cast<uint64_t>(plane.stride), 1});
		}
	};
	add(out, 0, UNPU_ACCESS_WRITE);
	add(in, 2, UNPU_ACCESS_READ);
	return words;
}

} // namespace umd
