// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL subscriptions of operators
 *
 * All records have the same size, so record i in the data of a pipe starts at i times that size.
 */
#include <cstring>

#include <fcntl.h>

#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "umd/acl/front.h"
#include "umd/core/model/subscription.h"
#include "umd/core/process/plain_object.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::OperatorPipe;
using umd::OperatorRecord;
using umd::set_error;

static_assert(sizeof(OperatorRecord::type) >= ACL_PROF_MAX_OP_TYPE_LEN);
static_assert(sizeof(OperatorRecord::name) >= ACL_PROF_MAX_OP_NAME_LEN);

struct aclprofSubscribeConfig : umd::PlainObject<umd::Kind::SUBSCRIPTION> {
	static constexpr const char *NAME = "configuration of a subscription";

	bool times;
	/* The models that are subscribed with this configuration own the pipe. The last of them to be
	 * unsubscribed or destroyed closes the descriptor. */
	std::weak_ptr<OperatorPipe> pipe;
	bool used; /* a model was subscribed with this configuration */
	int fd;
};

static Status check_descriptor(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("*fd is {}; it must be a descriptor that can be written to, "
				     "such as the second one of a pipe",
				     fd));
}

static Status check_config(int8_t switched, aclprofAicoreMetrics metrics, const void *fd)
{
	if (switched != 0 && switched != 1)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("timeInfoSwitch is {}; it must be 0 or 1", switched));
	if (metrics != ACL_AICORE_NONE &&
	    (metrics < ACL_AICORE_ARITHMETIC_UTILIZATION || metrics > ACL_AICORE_MEMORY_ACCESS))
		return set_error(Status::INVALID_ENUM,
				 fmt::format("aicoreMetrics is {}; it must be 0 to 8, or "
					     "ACL_AICORE_NONE (255)",
					     static_cast<int>(metrics)));
	return fd ? check_descriptor(*static_cast<const int *>(fd)) : null_argument("fd");
}

aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
						     aclprofAicoreMetrics aicoreMetrics, void *fd)
{
	Status status = check_config(timeInfoSwitch, aicoreMetrics, fd);
	aclprofSubscribeConfig *made =
		status == Status::OK ? umd::make_plain<aclprofSubscribeConfig>() : nullptr;
	if (status == Status::OK && !made)
		status = Status::NO_MEMORY;
	(void)acl_return(status);
	if (!made)
		return nullptr;
	made->times = timeInfoSwitch == 1;
	made->used = false;
	made->fd = *static_cast<const int *>(fd);
	return umd::handle_of(*made);
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig)
{
	auto config = TRY(umd::retire_plain(profSubscribeConfig, "profSubscribeConfig"));
	config->pipe.reset();
	umd::free_plain(*config);
	return ACL_SUCCESS;
}

/* The pipe exists even without times: no record goes through it, but it is closed when the subscription
 * ends. */
static Result<std::shared_ptr<OperatorPipe>> pipe_of(aclprofSubscribeConfig &config)
{
	auto pipe = config.pipe.lock();
	if (!pipe && config.used)
		return set_error(Status::INVALID_ENUM,
				 "profSubscribeConfig: its descriptor was closed when the last "
				 "model was unsubscribed; make another one with a new pipe");
	if (!pipe) {
		TRY(check_descriptor(config.fd));
		pipe = std::make_shared<OperatorPipe>(config.fd);
	}
	return pipe;
}

aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig)
{
	auto config = TRY(umd::find_plain(profSubscribeConfig, "profSubscribeConfig"));
	auto pipe = TRY(pipe_of(*config));
	Status status = umd::subscribe(modelId, pipe, config->times);
	if (status == Status::OK) {
		config->pipe = pipe;
		config->used = true;
	}
	return acl_return(status);
}

aclError aclprofModelUnSubscribe(uint32_t modelId)
{
	return acl_return(umd::unsubscribe(modelId));
}

aclError aclprofGetOpDescSize(size_t *opDescSize)
{
	if (!opDescSize)
		return acl_return(null_argument("opDescSize"));
	*opDescSize = sizeof(OperatorRecord);
	return ACL_SUCCESS;
}

static Status check_records(const void *info, size_t length)
{
	if (!info)
		return null_argument("opInfo");
	if (length > 0 && length % sizeof(OperatorRecord) == 0)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("opInfoLen is {}; it must be a multiple of what "
				     "aclprofGetOpDescSize tells, {}",
				     length, sizeof(OperatorRecord)));
}

aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber)
{
	Status status = opNumber ? check_records(opInfo, opInfoLen) : null_argument("opNumber");
	if (status == Status::OK)
		*opNumber = static_cast<uint32_t>(opInfoLen / sizeof(OperatorRecord));
	return acl_return(status);
}

/* Copies record @index to @record, because the program's memory may be unaligned. Return: the address
 * of the record in the program's memory. */
static Result<const char *> find_record(const void *info, size_t length, uint32_t index,
					OperatorRecord &record)
{
	TRY(check_records(info, length));
	size_t count = length / sizeof(record);
	if (index >= count)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("index is {}; opInfo has {} operators", index, count));
	const char *at = static_cast<const char *>(info) + index * sizeof(record);
	memcpy(&record, at, sizeof(record));
	if (record.magic == OperatorRecord::MAGIC)
		return at;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("opInfo is no record of an operator at index {}; pass what came "
			    "through the pipe from its first byte on",
			    index));
}

/* Return: a number of record @index, or @none on failure. */
template <class T, class Member>
static T number_of(const void *info, size_t length, uint32_t index, T none, Member member)
{
	OperatorRecord record;
	auto found = find_record(info, length, index, record);
	(void)acl_return(found.status());
	return found ? static_cast<T>(member(record)) : none;
}

/* A text of a record, which ends with a zero within its array. */
template <size_t Room> using Text = char (OperatorRecord::*)[Room];

template <size_t Room>
static Status tell_length(const void *info, size_t length, uint32_t index, Text<Room> text,
			  size_t *out, const char *name)
{
	OperatorRecord record;
	if (!out)
		return null_argument(name);
	TRY(find_record(info, length, index, record));
	*out = strnlen(record.*text, Room - 1) + 1;
	return Status::OK;
}

template <size_t Room>
static Status tell_text(const void *info, size_t length, uint32_t index, Text<Room> text, char *out,
			size_t bytes, const char *name)
{
	OperatorRecord record;
	if (!out)
		return null_argument(name);
	TRY(find_record(info, length, index, record));
	const size_t characters = strnlen(record.*text, Room - 1);
	if (bytes <= characters)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("{}Len is {}; the text needs {} bytes with its zero",
					     name, bytes, characters + 1));
	memcpy(out, record.*text, characters);
	out[characters] = '\0';
	return Status::OK;
}

aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index,
			     size_t *opTypeLen)
{
	return acl_return(tell_length(opInfo, opInfoLen, index, &OperatorRecord::type, opTypeLen,
				      "opTypeLen"));
}

aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index, char *opType,
			  size_t opTypeLen)
{
	return acl_return(tell_text(opInfo, opInfoLen, index, &OperatorRecord::type, opType,
				    opTypeLen, "opType"));
}

aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index,
			     size_t *opNameLen)
{
	return acl_return(tell_length(opInfo, opInfoLen, index, &OperatorRecord::name, opNameLen,
				      "opNameLen"));
}

aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index, char *opName,
			  size_t opNameLen)
{
	return acl_return(tell_text(opInfo, opInfoLen, index, &OperatorRecord::name, opName,
				    opNameLen, "opName"));
}

uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return number_of(opInfo, opInfoLen, index, uint64_t{0},
			 [](const OperatorRecord &record) { return record.begin_ns; });
}

uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return number_of(opInfo, opInfoLen, index, uint64_t{0},
			 [](const OperatorRecord &record) { return record.end_ns; });
}

uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return number_of(opInfo, opInfoLen, index, uint64_t{0}, [](const OperatorRecord &record) {
		return record.end_ns - record.begin_ns;
	});
}

size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return number_of(opInfo, opInfoLen, index, size_t{0},
			 [](const OperatorRecord &record) { return record.model; });
}

aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return number_of(opInfo, opInfoLen, index, ACL_SUBSCRIBE_NONE,
			 [](const OperatorRecord &) { return ACL_SUBSCRIBE_OP; });
}

const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen, uint32_t index,
				   aclprofSubscribeOpAttri attri)
{
	OperatorRecord record;
	auto found = find_record(opInfo, opInfoLen, index, record);
	Status status = found.status();
	if (status == Status::OK && attri != ACL_SUBSCRIBE_ATTRI_THREADID)
		status = set_error(Status::INVALID_ENUM,
				   fmt::format("attri is {}; it must be "
					       "ACL_SUBSCRIBE_ATTRI_THREADID (0)",
					       static_cast<int>(attri)));
	(void)acl_return(status);
	return status == Status::OK ? *found + offsetof(OperatorRecord, thread) : nullptr;
}
