// SPDX-License-Identifier: MIT
/*
 * DOC: image_files
 *
 * What the heads of JPEG and PNG files say, and which files the device doesn't decode.
 */
#include <vector>

#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include "support/fixture.h"

using namespace conformance;

namespace {

using Bytes = std::vector<uint8_t>;

class ImageFiles : public DeviceTest {};

/* jpeg() - a file up to its frame; behind a segment of 4 bytes and a fill byte. */
Bytes jpeg(uint8_t frame, uint16_t width, uint16_t height, const Bytes &samplings)
{
	Bytes file{0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xc0, 0xff, 0xff, frame, 0};
	const auto components = static_cast<uint8_t>(samplings.size());
	file.push_back(static_cast<uint8_t>(8 + 3 * components));
	for (const int byte :
	     {8, height >> 8, height & 255, width >> 8, width & 255, int{components}})
		file.push_back(static_cast<uint8_t>(byte));
	for (uint8_t i = 0; i < components; i++)
		file.insert(file.end(), {i, samplings[i], 0});
	return file;
}

Bytes png(uint16_t width, uint16_t height, uint8_t colours)
{
	return {0x89,
		'P',
		'N',
		'G',
		'\r',
		'\n',
		0x1a,
		'\n',
		0,
		0,
		0,
		13,
		'I',
		'H',
		'D',
		'R',
		0,
		0,
		static_cast<uint8_t>(width >> 8),
		static_cast<uint8_t>(width),
		0,
		0,
		static_cast<uint8_t>(height >> 8),
		static_cast<uint8_t>(height),
		8,
		colours,
		0,
		0,
		0};
}

aclError predict_jpeg(const Bytes &file, acldvppPixelFormat format, uint32_t *size)
{
	return acldvppJpegPredictDecSize(file.data(), static_cast<uint32_t>(file.size()), format,
					 size);
}

aclError predict_png(const Bytes &file, acldvppPixelFormat format, uint32_t *size)
{
	return acldvppPngPredictDecSize(file.data(), static_cast<uint32_t>(file.size()), format,
					size);
}

TEST_F(ImageFiles, TellTheSubSamplingAndTheSizeOfAJpegFile)
{
	struct Row {
		Bytes samplings;
		acldvppJpegFormat format;
		uint32_t halves;
	};
	for (const Row &row :
	     {Row{{0x11}, ACL_JPEG_CSS_GRAY, 2}, Row{{0x11, 0x11, 0x11}, ACL_JPEG_CSS_444, 6},
	      Row{{0x21, 0x11, 0x11}, ACL_JPEG_CSS_422, 4},
	      Row{{0x22, 0x11, 0x11}, ACL_JPEG_CSS_420, 3},
	      Row{{0x12, 0x11, 0x11}, ACL_JPEG_CSS_440, 4}}) {
		const Bytes file = jpeg(0xc0, 1000, 500, row.samplings);
		const auto bytes = static_cast<uint32_t>(file.size());
		uint32_t width = 0, height = 0, size = 0;
		int32_t components = 0;
		acldvppJpegFormat format = ACL_JPEG_CSS_UNKNOWN;
		ASSERT_OK(acldvppJpegGetImageInfoV2(file.data(), bytes, &width, &height,
						    &components, &format));
		EXPECT_EQ(width, 1000u);
		EXPECT_EQ(height, 500u);
		EXPECT_EQ(components, static_cast<int32_t>(row.samplings.size()));
		EXPECT_EQ(format, row.format);
		EXPECT_OK(acldvppJpegGetImageInfo(file.data(), bytes, &width, &height, nullptr));
		ASSERT_OK(predict_jpeg(file, PIXEL_FORMAT_UNKNOWN, &size));
		EXPECT_EQ(size, 1024u * 512 * row.halves / 2);
		ASSERT_OK(predict_jpeg(file, PIXEL_FORMAT_YVU_SEMIPLANAR_420, &size));
		EXPECT_EQ(size, 1024u * 512 * 3 / 2);
	}
}

TEST_F(ImageFiles, RefuseJpegFilesThatTheDeviceDoesNotDecode)
{
	const Bytes three{0x22, 0x11, 0x11};
	uint32_t size = 7;
	const auto refused = [&](const Bytes &file, const char *word) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, word,
			     predict_jpeg(file, PIXEL_FORMAT_UNKNOWN, &size));
	};
	refused(jpeg(0xc2, 64, 64, three), "kind 2");
	refused(jpeg(0xc9, 64, 64, three), "kind 9");
	refused(jpeg(0xc0, 64, 64, {0x11, 0x11, 0x11, 0x11}), "4 components");
	refused(jpeg(0xc0, 64, 64, {0x41, 0x11, 0x11}), "sub-sampling");
	refused(jpeg(0xc0, 64, 64, {0x22, 0, 0}), "sub-sampling");
	refused(jpeg(0xc0, 1, 1, three), "1 x 1 pixels");
	refused(jpeg(0xc0, 9000, 9000, three), "8192 x 8192");
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "outputPixelFormat is 12",
		     predict_jpeg(jpeg(0xc0, 64, 64, three), PIXEL_FORMAT_RGB_888, &size));
	EXPECT_EQ(size, 7u);
}

TEST_F(ImageFiles, TellTheSizeOfAPngFile)
{
	uint32_t width = 0, height = 0, size = 0;
	int32_t components = 0;
	const Bytes grey = png(100, 40, 0), both = png(100, 40, 6);
	ASSERT_OK(acldvppPngGetImageInfo(both.data(), static_cast<uint32_t>(both.size()), &width,
					 &height, &components));
	EXPECT_EQ(width, 100u);
	EXPECT_EQ(height, 40u);
	EXPECT_EQ(components, 4);
	ASSERT_OK(predict_png(both, PIXEL_FORMAT_UNKNOWN, &size));
	EXPECT_EQ(size, 128u * 48 * 4);
	ASSERT_OK(predict_png(grey, PIXEL_FORMAT_UNKNOWN, &size));
	EXPECT_EQ(size, 128u * 48 * 3);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "is 16",
		     predict_png(grey, PIXEL_FORMAT_RGBA_8888, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "palette",
		     predict_png(png(100, 40, 3), PIXEL_FORMAT_UNKNOWN, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "4096 x 4096",
		     predict_png(png(5000, 40, 2), PIXEL_FORMAT_RGB_888, &size));
}

/* Each copy ends where its bytes do, so that the sanitizers see a read behind it. */
TEST_F(ImageFiles, RefuseEachPartOfAHead)
{
	const Bytes files[] = {jpeg(0xc0, 64, 64, {0x22, 0x11, 0x11}), png(64, 64, 2)};
	uint32_t size;
	for (size_t i = 0; i < files[0].size(); i++)
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "data",
			     predict_jpeg(Bytes(files[0].begin(), files[0].begin() + i),
					  PIXEL_FORMAT_UNKNOWN, &size));
	for (size_t i = 0; i < files[1].size(); i++)
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "data",
			     predict_png(Bytes(files[1].begin(), files[1].begin() + i),
					 PIXEL_FORMAT_UNKNOWN, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "width",
		     acldvppJpegGetImageInfo(files[0].data(), 1, nullptr, &size, nullptr));
}

} // namespace
