// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"

namespace umd {

struct Stream;

/** add_barrier() - makes barrier @id of the model pass when the tasks collected so far by @stream are done.
 * @stream is bound to the model.
 * Return: INVALID_ARGUMENT if the model has such a barrier, NO_NOTIFY, as refuse_sealed(). */
base::Status add_barrier(Stream &stream, uint32_t id);

/** await_barriers() - makes later tasks of @stream, which is bound to a model, wait for barriers of the
 * model. Return: INVALID_ARGUMENT for a barrier that does not exist or that a stream awaits already, as
 * refuse_sealed(). */
base::Status await_barriers(Stream &stream, std::span<const uint32_t> ids);

} // namespace umd
