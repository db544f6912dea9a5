// SPDX-License-Identifier: MIT
/**
 * DOC: What became of handles
 *
 * UNPU_LOG_ERRORS asks for more than a code: which handle, in which state, since which call. While it
 * is set the calls are numbered, and for each handle those that matter are kept. Without it nothing is
 * kept; whether it is set is asked where another question had to be asked anyway.
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

/** struct CallName - one call of the program. */
struct CallName {
	const char *name = nullptr;
	uint64_t number = 0; /* in the process, from 1 on */
	int thread = 0;	     /* as the kernel numbers threads */
};

/** struct ThreadCall - the call a thread is in. */
struct ThreadCall {
	CallName name;
	std::vector<uint64_t> handles; /* that it is about */
};

/** enum class Deed - what a call did to a handle. */
enum class Deed { MADE, RECORDED, JOINED, LEFT, DESTROYED };

/* All of these want keeps_history(). */

/** begin_call() - the calling thread is in @name from now on. */
void begin_call(const char *name);

/** mention_handle() - what the thread's call is about. */
void mention_handle(uint64_t handle);

/** note_deed() - the thread's call did that. @stream: handle of the one it was done in, or 0. */
void note_deed(uint64_t handle, Deed deed, uint64_t stream);

/** note_use() - the call, which is about @stream, may give it something to do. */
void note_use(const Stream &stream);

/** note_joined() - if the stream captures, and nobody knows since when, it does since this call. */
void note_joined(const Stream &stream);

/** call_text() - the thread's call, with its number. */
std::string call_text();

/** story() - what there is to say of the handles that the thread's call is about if that returns @code;
 * empty for codes that are not about handles. */
std::string story(CUresult code);

} // namespace umd::cuda
