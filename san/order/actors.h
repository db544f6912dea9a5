// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "san/order/stream_names.h"
#include "stream_order.h"

namespace san {

/**
 * class Actors - the hosts and streams of all clients, and the order that the API implies between them.
 *
 * The host of each client is one actor, whichever thread makes a call. A trace does not show how threads
 * synchronise with each other, so the judge takes the order in which their calls came.
 */
class Actors {
public:
	/** @follower: is told of the actors and their order; may be nullptr */
	explicit Actors(Follower *follower = nullptr) : follower_(follower) {}

	struct Client {
		Profile profile = Profile::ASCENDCL;
		uint32_t label = 0;
		uint32_t parent = 0; /* number of the parent process; 0: not known */
		Actor host;
		/* the latest tick of the host that a stream has seen */
		Tick exported = 0;
		std::map<uint64_t, Stream *> legacy; /* indexed by the number of the context */
		std::map<uint32_t, std::unique_ptr<Stream>> streams;
		StreamNames names;
		/* struct End - the end of a stream that was destroyed. */
		struct End {
			Moment moment;
			bool is_blocking;
			uint64_t context;
		};
		std::vector<End> retired;
		/* slots of destroyed streams whose work has ended, as the host knows */
		std::vector<Moment> free;
	};

	/** client() - the client of this number; makes it at the first use. Return: nullptr beyond
	 * MAX_CLIENTS. */
	Client *client(uint32_t number);

	/** known() - the client of this number; nullptr if there is none. */
	Client *known(uint32_t number);

	/** stream() - the stream of this number; nullptr if there is none. */
	Stream *stream(uint32_t client, uint32_t number);

	/** by_slot() - the stream that has the slot now; nullptr if a host or a destroyed stream has it. */
	const Stream *by_slot(Slot slot) const;

	/** name() - the name of a stream, which may be destroyed; nullptr if it is not known. */
	const StreamName *name(uint32_t client, uint32_t number) const;

	/** profile() - the API by whose rules a client is judged. */
	Profile profile(uint32_t client) const;

	/** create() - makes a stream. Return: nullptr if there are too many streams, or if there is one of
	 * this number. */
	Stream *create(uint32_t client, uint32_t number, uint16_t flags, const StreamName &name,
		       uint64_t context);

	/** destroy() - @waits: the host has waited for the stream. A stream with held records continues until
	 * they have run; then bury() destroys it. */
	void destroy(uint32_t client, uint32_t number, bool waits);

	/** bury() - destroys the streams for which destroy() was called and which hold no records any
	 * more. */
	void bury();

	/** host_moment() - what the host knows now; a stream that gets work is ordered after it. */
	Moment host_moment(Client &client);

	/** host_access() - the moment of an access by the host. It makes a new moment, because earlier work
	 * must not count as ordered after the access. */
	Moment host_access(Client &client);

	/** begin() - called before anything runs on a stream. Orders the stream after @host, and after the
	 * legacy stream. */
	void begin(Stream &stream, const Moment &host);

	/** host_knows() - whether the host of @client knows that @moment has passed. */
	bool host_knows(uint32_t client, const Moment &moment) const;
	/** is_known_to_a_host() - whether the host of any client knows it. */
	bool is_known_to_a_host(const Moment &moment) const;

	/** synchronize() - orders the host after all streams of its client, or of one context. @context: 0
	 * for all */
	void synchronize(Client &client, uint64_t context = 0);

	/** know_retired() - orders the host after the destroyed streams of its client, or of one context.
	 * @context: 0 for all. @blocking: only blocking ones */
	void know_retired(Client &client, uint64_t context, bool blocking);

	/** each_stream() - calls visit(Stream &) for all streams of all clients. */
	template <class Visit> void each_stream(Visit &&visit)
	{
		for (auto &[number, client] : clients_) {
			for (auto &[other, stream] : client->streams)
				visit(*stream);
		}
	}

	/**
	 * reset_history() - from now on all actors are ordered after everything that happened before.
	 *
	 * This can't cause a false race, and older moments no longer need their clocks. Return: the clock
	 * that all actors have now.
	 */
	std::shared_ptr<const Clock> reset_history();

	/** has_slot() - whether there is a free slot for a stream of @client. */
	bool has_slot(Client &client);

	size_t slots() const { return slots_.size(); }

	/** ticks() - how many numbers all clocks have together. */
	size_t ticks() const { return ticks_; }

	static constexpr size_t MAX_CLIENTS = 256;
	static constexpr size_t MAX_SLOTS = 4096;

private:
	bool take_slot(Client &client, Moment &start);
	void end(Client &client, Stream &stream);

	Follower *const follower_;
	size_t ticks_ = 0; /* must outlive all clocks */
	/* number of destroyed streams that held records when they were destroyed */
	size_t gone_ = 0;
	std::map<uint32_t, std::unique_ptr<Client>> clients_;
	std::vector<const Stream *> slots_; /* slot -> stream; nullptr: a host, or none */
};

} // namespace san
