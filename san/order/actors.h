// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "san/order/stream.h"
#include "san/order/stream_names.h"

namespace san {

/**
 * class Actors - the hosts and streams of all clients, and the order that the API implies between them.
 *
 * Each client's host is one actor, whatever thread makes a call: how threads order each other is not in a
 * trace, and the calls as they came are an order that no race of ours contradicts.
 */
class Actors {
public:
	struct Client {
		Profile profile = Profile::ASCENDCL;
		uint32_t label = 0;
		uint32_t parent = 0; /* number of a process; 0: not known */
		Actor host;
		Tick exported = 0;		     /* the host's tick that a stream has seen */
		std::map<uint64_t, Stream *> legacy; /* by context */
		std::map<uint32_t, std::unique_ptr<Stream>> streams;
		StreamNames names;
		/* struct End - of a stream. */
		struct End {
			Moment moment;
			bool is_blocking;
			uint64_t context;
		};
		std::vector<End> retired;
		std::vector<Moment> free; /* slots whose past the host knows */
	};

	/** client() - makes it at the first use. Return: nullptr beyond MAX_CLIENTS. */
	Client *client(uint32_t number);

	/** known() - nullptr: there is none of this number. */
	Client *known(uint32_t number);

	/** stream() - nullptr: there is none of this number. */
	Stream *stream(uint32_t client, uint32_t number);

	/** by_slot() - the stream that has the slot now; nullptr: a host, or a stream that is gone. */
	const Stream *by_slot(Slot slot) const;

	/** name() - of a stream, also of one that is gone; nullptr: it is not known. */
	const StreamName *name(uint32_t client, uint32_t number) const;

	/** profile() - whose contract a client is judged by. */
	Profile profile(uint32_t client) const;

	/** create() - Return: nullptr when there are too many streams, or one of this number. */
	Stream *create(uint32_t client, uint32_t number, uint16_t flags, const StreamName &name,
		       uint64_t context);

	/** destroy() - @waits: the host has waited for the stream. One that holds records goes on until they have run;
	 * bury() then destroys it. */
	void destroy(uint32_t client, uint32_t number, bool waits);

	/** bury() - destroys the streams that are gone and hold nothing any more. */
	void bury();

	/** host_moment() - what the host knows now, for a stream that is given work. */
	Moment host_moment(Client &client);

	/** host_access() - the moment of an access by the host: no earlier work was ordered after it. */
	Moment host_access(Client &client);

	/** begin() - before anything runs on a stream: it is after @host, and after a legacy stream. */
	void begin(Stream &stream, const Moment &host);

	/** host_knows() - whether the host of @client knows that what @moment is of is over. */
	bool host_knows(uint32_t client, const Moment &moment) const;
	/** is_known_to_a_host() - the same, of the host of some client. */
	bool is_known_to_a_host(const Moment &moment) const;

	/** synchronize() - the host is after all streams of its client, or of one context. @context: 0 for all */
	void synchronize(Client &client, uint64_t context = 0);

	/** know_retired() - the host is after the streams of its client, or of one context, that are gone.
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
	 * forget_past() - from now on everyone knows everything that was.
	 *
	 * No race follows from it, so that moments of before need their clocks no longer. Return: the clock
	 * that all have now.
	 */
	std::shared_ptr<const Clock> forget_past();

	/** has_slot() - whether create() has a slot for a stream of @client. */
	bool has_slot(Client &client);

	size_t slots() const { return slots_.size(); }

	/** ticks() - numbers in all clocks. */
	size_t ticks() const { return ticks_; }

	static constexpr size_t MAX_CLIENTS = 256;
	static constexpr size_t MAX_SLOTS = 4096;

private:
	bool take_slot(Client &client, Moment &start);
	void end(Client &client, Stream &stream);

	size_t ticks_ = 0; /* outlives all clocks */
	size_t gone_ = 0;  /* streams that are gone and held records when they were destroyed */
	std::map<uint32_t, std::unique_ptr<Client>> clients_;
	std::vector<const Stream *> slots_; /* slot -> stream; nullptr: host, or none */
};

} // namespace san
