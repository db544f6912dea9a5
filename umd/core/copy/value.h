// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"
#include "uapi/packet.h"
#include "umd/core/process/call.h"

namespace umd {

struct Stream;

/** struct Word - a word in memory that a stream writes or waits for. */
struct Word {
	void *address;	/* memory that the device can access, aligned to @bytes */
	uint32_t bytes; /* 4 or 8 */
};

/** write_value() - a store in stream order.
 * Return: INVALID_ARGUMENT for a word that is misaligned or that the device can't reach. */
base::Status write_value(Stream &stream, const Word &word, uint64_t value,
			 Call call = Call::VALUE_WRITE);

/** wait_value() - makes the next task of the stream wait until the word fulfils the condition.
 * @timeout_ns: 0 for no limit; after the limit the stream fails with WAIT_TIMEOUT. */
base::Status wait_value(Stream &stream, const Word &word, unpu_value_op op, uint64_t value,
			uint64_t timeout_ns, Call call = Call::VALUE_WAIT);

} // namespace umd
