// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"

namespace umd {

struct Stream;

/** add_barrier() - what @stream, which is bound to a model, was given up to now is what barrier @id of
 * the model stands for.
 * Return: INVALID_ARGUMENT if the model has such a barrier, NO_NOTIFY, as refuse_sealed(). */
base::Status add_barrier(Stream &stream, uint32_t id);

/** await_barriers() - what @stream, bound to a model, is given from now on waits for the barriers of that
 * model. Return: INVALID_ARGUMENT for a barrier that is not there or is waited for already, as
 * refuse_sealed(). */
base::Status await_barriers(Stream &stream, std::span<const uint32_t> ids);

} // namespace umd
