// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "observer.h"
#include "san/trace/record.h"
#include "umd/core/process/call.h"

namespace umd::recorder {

/** struct CallNotes - what a front end knows about the current call of this thread; the records of the call
 * use it. */
struct CallNotes {
	/* the API does not guarantee that this call waits, so its waits are not recorded */
	bool is_quiet = false;
	uint16_t command_flags = 0;  /* CommandFlag bits for all commands of the call */
	uint16_t memory_flags = 0;   /* AllocFlag of an allocation, or WAITS of a free */
	uint32_t stream = san::HOST; /* the stream in whose order memory is allocated or freed */
	/* the call reads pageable sources before it returns, and the copy may happen later */
	bool stages_sources = false;
	/* The API function that records or waits for an event; OTHER: the name follows from the kind of the
	 * record. */
	Call event_call = Call::OTHER;

	/** mine() - the notes of the calling thread. */
	static CallNotes &mine();
};

/** class CallScope - sets the CallNotes of the thread during its lifetime. */
class CallScope {
public:
	explicit CallScope(const CallNotes &notes)
	{
		if (is_on()) [[unlikely]] {
			is_set_ = true;
			before_ = CallNotes::mine();
			CallNotes::mine() = notes;
		}
	}
	~CallScope()
	{
		if (is_set_) [[unlikely]]
			CallNotes::mine() = before_;
	}
	CallScope(const CallScope &) = delete;
	CallScope &operator=(const CallScope &) = delete;

private:
	bool is_set_ = false;
	CallNotes before_;
};

} // namespace umd::recorder
