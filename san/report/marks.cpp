// SPDX-License-Identifier: MIT
/**
 * DOC: the parts of a program
 */
#include "san/report/marks.h"

#include <algorithm>

namespace san {

void Marks::take(const Record &record)
{
	order_++;
	if (record.kind != Kind::MARK || count_ >= MAX_MARKS)
		return;
	count_++;
	clients_[record.client].push_back({order_, record.text});
}

const std::string &Marks::part(uint32_t client, uint64_t order) const
{
	static const std::string *const none = new std::string;
	auto found = clients_.find(client);
	if (found == clients_.end())
		return *none;
	const std::vector<Mark> &marks = found->second;
	auto after = std::upper_bound(
		marks.begin(), marks.end(), order,
		[](uint64_t place, const Mark &mark) { return place < mark.order; });
	return after == marks.begin() ? *none : std::prev(after)->part;
}

} // namespace san
