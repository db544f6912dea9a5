// SPDX-License-Identifier: MIT
/**
 * DOC: Turns
 *
 * The legacy stream takes turns with the blocking streams of its context, which are those without
 * CU_STREAM_NON_BLOCKING. A task of the legacy stream waits for all work that these streams were given before. What
 * they are given later waits for the task, also if the stream is created later. Each wait is a fence that becomes a
 * wait packet only if the stream's next task finds it not passed yet. A stream that is not used again costs nothing.
 *
 * A wait of a turn is no work of the stream that waits. So a query or a synchronisation of one blocking stream does
 * not wait for a task that the legacy stream was given after the work of that stream.
 *
 * Calls of different threads that overlap have no order.
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

	/** drop() - for a stream that has ended. */
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

/** report_others() - the first failure of one of them that no call has reported yet. Context: no lock held. */
base::Status report_others(Stream &legacy);

/** wait_others() - waits until they have. A synchronisation uses it for the same reason.
 * Return: as report_others(); DEVICE_LOST. */
base::Status wait_others(Stream &legacy, hal::WaitWay way);

} // namespace umd::cuda
