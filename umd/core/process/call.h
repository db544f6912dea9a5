// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "drv/packet/cookie.h"

namespace umd {

/** enum class Call - which API call made a packet; the top bits of its cookie. */
enum class Call : uint16_t {
	OTHER = 0,
	MEMCPY_ASYNC,
	MEMSET_ASYNC,
	RECORD_EVENT,
	WAIT_EVENT,
	RESET_EVENT,
	OPERATOR,
	HOST_FUNC,
	EXECUTE_MODEL,
	MEMCPY_BOX,
	MEMCPY_INDIRECT,
	VALUE_WRITE,
	VALUE_WAIT,
	REDUCE,
	RANDOM,
	CACHE,
	PREFETCH,
	OVERFLOW_STATUS,
	RECORD_NOTIFY,
	WAIT_NOTIFY,
	RECORD_COUNTER,
	WAIT_COUNTER,
	MARK,
	CONDITION,
	UPDATE_TASKS,
	FILE_READ,
	FILE_WRITE,
	UPDATE_TASK,
	MEMCPY_BATCH,
	LAUNCH_KERNEL,
	CALLBACK,
	MEMSET_D32_ASYNC,
	MEMCPY_BATCH_V2,
	RUN_MODEL,
	RUN_MODEL_ASYNC,
	RUN_MODEL_V2,
	RUN_MODEL_ASYNC_V2,
	RUN_SINGLE,
	COUNT,
};

/* An API may give its own names to copies, fills and stores of words. Such named calls have numbers from here
 * on, below the numbers of operators. */
constexpr uint8_t FIRST_NAMED_CALL = 0x50;

/** struct NamedCall - an API function that the runtime treats like another call, but that has its own name in
 * an API. */
struct NamedCall {
	const char *name;
	Call kind; /* the call of the runtime that it stands for */
};

/** set_named_calls() - gives the numbers from FIRST_NAMED_CALL on to @calls.
 * @calls: is not copied and must stay valid. Context: only one API may have named calls. */
void set_named_calls(const NamedCall *calls, size_t count);

/** kind_of_call() - @call itself, or the kind of a named call. */
Call kind_of_call(Call call);

/** FIRST_OPERATOR_CALL - calls from here on are operators, and those before it are not. */
constexpr uint16_t FIRST_OPERATOR_CALL = 0x80;

/** CALL_NUMBERS - numbers of calls are below it: as many as a cookie has. */
constexpr unsigned CALL_NUMBERS = 1u << drv::COOKIE_CALL_BITS;

/** MAX_OPERATORS - numbers of operators are 1 to it. */
constexpr uint16_t MAX_OPERATORS = CALL_NUMBERS - 1 - FIRST_OPERATOR_CALL;

/** operator_call() - the call of operator number @number of the interface (struct Words). */
constexpr uint16_t operator_call(uint16_t number)
{
	return static_cast<uint16_t>(FIRST_OPERATOR_CALL + number);
}

/** is_operator() - whether a call with this number is an operator or a kernel. */
constexpr bool is_operator(uint16_t call)
{
	return call == static_cast<uint16_t>(Call::OPERATOR) ||
	       call == static_cast<uint16_t>(Call::LAUNCH_KERNEL) || call > operator_call(0);
}

/** call_name() - the name of a call, for messages about failed tasks. @call: a Call, a named call, or
 * operator_call() */
const char *call_name(Call call);

} // namespace umd
