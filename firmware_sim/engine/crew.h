// SPDX-License-Identifier: MIT
/**
 * DOC: Crew
 *
 * The devices of one firmware that serves other processes. Where there are fewer CPUs than threads that poll, two
 * devices that signal each other all the time would wake each other all the time. So the thread of one of them, the
 * mover, also moves the other one, whose own thread dozes meanwhile (device_thread.cpp).
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
	/** move_here() - turns on the calling thread while there is work, a bounded number.
	 * Return: whether there was work. */
	virtual bool move_here() = 0;
	/** move_alone() - the device's own thread moves it again. */
	virtual void move_alone() = 0;
};

/** class Crew - see above. Context: any thread. */
class Crew {
public:
	static constexpr uint32_t NOBODY = UINT32_MAX;

	explicit Crew(unsigned cpus = base::usable_cpus());

	/** count_used() - @change: 1: a device has got its first client; -1: it has lost its last one. */
	void count_used(int change) { used_ += change; }

	/** is_crowded() - whether the threads of the devices in use and of their clients can't all poll. */
	bool is_crowded() const
	{
		const int used = used_.load();
		return used > 1 && cpus_ < 2 * used;
	}

	/** give() - the thread of device @mover moves device @index from now on.
	 * end() - and no more. Waits for a thread that moves the device now. */
	void give(uint32_t index, Moved &device, uint32_t mover);
	void end(uint32_t index);

	/** keep() - the thread of device @mover has left work to do for the device. */
	void keep(uint32_t index, uint32_t mover) { mover_[index].store(mover); }

	/** has_given() - whether a device is moved by the threads of others. */
	bool has_given() const { return given_.load() != 0; }

	/** move() - moves all devices that were given. Context: the thread of a device.
	 * Return: whether there was work. */
	bool move();

	/** part() - the thread of device @mover is about to sleep: its devices move alone. */
	void part(uint32_t mover);

private:
	const int cpus_;
	std::atomic<int> used_{0};
	std::atomic<uint32_t> given_{0}; /* devices in moved_ */
	std::array<std::atomic<uint32_t>, UNPU_MAX_DEVICES> mover_;
	/* Held while devices are moved, so that none of them ends meanwhile. */
	base::Mutex mutex_{"Crew::mutex_", base::HeldOver::WORK};
	std::array<Moved *, UNPU_MAX_DEVICES> moved_ GUARDED_BY(mutex_){};
};

} // namespace fw
