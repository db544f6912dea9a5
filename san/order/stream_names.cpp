// SPDX-License-Identifier: MIT
/**
 * DOC: names of streams
 */
#include "san/order/stream_names.h"

namespace san {

void StreamNames::add(uint32_t number, StreamName name)
{
	const uint64_t id = uint64_t{name.device} << 32 | name.id;
	if (name.has_id && (turns_.size() < MAX_IDS || turns_.contains(id)))
		name.turn = turns_[id]++;
	names_[number] = name;
}

void StreamNames::end(uint32_t number)
{
	gone_.push_back(number);
	if (gone_.size() <= MAX_GONE)
		return;
	names_.erase(gone_.front());
	gone_.pop_front();
}

const StreamName *StreamNames::find(uint32_t number) const
{
	const auto found = names_.find(number);
	return found == names_.end() ? nullptr : &found->second;
}

} // namespace san
