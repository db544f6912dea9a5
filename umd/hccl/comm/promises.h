// SPDX-License-Identifier: MIT
#pragma once

#include "comm.h"
#include "umd/core/notes/collective_note.h"

namespace umd {

/**
 * class Promises - the order between ranks that the operations of a communicator promise, for the sanitizer.
 *
 * Each pair of ranks and direction has latches of the trace: one for collective calls, one for messages, and one for
 * their receivers, as a send ends after its receive has begun. An operation signals those of the ranks that come after
 * it, and waits for those of the ranks that come before it. Context: any thread.
 */
class Promises {
public:
	explicit Promises(const Entrance &entrance);

	/** begin() - the rank joins. No other rank has signalled anything by now. */
	void begin() const;
	/** end() - the rank's waits have ended, and those to come will. */
	void end() const;

	/** add_call() - of a collective call without messages. */
	void add_call(const CallNote &call, recorder::CollectiveNote &note) const;

	/** add_message() - of a message that is not empty.
	 * @is_synchronous: the send ends after the receive has begun */
	void add_message(uint32_t other, bool is_send, bool is_synchronous,
			 recorder::CollectiveNote &note) const;

	/** end_of() - the place of the rank's @number-th operation in a stream. */
	recorder::StreamPoint end_of(Stream &stream, uint64_t number) const;

private:
	enum Kind : uint32_t { CALL, MESSAGE, RECEIVER, KINDS, STREAM };

	uint64_t to(Kind kind, uint32_t other) const;
	uint64_t from(Kind kind, uint32_t other) const;
	template <class Do> void each_wait(Do action) const;

	const Entrance &entrance_;
	const Nonce name_;
};

} // namespace umd
