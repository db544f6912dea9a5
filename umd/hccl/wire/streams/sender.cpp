// SPDX-License-Identifier: MIT
/**
 * DOC: Senders
 *
 * Each pair of processes has two sockets, one for each direction. Inside one network they are Unix sockets;
 * the kernel says whose process is at the other side, so the bytes are not encrypted. Between networks they
 * are TCP sockets; the bytes are sealed in records of at most RECORD_BYTES, each with its length in front.
 */
#include "sender.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "umd/hccl/meeting/local.h"
#include "umd/hccl/network/interfaces.h"

namespace umd {

using base::Fd;
using base::Status;

/* Time limit for an address to accept a connection, and again for the handshake. It is generous, because a
 * debugger may have stopped the other process. */
static constexpr uint64_t CONNECT_NS = 5 * base::NS_PER_S;
static constexpr uint64_t PROVE_NS = 60 * base::NS_PER_S;
/* Limit for small messages that are collected into one record. */
static constexpr size_t GATHERED_MOST = 4096;

Sender::Sender(uint32_t link, const StreamsAddress &to, uint32_t group)
	: link_(link), to_(to), group_(group)
{
}

bool Sender::wants_room() const
{
	return state_ == State::CONNECTING || (state_ == State::OPEN && !is_through());
}

bool Sender::note_end(const char *reason)
{
	state_ = State::FAILED;
	reason_ = reason;
	return false;
}

bool Sender::note_error(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return note_end("the other side does not answer");
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ENETDOWN:
	case ECONNREFUSED:
		return note_end("the other side can't be reached");
	case ECONNRESET:
	case EPIPE:
		return note_end("the connection was reset");
	case EMFILE:
	case ENFILE:
		return note_end("the process has no descriptor left; raise RLIMIT_NOFILE");
	default:
		return note_end(strerror(error));
	}
}

void Sender::fail(bool is_silent)
{
	(void)note_end(is_silent ? "the other side does not answer" : "the connection is closed");
}

void watch_tcp(const Fd &socket)
{
	const auto set = [&](int level, int option, int value) {
		(void)setsockopt(socket.get(), level, option, &value, sizeof(value));
	};
	set(IPPROTO_TCP, TCP_NODELAY, 1);
	set(SOL_SOCKET, SO_KEEPALIVE, 1);
	set(IPPROTO_TCP, TCP_KEEPIDLE, 1);
	set(IPPROTO_TCP, TCP_KEEPINTVL, 1);
	set(IPPROTO_TCP, TCP_KEEPCNT, 2);
}

bool Sender::connect_local()
{
	sockaddr_un address{};
	const size_t length = strnlen(to_.local.data(), to_.local.size());
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path + 1, to_.local.data(), length);
	const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
	if (!socket_.valid())
		socket_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (!socket_.valid())
		return note_error(errno);
	if (base::calls::connect(socket_.get(), reinterpret_cast<const sockaddr *>(&address), bytes,
				 base::calls::NOW) != 0) {
		/* EAGAIN: the queue of the listener is full, and the next advance() tries again. */
		return errno == EAGAIN || note_error(errno);
	}
	if (!may_meet(socket_, group_))
		return note_end("it is a process of another user (UNPU_HCCL_GROUP)");
	begin_proof();
	return true;
}

void Sender::begin_proof()
{
	/* A Unix socket is not sealed, so its handshake offers no ciphers. */
	handshake_ = is_tcp_ ? Handshake::call(Wish::WIRE, to_.name(), to_.key, all_ciphers())
			     : Handshake::call(Wish::WIRE, to_.name(), to_.key);
	deadline_ns_ = base::deadline_after(PROVE_NS);
	state_ = State::PROVING;
}

bool Sender::connect_tcp(const TcpAddress &address)
{
	sockaddr_storage where;
	const socklen_t bytes = to_socket_address(address, where);
	socket_ = Fd(::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (!socket_.valid())
		return note_error(errno);
	is_tcp_ = true;
	watch_tcp(socket_);
	deadline_ns_ = base::deadline_after(CONNECT_NS);
	state_ = State::CONNECTING;
	return base::calls::connect(socket_.get(), reinterpret_cast<const sockaddr *>(&where),
				    bytes, base::NO_DEADLINE) == 0 ||
	       errno == EINPROGRESS || note_error(errno);
}

bool Sender::connect_next()
{
	if (deadline_ns_ == 0)
		deadline_ns_ = base::deadline_after(CONNECT_NS);
	if (to_.network == this_network())
		return connect_local();
	while (next_place_ < to_.tcp.at.size() && to_.tcp.at[next_place_].family != 0) {
		if (connect_tcp(to_.tcp.at[next_place_++]))
			return true;
	}
	if (reason_.empty())
		reason_ = "it listens at no address";
	state_ = State::FAILED;
	return false;
}

bool Sender::try_next()
{
	const bool has_connected = state_ == State::PROVING;
	(void)note_error(ETIMEDOUT);
	return !has_connected && is_tcp_ && connect_next();
}

bool Sender::on_connected()
{
	pollfd one{socket_.get(), POLLOUT, 0};
	int error = 0;
	socklen_t size = sizeof(error);
	if (base::calls::poll(&one, 1, base::calls::NOW) == 0)
		return true;
	(void)getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
	if (error == 0) {
		begin_proof();
		return true;
	}
	(void)note_error(error);
	return connect_next();
}

bool Sender::prove()
{
	switch (handshake_.advance(socket_)) {
	case Status::OK:
		seal_ = Seal(handshake_.keys().said, handshake_.keys().cipher);
		state_ = State::OPEN;
		return true;
	case Status::NOT_READY:
		return true;
	case Status::DEVICE_LOST:
		return note_end("the connection was reset");
	default:
		return note_end("it is no process of this communicator");
	}
}

/* After the handshake the other side sends nothing on this socket. So the connection has ended when recv()
 * returns without EAGAIN. */
bool Sender::look_for_end()
{
	uint8_t byte;
	const ssize_t got = base::calls::recv(socket_.get(), &byte, 1, 0, base::calls::NOW);
	if (got < 0 && errno == EAGAIN)
		return true;
	return note_error(got < 0 ? errno : ECONNRESET);
}

bool Sender::advance(std::vector<void *> &ended)
{
	bool is_good = true;
	if (state_ == State::NEW)
		is_good = connect_next();
	if (is_good && state_ == State::CONNECTING)
		is_good = on_connected();
	if (is_good && state_ == State::PROVING)
		is_good = prove();
	if (is_good && state_ == State::OPEN)
		is_good = look_for_end() && send_some(ended);
	return is_good && state_ != State::FAILED;
}

Sender::Added Sender::add(const Message &message, std::vector<void *> &ended)
{
	if (is_tcp_ && state_ == State::OPEN && is_through() &&
	    gathered_.size() + message.head_bytes + message.bytes <= GATHERED_MOST) {
		const uint8_t *head = message.head.data();
		gathered_.insert(gathered_.end(), head, head + message.head_bytes);
		gathered_.insert(gathered_.end(), message.data, message.data + message.bytes);
		return Added::SENT;
	}
	messages_.push_back(message);
	const bool is_good = state_ != State::OPEN || send_some(ended);
	if (!ended.empty() && ended.back() == message.token) {
		ended.pop_back();
		return is_good ? Added::SENT : Added::FAILED;
	}
	if (is_good)
		return Added::WAITS;
	messages_.pop_back();
	return Added::FAILED;
}

bool Sender::flush(std::vector<void *> &ended)
{
	return state_ != State::OPEN || send_some(ended);
}

void Sender::drop(std::vector<void *> &ended)
{
	gathered_.clear();
	for (const Message &each : messages_)
		ended.push_back(each.token);
	messages_.clear();
	done_ = 0;
	sent_ = sealed_.size();
}

bool Sender::send_some(std::vector<void *> &ended)
{
	bool is_full = false;
	while (!is_idle() && !is_full) {
		if (is_tcp_ ? !send_sealed(ended, is_full) : !send_plain(ended, is_full))
			return false;
	}
	return true;
}

bool Sender::send_plain(std::vector<void *> &ended, bool &is_full)
{
	Message &first = messages_.front();
	const uint64_t head_done = std::min(done_, first.head_bytes);
	const uint64_t data_done = done_ - head_done;
	iovec parts[2] = {{first.head.data() + head_done, first.head_bytes - head_done},
			  {const_cast<uint8_t *>(first.data) + data_done, first.bytes - data_done}};
	msghdr header{};
	header.msg_iov = parts;
	header.msg_iovlen = 2;
	const ssize_t sent = base::calls::sendmsg(socket_.get(), header, base::calls::NOW);
	if (sent < 0) {
		is_full = errno == EAGAIN;
		return is_full || note_error(errno);
	}
	done_ += static_cast<uint64_t>(sent);
	if (done_ == first.head_bytes + first.bytes) {
		ended.push_back(first.token);
		messages_.pop_front();
		done_ = 0;
	}
	return true;
}

/* Makes the next record from the waiting messages. Data that fill a record alone are sealed without a
 * copy. */
void Sender::seal_some(std::vector<void *> &ended)
{
	Message &next = messages_.front();
	const uint64_t data_done = done_ - std::min(done_, next.head_bytes);
	if (done_ >= next.head_bytes && next.bytes - data_done >= RECORD_BYTES) {
		seal({next.data + data_done, RECORD_BYTES});
		note_sealed(RECORD_BYTES, ended);
		return;
	}
	plain_.clear();
	while (!messages_.empty() && plain_.size() < RECORD_BYTES) {
		Message &first = messages_.front();
		const bool is_head = done_ < first.head_bytes;
		const uint8_t *from = is_head ? first.head.data() + done_
					      : first.data + (done_ - first.head_bytes);
		const uint64_t left =
			(is_head ? first.head_bytes : first.head_bytes + first.bytes) - done_;
		const uint64_t some = std::min<uint64_t>(left, RECORD_BYTES - plain_.size());
		plain_.insert(plain_.end(), from, from + some);
		note_sealed(some, ended);
	}
	seal(plain_);
}

/* Makes a record of @plain, with its length in front. */
void Sender::seal(std::span<const uint8_t> plain)
{
	const auto length = static_cast<uint32_t>(plain.size() + SEAL_BYTES);
	sealed_.resize(sizeof(length) + length);
	memcpy(sealed_.data(), &length, sizeof(length));
	seal_.close(plain, sealed_.data() + sizeof(length));
	sent_ = 0;
}

/* Records that @bytes more bytes of the first message are in a record. */
void Sender::note_sealed(uint64_t bytes, std::vector<void *> &ended)
{
	const Message &first = messages_.front();
	done_ += bytes;
	if (done_ < first.head_bytes + first.bytes)
		return;
	ended.push_back(first.token);
	messages_.pop_front();
	done_ = 0;
}

bool Sender::send_sealed(std::vector<void *> &ended, bool &is_full)
{
	if (sent_ == sealed_.size() && !gathered_.empty()) {
		seal(gathered_);
		gathered_.clear();
	} else if (sent_ == sealed_.size())
		seal_some(ended);
	const ssize_t sent = base::calls::send(socket_.get(), sealed_.data() + sent_,
					       sealed_.size() - sent_, base::calls::NOW);
	if (sent < 0) {
		is_full = errno == EAGAIN;
		return is_full || note_error(errno);
	}
	sent_ += static_cast<size_t>(sent);
	return true;
}

} // namespace umd
