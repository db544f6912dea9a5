// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"

namespace fw {

class Channel;
class Client;
class Watchdog;
struct Core;

/** cut_off() - cuts off @client, whose task @cookie hangs. Context: under the step token. */
void cut_off(Client &client, uint64_t cookie, uint64_t since_ns, uint64_t now_ns);

/**
 * class HangSearch - finds tasks that hang and channels that deadlock. It cuts off a client whose task does
 * not end on an engine within the watchdog's limit. It only reports channels that wait for each other. Context:
 * under the step token.
 */
class HangSearch {
public:
	using Clients = std::vector<std::unique_ptr<Client>>;

	/** look() - checks engines, storage and all channels; a bounded number of channels in each turn.
	 * @clients: indexed by client number; entries may be nullptr */
	void look(uint64_t now_ns, const Clients &clients, Core &core);

private:
	bool walk(uint64_t now_ns, const Clients &clients, Watchdog &watchdog);
	bool look_at(const Channel *channel, uint64_t now_ns, Client &client,
		     const Watchdog &watchdog);
	void find_circle(Client &client, uint64_t now_ns, Watchdog &watchdog);
	void find_next_circle(uint64_t now_ns, const Clients &clients, Watchdog &watchdog);

	std::vector<uint32_t> to_search_; /* numbers of clients to search for a circle */
	size_t searched_ = 0;		  /* entries of to_search_ that are done */
	/* where the next turn of the walk begins: index of the client, and of its channel */
	uint32_t at_ = 0;
	size_t channel_ = 0;
	bool is_long_ago_ = false; /* a channel of the client waits for longer than the limit */
	uint64_t next_ns_ = base::NO_DEADLINE; /* when one will, of those that were seen */
};

} // namespace fw
