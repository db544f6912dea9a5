// SPDX-License-Identifier: MIT
/**
 * DOC: Turns
 *
 * The legacy stream and the streams that take turns with it: a task of the former waits for what the
 * latter have to do, and what they are given later waits for it. Both are gates: fences that become
 * wait packets only where a next task finds them still closed. A stream that is not used again costs
 * nothing.
 */
#pragma once

#include "umd/stream.h"

namespace umd::cuda {

/** class Turn - stands around whatever is done in a stream; nothing for all but the legacy stream. */
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

	Turn(const Turn &) = delete;
	Turn &operator=(const Turn &) = delete;

private:
	void begin();
	void end();

	Stream *const legacy_;
};

} // namespace umd::cuda
