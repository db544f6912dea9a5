// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "aclnn/aclnn_base.h"
#include "uapi/operator.h"

namespace umd {
struct DumpOperator;
}

/*
 * struct aclOpExecutor - one prepared call. It holds the finished descriptor, so the program may
 * destroy every argument of the first phase before the second phase.
 * @op: descriptor of the operator
 * @caller: name of the operator, such as "aclnnAdd", a literal
 * @empty: there are no elements to compute, so nothing is launched
 * @missing_data: the first operand with elements but without memory, a literal; else NULL
 * @repeatable: the second phase does not destroy the executor
 * @description: the tensors as the program gave them, for dumps; else NULL
 */
struct aclOpExecutor {
	unpu_operator op;
	const char *caller;
	const char *missing_data;
	bool empty;
	bool repeatable;
	std::shared_ptr<const umd::DumpOperator> description;
};

namespace umd {

/*
 * launch() - the second phase of operator @caller; consumes @executor unless it is repeatable.
 * Context: any thread; may wait for room in the stream's queue.
 */
aclnnStatus launch(const char *caller, aclOpExecutor *executor, aclrtStream stream);

} // namespace umd
