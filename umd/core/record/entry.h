// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/sync/ordering.h"
#include "san/trace/record.h"

namespace umd::recorder {

/**
 * class Entry - a reserved record that is not published yet. A call that submits work reserves its record
 * first, so that every call that can see the work has a later record. It publishes the record when the work
 * is submitted. If the call fails, the record stays a hole.
 */
class Entry {
public:
	Entry() = default;
	Entry(uint64_t *word, uint64_t head) : word_(word), head_(head) {}

	/** publish() - does nothing for an empty entry. */
	void publish()
	{
		if (word_) [[unlikely]]
			base::store_release(*word_, head_);
	}
	/** publish_task() - the same, for a record that is task number @task of its stream. */
	void publish_task(uint64_t task)
	{
		const auto kind = static_cast<san::Kind>(static_cast<uint16_t>(head_));
		if (word_ && san::has_task_in_value(kind)) [[unlikely]]
			word_[VALUE_WORD] = task + 1;
		else if (word_ && san::has_task_in_bytes(kind)) [[unlikely]]
			word_[BYTES_WORD] = task + 1;
		publish();
	}

private:
	/* See san/trace/record.h. */
	static constexpr size_t BYTES_WORD = 4;
	static constexpr size_t VALUE_WORD = 5;

	uint64_t *word_ = nullptr;
	uint64_t head_ = 0;
};

} // namespace umd::recorder
