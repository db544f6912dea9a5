// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "fw/device.h"

namespace fw {

class Client;
struct Core;

/**
 * class Watchdog - finds what stands still for too long: a task that an engine does not end, whose
 * client is cut off, and channels that wait for each other, which are named. It looks when something
 * has stood still for its limit, and at no other time. Context: under the step token.
 */
class Watchdog {
public:
	using Clients = std::vector<std::unique_ptr<Client>>;

	/** @limit_ns: how long is too long; 0: nothing is */
	explicit Watchdog(uint64_t limit_ns) : limit_ns_(limit_ns) {}

	/** note() - something stands still since @since_ns. */
	void note(uint64_t since_ns)
	{
		if (next_ns_ == base::NO_DEADLINE && limit_ns_ != 0)
			next_ns_ = since_ns + limit_ns_;
	}

	/** next_ns() - when look() has something to do. */
	uint64_t next_ns() const { return next_ns_; }

	/** look() - at everything. @clients: by number; nullptr where there is none */
	void look(uint64_t now_ns, const Clients &clients, Core &core);

	uint64_t limit_ns() const { return limit_ns_; }
	/** patience_ns() - how long a client's own request may wait for its work on an engine. */
	uint64_t patience_ns() const { return limit_ns_ ? limit_ns_ : WATCHDOG_NS; }
	/** resets() - clients that were cut off. */
	uint64_t resets() const { return resets_; }
	/** found() - what was found last, oldest first. */
	const std::deque<std::string> &found() const { return found_; }

	/** cut_off() - a client one of whose tasks hangs. */
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
	std::vector<uint32_t> to_search_; /* numbers of clients that may have a circle */
	size_t searched_ = 0;		  /* of them */
};

} // namespace fw
