// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"

namespace fw {

struct Job;

/** piece_units() - number of units of a job, which may be done in any order and split anywhere: bytes of
 * a copy, elements of a fill, steps along an operator's outermost dimension.
 * Return: 0 when the job cannot be split. */
uint64_t piece_units(const Job &job);

/** units_each() - units per piece of a job with @units units: about 1 MiB, and at least one unit. */
uint64_t units_each(const Job &job, uint64_t units);

/** run_units() - does @count units from @first on.
 * Return: OVERFLOW if the packet asks for the check and a result overflowed. */
base::Status run_units(const Job &job, uint64_t first, uint64_t count);

/** run_pieces() - does a whole job on the calling thread and calls @after after each piece.
 * Return: as run_units(). */
base::Status run_pieces(const Job &job, const std::function<void()> &after);

} // namespace fw
