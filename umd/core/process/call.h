// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd {

/** enum class Call - which API call made a packet; the top byte of its cookie. */
enum class Call : uint8_t {
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
	COUNT,
};

/** call_name() - for sentences about failed tasks. */
const char *call_name(Call call);

} // namespace umd
