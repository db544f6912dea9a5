// SPDX-License-Identifier: MIT
/**
 * DOC: Movers
 *
 * The devices of one firmware that serves other processes. If there are fewer CPUs than polling threads, two
 * devices that signal each other often would wake each other's threads all the time. So the thread of one
 * device, the mover, also moves the other device. The own thread of that device dozes in the meantime
 * (device_thread.cpp).
 */
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/os/machine.h"
#include "base/sync/mutex.h"
#include "uapi/regs.h"

namespace fw {

/** class Moved - a device that the thread of another one may move. */
class Moved {
public:
	virtual ~Moved() = default;
	/** move_here() - takes turns on the calling thread while there is work, up to a limit.
	 * Return: whether there was work. */
	virtual bool move_here() = 0;
	/** move_alone() - the device's own thread moves the device again. */
	virtual void move_alone() = 0;
};

/** class Movers - the devices of one firmware, and which thread moves which of them. Context: any thread. */
class Movers {
public:
	static constexpr uint32_t NOBODY = UINT32_MAX;

	explicit Movers(unsigned cpus = base::usable_cpus());

	/** count_used() - @change: 1: a device has got its first client; -1: it has lost its last one. */
	void count_used(int change) { used_ += change; }

	/** is_crowded() - whether the threads of the devices in use and of their clients can't all poll. */
	bool is_crowded() const
	{
		const int used = used_.load();
		return used > 1 && cpus_ < 2 * used;
	}

	/** give() - from now on the thread of device @mover moves device @index. end() - ends that. Waits for
	 * a thread that is moving the device at present. */
	void give(uint32_t index, Moved &device, uint32_t mover);
	void end(uint32_t index);

	/** keep() - the thread of device @mover has left work to do for the device. */
	void keep(uint32_t index, uint32_t mover) { mover_[index].store(mover); }

	/** has_given() - whether some device is moved by the thread of another one. */
	bool has_given() const { return given_.load() != 0; }

	/** move() - moves all devices that were given to another thread. Context: the thread of a device.
	 * Return: whether there was work. */
	bool move();

	/** part() - called when the thread of device @mover goes to sleep: the devices that it moved are
	 * moved by their own threads again. */
	void part(uint32_t mover);

private:
	const int cpus_;
	std::atomic<int> used_{0};
	std::atomic<uint32_t> given_{0}; /* number of devices in moved_ */
	std::array<std::atomic<uint32_t>, UNPU_MAX_DEVICES> mover_;
	/* Held while devices are moved, so that none of them is destroyed at that time. */
	base::Mutex mutex_{"Movers::mutex_", base::HeldOver::WORK};
	std::array<Moved *, UNPU_MAX_DEVICES> moved_ GUARDED_BY(mutex_){};
};

/** class Handover - whether the thread of another device moves a device, or shall. Context: any thread. */
class Handover {
public:
	Handover(Movers &movers, uint32_t index, Moved &device)
		: movers_(movers), index_(index), device_(device)
	{
	}

	bool is_given() const { return is_given_.load(); }
	/** is_wanted() - whether want() was called since give() or take_back(). */
	bool is_wanted() const { return wanted_by_.load() != Movers::NOBODY; }
	/** want() - the device's own thread shall give the device to the thread of device @mover. */
	void want(uint32_t mover) { wanted_by_ = mover; }

	/** give(), take_back() - Context: the device's own thread. */
	void give();
	void take_back();
	/** end() - the device ends: take_back(), from whatever thread. */
	void end() { movers_.end(index_); }

	/** note_signal() - counts a signal. Return: whether many have come recently. */
	bool note_signal();
	/** note_turn() - a caller has taken a turn. @has_long_work: engines work for the device after it */
	void note_turn(bool has_long_work)
	{
		/* Most turns change nothing, and a store costs a fence. */
		if (has_long_work_.load() != has_long_work)
			has_long_work_ = has_long_work;
	}
	/** must_be_alone() - whether engines work for the device: then its own thread shall move it for some time. */
	bool must_be_alone();

private:
	Movers &movers_;
	const uint32_t index_;
	Moved &device_;
	std::atomic<bool> is_given_{false};
	/* index of the device whose thread shall move this device */
	std::atomic<uint32_t> wanted_by_{Movers::NOBODY};
	std::atomic<bool> has_long_work_{false}; /* the last turn of a caller left long work */
	/* before this time, no thread of another device moves this one */
	std::atomic<uint64_t> alone_until_ns_{0};
	std::atomic<uint32_t> signals_{0};    /* recent signals from the thread of another device */
	std::atomic<uint64_t> signals_ns_{0}; /* time of the first signal that @signals_ counts */
};

} // namespace fw
