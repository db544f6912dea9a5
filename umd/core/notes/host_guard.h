// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/object/stream_object.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/**
 * class HostGuard - keeps the host away from pinned memory that copies in flight use.
 *
 * A load or store of the host leaves no trace, so it can only be detected by a page fault. While a copy may be
 * in flight by the contract, the host has no access to the pages of its target, and can't write those of its
 * source; the device has a mapping of its own. The first load or store of the host is noted with its call
 * stack, and then goes on. A guard ends when the host learns of the end of its copy, or may learn of it without a call:
 * the guard follows the copy through the streams and events that are ordered behind it. So a right program meets no
 * guard, in a system call neither.
 *
 * Context: any thread, with no lock held that a record takes.
 */
class HostGuard {
public:
	/** claim() - called before a packet is posted that may be a copy. Decides whether its memory is guarded, and
	 * begins to follow it. @number: number of the command in the trace if it is compared, or 0.
	 * Return: the number of the command; 0: it is not guarded */
	static uint64_t claim(Stream &stream, const unpu_packet &packet, uint64_t number);
	/** hold() - called when the packet is posted. If the copy may have to wait for the program, it is not
	 * guarded, because the program may still use the memory; the call lets work run to find that out.
	 * @number: result of claim(), or 0. @fence: the fence of the copy */
	static void hold(uint64_t number, Stream &stream, const drv::Fence &fence);
	/** drop() - called instead of hold() if the packet was not posted. */
	static void drop(uint64_t number);

	/** note() - called before a packet is posted. Opens what the packet may tell the host of.
	 * note_teller() - the same for work that may tell the host of all that is before it. */
	static void note(Stream &stream, const unpu_packet &packet)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			note_packet(stream, packet);
	}
	static void note_teller(Stream &stream)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			open_behind(stream);
	}
	/** follow() - called when a stream records an event, or waits for it. @kind: EVENT_RECORD or EVENT_WAIT */
	static void follow(san::Kind kind, uint64_t event, Stream &stream)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			follow_stream(kind, event, stream);
	}
	/** follow_number() - the same for a stream that exists only in the trace. */
	static void follow_number(san::Kind kind, uint64_t event, uint32_t stream)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			follow_all(kind, event, stream);
	}

	/** know_stream(), know_event() - called when the host learns that a stream or an event has come to its
	 * end, right before the record of that call. Records what was noted. */
	static void know_stream(Stream &stream)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			know(&stream, 0);
	}
	static void know_event(uint64_t event)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			know(nullptr, event);
	}
	/** tell() - called before a record by which the host may learn of something. Records what was noted. */
	static void tell()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			tell_all();
	}

	/** open() - gives back all access, because the host may have learned of any end. open_box() - gives back the
	 * access to the memory of a copy that the host itself makes. What was noted is kept. */
	static void open()
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			open_all();
	}
	static void open_box(const Box &box)
	{
		if (base::load_acquire(held_) != 0) [[unlikely]]
			open_ranges(box);
	}

private:
	static void note_packet(Stream &stream, const unpu_packet &packet);
	static void open_behind(Stream &stream);
	static void follow_stream(san::Kind kind, uint64_t event, Stream &stream);
	static void follow_all(san::Kind kind, uint64_t event, uint32_t stream);
	static void know(Stream *stream, uint64_t event);
	static void tell_all();
	static void open_all();
	static void open_ranges(const Box &box);

	static inline constinit uint32_t held_ = 0; /* atomic; number of guards */
};

} // namespace umd::recorder
