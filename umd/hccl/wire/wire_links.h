// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine.h"
#include "inbox.h"
#include "plugin.h"
#include "wire.h"

namespace umd {

/** using WireId - a unique id of a wire. Each opening of a wire gets a new one. */
using WireId = std::array<uint8_t, 16>;

/** struct WireAddress - the first part of a wire's address. The address of the engine follows. */
struct WireAddress {
	std::array<char, 4> magic;
	uint32_t version;
	uint32_t engine; /* enum class WireKind */
	uint32_t reserved;
	WireId id;
};

/**
 * class WireLinks - the connections of the wire, the communicators that use them, and the frames under way.
 * Context: the wire's thread.
 */
class WireLinks {
public:
	/** open() - starts an engine. Return: "" if it runs; else the reason, as a part of an error
	 * message. */
	std::string open(const EngineChoice &engine, const std::vector<std::string> &settings);

	/** address() - @address: receives the address to which others connect
	 * @place: where the listener of the meetings listens for this wire, too; nullptr: nowhere else
	 * Return: as open(). */
	std::string address(const TcpPlace *place, std::vector<uint8_t> &address);

	/** close() - ends the remaining connections, and closes the engine. If a connection does not end, the
	 * engine can't be closed, and stays as it is. */
	void close();

	void attach(const Nonce &comm, WireUser *user);

	/** forget() - removes the user of a communicator: it is not called any more, and frames that wait to
	 * be sent from its memory are dropped. */
	void forget(const Nonce &comm);

	/** is_quiet() - whether nothing reads or writes memory of a communicator. */
	bool is_quiet(const Nonce &comm) const;

	HcclResult connect(const Nonce &comm, std::span<const uint8_t> address, uint32_t &link,
			   std::string &text);
	void disconnect(const Nonce &comm, uint32_t link);

	/** queue() - adds a frame to the queue of its link. */
	void queue(std::unique_ptr<Outgoing> frame);

	/** overrun() - fails a link for which too many frames wait. */
	void overrun(uint32_t link);

	/** fail() - makes a link fail; it carries no frames any more. */
	void fail(uint32_t link, const std::string &text);

	/** advance() - sends, receives, and tells users of lost links. Return: whether there was something to do. */
	bool advance();

	/** part() - sends to all other wires that this wire ends. is_said() - whether the transport has sent all
	 * these messages. */
	void part();
	bool is_said() const;

	/** disconnect_all() - ends each connection when it has sent its data. is_alone() - whether all have
	 * ended. */
	void disconnect_all();
	bool is_alone() const;

	/** check() - fails links whose other side does not answer. Return: whether to call it again in a
	 * second. */
	bool check() { return engine_->check(opened_) != 0; }

	/** poll(), rest() - call the functions of this name of all users. */
	bool poll();
	void rest();

	/** arm() - prepares to sleep. Return: false if advance() has more to do. */
	bool arm() { return engine_->arm(opened_) != 0; }
	int descriptor() const { return engine_->event_fd(opened_); }

private:
	/* ENDED: the other wire has announced its end. */
	enum class State { LIVE, ENDED, LOST };

	struct Use {
		uint32_t count = 0;
		bool is_told = false; /* this user has been told of the loss */
	};

	struct Flying;

	struct Link {
		uint32_t number;
		std::vector<uint8_t> address;
		void *connection;
		State state = State::LIVE;
		bool is_leaving = false; /* the engine is disconnecting the link */
		std::string text;	 /* why the link is LOST */
		std::map<Nonce, Use> users;
		std::deque<std::unique_ptr<Outgoing>> waiting;
		std::list<Flying> flying;
		uint32_t large = 0; /* number of large frames under way */
		uint32_t small = 0;
	};

	/* struct Flying - a frame that the engine is sending. */
	struct Flying {
		std::unique_ptr<Outgoing> frame;
		Link *link;
		std::list<Flying>::iterator place;
	};

	/* struct Receipt - a frame whose data the engine is receiving. */
	struct Receipt {
		Frame frame;
		std::list<Receipt>::iterator place;
	};

	static void on_take(void *self, const void *head, uint64_t head_bytes, const void *data,
			    uint64_t bytes);
	static void *on_place(void *self, const void *head, uint64_t head_bytes, uint64_t bytes,
			      void **receipt);
	static void on_arrived(void *self, void *receipt, int is_whole);
	static void on_sent(void *self, void *token);
	static void on_failed(void *self, uint32_t link, const char *text);
	static void on_parted(void *self, uint32_t link);

	WireUser *user_of(const Nonce &comm) const;
	Link *find(uint32_t number);
	bool pump(Link &link);
	bool start(Link &link, std::unique_ptr<Outgoing> frame);
	void tell(Link &link);
	void leave(Link &link, bool is_flushed);
	void on_end(const WireId &id);
	void drop_unused();

	const WireEngine *engine_ = nullptr;
	void *opened_ = nullptr;
	WireId id_{};
	WireKind kind_{};
	uint32_t next_link_ = 1;
	std::map<Nonce, WireUser *> users_;
	std::unordered_map<uint32_t, std::unique_ptr<Link>> links_;
	std::list<Receipt> receipts_;
	std::set<uint32_t> ready_; /* links with waiting frames */
	std::vector<std::pair<uint32_t, std::string>> failed_;
	bool has_unused_ = false; /* some link may be unused now */
};

} // namespace umd
