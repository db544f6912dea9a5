/* SPDX-License-Identifier: MIT */
/*
 * DOC: Queues of buffers
 *
 * Numbered queues pass buffers between threads of a process. acl/acl_rt.h states the rules for all
 * functions.
 */
#ifndef ACL_ACL_TDT_QUEUE_H
#define ACL_ACL_TDT_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Permissions of a process for a queue; they may be combined. */
#define ACL_TDT_QUEUE_PERMISSION_MANAGE 1
#define ACL_TDT_QUEUE_PERMISSION_DEQUEUE 2
#define ACL_TDT_QUEUE_PERMISSION_ENQUEUE 4

/* State of a route. */
#define ACL_TDT_QUEUE_ROUTE_UNBIND 0
#define ACL_TDT_QUEUE_ROUTE_BIND 1
#define ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL 2

/** enum acltdtQueueAttrType - attributes of a queue. */
typedef enum acltdtQueueAttrType {
	ACL_TDT_QUEUE_NAME_PTR = 0,
	ACL_TDT_QUEUE_DEPTH_UINT32 = 1,
} acltdtQueueAttrType;

/** enum acltdtQueueRouteParamType - fields of a route. */
typedef enum acltdtQueueRouteParamType {
	ACL_TDT_QUEUE_ROUTE_SRC_UINT32 = 0,
	ACL_TDT_QUEUE_ROUTE_DST_UINT32 = 1,
	ACL_TDT_QUEUE_ROUTE_STATUS_INT32 = 2,
} acltdtQueueRouteParamType;

/** enum acltdtQueueRouteQueryMode - selects the routes of a query. */
typedef enum acltdtQueueRouteQueryMode {
	ACL_TDT_QUEUE_ROUTE_QUERY_SRC = 0,
	ACL_TDT_QUEUE_ROUTE_QUERY_DST = 1,
	ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST = 2,
	ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL = 100,
} acltdtQueueRouteQueryMode;

/** enum acltdtQueueRouteQueryInfoParamType - fields of a query for routes. */
typedef enum acltdtQueueRouteQueryInfoParamType {
	ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM = 0,
	ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32 = 1,
	ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32 = 2,
} acltdtQueueRouteQueryInfoParamType;

/** enum acltdtAllocBufType - kinds of memory of a buffer. */
typedef enum acltdtAllocBufType {
	ACL_TDT_NORMAL_MEM = 0,
	ACL_TDT_DVPP_MEM = 1,
} acltdtAllocBufType;

/** typedef acltdtBuf - a buffer that goes through queues. */
typedef void *acltdtBuf;

/** typedef acltdtQueueAttr - attributes of a queue; opaque. */
typedef struct tagMemQueueAttr acltdtQueueAttr;

/** typedef acltdtQueueRouteList - routes between queues; opaque. */
typedef struct acltdtQueueRouteList acltdtQueueRouteList;

/** typedef acltdtQueueRouteQueryInfo - a query for routes; opaque. */
typedef struct acltdtQueueRouteQueryInfo acltdtQueueRouteQueryInfo;

/** typedef acltdtQueueRoute - a route from one queue to another; opaque. */
typedef struct acltdtQueueRoute acltdtQueueRoute;

/**
 * acltdtCreateQueue() - creates a queue of buffers on the current device
 * @attr: name and depth; NULL for no name and a depth of 8
 * @qid: out, number of the queue
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid);

/**
 * acltdtDestroyQueue() - destroys a queue
 * @qid: number of the queue
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_QUEUE_ID.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueue(uint32_t qid);

/**
 * acltdtEnqueue() - puts a buffer at the end of a queue
 * @qid: number of the queue
 * @buf: the buffer; the queue owns it afterwards
 * @timeout: milliseconds to wait for room, -1 for no limit, 0 to return at once
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_QUEUE_ID, or ACL_ERROR_RT_QUEUE_FULL.
 */
ACL_FUNC_VISIBILITY aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout);

/**
 * acltdtDequeue() - takes the first buffer of a queue
 * @qid: number of the queue
 * @buf: out, owned by the caller
 * @timeout: milliseconds to wait, -1 for no limit, 0 to return at once
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_QUEUE_ID, or ACL_ERROR_RT_QUEUE_EMPTY.
 */
ACL_FUNC_VISIBILITY aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout);

/**
 * acltdtEnqueueData() - copies data into a buffer at the end of a queue
 * @qid: number of the queue
 * @data: the data, in host or device memory
 * @dataSize: bytes at @data
 * @userData: what goes into the private area; may be NULL
 * @userDataSize: bytes at @userData, 96 at most
 * @timeout: milliseconds to wait for room, -1 for no limit, 0 to return at once
 * @rsv: 0
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_QUEUE_ID, or ACL_ERROR_RT_QUEUE_FULL.
 */
ACL_FUNC_VISIBILITY aclError acltdtEnqueueData(uint32_t qid, const void *data, size_t dataSize,
					       const void *userData, size_t userDataSize,
					       int32_t timeout, uint32_t rsv);

/**
 * acltdtDequeueData() - copies data out of the first buffer of a queue
 * @qid: number of the queue
 * @data: out, in host or device memory
 * @dataSize: bytes at @data
 * @retDataSize: out, bytes of the data
 * @userData: out, the private area; may be NULL
 * @userDataSize: bytes at @userData, 96 at most
 * @timeout: milliseconds to wait, -1 for no limit, 0 to return at once
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_QUEUE_ID, or ACL_ERROR_RT_QUEUE_EMPTY.
 */
ACL_FUNC_VISIBILITY aclError acltdtDequeueData(uint32_t qid, void *data, size_t dataSize,
					       size_t *retDataSize, void *userData,
					       size_t userDataSize, int32_t timeout);

/**
 * acltdtGrantQueue() - grants a process permissions for a queue; only the own process is supported
 * @qid: number of the queue
 * @pid: the process
 * @permission: bits of ACL_TDT_QUEUE_PERMISSION_*
 * @timeout: milliseconds
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_INVALID_QUEUE_ID.
 */
ACL_FUNC_VISIBILITY aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission,
					      int32_t timeout);

/**
 * acltdtAttachQueue() - the permissions of this process for a queue
 * @qid: number of the queue
 * @timeout: milliseconds to wait for the permission
 * @permission: out, bits of ACL_TDT_QUEUE_PERMISSION_*
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_INVALID_QUEUE_ID.
 */
ACL_FUNC_VISIBILITY aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission);

/**
 * acltdtBindQueueRoutes() - connects queues, so that buffers move from the source to the target
 * @qRouteList: the list of routes; the status of each route is set
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM; each route's status has its own result.
 */
ACL_FUNC_VISIBILITY aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList);

/**
 * acltdtUnbindQueueRoutes() - undoes acltdtBindQueueRoutes()
 * @qRouteList: the list of routes; the status of each route is set
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM; each route's status has its own result.
 */
ACL_FUNC_VISIBILITY aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList);

/**
 * acltdtQueryQueueRoutes() - the routes that are bound
 * @queryInfo: selects the routes
 * @qRouteList: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo,
						    acltdtQueueRouteList *qRouteList);

/**
 * acltdtAllocBuf() - allocates a buffer
 * @size: bytes, > 0
 * @type: an acltdtAllocBufType
 * @buf: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf *buf);

/**
 * acltdtFreeBuf() - drops a reference to a buffer; the last one frees it
 * @buf: the buffer
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtFreeBuf(acltdtBuf buf);

/**
 * acltdtGetBufData() - the memory of a buffer
 * @buf: the buffer
 * @dataPtr: out, its address
 * @size: out, its bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetBufData(const acltdtBuf buf, void **dataPtr, size_t *size);

/**
 * acltdtSetBufDataLen() - sets the size of the data in a buffer
 * @buf: the buffer
 * @len: bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len);

/**
 * acltdtGetBufDataLen() - the size of the data in a buffer
 * @buf: the buffer
 * @len: out, bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetBufDataLen(acltdtBuf buf, size_t *len);

/**
 * acltdtAppendBufChain() - adds a buffer to a chain
 * @headBuf: the first buffer of the chain
 * @buf: the buffer
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf);

/**
 * acltdtGetBufChainNum() - how many buffers a chain has
 * @headBuf: the first buffer of the chain
 * @num: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num);

/**
 * acltdtGetBufFromChain() - a buffer of a chain
 * @headBuf: the first buffer of the chain
 * @index: which
 * @buf: out, not a new reference
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index,
						   acltdtBuf *buf);

/**
 * acltdtGetBufUserData() - reads from the private area of a buffer
 * @buf: the buffer
 * @dataPtr: out
 * @size: bytes at @dataPtr
 * @offset: where in the area; it has 96 bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetBufUserData(const acltdtBuf buf, void *dataPtr, size_t size,
						  size_t offset);

/**
 * acltdtSetBufUserData() - writes into the private area of a buffer
 * @buf: the buffer
 * @dataPtr: what to write, copied
 * @size: bytes at @dataPtr
 * @offset: where in the area; it has 96 bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, size_t size,
						  size_t offset);

/**
 * acltdtCopyBufRef() - one more reference to the memory of a buffer
 * @buf: the buffer
 * @newBuf: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf *newBuf);

/**
 * acltdtCreateQueueAttr() - creates attributes of a queue with default values
 *
 * Context: any thread; never blocks.
 * Return: the attributes, owned by the caller until acltdtDestroyQueueAttr(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtQueueAttr *acltdtCreateQueueAttr(void);

/**
 * acltdtDestroyQueueAttr() - destroys attributes of a queue
 * @attr: the attributes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr);

/**
 * acltdtSetQueueAttr() - sets one attribute of a queue
 * @attr: the attributes
 * @type: which of them
 * @len: bytes at @param
 * @param: the value: a pointer to a name, or a uint32_t
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type,
						size_t len, const void *param);

/**
 * acltdtGetQueueAttr() - one attribute of a queue
 * @attr: the attributes
 * @type: which of them
 * @len: bytes at @param
 * @paramRetSize: out, bytes written
 * @param: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr,
						acltdtQueueAttrType type, size_t len,
						size_t *paramRetSize, void *param);

/**
 * acltdtCreateQueueRoute() - describes a route between two queues
 * @srcId: the source queue
 * @dstId: the target queue
 *
 * Context: any thread; never blocks.
 * Return: the route, owned by the caller until acltdtDestroyQueueRoute(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId);

/**
 * acltdtDestroyQueueRoute() - destroys the description of a route
 * @route: the route
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route);

/**
 * acltdtGetQueueRouteParam() - a field of a route
 * @route: the route
 * @type: the field
 * @len: bytes at @param
 * @paramRetSize: out, bytes written
 * @param: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route,
						      acltdtQueueRouteParamType type, size_t len,
						      size_t *paramRetSize, void *param);

/**
 * acltdtCreateQueueRouteList() - makes an empty list of routes
 *
 * Context: any thread; never blocks.
 * Return: the list, owned by the caller until acltdtDestroyQueueRouteList(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtQueueRouteList *acltdtCreateQueueRouteList(void);

/**
 * acltdtDestroyQueueRouteList() - destroys a list, not the routes
 * @routeList: the list
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList);

/**
 * acltdtAddQueueRoute() - adds a route to a list
 * @routeList: the list
 * @route: the route, copied
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList,
						 const acltdtQueueRoute *route);

/**
 * acltdtGetQueueRoute() - a route of a list
 * @routeList: the list
 * @index: which
 * @route: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList,
						 size_t index, acltdtQueueRoute *route);

/**
 * acltdtGetQueueRouteNum() - how many routes a list has
 * @routeList: the list
 *
 * Context: any thread; never blocks.
 * Return: the number; 0 for NULL.
 */
ACL_FUNC_VISIBILITY size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList);

/**
 * acltdtCreateQueueRouteQueryInfo() - creates an empty query for routes
 *
 * Context: any thread; never blocks.
 * Return: the query, owned by the caller until acltdtDestroyQueueRouteQueryInfo(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void);

/**
 * acltdtDestroyQueueRouteQueryInfo() - destroys a query for routes
 * @info: the query
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError
acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info);

/**
 * acltdtSetQueueRouteQueryInfo() - sets a field of a query for routes
 * @param: the query
 * @type: the field
 * @len: bytes at @value
 * @value: the value
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param,
							  acltdtQueueRouteQueryInfoParamType type,
							  size_t len, const void *value);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_TDT_QUEUE_H */
