// SPDX-License-Identifier: MIT
/**
 * DOC: RankSlots
 *
 * The objects on the device that one rank has for a communicator, and the objects of other ranks that it
 * uses.
 *
 * Each rank has a buffer. It has one area for collective operations, and one area for a message to each rank
 * of the island. Only the rank writes its buffer; the other ranks read it. Each rank maps the buffers of all
 * ranks.
 *
 * Each rank has flags (flags.h), which other ranks raise. Some of the flags are counters:
 *
 *	counters[READY]		a rank has put its data into its buffer
 *	counters[REDUCED]	a rank has put its part of the result into its buffer
 *	counters[READ]		a rank has read what it needs of the buffer of this rank
 *	sent[i]			rank i has put a message for this rank into its buffer
 *	taken[i]		rank i has read the message of this rank
 *
 * All of this is for ranks of one island. umd/hccl/far/ is for ranks of different islands.
 *
 * Two more semaphores count the collective operations of graphs that the rank has begun and that it has
 * ended. No other rank uses them. The host compares them to see whether a rank has left before it did its
 * part of a launch.
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

/** struct SeatNumbers - numbers of this device's semaphores for one rank: those by which this rank waits, or
 * those by which it signals another rank. */
struct SeatNumbers {
	std::array<uint32_t, COUNTERS> counters{};
	uint32_t sent = 0;
	uint32_t taken = 0;
};

/** class RankSlots - the buffer, flags and counters of one rank. Context: the caller's lock, unless a function
 * says otherwise. */
class RankSlots {
public:
	/** struct Layout - how a buffer is divided. */
	struct Layout {
		uint64_t collective_bytes = 0;
		uint64_t message_bytes = 0; /* size of the area for each rank of the island */
	};

	/** layout_for() - divides a buffer. @bytes: size limit of the buffer. @members: number of ranks on
	 * the largest island */
	static Layout layout_for(uint64_t bytes, uint32_t members);

	/** make() - makes the buffer and the flags of a rank.
	 * @pids: processes of the other ranks of the island
	 * Return: NO_MEMORY, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const Layout &layout, const Islands &islands,
			  uint32_t rank, std::span<const uint32_t> pids, SeatKeys &keys);

	/** join() - imports the buffers and semaphores of all ranks of the island. @island: one element for
	 * each of these ranks. Return: as make(). */
	base::Status join(const DeviceHold &device, std::span<const SeatKeys> island);

	/** reset() - restores the initial state. No rank of the island may use it at this time. Return:
	 * DEVICE_LOST. */
	base::Status reset();

	/** count_launches() - makes the counters for operations of graphs, unless they are there. They stay until the
	 * device is reset. Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status count_launches();

	/** begins() - the counter that an operation of a graph raises when it begins; 0 before
	 * count_launches(). ends() - the counter that it raises when it ends. */
	uint32_t begins() const { return begins_.load(); }
	uint32_t ends() const { return ends_.load(); }

	/** begun() - how many operations of graphs have begun. ended() - how many have ended. Context: any
	 * thread. */
	uint64_t begun() const { return count_of(begins()); }
	uint64_t ended() const { return count_of(ends()); }

	/** all_ended() - a fence that passes when all operations of graphs that have begun before this call
	 * have ended. */
	drv::Fence all_ended() const { return {ends(), begun()}; }

	/** withdraw() - makes all present and later waits of this rank fail with PEER_LOST, and stops signals
	 * of other ranks to it.
	 * Context: any thread; later calls do nothing. */
	void withdraw();

	/** leave() - releases all resources when the work submitted so far has completed.
	 * @keep: a graph may still use the resources; then only the waits end */
	void leave(bool keep);

	/** read_all() - a fence that passes when all ranks of the island have read this one's buffer. */
	drv::Fence read_all() const;

	/** buffer() - the device address of the buffer of a rank of this island. */
	uint64_t buffer(uint32_t rank) const { return buffers_[islands_.place(rank)]; }
	/** message() - the place in the buffer of rank @from for rank @to. */
	uint64_t message(uint32_t from, uint32_t to) const
	{
		return buffer(from) + layout_.collective_bytes +
		       islands_.place(to) * layout_.message_bytes;
	}
	const Layout &layout() const { return layout_; }

	/** waits() - the semaphore by which this rank waits for a counter. sent and taken are for messages
	 * with rank @of. */
	uint32_t waits(Counter counter) const { return wait_[counter]; }
	uint32_t waits_sent(uint32_t of) const { return wait_sent_[islands_.place(of)]; }
	uint32_t waits_taken(uint32_t of) const { return wait_taken_[islands_.place(of)]; }
	/** signals() - the semaphores by which this rank signals rank @to. */
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
	/* Indexed by the position of the rank on the island. */
	std::array<uint64_t, UNPU_MAX_DEVICES> buffers_{};
	std::array<uint32_t, UNPU_MAX_DEVICES> wait_sent_{};
	std::array<uint32_t, UNPU_MAX_DEVICES> wait_taken_{};
	std::array<SeatNumbers, UNPU_MAX_DEVICES> signal_{};
	uint32_t read_home_ = 0;
	std::atomic<uint32_t> begins_{0};
	std::atomic<uint32_t> ends_{0};
	uint64_t segment_ = 0; /* segment of this rank's buffer, until all ranks have imported it */
};

} // namespace umd
