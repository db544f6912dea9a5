// SPDX-License-Identifier: MIT
/**
 * DOC: Order that the interface guarantees
 *
 * A schedule usually orders more than the interface guarantees, because the ranks wait for each other in each
 * round. A program that relies on this extra order is wrong, but works by luck. So this file derives the
 * guarantees from the calls, not from the packets.
 */
#include "order_guarantees.h"

#include "umd/core/process/collective.h"
#include "umd/core/record/observer.h"

namespace umd {

using recorder::CollectiveNote;

/* Traces are shown to other people, so the name here is a hash that does not reveal the secret. */
OrderGuarantees::OrderGuarantees(const Entrance &entrance)
	: entrance_(entrance), name_(derive(Topic::COMMUNICATOR, entrance.place.secret))
{
}

uint64_t OrderGuarantees::to(Kind kind, uint32_t other) const
{
	return recorder::collective_latch(name_, kind, entrance_.rank, other);
}

uint64_t OrderGuarantees::from(Kind kind, uint32_t other) const
{
	return recorder::collective_latch(name_, kind, other, entrance_.rank);
}

template <class Do> void OrderGuarantees::each_wait(Do action) const
{
	if (!recorder::is_on())
		return;
	for (uint32_t other = 0; other < entrance_.ranks; other++) {
		for (uint32_t kind = CALL; other != entrance_.rank && kind < KINDS; kind++)
			action(from(static_cast<Kind>(kind), other));
	}
}

void OrderGuarantees::begin() const
{
	each_wait([](uint64_t latch) { recorder::note_collective_began(latch); });
}

void OrderGuarantees::end() const
{
	each_wait([](uint64_t latch) { recorder::note_collective_failed(latch); });
}

void OrderGuarantees::add_call(const CallNote &call, CollectiveNote &note) const
{
	const auto kind = static_cast<Collective>(call.call);
	if (call.count == 0 && kind != Collective::BARRIER)
		return;
	const bool has_source = kind == Collective::BROADCAST;
	const bool has_target = kind == Collective::REDUCE;
	for (uint32_t other = 0; other < entrance_.ranks; other++) {
		if (other == entrance_.rank)
			continue;
		const bool is_after = has_source   ? call.root == entrance_.rank
				      : has_target ? call.root == other
						   : true;
		const bool is_before = has_source   ? call.root == other
				       : has_target ? call.root == entrance_.rank
						    : true;
		if (is_after)
			note.signals.push_back(to(CALL, other));
		if (is_before)
			note.waits.push_back(from(CALL, other));
	}
}

void OrderGuarantees::add_message(uint32_t other, bool is_send, bool is_synchronous,
				  CollectiveNote &note) const
{
	if (is_send) {
		note.signals.push_back(to(MESSAGE, other));
		if (is_synchronous)
			note.waits.push_back(from(RECEIVER, other));
	} else {
		note.waits.push_back(from(MESSAGE, other));
		if (is_synchronous)
			note.signals.push_back(to(RECEIVER, other));
	}
}

recorder::StreamPoint OrderGuarantees::end_of(Stream &stream, uint64_t number) const
{
	if (!recorder::is_on())
		return {};
	return {recorder::collective_latch(name_, STREAM, entrance_.rank,
					   recorder::observer.stream_number(stream)),
		number};
}

} // namespace umd
