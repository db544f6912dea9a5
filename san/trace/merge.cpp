// SPDX-License-Identifier: MIT
/**
 * DOC: several traces as one
 */
#include "san/trace/merge.h"

namespace san {

/* A trace has fewer than 2^TEXT_BITS texts. The bits above them have the number of the trace. */
static constexpr unsigned TEXT_BITS = 24;
static constexpr uint64_t TEXTS = (uint64_t{1} << TEXT_BITS) - 1;

bool Merger::add(std::span<const char> bytes)
{
	if (sources_.size() == MOST_TRACES)
		return false;
	sources_.push_back(std::make_unique<Source>(bytes));
	advance(*sources_.back());
	return true;
}

void Merger::advance(Source &source)
{
	source.has_ahead = source.reader.next(source.ahead);
	if (!source.has_ahead)
		return;
	source.observations.apply(source.ahead);
	if (source.ahead.kind == Kind::CLOCK)
		source.time = source.ahead.value;
}

/* 0 stays 0, because it means no text. */
static uint32_t text_number(uint64_t number, size_t source)
{
	return number == 0 ? 0 : static_cast<uint32_t>((number & TEXTS) | source << TEXT_BITS);
}

void Merger::renumber(Record &record, size_t source)
{
	if (record.kind == Kind::STRING)
		record.object = text_number(record.object, source);
	record.label = text_number(record.label, source);
	record.site = text_number(record.site, source);
	for (Operand &operand : record.operands)
		operand.role = text_number(operand.role, source);
}

bool Merger::next(Record &record)
{
	size_t earliest = sources_.size();
	for (size_t i = 0; i < sources_.size(); i++) {
		if (sources_[i]->has_ahead &&
		    (earliest == sources_.size() || sources_[i]->time < sources_[earliest]->time))
			earliest = i;
	}
	if (earliest == sources_.size())
		return false;
	Source &source = *sources_[earliest];
	std::swap(record, source.ahead);
	renumber(record, earliest);
	advance(source);
	return true;
}

} // namespace san
