// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"

namespace fw {

struct Job;

/** struct Cut - how a job is cut: into bytes of a copy, elements of a fill, rows of an operator. */
struct Cut {
	uint64_t units = 0;	 /* 0: the job is done as a whole */
	bool is_ordered = false; /* one after the other, from the first; else in any order */
};

/** cut_of() - Return: how @job is cut; without units if it does not work on memory. */
Cut cut_of(const Job &job);

/** units_each() - units per piece of a job with @units units: about 1 MiB, and at least one unit. */
uint64_t units_each(const Job &job, uint64_t units);

/** PIECE_BYTES - small enough that all engines end at about the same time, that a helping host thread
 * returns soon and that other clients do not wait long; large enough to pay for taking the lock once per
 * piece. */
constexpr uint64_t PIECE_BYTES = uint64_t{1} << 20;

/** run_units() - does @count units from @first on.
 * Return: OVERFLOW if the packet asks for the check and a result overflowed. */
base::Status run_units(const Job &job, uint64_t first, uint64_t count);

/** run_pieces() - does a whole job on the calling thread and calls @after after each piece.
 * Return: as run_units(). */
base::Status run_pieces(const Job &job, const std::function<void()> &after);

} // namespace fw
