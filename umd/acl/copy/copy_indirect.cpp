// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL copies whose addresses are in device memory
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/released.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;

/* struct CopyDescription - the layout that aclrtSetMemcpyDesc() writes to device memory. */
struct CopyDescription {
	uint64_t dst;
	uint64_t src;
	uint64_t bytes;
	uint64_t reserved[5];
};

static Status check_inner(aclrtMemcpyKind kind)
{
	if (kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("kind is {}; it must be ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6)",
				     static_cast<int>(kind)));
}

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize)
{
	if (!descSize)
		return acl_return(null_argument("descSize"));
	Status status = check_inner(kind);
	if (status == Status::OK)
		*descSize = sizeof(CopyDescription);
	return acl_return(status);
}

static Status check_description(const void *desc, aclrtMemcpyKind kind)
{
	if (!desc)
		return null_argument("desc");
	TRY(check_inner(kind));
	if (reinterpret_cast<uintptr_t>(desc) % sizeof(uint64_t) == 0 &&
	    umd::side_of(desc) == umd::Side::DEVICE)
		return Status::OK;
	TRY(umd::ReleasedMemory::check("desc", desc));
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("desc {} is not device memory aligned to 8 bytes", fmt::ptr(desc)));
}

aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr,
			    size_t count, void *config)
{
	if (!desc || !srcAddr || !dstAddr)
		return acl_return(null_argument(!desc ? "desc" : !srcAddr ? "srcAddr" : "dstAddr"));
	if (config)
		return acl_return(
			set_error(Status::NULL_POINTER, "config is reserved; it must be NULL"));
	TRY(check_description(desc, kind));
	auto context = TRY(Contexts::get().current());
	CopyDescription description{reinterpret_cast<uint64_t>(dstAddr),
				    reinterpret_cast<uint64_t>(srcAddr),
				    count,
				    {}};
	return acl_return(umd::copy_now(context, "aclrtSetMemcpyDesc", desc, &description,
					sizeof(description)));
}

aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream)
{
	TRY(check_description(desc, kind));
	auto found = TRY(umd::find_stream(stream, true));
	const auto *start = static_cast<const std::byte *>(desc);
	umd::IndirectCopy copy{};
	copy.dst_word = start + offsetof(CopyDescription, dst);
	copy.src_word = start + offsetof(CopyDescription, src);
	copy.bytes_word = start + offsetof(CopyDescription, bytes);
	return acl_return(umd::copy_indirect(*found, copy));
}

aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax, size_t dstDataOffset,
				    const void **src, size_t count, size_t srcDataOffset,
				    aclrtMemcpyKind kind, aclrtStream stream)
{
	if (count == 0)
		return ACL_SUCCESS;
	if (!dst || !src)
		return acl_return(null_argument(dst ? "src" : "dst"));
	TRY(check_inner(kind));
	if (count > destMax)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("count is {}, which is more than destMax ({})", count,
					      destMax)));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::copy_indirect(
		*found, {dst, dstDataOffset, src, srcDataOffset, nullptr, count}));
}
