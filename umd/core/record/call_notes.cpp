// SPDX-License-Identifier: MIT
/**
 * DOC: Notes of a thread about its call
 */
#include "call_notes.h"

namespace umd::recorder {

CallNotes &CallNotes::mine()
{
	static thread_local constinit CallNotes notes;
	return notes;
}

} // namespace umd::recorder
