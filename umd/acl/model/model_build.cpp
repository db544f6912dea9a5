// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL models that are built from streams, and labels
 */
#include "umd/core/model/model_build.h"
#include "acl/acl.h"
#include "graph_memory.h"
#include "graph_watch.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/made.h"
#include "umd/core/memory/released.h"
#include "umd/core/model/label.h"
#include "umd/core/model/model.h"
#include "umd/core/model/model_run.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::find_model;
using umd::LabelList;
using umd::Model;
using umd::null_argument;
using umd::set_error;
using umd::Stream;

static_assert(int{UNPU_COMPARE_EQ} == int{ACL_RT_EQUAL} + 1);
static_assert(int{UNPU_COMPARE_NE} == int{ACL_RT_NOT_EQUAL} + 1);
static_assert(int{UNPU_COMPARE_GT} == int{ACL_RT_GREATER} + 1);
static_assert(int{UNPU_COMPARE_GE} == int{ACL_RT_GREATER_OR_EQUAL} + 1);
static_assert(int{UNPU_COMPARE_LT} == int{ACL_RT_LESS} + 1);
static_assert(int{UNPU_COMPARE_LE} == int{ACL_RT_LESS_OR_EQUAL} + 1);

/* NULL is an error here: the default stream is never bound to a model. */
static umd::Held<Stream> find_named(const void *handle, const char *name)
{
	if (!handle)
		return null_argument(name);
	return umd::find_stream(handle, true);
}

aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag)
{
	if (!modelRI)
		return acl_return(null_argument("modelRI"));
	if (flag != 0)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("flag is {}; it must be 0", flag)));
	auto context = TRY(Contexts::get().current());
	auto model = TRY(umd::begin_build(*context));
	*modelRI = Model::table().pointer(*model);
	umd::check::made(*modelRI, "a model", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag)
{
	auto model = TRY(find_model(modelRI));
	auto found = TRY(find_named(stream, "stream"));
	if (flag != ACL_MODEL_STREAM_FLAG_HEAD && flag != ACL_MODEL_STREAM_FLAG_DEFAULT)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("flag is {:#x}; it must be ACL_MODEL_STREAM_FLAG_HEAD (0) or "
				    "ACL_MODEL_STREAM_FLAG_DEFAULT (0x7fffffff)",
				    flag)));
	return acl_return(umd::bind_stream(*model, *found, flag == ACL_MODEL_STREAM_FLAG_HEAD));
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream)
{
	auto model = TRY(find_model(modelRI));
	auto found = TRY(find_named(stream, "stream"));
	return acl_return(umd::end_stream(*model, *found));
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve)
{
	auto model = TRY(find_model(modelRI));
	if (reserve)
		return acl_return(set_error(Status::NULL_POINTER, "reserve must be NULL"));
	return acl_return(umd::end_build(*model));
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream)
{
	auto model = TRY(find_model(modelRI));
	auto found = TRY(find_named(stream, "stream"));
	return acl_return(umd::unbind_stream(*model, *found));
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout)
{
	auto model = TRY(find_model(modelRI));
	auto deadline_ns = TRY(umd::parse_timeout(timeout));
	if (umd::check::is_on()) [[unlikely]] {
		auto stream = TRY(umd::find_stream(nullptr, true));
		TRY(umd::GraphWatch::get().check(*model, *stream));
		TRY(umd::check_graph_memory("aclmdlRIExecute", *model, *stream));
	}
	return acl_return(umd::run_model(*model, deadline_ns));
}

aclError aclmdlRIAbort(aclmdlRI modelRI)
{
	auto model = TRY(find_model(modelRI));
	return acl_return(umd::abort_model(*model));
}

aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream)
{
	auto target = TRY(find_named(activeStream, "activeStream"));
	auto found = TRY(find_named(stream, "stream"));
	return acl_return(umd::activate_stream(*found, *target, {}));
}

static Status check_number(const void *value, const char *name, uint32_t width)
{
	if (!value)
		return null_argument(name);
	TRY(umd::ReleasedMemory::check(name, value));
	if (umd::side_of(value) == umd::Side::HOST || reinterpret_cast<uintptr_t>(value) % width)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("{} is {}; it must be device memory, and a multiple "
					     "of {}",
					     name, fmt::ptr(value), width));
	return Status::OK;
}

/* Makes the packet of a conditional switch, all fields except the line that it activates. */
static Result<unpu_activate> make_rule(const void *left, aclrtCondition cond, const void *right,
				       aclrtCompareDataType type)
{
	auto number = static_cast<int>(cond);
	if (number < ACL_RT_EQUAL || number > ACL_RT_LESS_OR_EQUAL)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("cond is {}; it must be an aclrtCondition, 0 to 5", number));
	if (type != ACL_RT_SWITCH_INT32 && type != ACL_RT_SWITCH_INT64)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("dataType is {}; it must be ACL_RT_SWITCH_INT32 (0) "
					     "or ACL_RT_SWITCH_INT64 (1)",
					     static_cast<int>(type)));
	unpu_activate rule{};
	rule.width = type == ACL_RT_SWITCH_INT64 ? 8 : 4;
	TRY(check_number(left, "leftValue", rule.width));
	TRY(check_number(right, "rightValue", rule.width));
	rule.left = reinterpret_cast<uintptr_t>(left);
	rule.right = reinterpret_cast<uintptr_t>(right);
	rule.compare = static_cast<uint32_t>(number) + 1;
	rule.flags = UNPU_ACTIVATE_LEAVES;
	return rule;
}

aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond, void *rightValue,
			   aclrtCompareDataType dataType, aclrtStream trueStream,
			   aclrtStream falseStream, aclrtStream stream)
{
	auto target = TRY(find_named(trueStream, "trueStream"));
	auto found = TRY(find_named(stream, "stream"));
	if (falseStream)
		return acl_return(set_error(Status::NULL_POINTER, "falseStream must be NULL"));
	auto rule = TRY(make_rule(leftValue, cond, rightValue, dataType));
	return acl_return(umd::activate_stream(*found, *target, rule));
}

aclError aclrtCreateLabel(aclrtLabel *label)
{
	if (!label)
		return acl_return(null_argument("label"));
	auto made = TRY(umd::create_label());
	*label = umd::label_handle(*made);
	return ACL_SUCCESS;
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream)
{
	auto found = TRY(find_named(stream, "stream"));
	auto named = TRY(umd::find_label(label));
	return acl_return(umd::set_label(*named, *found));
}

aclError aclrtDestroyLabel(aclrtLabel label)
{
	auto named = TRY(umd::find_label(label));
	if (!umd::destroy_label(*named, label))
		return acl_return(umd::find_label(label).status());
	return ACL_SUCCESS;
}

aclError aclrtCreateLabelList(aclrtLabel *labels, size_t num, aclrtLabelList *labelList)
{
	if (!labels)
		return acl_return(null_argument("labels"));
	if (!labelList)
		return acl_return(null_argument("labelList"));
	auto list = TRY(umd::create_label_list({labels, num}));
	*labelList = LabelList::table().pointer(*list);
	return ACL_SUCCESS;
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList)
{
	auto list = TRY(umd::find_label_list(labelList));
	auto &lists = LabelList::table();
	if (!lists.retire(*list, labelList))
		return acl_return(umd::find_label_list(labelList).status());
	lists.recycle(*list);
	return ACL_SUCCESS;
}

aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue, aclrtLabelList labelList,
				 aclrtStream stream)
{
	auto found = TRY(find_named(stream, "stream"));
	auto list = TRY(umd::find_label_list(labelList));
	TRY(check_number(ptr, "ptr", sizeof(uint32_t)));
	return acl_return(
		umd::switch_label(*found, reinterpret_cast<uintptr_t>(ptr), maxValue, *list));
}
