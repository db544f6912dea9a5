// SPDX-License-Identifier: MIT
/**
 * DOC: Names of calls
 *
 * A packet's cookie says which call made it, so that sentences about failed tasks and traces can name it.
 */
#include "call.h"

#include <cstddef>
#include <iterator>

#include "umd/core/collective/collective.h"
#include "words.h"

namespace umd {

const char *call_name(Call call)
{
	static constexpr const char *NAMES[] = {
		"a task",
		"$memcpy_async",
		"$memset_async",
		"$record_event",
		"$stream_wait_event",
		"$reset_event",
		"an operator",
		"$launch_host_func",
		"$model_execute_async",
		"$memcpy2d_async",
		"$memcpy_async_with_offset",
		"$value_write",
		"$value_wait",
		"$reduce_async",
		"$random_num_async",
		"$cmo_async",
		"$mem_managed_prefetch_async",
		"$get_overflow_status",
		"$record_notify",
		"$wait_and_reset_notify",
		"$cnt_notify_record",
		"$cnt_notify_wait_with_timeout",
		"$profiling_mark_ex",
		"$model_add_cond_task",
		"$model_capture_task_update_end",
		"unpu_file_read",
		"unpu_file_write",
		"$task_update_async",
		"$memcpy_batch_async",
		"$launch_kernel",
		"$launch_callback",
	};
	static_assert(std::size(NAMES) == static_cast<size_t>(Call::COUNT));
	static_assert(static_cast<uint8_t>(Collective::ALL_REDUCE) >=
		      static_cast<uint8_t>(Call::COUNT));
	static_assert(static_cast<uint8_t>(Collective::END) <= MAX_OPERATORS);
	if (is_collective(static_cast<uint8_t>(call)))
		return collective_name(static_cast<Collective>(call));
	if (call >= Call::COUNT && is_operator(static_cast<uint8_t>(call)))
		return name_of_operator(static_cast<uint8_t>(call) & MAX_OPERATORS);
	return call < Call::COUNT ? name_of_word(NAMES[static_cast<size_t>(call)]) : NAMES[0];
}

} // namespace umd
