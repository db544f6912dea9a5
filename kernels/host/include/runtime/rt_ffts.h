/* SPDX-License-Identifier: MIT */
/*
 * DOC: Address for synchronisation between cores
 *
 * Programs hand it to mixed kernels as their first parameter. Kernels of unpu do not use it.
 */
#ifndef UNPU_RUNTIME_RT_FFTS_H
#define UNPU_RUNTIME_RT_FFTS_H

#include <stdint.h>

#include "acl/acl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNPU_SYNC_BYTES 2048u

/* Fills @address and @bytes and returns 0, or returns the error of aclrtGetHardwareSyncAddr(). */
static inline int32_t rtGetC2cCtrlAddr(uint64_t *address, uint32_t *bytes)
{
	void *memory = NULL;
	const aclError error = aclrtGetHardwareSyncAddr(&memory);

	if (error != ACL_SUCCESS)
		return error;
	*address = (uint64_t)(uintptr_t)memory;
	*bytes = UNPU_SYNC_BYTES;
	return 0;
}

#ifdef __cplusplus
}
#endif

#endif /* UNPU_RUNTIME_RT_FFTS_H */
