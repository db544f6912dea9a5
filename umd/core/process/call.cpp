// SPDX-License-Identifier: MIT
/**
 * DOC: Names of calls
 *
 * A packet's cookie says which call made it, so that error messages and traces can name that call.
 */
#include "call.h"

#include <cstddef>
#include <iterator>

#include "base/sync/ordering.h"
#include "collective.h"
#include "words.h"

namespace umd {

namespace {

constinit const NamedCall *named_calls = nullptr;
constinit size_t named_count = 0;

/* Return: nullptr if no interface has named the call. */
const NamedCall *find_named(Call call)
{
	const NamedCall *const calls = base::load_acquire(named_calls);
	const size_t row = static_cast<size_t>(call) - FIRST_NAMED_CALL;
	return calls && row < named_count ? calls + row : nullptr;
}

} // namespace

void set_named_calls(const NamedCall *calls, size_t count)
{
	named_count = count;
	base::store_release(named_calls, calls);
}

Call kind_of_call(Call call)
{
	if (const NamedCall *named = find_named(call))
		return named->kind;
	return call == Call::MEMSET_D32_ASYNC  ? Call::MEMSET_ASYNC
	       : call == Call::MEMCPY_BATCH_V2 ? Call::MEMCPY_BATCH
					       : call;
}

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
		"$memset_d32_async",
		"$memcpy_batch_async_v2",
		"$run_model",
		"$run_model_async",
		"$run_model_v2",
		"$run_model_async_v2",
		"$run_single",
	};
	static_assert(std::size(NAMES) == static_cast<size_t>(Call::COUNT));
	static_assert(static_cast<uint8_t>(Collective::ALL_REDUCE) >=
		      static_cast<uint8_t>(Call::COUNT));
	static_assert(static_cast<uint8_t>(Collective::END) <= FIRST_NAMED_CALL);
	if (const NamedCall *named = find_named(call))
		return named->name;
	if (is_collective(static_cast<uint16_t>(call)))
		return collective_name(static_cast<Collective>(call));
	if (call >= Call::COUNT && is_operator(static_cast<uint16_t>(call)))
		return name_of_operator(static_cast<uint16_t>(call) - FIRST_OPERATOR_CALL);
	return call < Call::COUNT ? name_of_word(NAMES[static_cast<size_t>(call)]) : NAMES[0];
}

const char *collective_name(Collective call)
{
	static constexpr const char *NAMES[] = {
		"HcclAllReduce",     "HcclReduce",    "HcclBroadcast",	   "HcclAllGather",
		"HcclReduceScatter", "HcclScatter",   "HcclAllGatherV",	   "HcclReduceScatterV",
		"HcclAlltoAll",	     "HcclAlltoAllV", "HcclAlltoAllVC",	   "HcclBarrier",
		"HcclSend",	     "HcclRecv",      "HcclBatchSendRecv",
	};
	constexpr auto FIRST = static_cast<size_t>(Collective::ALL_REDUCE);
	static_assert(std::size(NAMES) == static_cast<size_t>(Collective::END) - FIRST);
	if (!is_collective(static_cast<uint16_t>(call)))
		return "an operation";
	return NAMES[static_cast<size_t>(call) - FIRST];
}

} // namespace umd
