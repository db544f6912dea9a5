// SPDX-License-Identifier: MIT
/**
 * DOC: Call history of handles
 *
 * With UNPU_LOG_ERRORS set, an error message also names the handles of the failed call, their states, and the
 * calls that put them into these states. For that the front end numbers the API calls and keeps the relevant
 * calls of each handle. Without UNPU_LOG_ERRORS nothing is kept. The check for it is a bit of the word
 * @attention, which the calls read anyway.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/driver/result.h"

namespace umd {

struct Stream;

} // namespace umd

namespace umd::cuda {

/** struct CallName - the name of one call of the program. */
struct CallName {
	const char *name = nullptr;
	uint64_t number = 0; /* number of the call in the process, from 1 on */
	int thread = 0;	     /* kernel thread id */
};

/** struct ThreadCall - the call that a thread executes. */
struct ThreadCall {
	CallName name;
	std::vector<uint64_t> handles; /* handles that the call uses */
};

/** enum class Action - an action of a call on a handle. */
enum class Action { MADE, RECORDED, JOINED, LEFT, DESTROYED };

/* Call these functions only if keeps_history() is true. */

/** begin_call() - the calling thread begins the API call @name. */
void begin_call(const char *name);

/** mention_handle() - the thread's current call uses @handle. */
void mention_handle(uint64_t handle);

/** note_action() - the thread's current call did @action to @handle.
 * @stream: handle of the stream in which it was done, or 0 */
void note_action(uint64_t handle, Action action, uint64_t stream);

/** note_use() - the thread's current call uses @stream and may submit packets to it. */
void note_use(const Stream &stream);

/** note_joined() - if the stream captures and has no JOINED call yet, stores the current call as its JOINED
 * call. */
void note_joined(const Stream &stream);

/** call_text() - describes the thread's current call, with its number and its thread. */
std::string call_text();

/** story() - the history of the handles that the thread's current call uses, for an error @code. Empty
 * for codes that do not concern handles. */
std::string story(CUresult code);

} // namespace umd::cuda
