// SPDX-License-Identifier: MIT
/**
 * DOC: Turns
 *
 * The legacy stream takes turns with the blocking streams, which are those without
 * CU_STREAM_NON_BLOCKING: a task of the legacy stream waits for all
 * earlier work of these streams, and their later tasks wait for it. Both waits are gates: fences that
 * become wait packets only if the stream's next task finds them not passed yet. A stream that is not
 * used again costs nothing.
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
};

/** others_done() - whether the streams that take turns with the legacy stream @legacy have done their work.
 * A query uses it, because a Turn would make later tasks of these streams wait. */
bool others_done(Stream &legacy);

} // namespace umd::cuda
