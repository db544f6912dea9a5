// SPDX-License-Identifier: MIT
/**
 * DOC: Lines
 *
 * A letter is one packet of a Unix socket, or some bytes of a TCP connection. Of the second kind, parts may come and
 * go; the head says how long the letter is, and that has to be what its kind asks for, so nobody makes the reader
 * wait for more, or keep more. The kernel looks every second whether a machine that is silent is still there.
 */
#include "line.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace umd {

using base::Fd;
using base::Status;

/* Bytes that wait to be sent. A side that does not read so many is as good as gone. */
static constexpr size_t WAITING_MOST = 1 << 20;

static size_t body_bytes(LetterKind kind)
{
	switch (kind) {
	case LetterKind::HELLO:
		return sizeof(Introduction);
	case LetterKind::WELCOME:
		return sizeof(Welcome);
	case LetterKind::KEYS:
		return sizeof(RankKeys);
	case LetterKind::TABLE:
		return sizeof(KeyTable);
	case LetterKind::REFUSAL:
		return sizeof(Refusal);
	case LetterKind::LEAVE:
		return sizeof(Leave);
	case LetterKind::GONE:
		return sizeof(Gone);
	default:
		return 0;
	}
}

static void set_option(const Fd &socket, int level, int option, int value)
{
	(void)setsockopt(socket.get(), level, option, &value, sizeof(value));
}

/* A cut link is noticed after some four seconds. */
static void watch_stream(const Fd &socket)
{
	constexpr int PROBE_S = 1;
	constexpr int PROBES = 3;
	set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, PROBE_S);
	set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, PROBE_S);
	set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, PROBE_S * 1000 * (PROBES + 1));
}

void Line::open(Fd socket, Kind kind)
{
	socket_ = std::move(socket);
	is_stream_ = kind == Kind::STREAM;
	if (is_stream_)
		watch_stream(socket_);
}

void Line::close()
{
	socket_ = Fd();
}

/* @error: of a call that failed. Return: DEVICE_LOST. */
Status Line::note_end(int error)
{
	if (error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH ||
	    error == ENETDOWN)
		was_cut_ = true;
	return Status::DEVICE_LOST;
}

Status Line::send(LetterKind kind, const void *body, size_t bytes)
{
	uint32_t head[2] = {static_cast<uint32_t>(kind), static_cast<uint32_t>(bytes)};
	static_assert(LETTER_HEAD == sizeof(head));
	if (is_stream_)
		return send_bytes(head, body, bytes);
	iovec parts[2] = {{head, sizeof(head)}, {const_cast<void *>(body), bytes}};
	msghdr header{};
	header.msg_iov = parts;
	header.msg_iovlen = 2;
	const ssize_t sent = base::calls::sendmsg(socket_.get(), header, base::calls::NOW);
	return sent < 0 ? Status::DEVICE_LOST : Status::OK;
}

Status Line::send_bytes(const uint32_t *head, const void *body, size_t bytes)
{
	const auto *first = reinterpret_cast<const uint8_t *>(head);
	const auto *second = static_cast<const uint8_t *>(body);
	std::lock_guard lock(mutex_);
	if (output_.size() + bytes > WAITING_MOST)
		return Status::DEVICE_LOST;
	output_.insert(output_.end(), first, first + LETTER_HEAD);
	output_.insert(output_.end(), second, second + bytes);
	return flush_some();
}

Status Line::flush_some()
{
	size_t done = 0;
	Status status = Status::OK;
	while (done < output_.size() && status == Status::OK) {
		const ssize_t sent = base::calls::send(socket_.get(), output_.data() + done,
						       output_.size() - done, base::calls::NOW);
		if (sent >= 0)
			done += static_cast<size_t>(sent);
		else if (errno == EAGAIN)
			break;
		else
			status = note_end(errno);
	}
	output_.erase(output_.begin(), output_.begin() + static_cast<ptrdiff_t>(done));
	return status;
}

Status Line::flush()
{
	std::lock_guard lock(mutex_);
	return flush_some();
}

short Line::events()
{
	std::lock_guard lock(mutex_);
	return output_.empty() ? POLLIN : POLLIN | POLLOUT;
}

Status Line::await(uint64_t deadline_ns)
{
	if (base::now_ns() >= deadline_ns)
		return Status::NOT_READY;
	pollfd one{socket_.get(), events(), 0};
	const int ready = base::calls::poll(&one, 1, deadline_ns);
	if (ready > 0)
		return one.revents & POLLOUT ? flush() : Status::OK;
	return ready == 0 ? Status::NOT_READY : Status::DEVICE_LOST;
}

void Line::drain(uint64_t deadline_ns)
{
	while (socket_.valid() && (events() & POLLOUT)) {
		pollfd one{socket_.get(), POLLOUT, 0};
		if (base::calls::poll(&one, 1, deadline_ns) <= 0 || flush() != Status::OK)
			return;
	}
}

Status Line::take_packet(Letter &letter)
{
	const ssize_t got =
		base::calls::recv(socket_.get(), &letter, sizeof(letter), 0, base::calls::NOW);
	if (got < 0 && errno == EAGAIN)
		return Status::NOT_READY;
	if (got <= 0)
		return Status::DEVICE_LOST;
	const auto bytes = static_cast<size_t>(got);
	return bytes >= LETTER_HEAD && bytes == LETTER_HEAD + letter.bytes &&
			       letter.bytes == body_bytes(letter.kind)
		       ? Status::OK
		       : Status::BAD_MESSAGE;
}

/* Reads until @input_ has so many bytes. */
Status Line::read_up_to(size_t bytes)
{
	while (have_ < bytes) {
		input_.resize(bytes);
		const ssize_t got = base::calls::recv(socket_.get(), input_.data() + have_,
						      bytes - have_, 0, base::calls::NOW);
		if (got > 0)
			have_ += static_cast<size_t>(got);
		else if (got == 0)
			return Status::DEVICE_LOST;
		else if (errno == EAGAIN)
			return Status::NOT_READY;
		else
			return note_end(errno);
	}
	return Status::OK;
}

Status Line::take_frame(Letter &letter)
{
	uint32_t head[2];
	TRY(read_up_to(LETTER_HEAD));
	memcpy(head, input_.data(), sizeof(head));
	const auto kind = static_cast<LetterKind>(head[0]);
	if (head[1] != body_bytes(kind) || (only_ != LetterKind{} && kind != only_))
		return Status::BAD_MESSAGE;
	TRY(read_up_to(LETTER_HEAD + head[1]));
	memcpy(&letter, input_.data(), LETTER_HEAD + head[1]);
	input_.clear();
	have_ = 0;
	return Status::OK;
}

Status Line::receive(Letter &letter, uint64_t deadline_ns)
{
	for (;;) {
		const Status status = is_stream_ ? take_frame(letter) : take_packet(letter);
		if (status == Status::OK && letter.kind == LetterKind::REFUSAL)
			letter.body.refusal.text[sizeof(letter.body.refusal.text) - 1] = '\0';
		if (status != Status::NOT_READY || deadline_ns == 0)
			return status;
		TRY(await(deadline_ns));
	}
}

} // namespace umd
