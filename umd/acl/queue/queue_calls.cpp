// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL queues of buffers
 */
#include "acl/acl.h"
#include "queue.h"

#include <cstring>
#include <new>

#include <unistd.h>

#include "acl/acl_tdt_queue.h"
#include "uapi/operator.h"
#include "umd/acl/parts.h"
#include "umd/core/context/contexts.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/stream/stream.h"

using base::Status;
using umd::acl_return;
using umd::Buffers;
using umd::Contexts;
using umd::null_argument;
using umd::Queues;
using umd::set_error;

/* Plain data: acltdtDestroyQueueAttr() only frees the description itself. */
struct tagMemQueueAttr {
	char name[umd::QUEUE_NAME_BYTES];
	uint32_t depth;
};

acltdtQueueAttr *acltdtCreateQueueAttr(void)
{
	auto *attr = new (std::nothrow) acltdtQueueAttr{"", umd::QUEUE_DEPTH};
	if (!attr)
		(void)acl_return(
			set_error(Status::NO_MEMORY,
				  "no memory is left for attributes; free some of the host's"));
	return attr;
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr)
{
	if (!attr)
		return acl_return(null_argument("attr"));
	delete attr;
	return ACL_SUCCESS;
}

static Status set_name(acltdtQueueAttr &attr, size_t len, const void *param)
{
	if (len != sizeof(const char *))
		return set_error(Status::NULL_POINTER,
				 fmt::format("len is {}; for a name param points to a pointer of "
					     "{} bytes",
					     len, sizeof(const char *)));
	const char *name;
	memcpy(&name, param, sizeof(name));
	if (!name)
		return null_argument("the name");
	size_t length = strnlen(name, sizeof(attr.name));
	if (length == sizeof(attr.name))
		return set_error(
			Status::NULL_POINTER,
			fmt::format("the name is longer than {} bytes", sizeof(attr.name) - 1));
	memcpy(attr.name, name, length + 1);
	return Status::OK;
}

static Status set_depth(acltdtQueueAttr &attr, size_t len, const void *param)
{
	if (len != sizeof(attr.depth))
		return set_error(
			Status::NULL_POINTER,
			fmt::format("len is {}; the depth has {} bytes", len, sizeof(attr.depth)));
	uint32_t depth;
	memcpy(&depth, param, sizeof(depth));
	if (depth < umd::QUEUE_DEPTH_MIN || depth > umd::QUEUE_DEPTH_MAX)
		return set_error(Status::NULL_POINTER,
				 fmt::format("the depth is {}; it must be {} to {}", depth,
					     umd::QUEUE_DEPTH_MIN, umd::QUEUE_DEPTH_MAX));
	attr.depth = depth;
	return Status::OK;
}

static Status unknown_attribute(acltdtQueueAttrType type)
{
	return set_error(Status::INVALID_ENUM,
			 fmt::format("type is {}; it must be ACL_TDT_QUEUE_NAME_PTR (0) or "
				     "ACL_TDT_QUEUE_DEPTH_UINT32 (1)",
				     static_cast<int>(type)));
}

aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len,
			    const void *param)
{
	if (!attr || !param)
		return acl_return(null_argument(attr ? "param" : "attr"));
	switch (type) {
	case ACL_TDT_QUEUE_NAME_PTR:
		return acl_return(set_name(*attr, len, param));
	case ACL_TDT_QUEUE_DEPTH_UINT32:
		return acl_return(set_depth(*attr, len, param));
	}
	return acl_return(unknown_attribute(type));
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len,
			    size_t *paramRetSize, void *param)
{
	if (!attr || !paramRetSize || !param)
		return acl_return(null_argument(!attr	 ? "attr"
						: !param ? "param"
							 : "paramRetSize"));
	switch (type) {
	case ACL_TDT_QUEUE_NAME_PTR: {
		const char *name = attr->name;
		return acl_return(umd::give_part(&name, sizeof(name), len, param, paramRetSize));
	}
	case ACL_TDT_QUEUE_DEPTH_UINT32:
		return acl_return(umd::give_part(&attr->depth, sizeof(attr->depth), len, param,
						 paramRetSize));
	}
	return acl_return(unknown_attribute(type));
}

aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid)
{
	if (!qid)
		return acl_return(null_argument("qid"));
	TRY(Contexts::get().current());
	auto made = TRY(Queues::get().create(attr ? attr->name : "",
					     attr ? attr->depth : umd::QUEUE_DEPTH));
	*qid = made;
	return ACL_SUCCESS;
}

aclError acltdtDestroyQueue(uint32_t qid)
{
	return acl_return(Queues::get().destroy(qid));
}

aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout)
{
	Status status = umd::check_wait(timeout);
	if (status == Status::OK)
		status = Queues::get().enqueue(qid, buf, umd::wait_deadline(timeout));
	return acl_return(status);
}

aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout)
{
	Status status = buf ? umd::check_wait(timeout) : null_argument("buf");
	if (status == Status::OK)
		status = Queues::get().dequeue(qid, buf, umd::wait_deadline(timeout));
	return acl_return(status);
}

/* The program's user data is optional and must fit into the private area of a buffer. */
static Status check_user_data(const void *data, size_t bytes)
{
	if (!data && bytes > 0)
		return null_argument("userData");
	if (bytes > umd::BUFFER_PRIVATE_BYTES)
		return set_error(Status::NULL_POINTER,
				 fmt::format("userDataSize is {}; a buffer has room for {} bytes",
					     bytes, umd::BUFFER_PRIVATE_BYTES));
	return Status::OK;
}

/* @data is host or device memory. */
static Status fill(void *buffer, const void *data, size_t bytes, const void *user,
		   size_t user_bytes)
{
	void *memory;
	size_t room;
	umd::HostView from;
	TRY(Buffers::get().data(buffer, &memory, &room));
	TRY(umd::view_range("data", data, bytes, UNPU_ACCESS_READ, from));
	TRY(umd::move_bytes(umd::host_view(memory), 0, from, 0, bytes));
	TRY(Buffers::get().set_length(buffer, bytes));
	return user ? Buffers::get().write_area(buffer, user, user_bytes, 0) : Status::OK;
}

aclError acltdtEnqueueData(uint32_t qid, const void *data, size_t dataSize, const void *userData,
			   size_t userDataSize, int32_t timeout, uint32_t rsv)
{
	TRY(data ? umd::check_wait(timeout) : null_argument("data"));
	if (rsv != 0)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  fmt::format("rsv is {}; it is reserved and must be 0", rsv)));
	TRY(check_user_data(userData, userDataSize));
	TRY(Queues::get().check(qid));
	auto buffer = TRY(Buffers::get().allocate(dataSize));
	Status status = fill(buffer, data, dataSize, userData, userDataSize);
	if (status == Status::OK)
		status = Queues::get().enqueue(qid, buffer, umd::wait_deadline(timeout));
	if (status != Status::OK)
		(void)Buffers::get().free(buffer);
	return acl_return(status);
}

aclError acltdtDequeueData(uint32_t qid, void *data, size_t dataSize, size_t *retDataSize,
			   void *userData, size_t userDataSize, int32_t timeout)
{
	if (!data || !retDataSize)
		return acl_return(null_argument(data ? "retDataSize" : "data"));
	Status status = umd::check_wait(timeout);
	if (status == Status::OK)
		status = check_user_data(userData, userDataSize);
	if (status == Status::OK)
		status = Queues::get().dequeue_data(qid, data, dataSize, retDataSize, userData,
						    userDataSize, umd::wait_deadline(timeout));
	return acl_return(status);
}

static constexpr uint32_t EVERY_PERMISSION = ACL_TDT_QUEUE_PERMISSION_MANAGE |
					     ACL_TDT_QUEUE_PERMISSION_DEQUEUE |
					     ACL_TDT_QUEUE_PERMISSION_ENQUEUE;

/* The process that created a queue has all permissions for it. Other processes cannot see it. */
aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout)
{
	Status status = umd::check_wait(timeout);
	if (status == Status::OK && (permission == 0 || permission & ~EVERY_PERMISSION))
		status = set_error(Status::NULL_POINTER,
				   fmt::format("permission is {:#x}; it must be bits of {:#x}",
					       permission, EVERY_PERMISSION));
	if (status == Status::OK)
		status = Queues::get().check(qid);
	if (status == Status::OK && pid != getpid())
		status =
			set_error(Status::NOT_SUPPORTED,
				  fmt::format("pid is {}; queues are inside one process; memory is "
					      "shared by aclrtIpcMemGetExportKey",
					      pid));
	return acl_return(status);
}

aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission)
{
	Status status = permission ? umd::check_wait(timeout) : null_argument("permission");
	if (status == Status::OK)
		status = Queues::get().check(qid);
	if (status == Status::OK)
		*permission = EVERY_PERMISSION;
	return acl_return(status);
}
