// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/object/stream_object.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/**
 * class TargetGuard - makes the target of a copy to pinned memory inaccessible for the host for a while.
 *
 * A load of the host leaves no trace and changes no byte, so it can only be detected by a page fault. When
 * the copy has run, the runtime removes the host's access to the pages that the target fills completely; the
 * device has a mapping of its own. The first load or store of the host faults. The handler notes it, and
 * restores the access. All guards end as soon as the host learns anything, or may learn it without a call. So
 * the handler notes only accesses by a host that could not know of the end, and a system call of a correct
 * program never meets such a page.
 */
class TargetGuard {
public:
	/** number_for() - decides whether to guard the target of a copy. Return: a number for the command in
	 * the trace; 0 if its target is not guarded. */
	static uint64_t number_for(Stream &stream, const unpu_packet &packet);
	/** hold() - called when the copy @packet is submitted. If nothing can delay the copy, waits until it
	 * has run, and guards its target. A copy that may have to wait for the program is not guarded,
	 * because the program may still use the target.
	 * @number: result of number_for(), or 0. @fence: the fence of the copy */
	static void hold(uint64_t number, Stream &stream, const unpu_packet &packet,
			 const drv::Fence &fence);

	/** note() - called for each packet of a stream. Calls open() if the packet may tell the host
	 * something. */
	static void note(const unpu_packet &packet)
	{
		if (base::load_acquire(held_) != 0 && may_tell(packet)) [[unlikely]]
			open_all();
	}
	/** open() - restores all access. Call it if the host may learn of ends without a call, or if the
	 * runtime itself uses host memory. Noted accesses are kept. If there is no guard, it only reads one
	 * word. */
	static void open()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			open_all();
	}
	/** tell() - called when the host learns of ends, right before the record of that call. Calls open(),
	 * and records the noted accesses. */
	static void tell()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			tell_all();
	}

private:
	static bool may_tell(const unpu_packet &packet);
	static void open_all();
	static void tell_all();

	static inline constinit uint32_t held_ = 0; /* atomic; number of slots in use */
};

} // namespace umd::recorder
