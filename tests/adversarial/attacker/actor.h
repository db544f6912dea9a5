// SPDX-License-Identifier: MIT
/*
 * DOC: an attacking client
 *
 * One attachment in a process of its own. It runs sequences that are valid but for what the mutator
 * changes, and a thread of its own may write into everything it shares with the firmware.
 */
#ifndef UNPU_TESTS_ATTACKER_ACTOR_H
#define UNPU_TESTS_ATTACKER_ACTOR_H

#include <deque>
#include <thread>

#include "mutator.h"
#include "tally.h"
#include "tests/adversarial/hostile/hostile_peer.h"

namespace attacker {

using base::Status;
using hostile::Channel;
using hostile::Memory;
using hostile::Peer;

struct Settings {
	std::string socket;
	std::string folder; /* for files */
	uint64_t seed = 0;
};

class Actor {
public:
	Actor(const Settings &settings, Tally &tally);
	~Actor();
	Actor(const Actor &) = delete;
	Actor &operator=(const Actor &) = delete;

	/* attach() - Return: false when the firmware refuses every connection. */
	bool attach();
	/* run() - one sequence. Return: false when the firmware has cut the client off. */
	bool run();

	uint64_t below(uint64_t end) { return mutator_.below(end); }
	bool one_in(uint64_t n) { return mutator_.one_in(n); }
	const Settings &settings() const { return settings_; }
	Tally &tally() { return tally_; }
	Peer &peer() { return *peer_; }

	/* add_peer() - one more attachment of the same process; nullptr when there is none. */
	std::unique_ptr<Peer> add_peer();

	/* may_change() - changes one field of @bytes, now and then. Return: whether it did. */
	bool may_change(void *what, size_t bytes);

	Status ask(Peer &peer, unpu_message &message, uint64_t patience_ns = base::NS_PER_S);
	Status ask(unpu_message &message) { return ask(*peer_, message); }
	/* tell() - sends @message over the socket. Return: whether there was a reply. */
	bool tell(base::FdMessage &message);
	uint64_t publish(Channel &channel, unpu_packet packet);
	/* settle() - waits a little until the channel has come to @value. */
	void settle(const Channel &channel, uint64_t value);

	/* channel(), memory() - one that there is; nullptr while there is none. */
	Channel *channel();
	Memory *memory();
	Channel *open_channel();
	Memory *create_memory(uint64_t bytes);
	/* image() - of kernels, that was loaded last; 0: none was. */
	uint32_t &image() { return image_; }
	/* semaphore() - a semaphore that is in use, or the next unused one. */
	uint32_t semaphore();
	uint32_t next_semaphore() { return next_semaphore_++ % SEMAPHORES + FIRST_SEMAPHORE; }
	/* range() - an address in @memory, and how many bytes follow it, at most @most. */
	uint64_t range(const Memory &memory, uint64_t &bytes, uint64_t most);
	unpu_descriptor &page(Channel &channel);

private:
	static constexpr uint32_t FIRST_SEMAPHORE = 64;
	static constexpr uint32_t SEMAPHORES = 900;

	void share(void *begin, uint64_t bytes);
	void write_into_what_is_shared(uint64_t seed);

	/* Memory that the writer changes. It is never given back while the process lives. */
	struct Region {
		uint64_t *words;
		uint64_t count;
	};

	const Settings &settings_;
	Tally &tally_;
	Mutator mutator_;
	std::unique_ptr<Peer> peer_;
	std::deque<Channel> channels_;
	std::deque<Memory> memories_;
	uint32_t next_semaphore_ = 0;
	uint32_t image_ = 0;
	std::array<Region, 64> regions_{};
	std::atomic<unsigned> region_count_{0};
	std::atomic<bool> stop_{false};
	std::thread writer_;
};

} // namespace attacker

#endif
