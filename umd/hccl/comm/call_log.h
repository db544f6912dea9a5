// SPDX-License-Identifier: MIT
/**
 * DOC: CallLog
 *
 * The call log is shared memory in which all ranks of an island log their collective calls. Each rank logs a
 * call before it submits the operation. Then it compares the call with the calls that other ranks have logged
 * under the same number. When two ranks differ, the later one detects it. No rank waits for another rank
 * here, so one rank may be far ahead of the others. For each call a rank keeps a digest of all its calls so
 * far. For the latest calls it also keeps the arguments, which the error message shows. A rank may be so late
 * that the digest of its call was overwritten. It detects the difference at a later call, because all later
 * digests differ too. The first rank of an island creates the memory as a segment of host memory, and exports
 * it in the same way as a buffer.
 *
 * Each rank has one sequence of collective calls. Each pair of ranks has one sequence of messages per
 * direction and end. An island's call log has only the pairs with at least one rank of that island.
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

/** struct CallNote - the arguments of a call that have to be equal on all ranks. */
struct CallNote {
	uint64_t call = 0; /* enum Collective */
	uint64_t type = 0; /* enum HcclDataType */
	uint64_t op = 0;   /* enum HcclReduceOp; other calls: 0 */
	uint64_t root = 0;
	uint64_t count = 0;  /* in elements; 0 if ranks may pass different counts */
	uint64_t digest = 0; /* hash of the arrays of counts */

	bool operator==(const CallNote &) const = default;
};

/** describe() - a call with its arguments, as text for error messages. */
std::string describe(const CallNote &note);

/** struct Difference - the note of another rank that differs from this rank's note of the same number. */
struct Difference {
	uint32_t rank = 0;
	uint64_t number = 0; /* number of the call, from 1 on */
	CallNote theirs;
	/* Whether theirs is valid. False: that rank has made so many later calls that its note was overwritten. */
	bool is_kept = false;
	bool is_message = false;
	bool is_send = false; /* for a message: whether this rank is the sender */
};

/** difference_text() - an error message about a call of rank @own that differs from another rank's call.
 * @what: "message", "collective call" */
std::string difference_text(const char *what, uint32_t own, const CallNote &note,
			    const Difference &found);

/** class CallLog - one rank's view. Context: one thread at a time makes notes; any thread reads. */
class CallLog {
public:
	/** make() - makes, exports and maps the memory.
	 * @pids: the other processes of the island
	 * Return: NO_MEMORY, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(drv::Device &device, const Islands &islands, uint32_t rank,
			  std::span<const uint32_t> pids, unpu_export_key &key);

	/** join() - maps the memory that another rank has made. Return: as make(); NOT_SHARED. */
	base::Status join(drv::Device &device, const Islands &islands, uint32_t rank,
			  const unpu_export_key &key);

	/** leave() - releases the segment. The memory keeps its contents until all ranks have released it. A
	 * rank that still reads its own mapping after that may read zeros. */
	void leave(drv::Device &device);

	/** note_call() - notes the next collective call of @rank, which is this rank or a rank of another
	 * island.
	 * @found: receives a call of another rank that differs
	 * Return: whether there is a difference. */
	bool note_call(uint32_t rank, const CallNote &note, Difference &found);

	/** note_message() - notes the next message between @rank and @other. @is_send: @rank sends it. At
	 * least one of the two ranks is on this island. @found and Return: as note_call(). */
	bool note_message(uint32_t rank, uint32_t other, bool is_send, const CallNote &note,
			  Difference &found);

	/** restart() - removes all notes of a rank. The caller ensures that no rank notes or compares calls
	 * at that time. */
	void restart(uint32_t rank);

	/** calls() - how many collective calls a rank has noted. */
	uint64_t calls(uint32_t rank) const;

	/** has_left() - whether a rank has ended. is_lost() - whether it has ended without destroying the
	 * communicator. */
	bool has_left(uint32_t rank) const;
	bool is_lost(uint32_t rank) const;
	/** set_left() - marks a rank as ended. @is_lost: it has not destroyed the communicator. */
	void set_left(uint32_t rank, bool is_lost);

	/** behind() - the ranks that have noted fewer collective calls than @rank. */
	std::vector<uint32_t> behind(uint32_t rank) const;

	/** is_met() - whether rank @other has noted its own end of message @number. @is_send: this rank sends
	 * the message. */
	bool is_met(uint32_t other, bool is_send, uint64_t number) const;

	/** unmet() - the ranks for which is_met() is false for at least one message that this rank exchanges
	 * with them. */
	std::vector<uint32_t> unmet() const;

	/** is_matched() - whether all ranks have made all calls of this rank, and both ends of all its
	 * messages are noted. */
	bool is_matched() const;

private:
	/* CALLS: how many calls of each rank keep their arguments. DIGESTS: how many keep their digests. Each
	 * sequence of messages has similar limits. These are enough, because the ring of a stream has 1024
	 * packets and most calls take several packets. */
	static constexpr uint32_t CALLS = 256;
	static constexpr uint32_t CALL_DIGESTS = 1024;
	static constexpr uint32_t MESSAGES = 32;
	static constexpr uint32_t MESSAGE_DIGESTS = 256;
	static constexpr uint64_t LOST = 2;

	struct Entry {
		std::atomic<uint64_t> number; /* 0: the entry is empty, or changes right now */
		uint64_t words[3];
	};
	template <uint32_t COUNT, uint32_t DIGESTS> struct Sequence {
		std::atomic<uint64_t> noted;
		uint64_t reserved[7];
		Entry entries[COUNT];
		/* Entry n modulo DIGESTS: the digest of note n and of all notes before it. */
		std::atomic<uint64_t> digests[DIGESTS];
	};
	struct Rank {
		/* 1: the rank has destroyed the communicator; LOST: it has ended without that */
		std::atomic<uint64_t> has_left;
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
	/* of a maker or an importer; without a segment the firmware would clear the memory */
	uint64_t segment_ = 0;
	Islands islands_;
	uint32_t ranks_ = 0;
	uint32_t rank_ = 0;
};

} // namespace umd
