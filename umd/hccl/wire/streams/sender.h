// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "base/os/shm.h"
#include "umd/hccl/network/address.h"
#include "umd/hccl/proof/handshake.h"

namespace umd {

/** FRAME_HEAD_MOST - size limit of the head of a message. */
constexpr uint32_t FRAME_HEAD_MOST = 64;

/** RECORD_BYTES - size limit of a record, which is sealed as a whole. */
constexpr uint32_t RECORD_BYTES = 65536;

/** struct Frame - goes before the head and the data of a message. */
struct Frame {
	uint32_t head_bytes;
	uint32_t reserved;
	uint64_t bytes; /* size of the data */
};

/** struct StreamsAddress - the address of a process: where it receives messages, and the key that a sender
 * needs. */
struct StreamsAddress {
	Key key;
	uint64_t network; /* result of this_network() */
	std::array<char, 8>
		/* the name of its abstract Unix socket, without the first byte, which is 0 */
		local;
	TcpPlace tcp; /* TCP addresses for other networks; may be empty */

	/** name() - the name of the process in a handshake. */
	Nonce name() const { return derive(Topic::WIRE, key); }
};

/** watch_tcp() - makes the kernel probe the other side of an idle connection, and send small data at once.
 * For unacknowledged data the engine asks the kernel itself. */
void watch_tcp(const base::Fd &socket);

/** class Sender - sends the messages for one other process. Context: the wire's thread. */
class Sender {
public:
	/** struct Message - a message under way. */
	struct Message {
		std::array<uint8_t, sizeof(Frame) + FRAME_HEAD_MOST> head;
		uint64_t head_bytes;
		const uint8_t *data;
		uint64_t bytes;
		void *token;
	};

	Sender(uint32_t link, const StreamsAddress &to, uint32_t group);

	uint32_t link() const { return link_; }
	int socket() const { return socket_.get(); }
	bool is_open() const { return state_ == State::OPEN; }
	bool has_failed() const { return state_ == State::FAILED; }
	/** is_started() - whether the socket is connecting or connected; if not, call advance() again. */
	bool is_started() const { return state_ != State::NEW; }
	bool is_tcp() const { return is_tcp_; }

	/** wants_room() - whether it waits until the socket takes more. */
	bool wants_room() const;
	/** is_idle() - whether the kernel has taken all data of all messages. */
	bool is_idle() const { return gathered_.empty() && is_through(); }
	/** has_gathered() - whether add() has collected data that flush() has to send. */
	bool has_gathered() const { return !gathered_.empty(); }

	/** advance() - connects, runs the handshake, and sends as much as possible without blocking. The
	 * socket may change.
	 * @ended: gets the tokens of messages whose data are no longer read
	 * Return: false if the sender has failed; reason() says why. */
	bool advance(std::vector<void *> &ended);

	/** enum class Added - results of add(). SENT: the data are no longer read, and the token is not in
	 * @ended. */
	enum class Added { SENT, WAITS, FAILED };
	Added add(const Message &message, std::vector<void *> &ended);

	/** flush() - sends the small messages that add() has collected, several in one record. @ended,
	 * Return: as advance() */
	bool flush(std::vector<void *> &ended);

	/** is_late() - whether connecting takes too long. try_next() - tries the next address.
	 * Return: as advance(). */
	bool is_late(uint64_t now_ns) const { return !is_open() && now_ns >= deadline_ns_; }
	bool try_next();

	/** fail() - makes the sender fail; it sends nothing any more. @is_silent: the other side does not
	 * answer */
	void fail(bool is_silent);
	const std::string &reason() const { return reason_; }

	/** drop() - forgets all messages. @ended: gets their tokens */
	void drop(std::vector<void *> &ended);

private:
	enum class State { NEW, CONNECTING, PROVING, OPEN, FAILED };

	bool is_through() const { return messages_.empty() && sent_ == sealed_.size(); }
	bool connect_next();
	void begin_proof();
	bool connect_local();
	bool connect_tcp(const TcpAddress &address);
	bool on_connected();
	bool prove();
	bool note_error(int error);
	bool note_end(const char *reason);
	bool look_for_end();
	bool send_some(std::vector<void *> &ended);
	bool send_plain(std::vector<void *> &ended, bool &is_full);
	bool send_sealed(std::vector<void *> &ended, bool &is_full);
	void seal_some(std::vector<void *> &ended);
	void seal(std::span<const uint8_t> plain);
	void note_sealed(uint64_t bytes, std::vector<void *> &ended);

	const uint32_t link_;
	const StreamsAddress to_;
	const uint32_t group_;
	State state_ = State::NEW;
	base::Fd socket_;
	bool is_tcp_ = false;
	size_t next_place_ = 0;
	uint64_t deadline_ns_ = 0;
	std::string reason_;
	Handshake handshake_;
	Seal seal_;
	std::deque<Message> messages_;
	uint64_t done_ = 0; /* sent bytes of the first message */
	std::vector<uint8_t> plain_;
	std::vector<uint8_t> gathered_; /* small messages for the next record */
	std::vector<uint8_t> sealed_;	/* a record, with its length */
	size_t sent_ = 0;		/* sent bytes of the record */
};

} // namespace umd
