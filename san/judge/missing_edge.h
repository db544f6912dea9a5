// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "san/judge/finding.h"
#include "san/judge/reporter.h"

namespace san {

/** struct OrderCalls - the functions of an API by which a program orders two calls. */
struct OrderCalls {
	const char *record;
	const char *wait_event;
	const char *sync_stream;
	const char *sync_event;
};

/** order_calls() - those of the API by whose rules a client is judged. */
const OrderCalls &order_calls(Profile profile);

/**
 * class MissingEdge - explains why two commands are unordered, and what would order them.
 *
 * It looks only at the newest marks of both streams. So it may miss a hint, but gives no wrong one.
 */
class MissingEdge {
public:
	MissingEdge(const Reporter &reporter, const Actors &actors, const Events &events,
		    const Command &earlier, const Command &later);

	/** last_common_point() - the last point of the earlier command's stream that is ordered before the
	 * later command. */
	std::string last_common_point() const;

	/** steps() - the marks of both streams and the two commands, in the order of the trace. */
	std::vector<Step> steps() const;

	/** hints() - the likely mistakes, the most likely one first. */
	std::vector<Hint> hints() const;

private:
	bool add_record_after(std::vector<Hint> &hints) const;
	bool add_record_of_past_stream(std::vector<Hint> &hints) const;
	bool add_record_too_early(std::vector<Hint> &hints) const;
	bool add_record_on_waiter(std::vector<Hint> &hints) const;
	bool add_wait_without_record(std::vector<Hint> &hints) const;
	void add_kind_of_stream(std::vector<Hint> &hints) const;
	void add_repair(std::vector<Hint> &hints) const;
	void add_steps(std::vector<Step> &steps, const Stream *stream, const Command &command,
		       bool later) const;
	std::string at(uint32_t site) const { return reporter_.at(site); }
	std::string never_waited(const std::string &event, uint32_t site) const;
	std::string name(const Command &command) const;
	std::string place(const Command &command) const;

	const Reporter &reporter_;
	const Events &events_;
	const Command &earlier_;
	const Command &later_;
	/* stream of the earlier command; nullptr: it was the host, or the stream is destroyed */
	const Stream *from_;
	const Stream *to_;
	Profile profile_ = Profile::ASCENDCL;
	const OrderCalls &calls_;
};

} // namespace san
