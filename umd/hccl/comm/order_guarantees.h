// SPDX-License-Identifier: MIT
#pragma once

#include "comm.h"
#include "umd/core/notes/collective_note.h"

namespace umd {

/**
 * class OrderGuarantees - the order between ranks that the operations of a communicator guarantee, as the sanitizer
 * needs it.
 *
 * The trace has three latches for each pair of ranks and each direction. One is for collective calls. One is
 * for messages. The third is for receivers of messages, because a synchronous send ends only after its
 * receive has begun. An operation signals the latches of ranks that run after it, and waits for the latches
 * of ranks that run before it. Context: any thread.
 */
class OrderGuarantees {
public:
	explicit OrderGuarantees(const Entrance &entrance);

	/** begin() - notes that the rank joins. No other rank has signalled a latch at this time. */
	void begin() const;
	/** end() - notes that all waits of this rank have ended, and that later waits end at once. */
	void end() const;

	/** add_call() - adds to @note the latches of a collective call that is not made of messages. */
	void add_call(const CallNote &call, recorder::CollectiveNote &note) const;

	/** add_message() - adds to @note the latches of a message that is not empty.
	 * @is_synchronous: the send ends after the receive has begun */
	void add_message(uint32_t other, bool is_send, bool is_synchronous,
			 recorder::CollectiveNote &note) const;

	/** end_of() - the point in the trace at which operation @number of this rank ends in @stream. */
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
