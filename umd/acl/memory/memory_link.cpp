// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL links to memory
 *
 * A device reaches all memory over one link, called HCCS. A program may select this link; another link
 * is an error.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/vmm.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::VirtualMemory;

static Status check_link(const char *name, uint32_t link, uint32_t last)
{
	if (link > last)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("{} is {}; a link is a number from 0 to {}", name, link, last));
	if (link == ACL_RT_MEM_ACCESS_LINK_HCCS)
		return Status::OK;
	return set_error(Status::LINK_NOT_SUPPORTED,
			 fmt::format("{} is {}; the devices have no link but HCCS ({})", name, link,
				     int{ACL_RT_MEM_ACCESS_LINK_HCCS}));
}

aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc, uint32_t linkIdx)
{
	if (!virPtrDst || !virPtrSrc)
		return acl_return(null_argument(virPtrDst ? "virPtrSrc" : "virPtrDst"));
	TRY(check_link("linkIdx", linkIdx, ACL_RT_MEM_LINK_IDX_1));
	umd::VirtualMemory &vmm = VirtualMemory::get();
	auto memory = TRY(vmm.retain(virPtrSrc));
	Status status = vmm.map(virPtrDst, size, memory, {});
	(void)vmm.drop(memory);
	return acl_return(status);
}

aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	Status status = check_link("adviceLink", static_cast<uint32_t>(adviceLink),
				   ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH);
	if (status != Status::OK)
		return acl_return(status);
	return acl_return(VirtualMemory::get().properties(handle).status());
}

/* A device with peer access has already mapped the other device's memory, so this call only checks the
 * range. */
aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId, uint64_t flags)
{
	if (!devPtr)
		return acl_return(null_argument("devPtr"));
	if (size == 0 || flags != 0)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("size is {}, flags is {}; size must be positive and flags 0",
				    size, flags)));
	return acl_return(Devices::get().check_peer_range(devPtr, size, dstDevId));
}
