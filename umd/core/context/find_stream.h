// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/core/handle/held.h"
#include "umd/core/stream/stream.h"

namespace umd {

/** streams_left() - how many more streams the current context's device can have. */
base::Result<uint32_t> streams_left();

/** find_stream() - the stream of an API handle; nullptr means the current default stream.
 * @launching: also requires that it belongs to the current context.
 * Return: INVALID_HANDLE, WRONG_CONTEXT, NO_CONTEXT, sets the error message. */
inline Held<Stream> find_stream(const void *handle, bool launching);

/** find_stream_parts() - the same, in registers. */
Held<Stream>::Parts find_stream_parts(const void *handle, bool launching);

inline Held<Stream> find_stream(const void *handle, bool launching)
{
	return Held<Stream>(find_stream_parts(handle, launching));
}

} // namespace umd
