// SPDX-License-Identifier: MIT
/**
 * DOC: Ledger
 *
 * Memory that all ranks of an island map. Each rank notes each of its calls there before it submits the operation,
 * and then compares the call with what the other ranks have noted under the same number. Of two ranks that differ,
 * the later one sees it. No rank waits for the ledger, so one may be far ahead: of each call a rank keeps a digest of
 * all calls up to it, and of the last ones the arguments too, for the sentence. A rank that is so late that the digest
 * of its call is gone sees a difference once it is less late, as later digests differ for ever. The first rank of an
 * island makes the memory as a segment of host memory, and exports it as a buffer is exported.
 *
 * Collective calls have one sequence for each rank. Messages have one for each pair of ranks and direction, at the
 * sender and at the receiver; pairs without a rank of the island are in the ledgers of their islands.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/os/shm.h"
#include "base/status.h"
#include "umd/hccl/far/islands.h"
#include "umd/hccl/meeting/words.h"

struct unpu_export_key;

namespace drv {
class Device;
} // namespace drv

namespace umd {

/** struct CallNote - what has to be the same on all ranks. */
struct CallNote {
	uint64_t call = 0; /* enum Collective */
	uint64_t type = 0; /* enum HcclDataType */
	uint64_t op = 0;   /* enum HcclReduceOp; other calls: 0 */
	uint64_t root = 0;
	uint64_t count = 0;  /* elements; 0 where ranks may differ */
	uint64_t digest = 0; /* of arrays of counts */

	bool operator==(const CallNote &) const = default;
};

/** describe() - a call with its arguments, for sentences. */
std::string describe(const CallNote &note);

/** struct Difference - another rank's note under the same number. */
struct Difference {
	uint32_t rank = 0;
	uint64_t number = 0; /* of the call, from 1 on */
	CallNote theirs;
	bool is_kept =
		false; /* theirs; else the other rank has made so many calls since that it is gone */
	bool is_message = false;
	bool is_send = false; /* of the message: the own end */
};

/** difference_text() - a sentence about a call of rank @own that differs. @what: "message", "collective call" */
std::string difference_text(const char *what, uint32_t own, const CallNote &note,
			    const Difference &found);

/** class Ledger - one rank's view. Context: one thread at a time makes notes; any thread reads. */
class Ledger {
public:
	/** make() - makes, exports and maps the memory.
	 * @pids: of the other processes of the island
	 * Return: NO_MEMORY, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(drv::Device &device, const Islands &islands, uint32_t rank,
			  std::span<const uint32_t> pids, unpu_export_key &key);

	/** join() - maps what another rank has made. Return: as make(); NOT_SHARED. */
	base::Status join(drv::Device &device, const Islands &islands, uint32_t rank,
			  const unpu_export_key &key);

	/** leave() - gives the segment back. Its contents last until all ranks have; a rank that still reads its own
	 * mapping may find zeros. */
	void leave(drv::Device &device);

	/** note_call() - notes the next collective call of @rank: this one, or one of another island.
	 * @found: another rank's call that differs
	 * Return: whether there is one. */
	bool note_call(uint32_t rank, const CallNote &note, Difference &found);

	/** note_message() - notes the next message of @rank to @other (@is_send), or from it; one of the two is of the
	 * island. As note_call(). */
	bool note_message(uint32_t rank, uint32_t other, bool is_send, const CallNote &note,
			  Difference &found);

	/** restart() - forgets all calls of a rank. No rank notes or compares any meanwhile. */
	void restart(uint32_t rank);

	/** calls() - how many collective calls a rank has noted. */
	uint64_t calls(uint32_t rank) const;

	/** has_left() - whether a rank has ended. is_lost() - and has not destroyed the communicator. */
	bool has_left(uint32_t rank) const;
	bool is_lost(uint32_t rank) const;
	/** set_left() - notes that. */
	void set_left(uint32_t rank, bool is_lost);

	/** behind() - the ranks that have not made all collective calls of @rank. */
	std::vector<uint32_t> behind(uint32_t rank) const;

	/** is_met() - whether the other rank has noted its end of the message to it (@is_send), or from it. */
	bool is_met(uint32_t other, bool is_send, uint64_t number) const;

	/** unmet() - the ranks that have not noted their ends of all messages of this rank. */
	std::vector<uint32_t> unmet() const;

	/** is_matched() - whether all ranks have made this rank's calls, and the other side all its messages. */
	bool is_matched() const;

private:
	/* Of each rank: the calls whose arguments are kept, and those whose digests are. Likewise of each sequence of
	 * messages. The ring of a stream has 1024 packets, and most calls several. */
	static constexpr uint32_t CALLS = 256;
	static constexpr uint32_t CALL_DIGESTS = 1024;
	static constexpr uint32_t MESSAGES = 32;
	static constexpr uint32_t MESSAGE_DIGESTS = 256;
	static constexpr uint64_t LOST = 2;

	struct Entry {
		std::atomic<uint64_t> number; /* 0: none, or it changes now */
		uint64_t words[3];
	};
	template <uint32_t COUNT, uint32_t DIGESTS> struct Sequence {
		std::atomic<uint64_t> noted;
		uint64_t reserved[7];
		Entry entries[COUNT];
		/* Of the note with this number, modulo DIGESTS, and of all before it. */
		std::atomic<uint64_t> digests[DIGESTS];
	};
	struct Rank {
		std::atomic<uint64_t> has_left; /* 1: it has destroyed the communicator; LOST */
		uint64_t reserved[7];
		Sequence<CALLS, CALL_DIGESTS> calls;
	};
	using Messages = Sequence<MESSAGES, MESSAGE_DIGESTS>;

	template <class Notes> static void clear(Notes &sequence);
	template <class Notes> static uint64_t put(Notes &sequence, const CallNote &note);
	template <class Notes>
	static bool read(const Notes &sequence, uint64_t number, CallNote &note);
	template <class Notes>
	static bool differs(const Notes &sequence, const Notes &own, Difference &found);

	Rank &rank_at(uint32_t rank) const;
	Messages &messages(uint32_t from, uint32_t to, bool is_send) const;
	uint64_t bytes() const;

	base::Mapping memory_;
	uint64_t segment_ = 0; /* made or imported: the firmware clears memory without one */
	Islands islands_;
	uint32_t ranks_ = 0;
	uint32_t rank_ = 0;
};

} // namespace umd
