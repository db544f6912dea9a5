// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with pictures
 */
#include "mistakes.h"

#include <acl/ops/acl_dvpp.h>

#include <cstdint>

static acldvppPicDesc *make_grey(uint32_t width, uint32_t height)
{
	acldvppPicDesc *const desc = acldvppCreatePicDesc();
	NEED(acldvppSetPicDescData(desc, make_memory(size_t{width} * height)));
	NEED(acldvppSetPicDescSize(desc, width * height));
	NEED(acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_400));
	NEED(acldvppSetPicDescWidth(desc, width));
	NEED(acldvppSetPicDescHeight(desc, height));
	NEED(acldvppSetPicDescWidthStride(desc, width));
	NEED(acldvppSetPicDescHeightStride(desc, height));
	return desc;
}

static acldvppChannelDesc *make_channel()
{
	acldvppChannelDesc *const channel = acldvppCreateChannelDesc();
	NEED(acldvppCreateChannel(channel));
	return channel;
}

static void stride_of_newer_hardware()
{
	begin();
	aclrtStream stream = make_stream();
	acldvppPicDesc *const in = make_grey(64, 32), *const out = make_grey(40, 16);
	TELL(acldvppVpcResizeAsync(make_channel(), in, out, acldvppCreateResizeConfig(), stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void region_of_newer_hardware()
{
	begin();
	aclrtStream stream = make_stream();
	acldvppPicDesc *const in = make_grey(64, 32), *const out = make_grey(32, 16);
	acldvppRoiConfig *const region = acldvppCreateRoiConfig(1, 32, 0, 15);
	TELL(acldvppVpcCropAsync(make_channel(), in, out, region, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void leak_of_pictures()
{
	begin();
	(void)make_grey(64, 32);
	(void)acldvppCreateBatchPicDesc(2);
	(void)acldvppCreateRoiConfig(0, 1, 0, 1);
	(void)make_channel();
	NEED(aclrtResetDevice(0));
	NEED(aclFinalize());
}

const Mistake picture_mistakes[] = {
	{"stride-of-newer-hardware", stride_of_newer_hardware},
	{"region-of-newer-hardware", region_of_newer_hardware},
	{"leak-of-pictures", leak_of_pictures},
	{nullptr, nullptr},
};
