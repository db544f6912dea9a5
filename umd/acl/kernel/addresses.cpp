// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL addresses for kernels
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/kernel/kernel_block.h"

using umd::acl_return;
using umd::Contexts;
using umd::null_argument;

static aclError give_address(void **out, const char *name, uint64_t offset)
{
	if (!out)
		return acl_return(null_argument(name));
	auto context = TRY(Contexts::get().current());
	auto block = TRY(umd::kernel_block(*context->open));
	*out = reinterpret_cast<void *>(block + offset);
	return ACL_SUCCESS;
}

aclError aclrtGetHardwareSyncAddr(void **addr)
{
	return give_address(addr, "addr", umd::KERNEL_SYNC_OFFSET);
}

aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr)
{
	return give_address(overflowAddr, "overflowAddr", umd::KERNEL_OVERFLOW_OFFSET);
}
