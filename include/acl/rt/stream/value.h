/* SPDX-License-Identifier: MIT */
/*
 * DOC: Values in memory
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_VALUE_H
#define ACL_RT_VALUE_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a wait compares a value in memory with its argument. */
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U

/**
 * aclrtValueWrite() - writes a 64-bit number in a stream's order
 * @devAddr: device memory, a multiple of 8
 * @value: the number
 * @flag: 0
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag,
					     aclrtStream stream);

/**
 * aclrtValueWait() - makes a stream wait until a comparison with a 64-bit number in device memory is
 * true
 * @devAddr: device memory, a multiple of 8
 * @value: the number to compare with
 * @flag: the comparison, ACL_STREAM_WAIT_VALUE_*
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag,
					    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_VALUE_H */
