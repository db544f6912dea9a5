// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of pictures and their tasks
 *
 * Fields are kept as the program gives them; tasks check them.
 */
#include "picture_objects.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/process/owned.h"

using base::Status;
using umd::acl_return;
using umd::set_error;

namespace {

struct CountsAdded {
	std::atomic<bool> are = false;
};

/* With UNPU_CHECK, a report of leaks tells the number of these objects too. */
void count_objects()
{
	if (!umd::check::is_on() || umd::Process::own<CountsAdded>().are.exchange(true)) [[likely]]
		return;
	using umd::PlainTable;
	using umd::check::live_objects;
	auto &all = umd::check::OwnedObjects::get();
	all.count("channel of pictures", live_objects<PlainTable<acldvppChannelDesc>>);
	all.count("description of a picture", live_objects<PlainTable<acldvppPicDesc>>);
	all.count("batch of pictures", live_objects<PlainTable<acldvppBatchPicDesc>>);
	all.count("region of a picture", live_objects<PlainTable<acldvppRoiConfig>>);
	all.count("configuration of scaling", live_objects<PlainTable<acldvppResizeConfig>>);
}

template <class T> T *make(const char *caller = __builtin_FUNCTION())
{
	count_objects();
	T *const object = umd::make_plain<T>(caller);
	if (!object)
		(void)acl_return(Status::NO_MEMORY);
	return object;
}

template <class T>
aclError destroy(T *handle, const char *argument, const char *caller = __builtin_FUNCTION())
{
	const auto object = TRY(umd::retire_plain<T>(handle, argument, caller));
	umd::free_plain(*object);
	return ACL_SUCCESS;
}

template <class T, class Value>
aclError set(T *handle, const char *argument, Value T::*field, Value value,
	     const char *caller = __builtin_FUNCTION())
{
	const auto object = TRY(umd::find_plain<T>(handle, argument, caller));
	object->*field = value;
	return ACL_SUCCESS;
}

template <class T, class Value>
Value get(const T *handle, const char *argument, Value T::*field, Value other,
	  const char *caller = __builtin_FUNCTION())
{
	const auto object = umd::find_plain<T>(handle, argument, caller);
	(void)acl_return(object.status());
	return object ? (*object)->*field : other;
}

acldvppPicDesc *make_picture(bool is_member, const char *caller = __builtin_FUNCTION())
{
	auto *const picture = make<acldvppPicDesc>(caller);
	if (!picture)
		return nullptr;
	picture->data = nullptr;
	picture->size = picture->width = picture->height = 0;
	picture->width_stride = picture->height_stride = picture->result = 0;
	picture->format = PIXEL_FORMAT_YUV_400;
	picture->is_member = is_member;
	return umd::handle_of(*picture);
}

} // namespace

acldvppChannelDesc *acldvppCreateChannelDesc()
{
	auto *const channel = make<acldvppChannelDesc>();
	if (!channel)
		return nullptr;
	channel->is_open = false;
	return umd::handle_of(*channel);
}

aclError acldvppDestroyChannelDesc(acldvppChannelDesc *channelDesc)
{
	return destroy(channelDesc, "channelDesc");
}

uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc *channelDesc)
{
	const auto channel = umd::find_plain(channelDesc, "channelDesc");
	(void)acl_return(channel.status());
	return channel ? reinterpret_cast<uintptr_t>(channelDesc) & 0xffffff : 0;
}

static aclError check_state(const acldvppChannelDesc &channel, bool is_open, const char *caller)
{
	if (channel.is_open == is_open)
		return ACL_SUCCESS;
	return acl_return(
		set_error(Status::NULL_POINTER,
			  fmt::format("{}: channelDesc has {}", caller,
				      is_open ? "no channel; acldvppCreateChannel makes one"
					      : "a channel already")));
}

aclError acldvppSetChannelDescMode(acldvppChannelDesc *channelDesc, uint32_t mode)
{
	constexpr uint32_t KNOWN = 7;
	const auto channel = TRY(umd::find_plain(channelDesc, "channelDesc"));
	if (mode == 0 || mode > KNOWN)
		return acl_return(set_error(
			Status::NULL_POINTER,
			fmt::format("acldvppSetChannelDescMode: mode is {}; it must be 1 to 7",
				    mode)));
	return check_state(*channel, false, __func__);
}

aclError acldvppCreateChannel(acldvppChannelDesc *channelDesc)
{
	const auto channel = TRY(umd::find_plain(channelDesc, "channelDesc"));
	TRY(umd::Contexts::get().current());
	const aclError state = check_state(*channel, false, __func__);
	if (state == ACL_SUCCESS)
		channel->is_open = true;
	return state;
}

aclError acldvppDestroyChannel(acldvppChannelDesc *channelDesc)
{
	const auto channel = TRY(umd::find_plain(channelDesc, "channelDesc"));
	const aclError state = check_state(*channel, true, __func__);
	channel->is_open = false;
	return state;
}

acldvppPicDesc *acldvppCreatePicDesc()
{
	return make_picture(false);
}

aclError acldvppDestroyPicDesc(acldvppPicDesc *picDesc)
{
	const auto picture = TRY(umd::find_plain(picDesc, "picDesc"));
	if (picture->is_member)
		return acl_return(set_error(Status::NULL_POINTER,
					    "acldvppDestroyPicDesc: picDesc belongs to a batch; "
					    "acldvppDestroyBatchPicDesc destroys it"));
	return destroy(picDesc, "picDesc");
}

aclError acldvppSetPicDescData(acldvppPicDesc *picDesc, void *dataDev)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::data, dataDev);
}

aclError acldvppSetPicDescSize(acldvppPicDesc *picDesc, uint32_t size)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::size, size);
}

aclError acldvppSetPicDescFormat(acldvppPicDesc *picDesc, acldvppPixelFormat format)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::format, format);
}

aclError acldvppSetPicDescWidth(acldvppPicDesc *picDesc, uint32_t width)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::width, width);
}

aclError acldvppSetPicDescHeight(acldvppPicDesc *picDesc, uint32_t height)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::height, height);
}

aclError acldvppSetPicDescWidthStride(acldvppPicDesc *picDesc, uint32_t widthStride)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::width_stride, widthStride);
}

aclError acldvppSetPicDescHeightStride(acldvppPicDesc *picDesc, uint32_t heightStride)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::height_stride, heightStride);
}

aclError acldvppSetPicDescRetCode(acldvppPicDesc *picDesc, uint32_t retCode)
{
	return set(picDesc, "picDesc", &acldvppPicDesc::result, retCode);
}

void *acldvppGetPicDescData(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::data, static_cast<void *>(nullptr));
}

uint32_t acldvppGetPicDescSize(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::size, 0u);
}

acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::format, PIXEL_FORMAT_UNKNOWN);
}

uint32_t acldvppGetPicDescWidth(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::width, 0u);
}

uint32_t acldvppGetPicDescHeight(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::height, 0u);
}

uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::width_stride, 0u);
}

uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::height_stride, 0u);
}

uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc *picDesc)
{
	return get(picDesc, "picDesc", &acldvppPicDesc::result, 0u);
}

acldvppBatchPicDesc *acldvppCreateBatchPicDesc(uint32_t batchSize)
{
	if (batchSize == 0) {
		(void)acl_return(set_error(
			Status::NULL_POINTER,
			"acldvppCreateBatchPicDesc: batchSize is 0; it must be 1 or more"));
		return nullptr;
	}
	auto *const batch = make<acldvppBatchPicDesc>();
	if (!batch)
		return nullptr;
	batch->members.clear();
	acldvppBatchPicDesc *const handle = umd::handle_of(*batch);
	for (uint32_t i = 0; i < batchSize; i++) {
		acldvppPicDesc *const member = make_picture(true);
		if (!member) {
			(void)acldvppDestroyBatchPicDesc(handle);
			return nullptr;
		}
		batch->members.push_back(member);
	}
	return handle;
}

acldvppPicDesc *acldvppGetPicDesc(acldvppBatchPicDesc *batchPicDesc, uint32_t index)
{
	const auto batch = umd::find_plain(batchPicDesc, "batchPicDesc");
	(void)acl_return(batch.status());
	if (!batch)
		return nullptr;
	const size_t count = (*batch)->members.size();
	if (index < count)
		return (*batch)->members[index];
	(void)acl_return(set_error(
		Status::NULL_POINTER,
		fmt::format("acldvppGetPicDesc: index is {}; the batch has {} descriptions", index,
			    count)));
	return nullptr;
}

aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc *batchPicDesc)
{
	const auto batch = TRY(umd::retire_plain(batchPicDesc, "batchPicDesc"));
	for (acldvppPicDesc *const member : batch->members)
		(void)destroy(member, "batchPicDesc");
	batch->members.clear();
	umd::free_plain(*batch);
	return ACL_SUCCESS;
}

acldvppRoiConfig *acldvppCreateRoiConfig(uint32_t left, uint32_t right, uint32_t top,
					 uint32_t bottom)
{
	auto *const region = make<acldvppRoiConfig>();
	if (!region)
		return nullptr;
	region->left = left;
	region->right = right;
	region->top = top;
	region->bottom = bottom;
	return umd::handle_of(*region);
}

aclError acldvppDestroyRoiConfig(acldvppRoiConfig *roiConfig)
{
	return destroy(roiConfig, "roiConfig");
}

aclError acldvppSetRoiConfigLeft(acldvppRoiConfig *roiConfig, uint32_t left)
{
	return set(roiConfig, "roiConfig", &acldvppRoiConfig::left, left);
}

aclError acldvppSetRoiConfigRight(acldvppRoiConfig *roiConfig, uint32_t right)
{
	return set(roiConfig, "roiConfig", &acldvppRoiConfig::right, right);
}

aclError acldvppSetRoiConfigTop(acldvppRoiConfig *roiConfig, uint32_t top)
{
	return set(roiConfig, "roiConfig", &acldvppRoiConfig::top, top);
}

aclError acldvppSetRoiConfigBottom(acldvppRoiConfig *roiConfig, uint32_t bottom)
{
	return set(roiConfig, "roiConfig", &acldvppRoiConfig::bottom, bottom);
}

aclError acldvppSetRoiConfig(acldvppRoiConfig *roiConfig, uint32_t left, uint32_t right,
			     uint32_t top, uint32_t bottom)
{
	const auto region = TRY(umd::find_plain(roiConfig, "roiConfig"));
	region->left = left;
	region->right = right;
	region->top = top;
	region->bottom = bottom;
	return ACL_SUCCESS;
}

acldvppResizeConfig *acldvppCreateResizeConfig()
{
	auto *const config = make<acldvppResizeConfig>();
	if (!config)
		return nullptr;
	config->interpolation = 0;
	return umd::handle_of(*config);
}

aclError acldvppDestroyResizeConfig(acldvppResizeConfig *resizeConfig)
{
	return destroy(resizeConfig, "resizeConfig");
}

aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig *resizeConfig,
					     uint32_t interpolation)
{
	constexpr uint32_t LAST = 5;
	if (interpolation > LAST)
		return acl_return(set_error(Status::NULL_POINTER,
					    fmt::format("acldvppSetResizeConfigInterpolation: "
							"interpolation is {}; it must be 0 to 5",
							interpolation)));
	return set(resizeConfig, "resizeConfig", &acldvppResizeConfig::interpolation,
		   interpolation);
}

uint32_t acldvppGetResizeConfigInterpolation(const acldvppResizeConfig *resizeConfig)
{
	return get(resizeConfig, "resizeConfig", &acldvppResizeConfig::interpolation, 0u);
}
