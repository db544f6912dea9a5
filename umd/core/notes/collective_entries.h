// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collective_note.h"
#include "umd/core/record/entry.h"

namespace umd::recorder {

/** class CollectiveEntries - the records of one operation. */
class CollectiveEntries {
public:
	/** begin() - takes their places, before the operation is submitted. Empty if nothing is recorded. */
	static CollectiveEntries begin(Stream &stream, const CollectiveNote &note);
	/** publish() - the operation is submitted. */
	void publish()
	{
		for (Entry &entry : entries_)
			entry.publish();
	}

private:
	std::vector<Entry> entries_;
};

} // namespace umd::recorder
