// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "base/status.h"
#include "uapi/operator.h"

namespace umd {

struct DumpOperator;

/**
 * launch_operator() - appends an operator to a stream, or to the graph the stream is capturing.
 * @stream: a handle; nullptr is the default stream of the current context
 * @number: number of the operator, for its name (struct Words)
 * @op: operand addresses are device addresses; copied before the call returns
 * Context: any thread; blocks while the stream's ring is full.
 * Return: the status; if it is not OK, the error message of the thread is set.
 */
base::Status launch_operator(void *stream, uint16_t number, const unpu_operator &op);

/**
 * launch_tensor() - launch_operator() for a tensor operator.
 * @kind: enum unpu_tensor_kind
 * @words: the descriptor, see uapi/tensor.h; copied before the call returns
 */
base::Status launch_tensor(void *stream, uint16_t number, uint32_t kind,
			   std::span<const uint64_t> words);

/**
 * launch_nothing() - the same for an operator without elements. It is a task only for a stream whose tasks are kept for
 * a model, because a program may update it later, or update another operator with it.
 */
base::Status launch_nothing(void *stream);

/**
 * launch_watched(), launch_watched_tensor() - the same for an operator that Dumps may write to files.
 * @described: the operator with its operands
 */
base::Status launch_watched(void *stream, uint16_t number, const unpu_operator &op,
			    const std::shared_ptr<const DumpOperator> &described);
base::Status launch_watched_tensor(void *stream, uint16_t number, uint32_t kind,
				   std::span<const uint64_t> words,
				   const std::shared_ptr<const DumpOperator> &described);

} // namespace umd
