// SPDX-License-Identifier: MIT
/**
 * DOC: What the CUDA front end shares
 *
 * Functions of the interface return CUresult. What only this interface knows is refused here, by
 * refuse(); what the runtime says is translated by result(). Both leave a sentence.
 */
#pragma once

#include <string>

#include <fmt/format.h>

#include "cuda/driver/result.h"
#include "cuda/driver/types.h"
#include "history.h"
#include "umd/runtime.h"

namespace umd::cuda {

using umd::ContextHold;
using umd::Held;

/* Bits of the word that tells whether calls may go ahead without a further look. */
constexpr uint64_t NOT_INITIALISED = uint64_t{1} << 56;
constexpr uint64_t EXITED = uint64_t{2} << 56;
constexpr uint64_t FORKED = uint64_t{3} << 56;
constexpr uint64_t REASON = uint64_t{0xff} << 56;
constexpr uint64_t KEEPS_HISTORY = uint64_t{1} << 55;
constexpr uint64_t ONE_CAPTURE = 1;

/* Of streams: 0 in the runtime goes first, 7 last. */
constexpr int LEAST_PRIORITY = 0;
constexpr int GREATEST_PRIORITY = -7;

/* 0 when the interface is initialised, nothing captures, and no history is kept. */
extern uint64_t attention;

/** refuse() - leaves the sentence. Return: @code. */
CUresult refuse(CUresult code, const std::string &sentence);

/** result() - the CUresult that stands for a status of the runtime, whose sentence is set. */
CUresult result(base::Status status);

/** error_name() - "CUDA_ERROR_INVALID_VALUE", or nullptr for a number that is no result. */
const char *error_name(CUresult code);

/** enter_slowly() - keeps the call's name if that is wanted. Return: why it may not go ahead now. */
CUresult enter_slowly(const char *call);

/** enter() - the first thing every call does. @call: its name
 * Return: CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_NOT_PERMITTED inside a host
 * function. */
inline CUresult enter(const char *call = __builtin_FUNCTION())
{
	if ((base::load_relaxed(attention) & (REASON | KEEPS_HISTORY)) ||
	    Runtime::thread().in_host_function) [[unlikely]]
		return enter_slowly(call);
	return CUDA_SUCCESS;
}

/** keeps_history() - whether a failure shall tell what became of its handles. */
inline bool keeps_history()
{
	return (base::load_relaxed(attention) & KEEPS_HISTORY) != 0;
}

/** mention() - the call is about this handle. */
inline void mention(uint64_t handle)
{
	if (keeps_history()) [[unlikely]]
		mention_handle(handle);
}

/** note() - the call did that to a handle. */
inline void note(uint64_t handle, Deed deed, uint64_t stream = 0)
{
	if (keeps_history()) [[unlikely]]
		note_deed(handle, deed, stream);
}

/** captures_open() - whether anything captures, in the whole process, or history is kept: a closer look
 * is needed. */
inline bool captures_open()
{
	return (base::load_relaxed(attention) & ~REASON) != 0;
}

/** take_stream() - find_stream() for a stream that is about to be used: the legacy stream can't be
 * while one that it takes turns with captures. @call: breaks that capture.
 * Return: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT. */
CUresult take_stream(CUstream handle, Held<Stream> &stream, const char *call);

/** check_implicit() - the same for a stream that was found; without @call nothing is broken. */
CUresult check_implicit(const Stream &stream, const char *call);

/** check_unsafe_call() - whether the calling thread may make an unsafe call now, by the captures there
 * are and its mode. Those that forbid it are invalid from now on.
 * Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
CUresult check_unsafe_call(const char *call);

inline CUresult null_argument(const char *name)
{
	return refuse(CUDA_ERROR_INVALID_VALUE, fmt::format("{} is NULL", name));
}

/** current_context() - the calling thread's. It does not end while @context holds it.
 * Return: CUDA_ERROR_INVALID_CONTEXT for none, CUDA_ERROR_CONTEXT_IS_DESTROYED, and what a task of it
 * failed with. */
CUresult current_context(ContextHold &context);

/** find_context() - @handle, or the current one for NULL; held, as well. */
CUresult find_context(CUcontext handle, ContextHold &context);

/** check_context() - what a task of the context failed with. */
CUresult check_context(Context &context);

/** settle() - remembers a failure of a task for its context. Return: the code of @status. */
CUresult settle(Context &context, base::Status status);

/** find_stream() - a stream of any kind; those without a handle belong to the current context.
 * Return: CUDA_ERROR_CONTEXT_IS_DESTROYED for a stale handle, and as current_context(). */
CUresult find_stream(CUstream handle, Held<Stream> &stream);

/** make_stream() - a stream of @context, with @priority in the range of the interface. */
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

/** find_event() - CUDA_ERROR_INVALID_HANDLE for NULL, a stale or a foreign handle. */
inline CUresult find_event(CUevent handle, const char *name, Held<Event> &event)
{
	event = Held<Event>(Runtime::get().events, handle);
	return event ? CUDA_SUCCESS : refuse_event(handle, name);
}

/** handle_id() - a number no other object of its kind ever has. */
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

/* CU_TRY - returns the code of @call from the enclosing function unless it is CUDA_SUCCESS. */
#define CU_TRY(call) \
	do { \
		CUresult cu_try_ = (call); \
		if (cu_try_ != CUDA_SUCCESS) [[unlikely]] \
			return cu_try_; \
	} while (0)
