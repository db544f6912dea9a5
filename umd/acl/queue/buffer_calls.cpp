// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL buffers
 *
 * aclrt...Buf() and acltdt...Buf() are two sets of names for the same buffers.
 */
#include "acl/acl.h"
#include "buffer.h"

#include "acl/acl_tdt_queue.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::Buffers;
using umd::null_argument;
using umd::set_error;

aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size)
{
	if (!buf)
		return acl_return(null_argument("buf"));
	auto made = TRY(Buffers::get().allocate(size));
	*buf = made;
	return ACL_SUCCESS;
}

aclError aclrtFreeBuf(aclrtMbuf buf)
{
	return acl_return(Buffers::get().free(buf));
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len)
{
	return acl_return(Buffers::get().set_length(buf, len));
}

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len)
{
	if (!len)
		return acl_return(null_argument("len"));
	return acl_return(Buffers::get().length(buf, len));
}

aclError aclrtGetBufData(const aclrtMbuf buf, void **dataPtr, size_t *size)
{
	if (!dataPtr || !size)
		return acl_return(null_argument(dataPtr ? "size" : "dataPtr"));
	return acl_return(Buffers::get().data(buf, dataPtr, size));
}

/* Checks the program's memory that is copied to or from the private area of a buffer. */
static Status check_area(const void *address, size_t size)
{
	if (!address)
		return null_argument("dataPtr");
	if (size == 0)
		return set_error(Status::NULL_POINTER, "size is 0; it must be positive");
	return Status::OK;
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size, size_t offset)
{
	Status status = check_area(dataPtr, size);
	if (status == Status::OK)
		status = Buffers::get().write_area(buf, dataPtr, size, offset);
	return acl_return(status);
}

aclError aclrtGetBufUserData(const aclrtMbuf buf, void *dataPtr, size_t size, size_t offset)
{
	Status status = check_area(dataPtr, size);
	if (status == Status::OK)
		status = Buffers::get().read_area(buf, dataPtr, size, offset);
	return acl_return(status);
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf *newBuf)
{
	if (!newBuf)
		return acl_return(null_argument("newBuf"));
	auto made = TRY(Buffers::get().share(buf));
	*newBuf = made;
	return ACL_SUCCESS;
}

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf)
{
	return acl_return(Buffers::get().append(headBuf, buf));
}

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num)
{
	if (!num)
		return acl_return(null_argument("num"));
	return acl_return(Buffers::get().chain_length(headBuf, num));
}

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf)
{
	if (!buf)
		return acl_return(null_argument("buf"));
	return acl_return(Buffers::get().at(headBuf, index, buf));
}

aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf *buf)
{
	if (type == ACL_TDT_DVPP_MEM)
		return acl_return(set_error(Status::NOT_SUPPORTED,
					    "type is ACL_TDT_DVPP_MEM (1); the device has no unit "
					    "for pictures; ACL_TDT_NORMAL_MEM (0) works"));
	if (type != ACL_TDT_NORMAL_MEM)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("type is {}; it must be ACL_TDT_NORMAL_MEM (0)", type)));
	return aclrtAllocBuf(buf, size);
}

aclError acltdtFreeBuf(acltdtBuf buf)
{
	return aclrtFreeBuf(buf);
}

aclError acltdtGetBufData(const acltdtBuf buf, void **dataPtr, size_t *size)
{
	return aclrtGetBufData(buf, dataPtr, size);
}

aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len)
{
	return aclrtSetBufDataLen(buf, len);
}

aclError acltdtGetBufDataLen(acltdtBuf buf, size_t *len)
{
	return aclrtGetBufDataLen(buf, len);
}

aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf)
{
	return aclrtAppendBufChain(headBuf, buf);
}

aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num)
{
	return aclrtGetBufChainNum(headBuf, num);
}

aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf *buf)
{
	return aclrtGetBufFromChain(headBuf, index, buf);
}

aclError acltdtGetBufUserData(const acltdtBuf buf, void *dataPtr, size_t size, size_t offset)
{
	return aclrtGetBufUserData(buf, dataPtr, size, offset);
}

aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, size_t size, size_t offset)
{
	return aclrtSetBufUserData(buf, dataPtr, size, offset);
}

aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf *newBuf)
{
	return aclrtCopyBufRef(buf, newBuf);
}
