// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "san/judge/finding.h"
#include "san/judge/reporter.h"

namespace san {

/**
 * class MissingEdge - explains why two commands have no order, and what would give them one.
 *
 * It looks at the newest marks of both streams only, so it may know less than happened, but says nothing wrong.
 */
class MissingEdge {
public:
	MissingEdge(const Reporter &reporter, const Actors &actors, const Events &events,
		    const Command &earlier, const Command &later);

	/** last_common_point() - up to where the later command's stream knows the earlier one's. */
	std::string last_common_point() const;

	/** steps() - the marks of both streams, and the two commands, in their order. */
	std::vector<Step> steps() const;

	/** hints() - the likely mistakes, the most likely one first. */
	std::vector<Hint> hints() const;

private:
	bool add_record_after(std::vector<Hint> &hints) const;
	bool add_record_of_past_stream(std::vector<Hint> &hints) const;
	bool add_record_too_early(std::vector<Hint> &hints) const;
	bool add_wait_without_record(std::vector<Hint> &hints) const;
	void add_kind_of_stream(std::vector<Hint> &hints) const;
	void add_repair(std::vector<Hint> &hints) const;
	void add_steps(std::vector<Step> &steps, const Stream *stream, const Command &command,
		       bool later) const;
	std::string at(uint32_t site) const { return reporter_.at(site); }
	std::string name(const Command &command) const;
	std::string place(const Command &command) const;

	const Reporter &reporter_;
	const Events &events_;
	const Command &earlier_;
	const Command &later_;
	const Stream *from_; /* of the earlier command; nullptr: the host, or it is gone */
	const Stream *to_;
	Profile profile_ = Profile::ASCENDCL;
};

} // namespace san
