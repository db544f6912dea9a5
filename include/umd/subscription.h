// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "umd/model.h"
#include "umd/operator_pipe.h"

namespace umd {

/** subscribe_model() - from the next execution on each run of an operator, a copy or a fill of @model
 * is a record in @pipe. @pipe: nullptr subscribes to nothing
 * Return: MODEL_SUBSCRIBED, MODEL_CAPTURED, MODEL_NOT_READY, NOT_SUPPORTED for a model in another,
 * PROFILING_CONFLICT, what OperatorPipe::join() says. */
base::Status subscribe_model(Model &model, std::shared_ptr<OperatorPipe> pipe);

/** unsubscribe_model() - executions that were queued before still send their records.
 * Return: NO_MODEL without a subscription. */
base::Status unsubscribe_model(Model &model);

/** end_subscription() - the model goes away. */
void end_subscription(Model &model);

} // namespace umd
