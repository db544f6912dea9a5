// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "umd/model.h"
#include "umd/operator_pipe.h"

namespace umd {

/** subscribe() - from the next execution on each run of an operator, a copy or a fill of the model with
 * this number is a record in @pipe. A number that no model has is subscribed to all the same: nothing
 * comes but the end of the pipe. @tells: false sends nothing but the end for any model.
 * Return: MODEL_SUBSCRIBED, MODEL_CAPTURED, MODEL_NOT_READY, NOT_SUPPORTED for a model in another,
 * PROFILING_CONFLICT, what OperatorPipe::join() says. */
base::Status subscribe(uint32_t model, std::shared_ptr<OperatorPipe> pipe, bool tells);

/** unsubscribe() - executions that were queued before still send their records. The pipe ends after them.
 * Return: NO_MODEL without a subscription. */
base::Status unsubscribe(uint32_t model);

/** end_subscription() - the model goes away. */
void end_subscription(Model &model);

} // namespace umd
