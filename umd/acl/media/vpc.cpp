// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks that scale, cut, paste and convert pictures
 *
 * Each is one operator of the kind PICTURE. A batch is checked as a whole before its first task.
 */
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "planes.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/process/call.h"
#include "umd/core/stream/stream.h"

using base::Status;
using umd::acl_return;
using umd::find_plain;
using umd::Planes;
using umd::set_error;
using umd::Use;

namespace {

/* struct Task - the arguments of a task; a region that is NULL is the whole picture. */
struct Task {
	const char *caller;
	const acldvppPicDesc *in, *out;
	const acldvppRoiConfig *crop = nullptr, *paste = nullptr;
	bool needs_crop = false, needs_paste = false;
};

Status check_channel(const char *caller, const acldvppChannelDesc *handle)
{
	const auto channel = TRY(find_plain(handle, "channelDesc", caller));
	if (channel->is_open)
		return Status::OK;
	return set_error(
		Status::NULL_POINTER,
		fmt::format("{}: channelDesc has no channel; acldvppCreateChannel makes one",
			    caller));
}

base::Result<uint32_t> find_filter(const char *caller, const acldvppResizeConfig *handle)
{
	const auto config = TRY(find_plain(handle, "resizeConfig", caller));
	const bool is_nearest = config->interpolation == 2 || config->interpolation == 4;
	return uint32_t{is_nearest ? UNPU_PICTURE_NEAREST : UNPU_PICTURE_BILINEAR};
}

base::Result<Planes> find_side(const char *caller, const acldvppPicDesc *handle,
			       const char *argument, const acldvppRoiConfig *region,
			       const char *region_argument, Use use, bool needs_region)
{
	const auto picture = TRY(find_plain(handle, argument, caller));
	if (!needs_region)
		return umd::find_planes(caller, *picture, argument);
	const auto found = TRY(find_plain(region, region_argument, caller));
	return umd::find_region(caller, *picture, argument, *found, region_argument, use);
}

/* check_scale() - the lengths that units for pictures scale between. */
Status check_scale(const Task &task, const Planes &out, const Planes &in)
{
	constexpr uint64_t SMALLER = 32, LARGER = 16;
	const auto is_far = [](uint64_t to, uint64_t from) {
		return to * SMALLER < from || to > from * LARGER;
	};
	if (!is_far(out.width, in.width) && !is_far(out.height, in.height))
		return Status::OK;
	return set_error(
		Status::NULL_POINTER,
		fmt::format(
			"{}: {} x {} pixels become {} x {}; a length becomes at least 1/{} and at "
			"most {} times as much",
			task.caller, in.width, in.height, out.width, out.height, SMALLER, LARGER));
}

base::Result<std::vector<uint64_t>> plan(const Task &task, uint32_t filter)
{
	const Planes in = TRY(find_side(task.caller, task.in, "inputDesc", task.crop, "cropArea",
					Use::CROP, task.needs_crop));
	const Planes out = TRY(find_side(task.caller, task.out, "outputDesc", task.paste,
					 "pasteArea", Use::PASTE, task.needs_paste));
	TRY(check_scale(task, out, in));
	return umd::picture_words(out, in, filter);
}

Status launch(aclrtStream stream, const std::vector<uint64_t> &words)
{
	const auto found = TRY(umd::find_stream(stream, true));
	unpu_packet packet =
		drv::tensor_packet(drv::cookie_call(static_cast<uint8_t>(umd::Call::OPERATOR)),
				   UNPU_TENSOR_PICTURE, words.size() * sizeof(uint64_t));
	packet.flags = umd::operator_flags(*found);
	return umd::enqueue_tensor(*found, packet, words);
}

aclError run(acldvppChannelDesc *channel, const Task &task, const acldvppResizeConfig *config,
	     bool has_config, aclrtStream stream)
{
	TRY(check_channel(task.caller, channel));
	uint32_t filter = UNPU_PICTURE_BILINEAR;
	if (has_config)
		filter = TRY(find_filter(task.caller, config));
	const auto words = TRY(plan(task, filter));
	return acl_return(launch(stream, words));
}

/* struct Batch - the arguments of a call for several pictures. */
struct Batch {
	const char *caller;
	acldvppChannelDesc *channel;
	acldvppBatchPicDesc *in;
	const uint32_t *counts;
	uint32_t size;
	acldvppBatchPicDesc *out;
	acldvppRoiConfig **crops;
	acldvppRoiConfig **pastes;
	bool has_pastes;
	const acldvppResizeConfig *config;
	bool has_config;
};

Status refuse(const Batch &batch, const std::string &text)
{
	return set_error(Status::NULL_POINTER, fmt::format("{}: {}", batch.caller, text));
}

/* plan_all() - the descriptor of each task. */
base::Result<std::vector<std::vector<uint64_t>>> plan_all(const Batch &batch)
{
	TRY(check_channel(batch.caller, batch.channel));
	const auto in = TRY(find_plain(batch.in, "srcBatchPicDescs", batch.caller));
	const auto out = TRY(find_plain(batch.out, "dstBatchPicDescs", batch.caller));
	uint32_t filter = UNPU_PICTURE_BILINEAR;
	if (batch.has_config)
		filter = TRY(find_filter(batch.caller, batch.config));
	if (!batch.counts || !batch.crops || (batch.has_pastes && !batch.pastes))
		return umd::null_argument(!batch.counts	 ? "roiNums"
					  : !batch.crops ? "cropAreas"
							 : "pasteAreas");
	if (batch.size == 0 || batch.size > in->members.size())
		return refuse(batch, fmt::format("size is {}; srcBatchPicDescs has {} descriptions",
						 batch.size, in->members.size()));
	std::vector<std::vector<uint64_t>> all;
	for (uint32_t i = 0; i < batch.size; i++) {
		if (batch.counts[i] > out->members.size() - all.size())
			return refuse(batch,
				      fmt::format("roiNums asks for more results than the {} of "
						  "dstBatchPicDescs",
						  out->members.size()));
		for (uint32_t k = 0; k < batch.counts[i]; k++) {
			const size_t n = all.size();
			Task task{batch.caller, in->members[i], out->members[n], batch.crops[n]};
			task.needs_crop = true;
			task.needs_paste = batch.has_pastes;
			task.paste = batch.has_pastes ? batch.pastes[n] : nullptr;
			auto words = TRY(plan(task, filter));
			all.push_back(std::move(words));
		}
	}
	return all;
}

aclError run_batch(const Batch &batch, aclrtStream stream)
{
	const auto all = TRY(plan_all(batch));
	for (const std::vector<uint64_t> &words : all)
		TRY(launch(stream, words));
	return ACL_SUCCESS;
}

} // namespace

aclError acldvppVpcResizeAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
			       acldvppPicDesc *outputDesc, acldvppResizeConfig *resizeConfig,
			       aclrtStream stream)
{
	return run(channelDesc, {__func__, inputDesc, outputDesc}, resizeConfig, true, stream);
}

aclError acldvppVpcCropAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
			     acldvppPicDesc *outputDesc, acldvppRoiConfig *cropArea,
			     aclrtStream stream)
{
	return run(channelDesc, {__func__, inputDesc, outputDesc, cropArea, nullptr, true}, nullptr,
		   false, stream);
}

aclError acldvppVpcCropResizeAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
				   acldvppPicDesc *outputDesc, acldvppRoiConfig *cropArea,
				   acldvppResizeConfig *resizeConfig, aclrtStream stream)
{
	return run(channelDesc, {__func__, inputDesc, outputDesc, cropArea, nullptr, true},
		   resizeConfig, true, stream);
}

aclError acldvppVpcCropAndPasteAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
				     acldvppPicDesc *outputDesc, acldvppRoiConfig *cropArea,
				     acldvppRoiConfig *pasteArea, aclrtStream stream)
{
	return run(channelDesc, {__func__, inputDesc, outputDesc, cropArea, pasteArea, true, true},
		   nullptr, false, stream);
}

aclError acldvppVpcCropResizePasteAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
					acldvppPicDesc *outputDesc, acldvppRoiConfig *cropArea,
					acldvppRoiConfig *pasteArea,
					acldvppResizeConfig *resizeConfig, aclrtStream stream)
{
	return run(channelDesc, {__func__, inputDesc, outputDesc, cropArea, pasteArea, true, true},
		   resizeConfig, true, stream);
}

aclError acldvppVpcBatchCropAsync(acldvppChannelDesc *channelDesc,
				  acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
				  uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs,
				  acldvppRoiConfig *cropAreas[], aclrtStream stream)
{
	return run_batch({__func__, channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs,
			  cropAreas, nullptr, false, nullptr, false},
			 stream);
}

aclError acldvppVpcBatchCropResizeAsync(acldvppChannelDesc *channelDesc,
					acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
					uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs,
					acldvppRoiConfig *cropAreas[],
					acldvppResizeConfig *resizeConfig, aclrtStream stream)
{
	return run_batch({__func__, channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs,
			  cropAreas, nullptr, false, resizeConfig, true},
			 stream);
}

aclError acldvppVpcBatchCropAndPasteAsync(acldvppChannelDesc *channelDesc,
					  acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
					  uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs,
					  acldvppRoiConfig *cropAreas[],
					  acldvppRoiConfig *pasteAreas[], aclrtStream stream)
{
	return run_batch({__func__, channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs,
			  cropAreas, pasteAreas, true, nullptr, false},
			 stream);
}

aclError acldvppVpcBatchCropResizePasteAsync(
	acldvppChannelDesc *channelDesc, acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
	uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs, acldvppRoiConfig *cropAreas[],
	acldvppRoiConfig *pasteAreas[], acldvppResizeConfig *resizeConfig, aclrtStream stream)
{
	return run_batch({__func__, channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs,
			  cropAreas, pasteAreas, true, resizeConfig, true},
			 stream);
}

aclError acldvppVpcConvertColorAsync(acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc,
				     acldvppPicDesc *outputDesc, aclrtStream stream)
{
	const auto in = TRY(find_plain(inputDesc, "inputDesc"));
	const auto out = TRY(find_plain(outputDesc, "outputDesc"));
	if (in->width != out->width || in->height != out->height)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  fmt::format("acldvppVpcConvertColorAsync: inputDesc has {} x {} "
					      "pixels and outputDesc "
					      "{} x {}; they must have one size",
					      in->width, in->height, out->width, out->height)));
	return run(channelDesc, {__func__, inputDesc, outputDesc}, nullptr, false, stream);
}
