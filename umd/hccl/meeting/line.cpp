// SPDX-License-Identifier: MIT
/**
 * DOC: Lines
 *
 * On a line, each message is sent as a length of four bytes and the sealed message. The length has to be one
 * that a message can have, so no sender can make the reader wait for more bytes, or store more. Over TCP the
 * kernel probes a silent machine every second.
 */
#include "line.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace umd {

using base::Fd;
using base::Status;

/* Most bytes that may wait to be sent. A side that reads so little counts as gone. */
static constexpr size_t WAITING_MOST = 1 << 20;
/* The queue has room for WELCOME, TABLE and ISLAND. */
static_assert(3 * sizeof(MeetingMessage) < WAITING_MOST);

static void set_option(const Fd &socket, int level, int option, int value)
{
	(void)setsockopt(socket.get(), level, option, &value, sizeof(value));
}

/* With these settings the kernel notices a cut link after about four seconds. */
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

void Line::open(Fd socket, Kind kind, Handshake handshake)
{
	socket_ = std::move(socket);
	handshake_ = std::move(handshake);
	if (kind == Kind::TCP)
		watch_stream(socket_);
}

void Line::open(Fd socket, Kind kind, const SessionKeys &keys)
{
	open(std::move(socket), kind, Handshake());
	begin(keys);
}

void Line::begin(const SessionKeys &keys)
{
	heard_ = Seal(keys.heard, keys.cipher);
	{
		std::lock_guard lock(mutex_);
		said_ = Seal(keys.said, keys.cipher);
	}
	is_proved_ = true;
}

Status Line::prove(uint64_t deadline_ns)
{
	while (!is_proved()) {
		const Status status = handshake_.advance(socket_);
		if (status == Status::OK)
			begin(handshake_.keys());
		else if (status != Status::NOT_READY || deadline_ns == 0)
			return status;
		else
			TRY(await(deadline_ns));
	}
	return Status::OK;
}

void Line::close()
{
	socket_ = Fd();
}

/* @error: errno of the call that failed. Return: DEVICE_LOST. */
Status Line::note_end(int error)
{
	if (error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH ||
	    error == ENETDOWN)
		was_cut_ = true;
	return Status::DEVICE_LOST;
}

Status Line::send(MessageKind kind, const void *body, size_t bytes)
{
	if (!is_proved())
		return Status::NOT_READY;
	const uint32_t head[2] = {static_cast<uint32_t>(kind), static_cast<uint32_t>(bytes)};
	static_assert(MESSAGE_HEAD == sizeof(head));
	std::vector<uint8_t> plain(MESSAGE_HEAD + bytes);
	memcpy(plain.data(), head, sizeof(head));
	if (bytes != 0)
		memcpy(plain.data() + MESSAGE_HEAD, body, bytes);
	const auto sealed = static_cast<uint32_t>(plain.size() + SEAL_BYTES);
	std::lock_guard lock(mutex_);
	const size_t before = output_.size();
	if (before + sealed > WAITING_MOST)
		return Status::DEVICE_LOST;
	output_.resize(before + sizeof(sealed) + sealed);
	memcpy(output_.data() + before, &sealed, sizeof(sealed));
	said_.close(plain, output_.data() + before + sizeof(sealed));
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
	/* The queue is empty: release its memory. The coordinator has a line to each rank, and each queue had the
	 * list of all ranks. */
	if (output_.empty())
		output_.shrink_to_fit();
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

/* Reads until @input_ has @bytes bytes. */
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

Status Line::take(MeetingMessage &message)
{
	uint32_t sealed;
	TRY(read_up_to(sizeof(sealed)));
	memcpy(&sealed, input_.data(), sizeof(sealed));
	if (sealed < SEAL_BYTES || !is_message_size(sealed - SEAL_BYTES))
		return Status::BAD_MESSAGE;
	TRY(read_up_to(sizeof(sealed) + sealed));
	/* Releases the memory, because the next message is small again, or there is none. */
	std::vector<uint8_t> whole = std::exchange(input_, {});
	uint8_t *place = whole.data() + sizeof(sealed);
	have_ = 0;
	if (!heard_.open({place, sealed}, place))
		return Status::BAD_MESSAGE;
	return read_message({place, sealed - SEAL_BYTES}, message);
}

Status Line::receive(MeetingMessage &message, uint64_t deadline_ns)
{
	TRY(prove(deadline_ns));
	for (;;) {
		const Status status = take(message);
		if (status != Status::NOT_READY || deadline_ns == 0)
			return status;
		TRY(await(deadline_ns));
	}
}

} // namespace umd
