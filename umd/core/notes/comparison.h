// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/device_state.h"
#include "umd/core/recorder/recorder.h"
#include "umd/core/stream/stream.h"

namespace umd::recorder {

/** struct Compared - a copy that is compared when it has ended. */
struct Compared {
	DeviceRef device;
	drv::Fence fence;
	uint64_t number = 0; /* of the command */
	Box box{};	     /* the copy as the program asked for it */
	bool is_target = false;
	std::byte *slot = nullptr; /* pinned memory that gets what the device finds, without gaps */
	uint64_t bytes = 0;
	uint64_t marker = 0;		/* in the slot until the device has copied */
	std::vector<uint64_t> hashes{}; /* of the source at the call, part by part */
};

/**
 * class Detour - a copy of pinned memory whose contents are to be compared, as the packets that are submitted for it.
 *
 * Of a source: the device copies it into a slot, and from there to the target. So it reads the source once, and what it
 * has read can't change any more. Of a target: the device fills it with a pattern, copies it into a slot right before
 * the program's copy, and makes that copy.
 *
 * Context: the thread that submits, with no lock held.
 */
class Detour {
public:
	/** begin() - @flags: COMMAND_COMPARED or COMMAND_UNCOMPARED if the packet is such a copy.
	 * @page: its operator, or nullptr. Return: nullptr for other packets, and without memory for it. */
	static std::unique_ptr<Detour> begin(Stream &stream, const unpu_packet &packet,
					     const void *page, uint16_t &flags);
	~Detour();

	/** number() - of the command in the trace. */
	uint64_t number() const { return compared_.number; }

	/** read() - reads the source. Comes after the place of the record is taken: whatever the host knows there is
	 * over by now. */
	void read();

	/** packets() - what is submitted, in order. */
	std::span<const Submission> packets() const { return {packets_.data(), count_}; }

	/** group() - packets without pages that follow the last of these, with none of another thread between them. */
	std::span<const unpu_packet> group() const { return {group_.data(), grouped_}; }

	/** keep() - all are submitted. Waits for the pattern if nothing can hold the device up.
	 * @fence: of the last one */
	void keep(const drv::Fence &fence);

private:
	static constexpr size_t MOST_PACKETS = 2;

	Detour(Stream &stream, const Box &box, bool is_target, std::byte *slot, uint64_t bytes);
	void add_copy(const Box &box, uint64_t cookie);
	void await_pattern(const drv::Fence &last) const;

	Stream &stream_;
	Compared compared_;
	bool is_kept_ = false;
	bool is_idle_; /* the stream had nothing to do */
	size_t count_ = 0;
	size_t grouped_ = 0;
	std::array<Submission, MOST_PACKETS> packets_;
	std::array<unpu_operator, MOST_PACKETS> pages_;
	std::array<unpu_packet, MOST_PACKETS> group_;
};

/** class Comparisons - copies that have not been compared. */
class Comparisons {
public:
	static Comparisons &get() { return Process::own<Comparisons>(); }

	/** look() - compares the copies that have ended. Reads one word if there is none. Context: no lock held. */
	static void look()
	{
		Comparisons *mine = Process::find<Comparisons>();
		if (mine && mine->is_any_.load()) [[unlikely]]
			mine->look_through();
	}

	/** take_slot() - pinned memory of @device. Return: nullptr beyond the bounds. give_slot() - gives it back. */
	std::byte *take_slot(drv::Device &device, uint64_t bytes);
	void give_slot(drv::Device *device, std::byte *slot, uint64_t bytes);

	void add(Compared &&one);

private:
	void look_through();
	void finish(const Compared &one);

	std::atomic<bool> is_any_{false};
	std::atomic<uint64_t> bytes_{0}; /* in slots */
	base::Mutex mutex_{"Comparisons::mutex_"};
	std::vector<Compared> left_ GUARDED_BY(mutex_);
};

} // namespace umd::recorder
