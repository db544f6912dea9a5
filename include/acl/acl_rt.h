/* SPDX-License-Identifier: MIT */
/*
 * DOC: Runtime
 *
 * The runtime interface, one part per noun, in acl/rt/. Programs include this header, never a part.
 * Not every function works here: those that do not return ACL_ERROR_RT_FEATURE_NOT_SUPPORT, or
 * NULL, zero or an undefined value where they return something else, and say why in
 * aclGetRecentErrMsg().
 *
 * What holds for every function unless its comment says otherwise:
 *
 * Threads: a function may be called from any thread. The current context is a property of the
 * thread.
 *
 * Blocking: a function without "may block" returns in bounded time. An asynchronous function may
 * wait for room when a stream's queue is full; it never fails because of it.
 *
 * Ownership: a create function's handle belongs to the caller until the matching destroy function.
 * Out parameters are written on success only. Strings and arrays passed in may be released as soon
 * as the call returns.
 *
 * Errors, in the order of checks: ACL_ERROR_INVALID_PARAM for NULL where a pointer or handle is
 * required; ACL_ERROR_RT_INVALID_HANDLE for a handle that was destroyed or is of another kind;
 * ACL_ERROR_RT_CONTEXT_NULL when the thread has no current context; then what Return: lists. A
 * stream of NULL means the default stream of the current context. Failures of asynchronous work
 * come out of the next synchronisation of its stream.
 *
 * Capture: on a stream that is capturing, work is recorded and not run. Functions that wait for or
 * query a capturing stream return ACL_ERROR_RT_STREAM_CAPTURED.
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

#include "acl/acl_base.h"
#include "acl/acl_rt_allocator.h"
#include "acl/rt/binary.h"
#include "acl/rt/buffer.h"
#include "acl/rt/cache.h"
#include "acl/rt/callback.h"
#include "acl/rt/context.h"
#include "acl/rt/copy.h"
#include "acl/rt/device.h"
#include "acl/rt/device_info.h"
#include "acl/rt/device_limit.h"
#include "acl/rt/dump.h"
#include "acl/rt/event.h"
#include "acl/rt/fault.h"
#include "acl/rt/group.h"
#include "acl/rt/init.h"
#include "acl/rt/kernel.h"
#include "acl/rt/memory.h"
#include "acl/rt/memory_host.h"
#include "acl/rt/memory_managed.h"
#include "acl/rt/memory_share.h"
#include "acl/rt/memory_vmm.h"
#include "acl/rt/model.h"
#include "acl/rt/model_build.h"
#include "acl/rt/model_task.h"
#include "acl/rt/notify.h"
#include "acl/rt/snapshot.h"
#include "acl/rt/stream.h"
#include "acl/rt/stream_control.h"
#include "acl/rt/symbol.h"
#include "acl/rt/task.h"
#include "acl/rt/value.h"

#endif /* ACL_ACL_RT_H */
