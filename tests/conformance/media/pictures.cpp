// SPDX-License-Identifier: MIT
/*
 * DOC: pictures
 *
 * Tasks that scale, cut, paste and convert pictures: what they write and leave alone, their order with copies, capture,
 * and what they refuse.
 */
#include <numeric>

#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include "support/fixture.h"

using namespace conformance;

namespace {

/* class Picture - a picture and its memory. */
class Picture {
public:
	Picture(acldvppPixelFormat format, uint32_t width, uint32_t height, uint32_t width_stride,
		uint32_t height_stride, size_t bytes)
		: memory(bytes), desc(acldvppCreatePicDesc())
	{
		EXPECT_OK(acldvppSetPicDescData(desc, memory.data()));
		EXPECT_OK(acldvppSetPicDescSize(desc, static_cast<uint32_t>(bytes)));
		EXPECT_OK(acldvppSetPicDescFormat(desc, format));
		EXPECT_OK(acldvppSetPicDescWidth(desc, width));
		EXPECT_OK(acldvppSetPicDescHeight(desc, height));
		EXPECT_OK(acldvppSetPicDescWidthStride(desc, width_stride));
		EXPECT_OK(acldvppSetPicDescHeightStride(desc, height_stride));
	}
	~Picture() { EXPECT_OK(acldvppDestroyPicDesc(desc)); }
	Picture(const Picture &) = delete;

	DeviceBuffer memory;
	acldvppPicDesc *desc;
};

/* class Pictures - each test has a channel, a configuration and a stream. */
class Pictures : public DeviceTest {
protected:
	void SetUp() override
	{
		DeviceTest::SetUp();
		channel_ = acldvppCreateChannelDesc();
		ASSERT_OK(acldvppCreateChannel(channel_));
		config_ = acldvppCreateResizeConfig();
		ASSERT_OK(acldvppSetResizeConfigInterpolation(config_, 2));
		EXPECT_EQ(acldvppGetResizeConfigInterpolation(config_), 2u);
		ASSERT_OK(aclrtCreateStream(&stream_));
	}

	void TearDown() override
	{
		EXPECT_OK(aclrtDestroyStream(stream_));
		EXPECT_OK(acldvppDestroyResizeConfig(config_));
		EXPECT_OK(acldvppDestroyChannel(channel_));
		EXPECT_OK(acldvppDestroyChannelDesc(channel_));
		DeviceTest::TearDown();
	}

	acldvppChannelDesc *channel_ = nullptr;
	acldvppResizeConfig *config_ = nullptr;
	aclrtStream stream_ = nullptr;
};

/* An NV12 picture of 32 x 8 pixels: 384 bytes. Y is the number of the column plus 28 for each row. */
std::vector<uint8_t> columns()
{
	std::vector<uint8_t> bytes(384);
	for (size_t i = 0; i < 256; i++)
		bytes[i] = static_cast<uint8_t>(i % 32 + i / 32 * 28);
	for (size_t i = 256; i < 384; i++)
		bytes[i] = static_cast<uint8_t>(i % 2 != 0 ? 200 : 50);
	return bytes;
}

TEST_F(Pictures, AreScaledBetweenTheCopiesOfTheirStream)
{
	const Picture in(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 8, 32, 8, 384);
	const Picture out(PIXEL_FORMAT_YVU_SEMIPLANAR_420, 16, 4, 32, 4, 192);
	const PinnedBuffer from(384), to(192);
	const std::vector<uint8_t> bytes = columns();
	std::memcpy(from.data(), bytes.data(), bytes.size());
	out.memory.fill_async(9, stream_);
	ASSERT_OK(aclrtMemcpyAsync(in.memory.data(), 384, from.data(), 384,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream_));
	ASSERT_OK(acldvppVpcResizeAsync(channel_, in.desc, out.desc, config_, stream_));
	ASSERT_OK(aclrtMemcpyAsync(to.data(), 192, out.memory.data(), 192,
				   ACL_MEMCPY_DEVICE_TO_HOST, stream_));
	ASSERT_OK(aclrtSynchronizeStream(stream_));
	const uint8_t *const got = to.as<uint8_t>();
	for (size_t y = 0; y < 4; y++)
		for (size_t x = 0; x < 32; x++)
			EXPECT_EQ(got[y * 32 + x], x < 16 ? 2 * x + 2 * y * 28 : 9)
				<< x << ' ' << y;
	for (size_t i = 0; i < 64; i++)
		EXPECT_EQ(got[128 + i], i % 32 >= 16 ? 9 : i % 2 == 0 ? 200 : 50) << i;
}

TEST_F(Pictures, ArePastedAndTheRestStays)
{
	const Picture in(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 8, 32, 8, 384);
	const Picture out(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 48, 8, 48, 8, 576);
	in.memory.store(columns());
	out.memory.store(std::vector<uint8_t>(576, 9));
	acldvppRoiConfig *const crop = acldvppCreateRoiConfig(0, 0, 0, 0);
	acldvppRoiConfig *const paste = acldvppCreateRoiConfig(16, 23, 2, 5);
	ASSERT_OK(acldvppSetRoiConfigLeft(crop, 8));
	ASSERT_OK(acldvppSetRoiConfigRight(crop, 15));
	ASSERT_OK(acldvppSetRoiConfigTop(crop, 4));
	ASSERT_OK(acldvppSetRoiConfigBottom(crop, 7));
	ASSERT_OK(acldvppVpcCropAndPasteAsync(channel_, in.desc, out.desc, crop, paste, stream_));
	/* The task has copied all of it. */
	ASSERT_OK(acldvppSetRoiConfig(crop, 0, 31, 0, 7));
	ASSERT_OK(acldvppDestroyRoiConfig(paste));
	ASSERT_OK(aclrtSynchronizeStream(stream_));
	const std::vector<uint8_t> got = out.memory.load<uint8_t>();
	for (size_t i = 0; i < 576; i++) {
		const size_t x = i % 48, y = i / 48;
		const bool is_colour = y >= 8;
		const bool is_in =
			x >= 16 && x < 24 && (is_colour ? y >= 9 && y < 11 : y >= 2 && y < 6);
		const size_t wanted = is_colour ? (x % 2 != 0 ? 200 : 50) : x - 8 + (y + 2) * 28;
		EXPECT_EQ(got[i], is_in ? wanted : 9) << x << ' ' << y;
	}
	EXPECT_OK(acldvppDestroyRoiConfig(crop));
}

TEST_F(Pictures, OfABatchAreCutOneByOne)
{
	acldvppBatchPicDesc *const in = acldvppCreateBatchPicDesc(1),
				   *const out = acldvppCreateBatchPicDesc(2);
	const DeviceBuffer source(64), results(8);
	std::vector<uint8_t> grey(64);
	std::iota(grey.begin(), grey.end(), static_cast<uint8_t>(0));
	source.store(grey);
	const auto fill = [](acldvppPicDesc *desc, void *data, uint32_t width, uint32_t height) {
		EXPECT_OK(acldvppSetPicDescData(desc, data));
		EXPECT_OK(acldvppSetPicDescSize(desc, width * height));
		EXPECT_OK(acldvppSetPicDescWidth(desc, width));
		EXPECT_OK(acldvppSetPicDescHeight(desc, height));
	};
	fill(acldvppGetPicDesc(in, 0), source.data(), 8, 8);
	fill(acldvppGetPicDesc(out, 0), results.data(), 2, 2);
	fill(acldvppGetPicDesc(out, 1), results.at(4), 2, 2);
	acldvppRoiConfig *regions[] = {acldvppCreateRoiConfig(0, 1, 0, 1),
				       acldvppCreateRoiConfig(6, 7, 6, 7)};
	uint32_t counts[] = {2};
	ASSERT_OK(acldvppVpcBatchCropAsync(channel_, in, counts, 1, out, regions, stream_));
	ASSERT_OK(aclrtSynchronizeStream(stream_));
	EXPECT_EQ(results.load<uint8_t>(), (std::vector<uint8_t>{0, 1, 8, 9, 54, 55, 62, 63}));
	counts[0] = 3;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "roiNums",
		     acldvppVpcBatchCropAsync(channel_, in, counts, 1, out, regions, stream_));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "batch",
		     acldvppDestroyPicDesc(acldvppGetPicDesc(in, 0)));
	EXPECT_EQ(acldvppGetPicDesc(in, 1), nullptr);
	for (acldvppRoiConfig *const region : regions)
		EXPECT_OK(acldvppDestroyRoiConfig(region));
	EXPECT_OK(acldvppDestroyBatchPicDesc(in));
	EXPECT_OK(acldvppDestroyBatchPicDesc(out));
}

TEST_F(Pictures, AreReadAgainByEachRunOfACapture)
{
	const Picture in(PIXEL_FORMAT_RGB_888, 2, 2, 6, 2, 12),
		out(PIXEL_FORMAT_BGRA_8888, 2, 2, 8, 2, 16);
	aclmdlRI model = nullptr;
	ASSERT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
	ASSERT_OK(acldvppVpcConvertColorAsync(channel_, in.desc, out.desc, stream_));
	ASSERT_OK(aclmdlRICaptureEnd(stream_, &model));
	for (const uint8_t first : {uint8_t{1}, uint8_t{101}}) {
		std::vector<uint8_t> bytes(12);
		std::iota(bytes.begin(), bytes.end(), first);
		in.memory.store(bytes);
		ASSERT_OK(aclmdlRIExecuteAsync(model, stream_));
		ASSERT_OK(aclrtSynchronizeStream(stream_));
		const std::vector<uint8_t> got = out.memory.load<uint8_t>();
		for (size_t pixel = 0; pixel < 4; pixel++)
			for (size_t c = 0; c < 4; c++)
				EXPECT_EQ(got[4 * pixel + c],
					  c < 3 ? first + 3 * pixel + 2 - c : 255);
	}
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Pictures, ThatMakeNoSenseAreRefused)
{
	const Picture in(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 8, 32, 8, 384);
	const Picture out(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 16, 4, 16, 4, 96);
	const auto refused = [&](const char *mention) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, mention,
			     acldvppVpcResizeAsync(channel_, in.desc, out.desc, config_, stream_));
	};
	EXPECT_OK(acldvppVpcResizeAsync(channel_, in.desc, out.desc, config_, stream_));
	EXPECT_OK(acldvppSetPicDescSize(out.desc, 95));
	refused("96 bytes");
	EXPECT_OK(acldvppSetPicDescSize(out.desc, 96));
	EXPECT_OK(acldvppSetPicDescWidthStride(out.desc, 15));
	refused("strides");
	EXPECT_OK(acldvppSetPicDescWidthStride(out.desc, 0));
	EXPECT_OK(acldvppSetPicDescHeightStride(out.desc, 3));
	refused("strides");
	EXPECT_OK(acldvppSetPicDescHeightStride(out.desc, 0));
	EXPECT_OK(acldvppVpcResizeAsync(channel_, in.desc, out.desc, config_, stream_));
	EXPECT_OK(acldvppSetPicDescHeight(out.desc, 1));
	refused("pixels");
	EXPECT_OK(acldvppSetPicDescHeight(out.desc, 4));
	EXPECT_OK(acldvppSetPicDescWidth(in.desc, 0));
	refused("pixels");
	EXPECT_OK(acldvppSetPicDescWidth(in.desc, 32));
	EXPECT_OK(acldvppSetPicDescFormat(in.desc, PIXEL_FORMAT_YVU_PLANAR_420));
	refused("format 20");
	EXPECT_OK(acldvppSetPicDescFormat(in.desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
	EXPECT_OK(acldvppSetPicDescData(in.desc, nullptr));
	refused("no memory");
	EXPECT_EQ(acldvppGetPicDescData(in.desc), nullptr);
	EXPECT_EQ(acldvppGetPicDescRetCode(in.desc), 0u);
	EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(Pictures, NeedLiveDescriptionsAndAChannel)
{
	const Picture in(PIXEL_FORMAT_YUV_400, 16, 4, 16, 4, 64),
		out(PIXEL_FORMAT_YUV_400, 16, 4, 16, 4, 64);
	acldvppPicDesc *const gone = acldvppCreatePicDesc();
	EXPECT_OK(acldvppDestroyPicDesc(gone));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "picDesc", acldvppDestroyPicDesc(gone));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "outputDesc",
		     acldvppVpcResizeAsync(channel_, in.desc, gone, config_, stream_));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "resizeConfig",
		     acldvppVpcResizeAsync(channel_, in.desc, out.desc, nullptr, stream_));
	EXPECT_EQ(acldvppGetPicDescWidth(gone), 0u);
	EXPECT_EQ(acldvppGetPicDescFormat(gone), PIXEL_FORMAT_UNKNOWN);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "already", acldvppCreateChannel(channel_));
	acldvppChannelDesc *const closed = acldvppCreateChannelDesc();
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "acldvppCreateChannel",
		     acldvppVpcResizeAsync(closed, in.desc, out.desc, config_, stream_));
	EXPECT_OK(acldvppSetChannelDescMode(closed, 1));
	EXPECT_OK(acldvppDestroyChannelDesc(closed));
	acldvppRoiConfig *const region = acldvppCreateRoiConfig(0, 16, 0, 3);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "columns 0 to 16",
		     acldvppVpcCropAsync(channel_, in.desc, out.desc, region, stream_));
	EXPECT_OK(acldvppDestroyRoiConfig(region));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "interpolation",
		     acldvppSetResizeConfigInterpolation(config_, 6));
}

} // namespace
