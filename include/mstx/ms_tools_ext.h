/* SPDX-License-Identifier: MIT */
/*
 * DOC: Marks of tools
 *
 * A program adds marks and ranges, grouped in domains, to the trace of the device's work. While no
 * trace is recorded, the functions that add them do nothing. The functions report an error only by a
 * NULL handle or a number 0, and by aclGetRecentErrMsg().
 */
#ifndef MSTX_MS_TOOLS_EXT_H
#define MSTX_MS_TOOLS_EXT_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Invalid number of a range. */
#define MSTX_INVALID_RANGE_ID 0

/** typedef mstxRangeId - number of a range. */
typedef uint64_t mstxRangeId;

/** typedef mstxDomainRegistration_t - a group of marks and ranges; opaque. */
typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;

/** typedef mstxDomainHandle_t - handle of a domain. */
typedef mstxDomainRegistration_t *mstxDomainHandle_t;

/**
 * mstxMarkA() - adds a mark for the calling thread and, if @stream is given, in the stream's order
 * @message: text, copied
 * @stream: a stream of the current context; NULL marks the thread alone
 *
 * Context: any thread; may wait for room in the stream's queue.
 */
ACL_FUNC_VISIBILITY void mstxMarkA(const char *message, aclrtStream stream);

/**
 * mstxRangeStartA() - starts a range that any thread may end
 * @message: text, copied
 * @stream: a stream of the current context, in which both ends of the range are marked, too; or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: the range, for mstxRangeEnd(); MSTX_INVALID_RANGE_ID on failure, and while nothing is
 * recorded.
 */
ACL_FUNC_VISIBILITY mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream);

/**
 * mstxRangeEnd() - ends a range
 * @id: the range; MSTX_INVALID_RANGE_ID is ignored
 *
 * Context: any thread; may wait for room in the stream's queue.
 */
ACL_FUNC_VISIBILITY void mstxRangeEnd(mstxRangeId id);

/**
 * mstxDomainCreateA() - makes a domain
 * @name: its name, copied
 *
 * Context: any thread; never blocks.
 * Return: the domain, owned by the caller until mstxDomainDestroy(), or NULL.
 */
ACL_FUNC_VISIBILITY mstxDomainHandle_t mstxDomainCreateA(const char *name);

/**
 * mstxDomainDestroy() - destroys a domain; its ranges may still be ended
 * @domain: the domain; NULL is ignored
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void mstxDomainDestroy(mstxDomainHandle_t domain);

/**
 * mstxDomainMarkA() - mstxMarkA() in a domain
 * @domain: the domain
 * @message: text, copied
 * @stream: a stream of the current context; NULL marks the thread alone
 *
 * Context: any thread; may wait for room in the stream's queue.
 */
ACL_FUNC_VISIBILITY void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message,
					 aclrtStream stream);

/**
 * mstxDomainRangeStartA() - mstxRangeStartA() in a domain
 * @domain: the domain
 * @message: text, copied
 * @stream: a stream of the current context, in which both ends of the range are marked, too; or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: the range, for mstxDomainRangeEnd(); MSTX_INVALID_RANGE_ID on failure, and while nothing
 * is recorded.
 */
ACL_FUNC_VISIBILITY mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain,
						      const char *message, aclrtStream stream);

/**
 * mstxDomainRangeEnd() - ends a range of a domain
 * @domain: the domain
 * @id: the range; MSTX_INVALID_RANGE_ID is ignored
 *
 * Context: any thread; may wait for room in the stream's queue.
 */
ACL_FUNC_VISIBILITY void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id);

#ifdef __cplusplus
}
#endif

#endif /* MSTX_MS_TOOLS_EXT_H */
