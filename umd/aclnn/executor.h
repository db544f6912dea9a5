// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "aclnn/aclnn_base.h"
#include "descriptor.h"
#include "uapi/operator.h"
#include "umd/acl/operator_names.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {
struct DumpOperator;
struct OperatorRow;
} // namespace umd

/*
 * struct aclOpExecutor - one prepared call, or a free executor. It holds the finished descriptor, so the program may
 * destroy every argument of the first phase before the second phase. The program has its handle, not its address.
 * @op: descriptor of the operator, for Add and Mul
 * @forms: form_of() its tensors, in the order of its operands
 * @kind: enum unpu_tensor_kind for the other operators; 0: @op is the descriptor
 * @number: of its entry point
 * @row: its entry point
 * @unusual: what the second phase has to do beside the launch: bits of Unusual
 * @description: the tensors as the program gave them, for dumps; else NULL
 */
struct aclOpExecutor : umd::Descriptor {
	enum Unusual : uint8_t {
		REPEATABLE = 1, /* it does not destroy the executor */
		CHECKED = 2,	/* it checks the operands: strict mode was on in the first phase */
	};

	umd::HandleWord handle;
	unpu_operator op;
	uint64_t forms[3];
	uint32_t kind;
	umd::OperatorNumber number;
	const umd::OperatorRow *row;
	uint8_t unusual;
	std::shared_ptr<const umd::DumpOperator> description;
};

namespace umd {

using Executors = HandleTable<aclOpExecutor, Kind::EXECUTOR>;

inline Executors &executors()
{
	return Process::own<Executors>();
}

/* make_executor() - an executor without a call; @op is not set. Return: NULL if there are too many, with the error
 * sentence set. */
aclOpExecutor *make_executor();

/* free_executor() - @executor has been retired. */
void free_executor(aclOpExecutor &executor);

/* find_executor() - finds the executor of a handle. @handle: not NULL. Return: NULL if it was launched or destroyed;
 * sets the error message */
aclOpExecutor *find_executor(const char *caller, const aclOpExecutor *handle);

/*
 * launch() - the second phase of operator @number; consumes @executor unless it is repeatable.
 * Context: any thread; may wait for room in the stream's queue.
 */
aclnnStatus launch(OperatorNumber number, aclOpExecutor *executor, aclrtStream stream);

} // namespace umd
