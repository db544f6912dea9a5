// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL buffers
 */
#include "front.h"

using base::Status;
using umd::acl_return;
using umd::Buffers;
using umd::null_argument;
using umd::Runtime;
using umd::set_error;

static Buffers &buffers()
{
	return Runtime::get().buffers;
}

aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size)
{
	if (!buf)
		return acl_return(null_argument("buf"));
	if (size == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "size is 0; it must be positive"));
	TRY_VALUE(made, buffers().allocate(size));
	*buf = made;
	return ACL_SUCCESS;
}

aclError aclrtFreeBuf(aclrtMbuf buf)
{
	return acl_return(buf ? buffers().release(buf) : null_argument("buf"));
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len)
{
	return acl_return(buf ? buffers().set_used(buf, len) : null_argument("buf"));
}

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len)
{
	if (!buf || !len)
		return acl_return(null_argument(buf ? "len" : "buf"));
	TRY_VALUE(used, buffers().used(buf));
	*len = used;
	return ACL_SUCCESS;
}

aclError aclrtGetBufData(const aclrtMbuf buf, void **dataPtr, size_t *size)
{
	if (!buf || !dataPtr || !size)
		return acl_return(null_argument(!buf ? "buf" : dataPtr ? "size" : "dataPtr"));
	return acl_return(buffers().memory(buf, *dataPtr, *size));
}

static Status check_notes(const void *buf, const void *dataPtr, size_t size, size_t offset)
{
	if (!buf || !dataPtr)
		return null_argument(buf ? "dataPtr" : "buf");
	constexpr size_t ALL = umd::Buffer::NOTES_BYTES;
	if (size <= ALL && offset <= ALL - size)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("size is {}, offset is {}; the private area has {} bytes",
				     size, offset, ALL));
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size, size_t offset)
{
	Status status = check_notes(buf, dataPtr, size, offset);
	return acl_return(status == Status::OK ? buffers().write_notes(buf, dataPtr, size, offset)
					       : status);
}

aclError aclrtGetBufUserData(const aclrtMbuf buf, void *dataPtr, size_t size, size_t offset)
{
	Status status = check_notes(buf, dataPtr, size, offset);
	return acl_return(status == Status::OK ? buffers().read_notes(buf, dataPtr, size, offset)
					       : status);
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf *newBuf)
{
	if (!buf || !newBuf)
		return acl_return(null_argument(buf ? "newBuf" : "buf"));
	TRY_VALUE(made, buffers().refer(buf));
	*newBuf = made;
	return ACL_SUCCESS;
}

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf)
{
	if (!headBuf || !buf)
		return acl_return(null_argument(headBuf ? "buf" : "headBuf"));
	return acl_return(buffers().append(headBuf, buf));
}

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num)
{
	if (!headBuf || !num)
		return acl_return(null_argument(headBuf ? "num" : "headBuf"));
	TRY_VALUE(count, buffers().count(headBuf));
	*num = count;
	return ACL_SUCCESS;
}

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf)
{
	if (!headBuf || !buf)
		return acl_return(null_argument(headBuf ? "buf" : "headBuf"));
	TRY_VALUE(found, buffers().at(headBuf, index));
	*buf = found;
	return ACL_SUCCESS;
}
