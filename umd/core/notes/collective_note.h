// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace umd {
struct Stream;
} // namespace umd

namespace umd::recorder {

class Operands;

/**
 * struct CollectiveNote - an operation of several devices, as the interface promises it to the rank that calls it.
 *
 * The operation may use its buffers at any time between its begin and its end. What is promised of other ranks are the
 * latches: what is before the call is before what follows their waits. The buffers and semaphores of the schedule are
 * not told of.
 */
struct CollectiveNote {
	/** struct Use - bytes that the operation reads or writes. */
	struct Use {
		uint64_t address;
		uint64_t bytes;
		bool is_write;
	};

	uint16_t call = 0;     /* as in a packet's cookie */
	bool computes = false; /* with what it reads, so that these bytes need values */
	std::vector<Use> uses;
	std::vector<uint64_t> signals; /* latches of other ranks, one signal each */
	std::vector<uint64_t> waits;   /* latches of this rank, each for one signal */

	/** add_to() - the uses, reads first. Of too many, the last operand may use all that follows. */
	void add_to(Operands &operands) const;

	/** words() - the note as words of a task of a graph, which does nothing on the device. of() - the reverse. */
	std::vector<uint64_t> words() const;
	static CollectiveNote of(const std::vector<uint64_t> &words);
};

/** struct StreamPoint - a place in a stream, which a wait of the trace alone is after. */
struct StreamPoint {
	uint64_t latch = 0; /* 0: none */
	uint64_t value = 0;
};

/** note_point_passed() - @stream goes on after @point. */
void note_point_passed(const StreamPoint &point, Stream &stream);
/** note_point_reached() - the point @point of @stream is where the stream is now. */
void note_point_reached(const StreamPoint &point, Stream &stream);

/** collective_latch() - its number, the same in all processes.
 * @name: of the communicator. @kind, @from, @to: the caller's */
uint64_t collective_latch(std::span<const uint8_t> name, uint32_t kind, uint32_t from, uint32_t to);

/** note_collective_began() - no signal so far counts for a wait for @latch.
 * note_collective_failed() - the host ends all its waits, now and later. */
void note_collective_began(uint64_t latch);
void note_collective_failed(uint64_t latch);

/** note_collective_shared() - other processes have ranks of a communicator. */
void note_collective_shared();

} // namespace umd::recorder
