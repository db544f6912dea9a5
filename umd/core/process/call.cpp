// SPDX-License-Identifier: MIT
/**
 * DOC: Names of calls
 *
 * A packet's cookie says which call made it, so that sentences about failed tasks and traces can name it.
 */
#include "call.h"

#include <cstddef>
#include <iterator>

namespace umd {

const char *call_name(Call call)
{
	static constexpr const char *NAMES[] = {
		"a task",
		"aclrtMemcpyAsync",
		"aclrtMemsetAsync",
		"aclrtRecordEvent",
		"aclrtStreamWaitEvent",
		"aclrtResetEvent",
		"an operator",
		"aclrtLaunchHostFunc",
		"aclmdlRIExecuteAsync",
		"aclrtMemcpy2dAsync",
		"aclrtMemcpyAsyncWithOffset",
		"aclrtValueWrite",
		"aclrtValueWait",
		"aclrtReduceAsync",
		"aclrtRandomNumAsync",
		"aclrtCmoAsync",
		"aclrtMemManagedPrefetchAsync",
		"aclrtGetOverflowStatus",
		"aclrtRecordNotify",
		"aclrtWaitAndResetNotify",
		"aclrtCntNotifyRecord",
		"aclrtCntNotifyWaitWithTimeout",
		"aclprofMarkEx",
		"aclmdlRIAddCondTask",
		"aclmdlRICaptureTaskUpdateEnd",
		"unpu_file_read",
		"unpu_file_write",
		"aclrtTaskUpdateAsync",
		"aclrtMemcpyBatchAsync",
	};
	static_assert(std::size(NAMES) == static_cast<size_t>(Call::COUNT));
	return call < Call::COUNT ? NAMES[static_cast<size_t>(call)] : NAMES[0];
}

} // namespace umd
