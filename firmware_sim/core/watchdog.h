// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "config.h"

namespace fw {

/**
 * class Watchdog - decides when the device has to search for hangs, and keeps the findings. A search is due
 * only when a task or a channel has made no progress for the time limit. Context: under the step token.
 */
class Watchdog {
public:
	using Report = std::function<void(const std::string &text)>;

	/** @limit_ns: time limit; 0: no limit. @report: a function that gets each finding; may be empty */
	Watchdog(uint64_t limit_ns, Report report) : limit_ns_(limit_ns), report_(std::move(report))
	{
	}

	/** note() - notes that a task or a channel has made no progress since @since_ns. */
	void note(uint64_t since_ns)
	{
		if (next_ns_ == base::NO_DEADLINE && limit_ns_ != 0)
			next_ns_ = since_ns + limit_ns_;
	}

	/** next_ns() - time of the next search. */
	uint64_t next_ns() const { return next_ns_; }
	/** rest() - cancels the search, until note() or later() is called. */
	void rest() { next_ns_ = base::NO_DEADLINE; }
	/** later() - makes a search due at @at_ns. */
	void later(uint64_t at_ns) { next_ns_ = at_ns < next_ns_ ? at_ns : next_ns_; }

	uint64_t limit_ns() const { return limit_ns_; }
	/** patience_ns() - how long a mailbox request of a client may wait for the client's work on an
	 * engine. */
	uint64_t patience_ns() const { return limit_ns_ ? limit_ns_ : WATCHDOG_NS; }

	/** report() - reports a finding and keeps it. */
	void report(std::string text);
	/** report_reset() - reports that a client was cut off. */
	void report_reset(std::string text)
	{
		resets_++;
		report(std::move(text));
	}
	/** has_reported() - whether the finding is one of those that are kept. */
	bool has_reported(const std::string &text) const;

	/** resets() - number of clients that were cut off. */
	uint64_t resets() const { return resets_; }
	/** found() - the latest findings, oldest first. */
	const std::deque<std::string> &found() const { return found_; }

private:
	const uint64_t limit_ns_;
	const Report report_;
	uint64_t next_ns_ = base::NO_DEADLINE;
	uint64_t resets_ = 0;
	std::deque<std::string> found_;
};

} // namespace fw
