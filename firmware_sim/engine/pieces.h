// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "base/os/mapped.h"
#include "base/status.h"

namespace fw {

struct Job;

/** struct Cut - how a job is cut: into bytes of a copy, elements of a fill, rows of an operator. */
struct Cut {
	uint64_t units = 0; /* 0: the job is done as a whole */
	/* the units must be done one after the other; otherwise in any order */
	bool is_ordered = false;
};

/** cut_of() - Return: how @job is cut; without units if it does not work on memory. */
Cut cut_of(const Job &job);

/** PIECE_BYTES - small enough that all engines end at about the same time, that a helping host thread
 * returns soon and that other clients do not wait long; large enough to pay for taking the lock once per
 * piece. */
constexpr uint64_t PIECE_BYTES = uint64_t{1} << 20;

/** ROUND_BYTES - the total size of one piece from each waiting client. So a client with little work does not
 * wait longer for many other clients than for a few. */
constexpr uint64_t ROUND_BYTES = 4 * PIECE_BYTES;
constexpr uint64_t PIECE_BYTES_LEAST = PIECE_BYTES / 16;

/** piece_bytes() - the bytes of a piece while @clients clients have work. */
constexpr uint64_t piece_bytes(uint64_t clients)
{
	return std::clamp(ROUND_BYTES / std::max<uint64_t>(clients, 1), PIECE_BYTES_LEAST,
			  PIECE_BYTES);
}

/** units_each() - units per piece of a job with @units units: about @bytes, and at least one unit. */
uint64_t units_each(const Job &job, uint64_t units, uint64_t bytes = PIECE_BYTES);

/** struct PieceFault - the details of a failed piece; see Outcome. */
struct PieceFault {
	uint64_t address = 0;
	uint64_t detail = 0;
};

/** is_lost() - whether the client has unmapped its own memory while a job with these operands, or other work
 * of this thread, was using it. */
inline bool is_lost(const base::UnmapGuard &guard, const std::array<std::byte *, 4> &operands)
{
	return guard.lost_at() != 0 ||
	       std::any_of(operands.begin(), operands.end(),
			   [&](const std::byte *operand) { return guard.has_lost(operand); });
}

/** run_units() - does @count units, from unit @first on. @fault: set for BAD_INDEX
 * Return: OVERFLOW if the packet asks for the check and a result overflowed; BAD_INDEX, NO_MEMORY. */
base::Status run_units(const Job &job, uint64_t first, uint64_t count, PieceFault &fault);

/** run_pieces() - does a whole job on the calling thread and calls @after after each piece.
 * Return: as run_units(). */
base::Status run_pieces(const Job &job, const std::function<void()> &after);

} // namespace fw
