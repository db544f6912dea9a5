// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "source_digest.h"
#include "target_guard.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/record/recorder.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/** struct Compared - a copy that is compared when it has ended. */
struct Compared {
	DeviceRef device;
	drv::Fence fence;
	uint64_t number = 0; /* of the command */
	Box box{};	     /* the copy as the program asked for it */
	bool is_target = false;
	/* Pinned memory that gets what the device finds, without gaps; nullptr of a launch, and when it was compared */
	std::byte *slot = nullptr;
	uint64_t bytes = 0;
	uint64_t marker = 0; /* in the slot until the device has copied */
	SourceDigest digest{};
	bool has_source =
		true; /* the source is there; it is compared when the host learns of the end */
	std::unique_ptr<Operands> after{}; /* what was other then */
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

	/** struct Part - a packet with its page. */
	struct Part {
		unpu_packet packet;
		const void *page = nullptr;
		size_t bytes = 0;
	};

	/** packets() - what is submitted, in order. */
	std::span<const Part> packets() const { return {packets_.data(), count_}; }

	/** group() - packets without pages that follow the only one of these, with none of another thread between
	 * them. */
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
	std::array<Part, MOST_PACKETS> packets_;
	std::array<unpu_operator, MOST_PACKETS> pages_;
	std::array<unpu_packet, MOST_PACKETS> group_;
};

/**
 * class LaunchDigest - a launch of a graph with copies of pinned memory. What the device reads can't be caught, so
 * their sources are only compared when the host learns that the launch has ended.
 *
 * Context: as Detour.
 */
class LaunchDigest {
public:
	/** begin() - @copies: of the graph. @is_plain: the trace tells all that its nodes do
	 * @count: launches of the graph before this one. @flags: as Detour::begin()
	 * Return: nullptr if nothing is compared */
	static std::unique_ptr<LaunchDigest> begin(Stream &stream, const std::vector<Box> &copies,
						   bool is_plain, uint64_t count, uint16_t &flags);
	/** number(), read(), keep() - as those of Detour. */
	uint64_t number() const { return compared_.number; }
	void read();
	void keep(const drv::Fence &fence);

private:
	LaunchDigest() = default;

	std::vector<Box> sources_;
	Compared compared_;
};

/** class Comparisons - copies that have not been compared, and sources of copies whose end the host has not learnt. */
class Comparisons {
public:
	static Comparisons &get() { return Process::own<Comparisons>(); }

	/** look() - compares the copies that have ended. Reads one word if there is none. Context: no lock held. */
	static void look()
	{
		TargetGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({});
	}
	/** look_behind() - the host learns that @fence has passed, by a call whose record comes next. Those before it
	 * are compared with their sources, too. look_behind_all() - it learns that all work has ended. */
	static void look_behind(const DeviceRef &device, const drv::Fence &fence)
	{
		TargetGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({device, fence, false});
	}
	static void look_behind(OpenDevice &device, const drv::Fence &fence)
	{
		TargetGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({DeviceRef(device), fence, false});
	}
	static void look_behind_all()
	{
		TargetGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({{}, {}, true});
	}

	/** forget() - for forget_sources() of notes.h. */
	void forget();

	/** take_slot() - pinned memory of @device. Return: nullptr beyond the bounds. give_slot() - gives it back. */
	std::byte *take_slot(drv::Device &device, uint64_t bytes);
	void give_slot(drv::Device *device, std::byte *slot, uint64_t bytes);

	void add(Compared &&one);
	/** count_source() - Return: how many sources were counted before. */
	uint64_t count_source() { return sources_.fetch_add(1); }

private:
	/* struct Known - the copies of which the host learns that they have ended. */
	struct Known {
		DeviceRef device{};
		drv::Fence fence{};
		bool is_all = false;
		bool covers(const Compared &one) const;
	};

	/* Return: nullptr where there is nothing to compare. */
	static Comparisons *find_any()
	{
		Comparisons *mine = Process::find<Comparisons>();
		return mine && mine->is_any_.load() ? mine : nullptr;
	}
	void look_through(const Known &known);
	bool finish(Compared &one);
	void keep(std::vector<Compared> &&ended, uint64_t forgotten);
	static void tell(const Compared &one, const Operands *changed, uint16_t flags);

	std::atomic<bool> is_any_{false};
	std::atomic<uint64_t> bytes_{0}; /* in slots */
	std::atomic<uint64_t> sources_{0};
	base::Mutex mutex_{"Comparisons::mutex_"};
	std::vector<Compared> left_ GUARDED_BY(mutex_);
	uint64_t forgotten_ GUARDED_BY(mutex_) = 0; /* calls of forget() */
};

} // namespace umd::recorder
