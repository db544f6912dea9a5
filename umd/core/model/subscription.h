// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "model.h"
#include "umd/core/watch/operator_pipe.h"

namespace umd {

/** subscribe() - from the next execution of model number @model, sends a record to @pipe for each run of an
 * operator, a copy or a fill. If no model has the number, @pipe only gets its end of file.
 * @tells: false: send only the end of file
 * Return: MODEL_SUBSCRIBED, MODEL_CAPTURED, MODEL_NOT_READY, NOT_SUPPORTED for a model inside another,
 * PROFILING_CONFLICT, as OperatorPipe::join(). */
base::Status subscribe(uint32_t model, std::shared_ptr<OperatorPipe> pipe, bool tells);

/** unsubscribe() - ends a subscription. Executions queued before still send records; then the pipe ends.
 * Return: NO_MODEL without a subscription. */
base::Status unsubscribe(uint32_t model);

/** end_subscription() - ends the subscription of a model that is destroyed. */
void end_subscription(Model &model) REQUIRES(model.lock);

} // namespace umd
