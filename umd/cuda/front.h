// SPDX-License-Identifier: MIT
/**
 * DOC: Common functions of the CUDA front end
 *
 * Functions of the interface return CUresult. refuse() reports an error that the front end finds itself.
 * result() translates a status of the runtime. Both set an error message.
 */
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/result.h"
#include "base/sync/ordering.h"
#include "cuda/driver/result.h"
#include "cuda/driver/types.h"
#include "history.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/context_object.h"
#include "umd/core/object/event_object.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/process/thread_state.h"

namespace umd::cuda {

using umd::ContextHold;
using umd::Held;

/* Bits of @attention: a reason why calls fail, whether call history is kept, and the number of
 * captures. */
constexpr uint64_t NOT_INITIALISED = uint64_t{1} << 56;
constexpr uint64_t EXITED = uint64_t{2} << 56;
constexpr uint64_t FORKED = uint64_t{3} << 56;
constexpr uint64_t REASON = uint64_t{0xff} << 56;
constexpr uint64_t KEEPS_HISTORY = uint64_t{1} << 55;
/* The calls are recorded in a trace, so no call may take a path that does not record. */
constexpr uint64_t RECORDS_CALLS = uint64_t{1} << 54;
constexpr uint64_t ONE_CAPTURE = 1;

/* Priorities of streams. In the runtime 0 is the highest and 7 the lowest priority. */
constexpr int LEAST_PRIORITY = 0;
constexpr int GREATEST_PRIORITY = -7;

/* 0 while the interface is initialised, no capture is active and no call history is kept. */
extern uint64_t attention;

/** refuse() - sets the error message. Return: @code. */
CUresult refuse(CUresult code, const std::string &sentence);

/** status_name() - the name of the result that a status of the runtime becomes, for the log. */
const char *status_name(base::Status status);

/** result() - the CUresult for a status of the runtime, which has set the error message. */
CUresult result(base::Status status);

/** error_name() - "CUDA_ERROR_INVALID_VALUE", or nullptr for a number that is no result. */
const char *error_name(CUresult code);

/** enter_slowly() - stores the call's name if call history is kept.
 * Return: an error if the call is not allowed now. */
CUresult enter_slowly(const char *call);

/** enter() - every API call calls it first.
 * @call: name of the API call
 * Return: CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_NOT_PERMITTED inside a host
 * function. */
inline CUresult enter(const char *call = __builtin_FUNCTION())
{
	/* Acquire: the thread that initialised stored the settings of the process before it cleared the reason. */
	if ((base::load_acquire(attention) & (REASON | KEEPS_HISTORY)) ||
	    ThreadState::mine().is_in_host_function) [[unlikely]]
		return enter_slowly(call);
	return CUDA_SUCCESS;
}

/** keeps_history() - whether error messages include the history of the handles of a call. */
inline bool keeps_history()
{
	return (base::load_relaxed(attention) & KEEPS_HISTORY) != 0;
}

/** mention() - records in the call history that the current call uses this handle. */
inline void mention(uint64_t handle)
{
	if (keeps_history()) [[unlikely]]
		mention_handle(handle);
}

/** note() - records in the call history what the current call did to a handle. */
inline void note(uint64_t handle, Action action, uint64_t stream = 0)
{
	if (keeps_history()) [[unlikely]]
		note_action(handle, action, stream);
}

/** captures_open() - whether a capture is active in the process, or call history is kept. If so, the
 * caller must do the full checks. */
inline bool captures_open()
{
	return (base::load_relaxed(attention) & ~REASON) != 0;
}

/** take_stream() - find_stream() for a stream that is about to be used. The legacy stream can't be used
 * while a stream that it takes turns with captures; such a use invalidates the capture.
 * @call: name of the API call, for the capture's error
 * Return: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT. */
CUresult take_stream(CUstream handle, Held<Stream> &stream, const char *call);

/** check_implicit() - the same check for a stream that the caller already has. If @call is NULL, it does not
 * invalidate the capture. */
CUresult check_implicit(const Stream &stream, const char *call);

/** check_unsafe_call() - checks that the active captures and the thread's capture mode allow an unsafe
 * call. Invalidates the captures that forbid it.
 * Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
CUresult check_unsafe_call(const char *call);

inline CUresult null_argument(const char *name)
{
	return refuse(CUDA_ERROR_INVALID_VALUE, fmt::format("{} is NULL", name));
}

/** current_context() - the calling thread's current context. It is not destroyed while @context holds
 * it.
 * Return: CUDA_ERROR_INVALID_CONTEXT if there is none, CUDA_ERROR_CONTEXT_IS_DESTROYED, or the failure
 * of a task of the context. */
CUresult current_context(ContextHold &context);

/** find_context() - the context of @handle, or the current one if @handle is NULL. @context holds
 * it. */
CUresult find_context(CUcontext handle, ContextHold &context);

/** check_context() - checks whether a task of the context has failed. Return: the failure of a task of the
 * context, if any. */
CUresult check_context(Context &context);

/** settle() - stores @status in the context if it is the failure of a task.
 * Return: the code of @status. */
CUresult settle(Context &context, base::Status status);

/** find_stream() - finds a stream. The legacy stream and the per-thread stream are those of the current
 * context.
 * Return: CUDA_ERROR_CONTEXT_IS_DESTROYED for a stale handle, and as current_context(). */
CUresult find_stream(CUstream handle, Held<Stream> &stream);

/** make_stream() - creates a stream of @context. @priority is in the range of the interface. */
CUresult make_stream(Context &context, uint32_t flags, int priority, Stream *&stream);

inline CUresult refuse_event(CUevent handle, const char *name)
{
	mention(reinterpret_cast<uint64_t>(handle));
	return refuse(CUDA_ERROR_INVALID_HANDLE,
		      handle ? fmt::format("{} {} is not a live event: it was destroyed, or is "
					   "something else",
					   name, fmt::ptr(handle))
			     : fmt::format("{} is NULL", name));
}

/** find_event() - finds an event.
 * Return: CUDA_ERROR_INVALID_HANDLE for NULL, a stale or a foreign handle. */
inline CUresult find_event(CUevent handle, const char *name, Held<Event> &event)
{
	event = Held<Event>(Event::table(), handle);
	return event ? CUDA_SUCCESS : refuse_event(handle, name);
}

/** handle_id() - a number that is unique among all objects of this kind, for the life of the
 * process. */
inline uint64_t handle_id(uint64_t handle)
{
	return handle & ((uint64_t{1} << 56) - 1);
}

inline CUstream stream_handle(const Stream &stream)
{
	return reinterpret_cast<CUstream>(stream.handle.now());
}

inline CUcontext context_handle(const Context &context)
{
	return reinterpret_cast<CUcontext>(context.handle.now());
}

} // namespace umd::cuda

/** struct CodeOf - TRY in a function of the interface returns a CUresult. */
template <> struct base::CodeOf<CUresult> {
	static CUresult make(Status status) { return umd::cuda::result(status); }
};
