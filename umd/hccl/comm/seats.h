// SPDX-License-Identifier: MIT
/**
 * DOC: Seats
 *
 * What a rank has on its device for a communicator, and what it uses of the others.
 *
 * Its buffer has a place for collective operations and one for a message to each rank of its island. The rank writes
 * it, and the others read it. Each rank maps the buffers of all.
 *
 * Its flags (flags.h), of which some count, are raised by other ranks:
 *
 *	counters[READY]		a rank has put its data into its buffer
 *	counters[REDUCED]	a rank has put its part of the result into its buffer
 *	counters[READ]		a rank has read what it needs of the buffer of this rank
 *	sent[i]			rank i has put a message for this rank into its buffer
 *	taken[i]		rank i has read the message of this rank
 *
 * All of this is for the ranks of one island. See umd/hccl/far/ for the others.
 *
 * Two more semaphores count the collective operations of graphs that the rank has begun and ended. No other rank uses
 * them. The host reads them to see whether a rank has left before its part of a launch.
 */
#pragma once

#include <array>
#include <atomic>
#include <span>

#include "drv/packet/fence.h"
#include "umd/core/device/device_state.h"
#include "umd/hccl/far/flags.h"
#include "umd/hccl/far/islands.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

enum Counter : uint32_t { READY = 0, REDUCED = 1, READ = 2 };
static_assert(READ + 1 == COUNTERS);

/** struct SeatNumbers - semaphores of this device for one rank: its own to wait, others' to signal. */
struct SeatNumbers {
	std::array<uint32_t, COUNTERS> counters{};
	uint32_t sent = 0;
	uint32_t taken = 0;
};

/** class Seats - see above. Context: the caller's lock, unless a function says otherwise. */
class Seats {
public:
	/** struct Layout - how a buffer is divided. */
	struct Layout {
		uint64_t collective_bytes = 0;
		uint64_t message_bytes = 0; /* for each rank of the island */
	};

	/** layout_for() - @bytes: the most that a rank may have. @members: the most that an island has */
	static Layout layout_for(uint64_t bytes, uint32_t members);

	/** make() - makes the buffer and the flags of a rank.
	 * @pids: of the processes of the island's other ranks
	 * Return: NO_MEMORY, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const Layout &layout, const Islands &islands,
			  uint32_t rank, std::span<const uint32_t> pids, SeatKeys &keys);

	/** join() - imports what the island's ranks share. @island: one for each of them. Return: as make(). */
	base::Status join(const DeviceHold &device, std::span<const SeatKeys> island);

	/** reset() - the state at first, while no rank of the island uses it. Return: DEVICE_LOST. */
	base::Status reset();

	/** count_launches() - makes the counters for operations of graphs, unless they are there. They stay until the
	 * device is reset. Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status count_launches();

	/** begins() - the counter that such an operation raises at its begin; 0 before count_launches().
	 * ends() - and at its end. */
	uint32_t begins() const { return begins_.load(); }
	uint32_t ends() const { return ends_.load(); }

	/** begun() - how many have begun. ended() - and ended. Context: any thread. */
	uint64_t begun() const { return count_of(begins()); }
	uint64_t ended() const { return count_of(ends()); }

	/** all_ended() - passes when those that have begun by now have ended. */
	drv::Fence all_ended() const { return {ends(), begun()}; }

	/** withdraw() - ends all waits of this rank with PEER_LOST, now and later, and signals of others to it.
	 * Context: any thread; later calls do nothing. */
	void withdraw();

	/** leave() - gives all of it back when the work submitted so far has passed.
	 * @keep: a graph may use it still; then only the waits end */
	void leave(bool keep);

	/** read_all() - passes when all ranks of the island have read this one's buffer. */
	drv::Fence read_all() const;

	/** buffer() - address of the buffer of a rank of the island, for this device. */
	uint64_t buffer(uint32_t rank) const { return buffers_[islands_.place(rank)]; }
	/** message() - the place in the buffer of rank @from for rank @to. */
	uint64_t message(uint32_t from, uint32_t to) const
	{
		return buffer(from) + layout_.collective_bytes +
		       islands_.place(to) * layout_.message_bytes;
	}
	const Layout &layout() const { return layout_; }

	/** waits() - by which this rank waits; sent and taken are those of rank @of. */
	uint32_t waits(Counter counter) const { return wait_[counter]; }
	uint32_t waits_sent(uint32_t of) const { return wait_sent_[islands_.place(of)]; }
	uint32_t waits_taken(uint32_t of) const { return wait_taken_[islands_.place(of)]; }
	/** signals() - by which this rank tells rank @to. */
	const SeatNumbers &signals(uint32_t to) const { return signal_[islands_.place(to)]; }

private:
	base::Status make_buffer(drv::Device &device, std::span<const uint32_t> pids,
				 unpu_export_key &key);
	base::Status take_signals(drv::Device &device, const SeatKeys &keys, uint32_t place);
	uint64_t count_of(uint32_t sem) const;

	DeviceRef device_;
	Flags flags_;
	Layout layout_;
	Islands islands_;
	uint32_t rank_ = 0;
	std::array<uint32_t, COUNTERS> wait_{};
	/* By place on the island. */
	std::array<uint64_t, UNPU_MAX_DEVICES> buffers_{};
	std::array<uint32_t, UNPU_MAX_DEVICES> wait_sent_{};
	std::array<uint32_t, UNPU_MAX_DEVICES> wait_taken_{};
	std::array<SeatNumbers, UNPU_MAX_DEVICES> signal_{};
	uint32_t read_home_ = 0;
	std::atomic<uint32_t> begins_{0};
	std::atomic<uint32_t> ends_{0};
	uint64_t segment_ = 0; /* of the own buffer, until all have imported it */
};

} // namespace umd
