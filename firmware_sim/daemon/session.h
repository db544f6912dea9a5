// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include <sys/socket.h>

#include "base/os/socket.h"
#include "event_loop.h"
#include "firmware_sim/storage/closer.h"

namespace fwd {

class Server;

/**
 * class Session - one connection, with at most one client of one device. It ends when the connection
 * closes or the peer process ends, whichever is first: a fork of that process may keep the connection
 * open. Context: the control thread.
 */
class Session {
public:
	/** enum class Role - purpose of a connection. */
	enum class Role {
		CLIENT,
		/* the connection passes other connections to the daemon; the daemon ends when it closes */
		PARENT,
	};

	/** @account: account of the peer's user. @closer: closes the descriptors that the peer sends, and the
	 * connection */
	Session(Server &server, base::Fd socket, const ucred &peer, Role role,
		std::shared_ptr<fw::Account> account, std::shared_ptr<fw::Closer> closer);
	~Session();

	/** start() - begins to receive messages. */
	void start();

	/** close() - ends the session: detaches the client at once. The object may be destroyed when
	 * idle(). @why: nullptr: the peer has ended or has closed the connection */
	void close(const char *why);

	/** idle() - whether the session is closed and has no pending operation in the loop. */
	bool idle() const { return is_closed_ && pending_ == 0; }

	const ucred &peer() const { return peer_; }
	Role role() const { return role_; }
	bool attached() const { return is_attached_; }

	/** waiting() - whether the session may attach and has not. */
	bool waiting() const { return role_ == Role::CLIENT && !is_attached_ && !is_closed_; }

	/** take_turn() - takes up the message for which the session has asked for a turn. */
	void take_turn();

	/** has_spoken() - whether the peer has sent a message. */
	bool has_spoken() const { return has_spoken_; }

private:
	void begin(Operation &operation);
	void send(base::FdMessage &reply, base::Status status);
	void readable(int result);
	bool brings_too_much() const;
	void receive();
	void pause(uint64_t until_ns);
	void received(int bytes);
	void serve(base::FdMessage &request);
	bool has_unread_reply() const;
	base::Status answer(base::FdMessage &request, base::FdMessage &reply);
	base::Status handle(base::FdMessage &request, base::FdMessage &reply);
	base::Status probe(unpu_socket_probe &reply) const;
	base::Status attach(const unpu_socket_attach &request, base::FdMessage &reply);
	base::Status refuse_client(uint32_t device, base::Status status);
	base::Status take_segment(const unpu_socket_segment &request, base::FdMessage &reply);
	base::Status snapshot(const unpu_socket_snapshot &request, base::FdMessage &reply);
	base::Status give_file(base::FdMessage &request, base::FdMessage &reply);
	base::Status connect(base::FdMessage &request);

	Server &server_;
	base::Fd socket_;
	base::Fd process_; /* pidfd of the peer; invalid if there is none */
	const ucred peer_;
	const Role role_;
	const std::shared_ptr<fw::Account> account_;
	const std::shared_ptr<fw::Closer> closer_;
	base::MessageBuffer buffer_;
	/* the request for a snapshot that waits for its turn */
	std::optional<base::FdMessage> snapshot_;
	Operation receive_;
	Operation death_;
	Operation patience_;
	Operation pause_;
	uint64_t next_ns_ = 0;	 /* rate limit: earliest time for its next message */
	bool is_costly_ = false; /* its last message took the control thread a long time */
	unsigned pending_ = 0;
	bool is_closed_ = false;
	bool is_attached_ = false;
	bool has_spoken_ = false;
	uint32_t device_ = 0;
	uint32_t client_ = 0;
};

} // namespace fwd
