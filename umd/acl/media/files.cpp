// SPDX-License-Identifier: MIT
/**
 * DOC: What files of images are
 *
 * The calls that read the head of a file in the memory of the host and tell how large its picture becomes.
 */
#include "image_heads.h"
#include "picture_objects.h"
#include "umd/acl/front.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::ImageHead;
using umd::set_error;

namespace {

/* struct Kind - a kind of file and the pictures that the device decodes of it. */
struct Kind {
	const char *name;
	std::optional<ImageHead> (*read)(std::span<const uint8_t>);
	uint32_t most; /* columns and rows */
};

constexpr uint32_t LEAST = 32;
constexpr Kind JPEG{"JPEG", umd::read_jpeg_head, 8192};
constexpr Kind PNG{"PNG", umd::read_png_head, 4096};

template <typename... Args>
Status refuse(const char *caller, fmt::format_string<Args...> format, Args &&...args)
{
	return set_error(
		Status::NULL_POINTER,
		fmt::format("{}: {}", caller, fmt::format(format, std::forward<Args>(args)...)));
}

Result<ImageHead> read_head(const char *caller, const Kind &kind, const void *data, uint32_t size)
{
	if (data == nullptr)
		return refuse(caller, "data is NULL; it has to be the file in memory of the host");
	const auto head = kind.read({static_cast<const uint8_t *>(data), size});
	if (!head)
		return refuse(caller,
			      "the {} bytes of data have no head of a {} file; give the whole file",
			      size, kind.name);
	return *head;
}

acldvppJpegFormat jpeg_format(const ImageHead &head)
{
	const auto &y = head.samplings[0], &u = head.samplings[1], &v = head.samplings[2];
	if (head.components == 1)
		return ACL_JPEG_CSS_GRAY;
	if (head.components != 3 || u.columns != v.columns || u.rows != v.rows)
		return ACL_JPEG_CSS_UNKNOWN;
	const auto is = [&](uint32_t columns, uint32_t rows) {
		return u.columns != 0 && u.rows != 0 && y.columns == columns * u.columns &&
		       y.rows == rows * u.rows;
	};
	if (is(1, 1))
		return ACL_JPEG_CSS_444;
	if (is(2, 1))
		return ACL_JPEG_CSS_422;
	if (is(2, 2))
		return ACL_JPEG_CSS_420;
	if (is(1, 2))
		return ACL_JPEG_CSS_440;
	return is(4, 1) ? ACL_JPEG_CSS_411 : ACL_JPEG_CSS_UNKNOWN;
}

aclError tell(const char *caller, const Kind &kind, const void *data, uint32_t size,
	      uint32_t *width, uint32_t *height, int32_t *components, acldvppJpegFormat *format)
{
	if (width == nullptr || height == nullptr)
		return acl_return(refuse(caller, "{} is NULL; it has to be where the number goes",
					 width ? "height" : "width"));
	const ImageHead head = TRY(read_head(caller, kind, data, size));
	*width = head.width;
	*height = head.height;
	if (components != nullptr)
		*components = static_cast<int32_t>(head.components);
	if (format != nullptr)
		*format = jpeg_format(head);
	return ACL_SUCCESS;
}

Status check_size(const char *caller, const Kind &kind, const ImageHead &head)
{
	const auto is_out = [&](uint32_t length) { return length < LEAST || length > kind.most; };
	if (!is_out(head.width) && !is_out(head.height))
		return Status::OK;
	return refuse(caller,
		      "the {} file has {} x {} pixels; the device decodes {} x {} to {} x {}",
		      kind.name, head.width, head.height, LEAST, LEAST, kind.most, kind.most);
}

/* jpeg_halves() - half bytes of a pixel; 0: the file doesn't become the format. */
uint32_t jpeg_halves(acldvppJpegFormat own, acldvppPixelFormat wanted)
{
	const bool any = wanted == PIXEL_FORMAT_UNKNOWN;
	if (wanted == PIXEL_FORMAT_YUV_SEMIPLANAR_420 || wanted == PIXEL_FORMAT_YVU_SEMIPLANAR_420)
		return 3;
	switch (own) {
	case ACL_JPEG_CSS_GRAY:
		return any || wanted == PIXEL_FORMAT_YUV_400 ? 2 : 0;
	case ACL_JPEG_CSS_420:
		return any ? 3 : 0;
	case ACL_JPEG_CSS_422:
		return any || wanted == PIXEL_FORMAT_YUV_SEMIPLANAR_422 ||
				       wanted == PIXEL_FORMAT_YVU_SEMIPLANAR_422
			       ? 4
			       : 0;
	case ACL_JPEG_CSS_440:
		return any ? 4 : 0;
	case ACL_JPEG_CSS_444:
		return any || wanted == PIXEL_FORMAT_YUV_SEMIPLANAR_444 ||
				       wanted == PIXEL_FORMAT_YVU_SEMIPLANAR_444
			       ? 6
			       : 0;
	default:
		return 0;
	}
}

/* pixels_with_strides() - with the strides of the hardware that pads most. */
uint32_t pixels_with_strides(const ImageHead &head)
{
	constexpr uint32_t COLUMNS = 128, ROWS = 16;
	const auto up = [](uint32_t length, uint32_t unit) {
		return (length + unit - 1) / unit * unit;
	};
	return up(head.width, COLUMNS) * up(head.height, ROWS);
}

Result<uint32_t> predict_jpeg(const char *caller, const void *data, uint32_t size,
			      acldvppPixelFormat wanted)
{
	const ImageHead head = TRY(read_head(caller, JPEG, data, size));
	const acldvppJpegFormat own = jpeg_format(head);
	if (head.coding != 0xc0 || head.depth != 8)
		return refuse(caller,
			      "the JPEG file has a frame of kind {} with {} bits; the device "
			      "decodes baseline files (kind 0) of 8 bits",
			      head.coding - 0xc0, head.depth);
	if (own == ACL_JPEG_CSS_UNKNOWN || own == ACL_JPEG_CSS_411)
		return refuse(caller,
			      "the JPEG file has {} components whose sub-sampling the device "
			      "doesn't decode; it decodes grey, 4:4:4, 4:2:2, 4:2:0 and 4:4:0",
			      head.components);
	TRY(check_size(caller, JPEG, head));
	const uint32_t halves = jpeg_halves(own, wanted);
	if (halves == 0)
		return refuse(caller,
			      "outputPixelFormat is {}; the JPEG file becomes 4:2:0 (1, 2) or "
			      "has its own sub-sampling",
			      static_cast<int>(wanted));
	return pixels_with_strides(head) / 2 * halves;
}

Result<uint32_t> predict_png(const char *caller, const void *data, uint32_t size,
			     acldvppPixelFormat wanted)
{
	constexpr uint32_t INDEXED = 3;
	const ImageHead head = TRY(read_head(caller, PNG, data, size));
	if (head.coding == INDEXED)
		return refuse(caller, "the PNG file has a palette; the device decodes grey and "
				      "RGB files, with opacity or without");
	TRY(check_size(caller, PNG, head));
	const bool has_opacity = head.components % 2 == 0;
	uint32_t bytes = has_opacity ? 4 : 3;
	if (wanted == PIXEL_FORMAT_RGB_888)
		bytes = 3;
	else if (wanted != PIXEL_FORMAT_UNKNOWN &&
		 (wanted != PIXEL_FORMAT_RGBA_8888 || !has_opacity))
		return refuse(caller,
			      "outputPixelFormat is {}; the PNG file becomes RGB (12), and one "
			      "with opacity RGBA (16) too",
			      static_cast<int>(wanted));
	return pixels_with_strides(head) * bytes;
}

aclError give(const char *caller, uint32_t *size, const Result<uint32_t> &predicted)
{
	const uint32_t found = TRY(predicted);
	if (size == nullptr)
		return acl_return(
			refuse(caller, "decSize is NULL; it has to be where the bytes go"));
	*size = found;
	return ACL_SUCCESS;
}

} // namespace

aclError acldvppJpegGetImageInfo(const void *data, uint32_t size, uint32_t *width, uint32_t *height,
				 int32_t *components)
{
	return tell(__func__, JPEG, data, size, width, height, components, nullptr);
}

aclError acldvppJpegGetImageInfoV2(const void *data, uint32_t size, uint32_t *width,
				   uint32_t *height, int32_t *components, acldvppJpegFormat *format)
{
	return tell(__func__, JPEG, data, size, width, height, components, format);
}

aclError acldvppJpegPredictDecSize(const void *data, uint32_t dataSize,
				   acldvppPixelFormat outputPixelFormat, uint32_t *decSize)
{
	return give(__func__, decSize, predict_jpeg(__func__, data, dataSize, outputPixelFormat));
}

aclError acldvppPngGetImageInfo(const void *data, uint32_t dataSize, uint32_t *width,
				uint32_t *height, int32_t *components)
{
	return tell(__func__, PNG, data, dataSize, width, height, components, nullptr);
}

aclError acldvppPngPredictDecSize(const void *data, uint32_t dataSize,
				  acldvppPixelFormat outputPixelFormat, uint32_t *decSize)
{
	return give(__func__, decSize, predict_png(__func__, data, dataSize, outputPixelFormat));
}
