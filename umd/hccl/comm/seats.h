// SPDX-License-Identifier: MIT
/**
 * DOC: Seats
 *
 * What a rank has on its device for a communicator, and what it uses of the others.
 *
 * Its buffer has a place for collective operations and one for a message to each rank. The rank writes it, and the
 * others read it. Each rank maps the buffers of all.
 *
 * Its semaphores are counters and flags for which it waits, and which other ranks raise:
 *
 *	counters[READY]		a rank has put its data into its buffer
 *	counters[REDUCED]	a rank has put its part of the result into its buffer
 *	counters[READ]		a rank has read what it needs of the buffer of this rank
 *	sent[i]			rank i has put a message for this rank into its buffer
 *	taken[i]		rank i has read the message of this rank
 *
 * Each of them is a NOTIFY of which this rank is the exporter, and also a member with a second semaphore. It waits by
 * the second one. When it withdraws the NOTIFY, all waits end as PEER_LOST, those to come too.
 */
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "umd/core/device/device_state.h"
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
		uint64_t message_bytes = 0; /* for each rank */
	};

	/** layout_for() - @bytes: the most that a rank may have. */
	static Layout layout_for(uint64_t bytes, uint32_t ranks);

	/** make() - makes the buffer and the semaphores of a rank.
	 * @pids: of the other ranks' processes
	 * Return: NO_MEMORY, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const Layout &layout, uint32_t ranks,
			  uint32_t rank, std::span<const uint32_t> pids, RankKeys &keys);

	/** join() - imports what the ranks share. Return: as make(). */
	base::Status join(const DeviceHold &device, const KeyTable &table);

	/** withdraw() - ends all waits of this rank with PEER_LOST, now and later, and signals of others to it.
	 * Context: any thread; later calls do nothing. */
	void withdraw();

	/** leave() - gives all of it back when the work submitted so far has passed.
	 * @keep: a graph may use it still; then only the waits end */
	void leave(bool keep);

	/** read_all() - passes when all ranks have read this one's buffer. */
	drv::Fence read_all() const;

	/** buffer() - address of a rank's buffer for this device. */
	uint64_t buffer(uint32_t rank) const { return buffers_[rank]; }
	/** message() - the place in the buffer of rank @from for rank @to. */
	uint64_t message(uint32_t from, uint32_t to) const
	{
		return buffers_[from] + layout_.collective_bytes + to * layout_.message_bytes;
	}
	const Layout &layout() const { return layout_; }

	/** waits() - by which this rank waits; sent and taken are those of rank @of. */
	uint32_t waits(Counter counter) const { return wait_[counter]; }
	uint32_t waits_sent(uint32_t of) const { return wait_sent_[of]; }
	uint32_t waits_taken(uint32_t of) const { return wait_taken_[of]; }
	/** signals() - by which this rank tells rank @to. */
	const SeatNumbers &signals(uint32_t to) const { return signal_[to]; }

private:
	struct Home {
		uint32_t sem = 0;
		unpu_export_key key{};
	};

	base::Status make_home(drv::Device &device, uint64_t value, std::span<const uint32_t> pids,
			       unpu_export_key &key);
	base::Status make_buffer(drv::Device &device, std::span<const uint32_t> pids,
				 unpu_export_key &key);
	base::Status share(drv::Device &device, const unpu_export_key &key,
			   std::span<const uint32_t> pids);
	base::Status take(drv::Device &device, const unpu_export_key &key, uint32_t &sem);
	base::Status take_signals(drv::Device &device, const KeyTable &table, uint32_t rank);
	base::Status take_waits(drv::Device &device, const RankKeys &own);

	DeviceRef device_;
	Layout layout_;
	uint32_t ranks_ = 0;
	uint32_t rank_ = 0;
	std::array<uint64_t, MAX_RANKS> buffers_{};
	std::array<uint32_t, COUNTERS> wait_{};
	std::array<uint32_t, MAX_RANKS> wait_sent_{};
	std::array<uint32_t, MAX_RANKS> wait_taken_{};
	std::array<SeatNumbers, MAX_RANKS> signal_{};
	uint32_t read_home_ = 0;
	uint64_t segment_ = 0; /* of the own buffer, until all have imported it */
	std::vector<uint32_t>
		taken_; /* semaphores that are members of others' groups, or of own ones */

	/* Held also for the device's requests, so that a second withdrawal does nothing. */
	base::Mutex mutex_{"Seats::mutex_", base::HeldOver::ANSWERS};
	std::vector<Home> homes_ GUARDED_BY(mutex_);
	bool is_withdrawn_ GUARDED_BY(mutex_) = false;
};

} // namespace umd
