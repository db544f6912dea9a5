// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL marks, ranges and steps that the program records
 */
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "hal/trace.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/process/plain_object.h"
#include "umd/core/process/trace_control.h"
#include "umd/core/stream/stream_mark.h"
#include "umd/core/watch/profiler.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Profiler;
using umd::set_error;

/* Number of ranges that the thread has pushed and not popped. */
static thread_local constinit uint32_t ranges_open = 0;

aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream)
{
	constexpr int32_t MAX_STAMP = 18;
	if (!userdata)
		return acl_return(null_argument("userdata"));
	if (length < 1 || length > MAX_STAMP)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("length is {}; it must be 1 to {}", length, MAX_STAMP)));
	auto found = TRY(umd::find_stream(stream, true));
	if (!hal::trace::on())
		return ACL_SUCCESS;
	/* The program's bytes need not be text, so they are recorded in hexadecimal. */
	std::string words = "stamp ";
	for (int32_t i = 0; i < length; i++)
		words += fmt::format("{:02x}", static_cast<const uint8_t *>(userdata)[i]);
	return acl_return(umd::mark_stream(*found, hal::trace::text(words)));
}

void *aclprofCreateStamp()
{
	auto made = Profiler::get().make_stamp();
	(void)acl_return(made.status());
	return made ? *made : nullptr;
}

void aclprofDestroyStamp(void *stamp)
{
	if (stamp)
		Profiler::get().drop_stamp(stamp);
}

static Status check_text(const char *text, size_t length, const char *name)
{
	constexpr size_t MAX_TEXT = 1024;
	if (!text)
		return null_argument(name);
	if (length == 0 || length > MAX_TEXT)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("{} has {} bytes; it must have 1 to {}", name, length,
					     MAX_TEXT));
	return Status::OK;
}

/* Registers a text with the trace. The text ends after @length bytes or at a zero byte. Return: its
 * number. */
static uint32_t learn(const char *text, size_t length)
{
	return hal::trace::text({text, strnlen(text, length)});
}

aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen)
{
	auto found = TRY(Profiler::get().stamp(stamp));
	Status status = check_text(msg, msgLen, "msg");
	if (status == Status::OK)
		found->words = learn(msg, msgLen);
	return acl_return(status);
}

/* Calls @use with a live stamp while profiling is on. */
template <class Use> static aclError use_stamp(void *stamp, Use use)
{
	auto found = TRY(Profiler::get().stamp(stamp));
	Status status = Profiler::check_on();
	if (status == Status::OK)
		use(*found);
	return acl_return(status);
}

aclError aclprofMark(void *stamp)
{
	return use_stamp(stamp, [](const umd::Stamp &found) { hal::trace::mark(found.words); });
}

aclError aclprofPush(void *stamp)
{
	return use_stamp(stamp, [](const umd::Stamp &found) {
		hal::trace::range_push(found.words);
		ranges_open++;
	});
}

static aclError pop()
{
	Status status = Profiler::check_on();
	if (status == Status::OK && ranges_open == 0)
		status = set_error(Status::PROFILING_OFF,
				   "this thread has no range to pop; aclprofPush and "
				   "aclprofRangePushEx push one");
	if (status == Status::OK) {
		hal::trace::range_pop();
		ranges_open--;
	}
	return acl_return(status);
}

aclError aclprofPop()
{
	return pop();
}

aclError aclprofRangePop()
{
	return pop();
}

aclError aclprofRangeStart(void *stamp, uint32_t *rangeId)
{
	if (!rangeId)
		return acl_return(null_argument("rangeId"));
	auto found = TRY(Profiler::get().stamp(stamp));
	auto id = TRY(Profiler::get().range_start(found->words));
	*rangeId = id;
	return ACL_SUCCESS;
}

aclError aclprofRangeStop(uint32_t rangeId)
{
	return acl_return(Profiler::get().range_stop(rangeId));
}

aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream)
{
	TRY(check_text(msg, msgLen, "msg"));
	TRY(Profiler::check_on());
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::mark_stream(*found, learn(msg, msgLen)));
}

uint64_t aclprofStr2Id(const char *message)
{
	Status status = check_text(message, message ? strlen(message) : 0, "message");
	uint32_t id = status == Status::OK ? hal::trace::text(message) : 0;
	if (status == Status::OK && id == 0)
		status = set_error(Status::NO_RESOURCE,
				   "a process can use 65,536 different texts; use texts again");
	(void)acl_return(status);
	return id;
}

static Status check_attributes(const aclprofEventAttributes *attr)
{
	if (!attr)
		return null_argument("attr");
	if (attr->version != ACL_PROF_EVENT_ATTR_VERSION || attr->size != sizeof(*attr))
		return set_error(Status::INVALID_ENUM,
				 fmt::format("attr: version is {}, size {}; they must be {} and {}",
					     attr->version, attr->size, ACL_PROF_EVENT_ATTR_VERSION,
					     sizeof(*attr)));
	if (attr->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("attr: messageType is {}; it must be "
					     "ACL_PROF_MESSAGE_TYPE_TENSOR_INFO (0)",
					     attr->messageType));
	const aclprofTensorInfo *info = attr->message.tensorInfo;
	if (!info || (!info->tensors && info->tensorNum > 0))
		return null_argument(info ? "attr: tensorInfo->tensors" : "attr: tensorInfo");
	for (uint32_t i = 0; i < info->tensorNum; i++) {
		if (info->tensors[i].shapeDim > ACL_PROF_TENSOR_DATA_SHAPE_LEN)
			return set_error(Status::INVALID_ENUM,
					 fmt::format("attr: tensor {} has {} dimensions; it must "
						     "not have more than {}",
						     i, info->tensors[i].shapeDim,
						     ACL_PROF_TENSOR_DATA_SHAPE_LEN));
	}
	return Status::OK;
}

/* For example "in 1[2, 3]": an input of data type 1 with 2 rows and 3 columns. */
static std::string describe(const aclprofTensor &tensor)
{
	return fmt::format("{} {}[{}]", tensor.type == 0 ? "in" : "out", tensor.dataType,
			   fmt::join(tensor.shape, tensor.shape + tensor.shapeDim, ", "));
}

static uint32_t category_of(const aclprofTensorInfo &info)
{
	std::vector<std::string> tensors;
	for (uint32_t i = 0; i < info.tensorNum; i++)
		tensors.push_back(describe(info.tensors[i]));
	std::string type = hal::trace::text_of(static_cast<uint32_t>(info.opTypeId));
	return hal::trace::text(fmt::format("{} {}", type, fmt::join(tensors, " ")));
}

aclError aclprofRangePushEx(aclprofEventAttributes *attr)
{
	TRY(check_attributes(attr));
	TRY(Profiler::check_on());
	const aclprofTensorInfo &info = *attr->message.tensorInfo;
	hal::trace::range_push(static_cast<uint32_t>(info.opNameId), category_of(info));
	ranges_open++;
	return ACL_SUCCESS;
}

/* A step has a number, which is part of the text of its marks. */
struct aclprofStepInfo : umd::PlainObject<umd::Kind::PROFILE_STEP> {
	static constexpr const char *NAME = "step of a profile";

	uint32_t number;
	uint64_t range;
};

aclprofStepInfo *aclprofCreateStepInfo()
{
	static uint32_t steps;
	auto *made = umd::make_plain<aclprofStepInfo>();
	if (!made) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	made->number = base::fetch_add(steps, uint32_t{1}) + 1;
	made->range = 0;
	return umd::handle_of(*made);
}

void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo)
{
	/* As free(), it does nothing with NULL. */
	if (!stepinfo)
		return;
	const auto ended = umd::retire_plain(stepinfo, "stepinfo");
	(void)acl_return(ended.status());
	if (ended)
		umd::free_plain(**ended);
}

static Status begin_step(aclprofStepInfo &step, umd::Stream &stream)
{
	if (step.range != 0)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format(
				"tag is ACL_STEP_START (0), but step {} has started; end it first",
				step.number));
	uint32_t words = hal::trace::text(fmt::format("step {}", step.number));
	TRY(umd::mark_stream(stream, words));
	step.range = hal::trace::range_start(words);
	return Status::OK;
}

static Status end_step(aclprofStepInfo &step, umd::Stream &stream)
{
	if (step.range == 0)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("tag is ACL_STEP_END (1), but step {} has not "
					     "started; start it first",
					     step.number));
	uint32_t words = hal::trace::text(fmt::format("step {} ends", step.number));
	TRY(umd::mark_stream(stream, words));
	hal::trace::range_stop(step.range);
	step.range = 0;
	return Status::OK;
}

aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream)
{
	auto step = TRY(umd::find_plain(stepInfo, "stepInfo"));
	if (tag != ACL_STEP_START && tag != ACL_STEP_END)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("tag is {}; it must be ACL_STEP_START (0) or ACL_STEP_END (1)",
				    static_cast<int>(tag))));
	TRY(Profiler::check_on());
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(tag == ACL_STEP_START ? begin_step(*step, *found)
						: end_step(*step, *found));
}
