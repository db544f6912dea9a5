// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "host_guard.h"
#include "source_digest.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/recorder/recorder.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/** struct Compared - a copy that is compared when it has ended. */
struct Compared {
	DeviceRef device;
	drv::Fence fence;
	uint64_t number = 0; /* number of the command */
	Box box{};	     /* the copy that the program asked for */
	bool is_target = false;
	/* Pinned memory that receives what the device finds, without gaps. nullptr for a launch, and after
	 * the comparison. */
	std::byte *slot = nullptr;
	uint64_t bytes = 0;
	uint64_t marker = 0; /* in each part of the slot until the device has copied */
	SourceDigest digest{};
	/* the source still exists; it is compared when the host learns of the end */
	bool has_source = true;
	std::unique_ptr<Operands> after{}; /* what differed at that time */
};

/**
 * class ShadowCopy - makes the packets for a copy of pinned memory whose contents will be compared.
 *
 * For a source in pinned memory: the device first copies it into a slot, and then from the slot to the
 * target. So it reads the source only once, and nobody can change what it has read. For a target in pinned
 * memory: the device fills the target with a pattern. Right before the program's copy it copies the target
 * into a slot, which shows whether the host has written there.
 *
 * Context: the thread that submits, with no lock held.
 */
class ShadowCopy {
public:
	/** begin() - @flags: receives COMMAND_COMPARED or COMMAND_UNCOMPARED if the packet is such a copy.
	 * @page: the operator of the packet, or nullptr. Return: nullptr for other packets, or if there is no
	 * memory for it. */
	static std::unique_ptr<ShadowCopy> begin(Stream &stream, const unpu_packet &packet,
						 const void *page, uint16_t &flags);
	~ShadowCopy();

	/** number() - the number of the command in the trace. box() - the copy. */
	uint64_t number() const { return compared_.number; }
	const Box &box() const { return compared_.box; }

	/** read() - reads the source. Call it after the record was reserved, so that everything the host knew
	 * at the record has ended. */
	void read();

	/** struct Part - a packet with its page. */
	struct Part {
		unpu_packet packet;
		const void *page = nullptr;
		size_t bytes = 0;
	};

	/** packets() - the packets to submit, in order. */
	std::span<const Part> packets() const { return {packets_.data(), count_}; }

	/** group() - packets without pages that must follow packets() directly: no packet of another thread
	 * may come between them. */
	std::span<const unpu_packet> group() const { return {group_.data(), grouped_}; }

	/** keep() - called when all packets are submitted. The calling thread waits until the device has written
	 * the pattern, unless the stream itself may wait for another task or for the program.
	 * @fence: the fence of the last packet */
	void keep(const drv::Fence &fence);

private:
	static constexpr size_t MOST_PACKETS = 2;

	ShadowCopy(Stream &stream, const Box &box, bool is_target, std::byte *slot, uint64_t bytes);
	void add_copy(const Box &box, uint64_t cookie);
	void await_pattern(const drv::Fence &last) const;

	Stream &stream_;
	Compared compared_;
	bool is_kept_ = false;
	bool is_idle_; /* the stream had no pending work */
	size_t count_ = 0;
	size_t grouped_ = 0;
	std::array<Part, MOST_PACKETS> packets_;
	std::array<unpu_operator, MOST_PACKETS> pages_;
	std::array<unpu_packet, MOST_PACKETS> group_;
};

/**
 * class LaunchDigest - a launch of a graph with copies of pinned memory. The runtime can't capture what the
 * device reads there. So it compares the sources only when the host learns that the launch has ended.
 *
 * Context: as ShadowCopy.
 */
class LaunchDigest {
public:
	/** begin() - @copies: the copies in the graph. @is_plain: the trace describes its nodes completely
	 * @count: number of earlier launches of the graph. @flags: as ShadowCopy::begin()
	 * Return: nullptr if nothing is compared */
	static std::unique_ptr<LaunchDigest> begin(Stream &stream, const std::vector<Box> &copies,
						   bool is_plain, uint64_t count, uint16_t &flags);
	/** number(), read(), keep() - as the functions of class ShadowCopy. */
	uint64_t number() const { return compared_.number; }
	void read();
	void keep(const drv::Fence &fence);

private:
	LaunchDigest() = default;

	std::vector<Box> sources_;
	Compared compared_;
};

/** class Comparisons - copies that still have to be compared, and sources of copies whose end the host does
 * not know. */
class Comparisons {
public:
	static Comparisons &get() { return Process::own<Comparisons>(); }

	/** look() - compares the copies that have ended. If there is none, it only reads one word. Context:
	 * no lock held. */
	static void look()
	{
		HostGuard::open();
		HostGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({});
	}
	/** look_behind() - called when the host learns that @fence has passed, right before the record of
	 * that call. Compares the copies before the fence with their sources. look_behind_all() - the same
	 * when the host learns that all work has ended. */
	static void look_behind(const DeviceRef &device, const drv::Fence &fence)
	{
		HostGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({device, fence, false});
	}
	static void look_behind_all()
	{
		HostGuard::open();
		HostGuard::tell();
		if (Comparisons *mine = find_any()) [[unlikely]]
			mine->look_through({{}, {}, true});
	}

	/** forget() - does the work of forget_sources of the observer. */
	void forget();

	/** take_slot() - allocates a slot in pinned memory of @device. Return: nullptr beyond the bounds.
	 * give_slot() - frees it. */
	std::byte *take_slot(drv::Device &device, uint64_t bytes);
	void give_slot(drv::Device *device, std::byte *slot, uint64_t bytes);

	void add(Compared &&one);
	/** count_source() - counts one more source. Return: how many were counted before. */
	uint64_t count_source() { return sources_.fetch_add(1); }

private:
	/* struct Known - tells which copies the host now knows to have ended. */
	struct Known {
		DeviceRef device{};
		drv::Fence fence{};
		bool is_all = false;
		bool covers(const Compared &one) const;
	};

	/* Return: nullptr if there is nothing to compare. */
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
	std::atomic<uint64_t> bytes_{0}; /* bytes in slots */
	std::atomic<uint64_t> sources_{0};
	base::Mutex mutex_{"Comparisons::mutex_"};
	std::vector<Compared> left_ GUARDED_BY(mutex_);
	uint64_t forgotten_ GUARDED_BY(mutex_) = 0; /* number of calls of forget() */
};

} // namespace umd::recorder
