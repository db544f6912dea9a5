// SPDX-License-Identifier: MIT
/**
 * DOC: Turns
 *
 * The legacy stream takes turns with the blocking streams of its context, which are those without
 * CU_STREAM_NON_BLOCKING. A task of the legacy stream waits for all earlier work of these streams. Their
 * later work waits for the task, even in a stream that is created later. Each wait is stored as a fence. It
 * becomes a wait packet only if the fence has not passed when the stream gets its next task. So a stream that
 * is not used again costs nothing.
 *
 * A wait of a turn does not count as work of the waiting stream. So a query or a synchronisation of a
 * blocking stream does not wait for a later task of the legacy stream.
 *
 * Overlapping calls of different threads have no order.
 */
#pragma once

#include "umd/core/stream/stream.h"

namespace umd::cuda {

/** class Turn - guard around a submit to a stream. Does nothing unless it is the legacy stream. */
class Turn {
public:
	explicit Turn(Stream &stream) : legacy_(stream.is_default ? &stream : nullptr)
	{
		if (legacy_) [[unlikely]]
			begin();
	}

	~Turn()
	{
		if (legacy_) [[unlikely]]
			end();
	}

	/** drop() - ends the guard without a turn, because the stream has ended. */
	void drop() { legacy_ = nullptr; }

	Turn(const Turn &) = delete;
	Turn &operator=(const Turn &) = delete;

private:
	void begin();
	void end();

	Stream *legacy_;
	drv::Fence before_; /* the last fence of the legacy stream when the turn began */
};

/** join_turns() - makes a new stream take turns with the legacy stream. */
void join_turns(Stream &stream);

/** others_done() - whether the streams that take turns with the legacy stream @legacy have done their work.
 * A query uses it, because a Turn would make later tasks of these streams wait. */
bool others_done(Stream &legacy);

/** report_others() - the first failure of one of these streams that no call has reported yet. Context: no
 * lock held. */
base::Status report_others(Stream &legacy);

/** wait_others() - waits until these streams have done their work. A synchronisation uses it for the same
 * reason.
 * Return: as report_others(); DEVICE_LOST. */
base::Status wait_others(Stream &legacy, hal::WaitWay way);

} // namespace umd::cuda
