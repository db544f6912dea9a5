/* SPDX-License-Identifier: MIT */
/*
 * DOC: Functions of the program in a stream
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * There are two kinds of functions. Callbacks run on a thread that the program subscribed. Host
 * functions run on a thread of the library, or on a subscribed thread. A stream that uses the library's
 * thread can't use callbacks.
 */
#ifndef ACL_RT_CALLBACK_H
#define ACL_RT_CALLBACK_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtCallbackBlockType - whether a stream waits for a callback to return. */
typedef enum aclrtCallbackBlockType {
	ACL_CALLBACK_NO_BLOCK = 0,
	ACL_CALLBACK_BLOCK = 1,
} aclrtCallbackBlockType;

/**
 * typedef aclrtCallback - a function of the program that runs in a stream's order
 * @userData: the argument of the launch
 *
 * Context: a thread that processes reports; must not call functions that wait or launch.
 */
typedef void (*aclrtCallback)(void *userData);

/**
 * typedef aclrtHostFunc - a function of the program that runs in a stream's order
 * @args: the argument of the launch
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtHostFunc)(void *args);

/**
 * aclrtSubscribeReport() - lets a thread of the program run the callbacks of a stream
 * @threadId: the thread, from pthread_self(); it calls aclrtProcessReport()
 * @stream: a stream of the current context, or NULL
 *
 * A thread may serve many streams of one device.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_SUBSCRIBE when the stream has a thread or used
 * aclrtLaunchHostFunc(), or ACL_ERROR_RT_THREAD_SUBSCRIBE for a thread of another device.
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * aclrtLaunchCallback() - runs a function of the program in a stream's order, on the subscribed
 * thread
 * @fn: called inside aclrtProcessReport(); must not call functions that wait or launch
 * @userData: passed to @fn; must stay valid until then
 * @blockType: whether the stream waits until @fn returns
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @blockType, ACL_ERROR_RT_PARAM_INVALID for a @fn
 * of NULL, ACL_ERROR_RT_STREAM_NO_CB_REG when the stream has no thread,
 * ACL_ERROR_RT_STREAM_SUBSCRIBE when it used aclrtLaunchHostFunc(), or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void *userData,
						 aclrtCallbackBlockType blockType,
						 aclrtStream stream);

/**
 * aclrtProcessReport() - waits for callbacks of the calling thread's streams and runs them
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * Context: a subscribed thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @timeout, ACL_ERROR_RT_REPORT_TIMEOUT when nothing
 * came, or ACL_ERROR_RT_THREAD_SUBSCRIBE for a thread without streams.
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/**
 * aclrtUnSubscribeReport() - undoes aclrtSubscribeReport()
 * @threadId: the thread
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may block until a running callback of the pair returns.
 * Return: 0, ACL_ERROR_RT_STREAM_SUBSCRIBE when the stream has no thread, or
 * ACL_ERROR_RT_THREAD_SUBSCRIBE when it has another one.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * aclrtLaunchHostFunc() - runs a function of the program in a stream's order
 * @stream: a stream of the current context, or NULL
 * @fn: called on a thread of the library; the stream continues when it returns
 * @args: passed to @fn; must stay valid until then
 *
 * Asynchronous. A captured call runs at every execution of the model.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_STREAM_SUBSCRIBE when the stream has a subscribed
 * thread for callbacks, or ACL_ERROR_RT_RESOURCE_ALLOC_FAIL when the device has no channel left for the
 * first host function: streams have all of them.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

/**
 * aclrtSubscribeHostFunc() - lets a thread of the program run the host functions of a stream
 * @hostFuncThreadId: the thread, from pthread_self(); it calls aclrtProcessHostFunc()
 * @exeStream: the stream
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_SUBSCRIBE, or ACL_ERROR_RT_THREAD_SUBSCRIBE.
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId,
						    aclrtStream exeStream);

/**
 * aclrtProcessHostFunc() - waits for host functions of the calling thread's streams and runs them
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * Context: a subscribed thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @timeout, ACL_ERROR_RT_REPORT_TIMEOUT when nothing
 * came, or ACL_ERROR_RT_THREAD_SUBSCRIBE for a thread without streams.
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessHostFunc(int32_t timeout);

/**
 * aclrtUnSubscribeHostFunc() - undoes aclrtSubscribeHostFunc()
 * @hostFuncThreadId: the thread
 * @exeStream: the stream
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_SUBSCRIBE, or ACL_ERROR_RT_THREAD_SUBSCRIBE.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId,
						      aclrtStream exeStream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_CALLBACK_H */
