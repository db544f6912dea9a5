// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"

namespace umd {

struct Model;

/** drop_model() - frees a model that does not run, with all that belongs to it, and its handle. */
void drop_model(Model &model);

/** destroy_model() - makes the handle stale, then runs the callbacks, then frees the model.
 * @handle: the handle that the caller used
 * Return: MODEL_CAPTURED; MODEL_RUNNING if it still runs after 10 seconds; NOT_SUPPORTED for a model
 * inside another; INVALID_HANDLE if another thread was first. */
base::Status destroy_model(Model &model, const void *handle);

} // namespace umd
