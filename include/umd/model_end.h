// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"

namespace umd {

struct Model;

/** drop_model() - everything that belongs to a model that does not run, and its handle. */
void drop_model(Model &model);

/** destroy_model() - the handle is stale, then its callbacks run, then the model ends.
 * @handle: that the caller knows the model by
 * Return: MODEL_CAPTURED; MODEL_RUNNING when it still runs after 10 seconds; NOT_SUPPORTED for a model
 * in another; INVALID_HANDLE where another thread was first. */
base::Status destroy_model(Model &model, const void *handle);

} // namespace umd
