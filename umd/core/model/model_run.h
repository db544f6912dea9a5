// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"

namespace umd {

struct Model;

/** run_model() - executes a model and waits for its end. A built model runs in its first stream, a captured one in the
 * default stream of its context.
 * Return: MODEL_NOT_READY, MODEL_CAPTURED, MODEL_CONTEXT, NOT_SUPPORTED, STREAM_TIMEOUT, the failure of a task. */
base::Status run_model(Model &model, uint64_t deadline_ns);

/** abort_model() - aborts the streams on which executions of the model are under way, with all their tasks.
 * Return: MODEL_NOT_READY, MODEL_CAPTURED, NOT_SUPPORTED for a model in another, DEVICE_LOST. */
base::Status abort_model(Model &model);

} // namespace umd
