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
 * struct CollectiveNote - describes a collective operation by the guarantees that the interface gives to the
 * calling rank.
 *
 * The operation may use its buffers at any time between its begin and its end. Latches express the guarantees
 * between ranks: the work before the call is ordered before the work that follows the waits of other ranks.
 * The trace does not have the internal buffers and semaphores of the schedule.
 */
struct CollectiveNote {
	/** struct Use - bytes that the operation reads or writes. */
	struct Use {
		uint64_t address;
		uint64_t bytes;
		bool is_write;
	};

	uint16_t call = 0; /* the call, as in the cookie of a packet */
	/* the operation computes with the bytes that it reads, so they must have been written */
	bool computes = false;
	std::vector<Use> uses;
	std::vector<uint64_t> signals; /* latches of other ranks; each gets one signal */
	std::vector<uint64_t> waits;   /* latches of this rank; each waits for one signal */

	/** add_to() - adds the uses to @operands, reads first. If there are too many, the last operand covers
	 * all remaining ones, and is partial. */
	void add_to(Operands &operands) const;

	/** words() - converts the note to words, for a graph task that does nothing on the device. of() - the
	 * inverse. */
	std::vector<uint64_t> words() const;
	static CollectiveNote of(const std::vector<uint64_t> &words);
};

/** struct StreamPoint - a point in a stream. The trace has waits for it that do not exist on the device. */
struct StreamPoint {
	uint64_t latch = 0; /* 0: there is no point */
	uint64_t value = 0;
};

/** note_point_passed() - notes that @stream continues after @point. */
void note_point_passed(const StreamPoint &point, Stream &stream);
/** note_point_reached() - notes that @stream has reached @point. */
void note_point_reached(const StreamPoint &point, Stream &stream);

/** collective_latch() - the number of a latch, which is the same in all processes.
 * @name: name of the communicator. @kind, @from, @to: distinguish its latches */
uint64_t collective_latch(std::span<const uint8_t> name, uint32_t kind, uint32_t from, uint32_t to);

/** note_collective_began() - removes all signals of @latch: none of them can end a later wait.
 * note_collective_failed() - the host ends all present and later waits for @latch. */
void note_collective_began(uint64_t latch);
void note_collective_failed(uint64_t latch);

/** note_collective_shared() - notes that other processes have ranks of a communicator. */
void note_collective_shared();

} // namespace umd::recorder
