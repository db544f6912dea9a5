// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/object/stream_object.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/**
 * class TargetGuard - the target of a copy to pinned memory, which the host can't touch for a while.
 *
 * Loads are in no trace, and change no byte. So the whole pages of a target lose their access when the copy
 * has run, for the host alone: the device has a mapping of its own. The first load or store of the host faults; the
 * handler notes it and gives the access back. All guards end as soon as the host learns anything, or may learn it
 * without a call, so that only a touch by a host that was told nothing is noted, and a system call of a right program
 * never meets such a page.
 */
class TargetGuard {
public:
	/** number_for() - Return: a number for the command in the trace; 0 if its target is not guarded. */
	static uint64_t number_for(Stream &stream, const unpu_packet &packet);
	/** hold() - the copy @packet is submitted: lets it run if nothing can hold it up, and guards its target. A copy
	 * that waits for the program is not guarded, as its target is the program's.
	 * @number: of number_for(), or 0. @fence: of the copy */
	static void hold(uint64_t number, Stream &stream, const unpu_packet &packet,
			 const drv::Fence &fence);

	/** note() - a packet goes into a stream: open() if it may tell the host something. */
	static void note(const unpu_packet &packet)
	{
		if (base::load_acquire(held_) != 0 && may_tell(packet)) [[unlikely]]
			open_all();
	}
	/** open() - the host may be told of ends without a call, or the runtime uses host memory itself: gives all
	 * access back. What was noted is kept. Reads one word if there is none. */
	static void open()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			open_all();
	}
	/** tell() - the host learns of ends by a call whose record comes next: open(), and writes what was noted. */
	static void tell()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			tell_all();
	}

private:
	static bool may_tell(const unpu_packet &packet);
	static void open_all();
	static void tell_all();

	static inline constinit uint32_t held_ = 0; /* atomic; slots in use */
};

} // namespace umd::recorder
