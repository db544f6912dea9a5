// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"

namespace fw {

struct Job;

/** piece_units() - of how many units a job's work consists that may be done in any order, and any run of
 * them by itself: bytes of a copy, elements of a fill, steps along an operator's outermost dimension.
 * Return: 0 when it has to be done as a whole. */
uint64_t piece_units(const Job &job);

/** units_each() - in a piece of a job that has @units; about 1 MiB, and at least one. */
uint64_t units_each(const Job &job, uint64_t units);

/** run_units() - does @count units from @first on.
 * Return: OVERFLOW when the packet asks for it and there is one among the results. */
base::Status run_units(const Job &job, uint64_t first, uint64_t count);

/** run_pieces() - does all of a job on the calling thread, with @after called after each piece.
 * Return: as run_units(). */
base::Status run_pieces(const Job &job, const std::function<void()> &after);

} // namespace fw
