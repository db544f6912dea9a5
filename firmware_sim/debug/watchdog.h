// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "firmware_sim/device/device.h"

namespace fw {

class Client;
struct Core;

/**
 * class Watchdog - finds tasks that hang and channels that deadlock. It cuts off a client whose task
 * does not end on an engine within the limit. It only reports channels that wait for each other. It
 * runs a check only when a task or a channel has made no progress for the limit. Context: under the
 * step token.
 */
class Watchdog {
public:
	using Clients = std::vector<std::unique_ptr<Client>>;

	/** @limit_ns: time limit; 0: no limit */
	explicit Watchdog(uint64_t limit_ns) : limit_ns_(limit_ns) {}

	/** note() - a task or a channel has made no progress since @since_ns. */
	void note(uint64_t since_ns)
	{
		if (next_ns_ == base::NO_DEADLINE && limit_ns_ != 0)
			next_ns_ = since_ns + limit_ns_;
	}

	/** next_ns() - time of the next look(). */
	uint64_t next_ns() const { return next_ns_; }

	/** look() - checks engines, storage and all channels. @clients: indexed by client number;
	 * entries may be nullptr */
	void look(uint64_t now_ns, const Clients &clients, Core &core);

	uint64_t limit_ns() const { return limit_ns_; }
	/** patience_ns() - how long a mailbox request of a client may wait for the client's work on an
	 * engine. */
	uint64_t patience_ns() const { return limit_ns_ ? limit_ns_ : WATCHDOG_NS; }
	/** resets() - number of clients that were cut off. */
	uint64_t resets() const { return resets_; }
	/** found() - the latest findings, oldest first. */
	const std::deque<std::string> &found() const { return found_; }

	/** cut_off() - cuts off @client, whose task @cookie hangs. */
	void cut_off(Client &client, uint64_t cookie, uint64_t since_ns, uint64_t now_ns,
		     Core &core);

private:
	void find_circle(Client &client, uint64_t now_ns, const Core &core);
	void find_next_circle(uint64_t now_ns, const Clients &clients, const Core &core);
	void later(uint64_t at_ns) { next_ns_ = at_ns < next_ns_ ? at_ns : next_ns_; }
	void tell(std::string text, const Core &core);

	const uint64_t limit_ns_;
	uint64_t next_ns_ = base::NO_DEADLINE;
	uint64_t resets_ = 0;
	std::deque<std::string> found_;
	std::vector<uint32_t> to_search_; /* numbers of clients to search for a circle */
	size_t searched_ = 0;		  /* entries of to_search_ that are done */
};

} // namespace fw
