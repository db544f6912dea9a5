// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/os/shm.h"
#include "base/result.h"
#include "base/sync/mutex.h"
#include "meeting_message.h"
#include "umd/hccl/proof/handshake.h"

namespace umd {

/** class Line - a connection that carries sealed messages. Context: one thread at a time proves and reads; any
 * thread sends. */
class Line {
public:
	/** enum class Kind - LOCAL: a Unix socket. TCP: the network may cut it. */
	enum class Kind { LOCAL, TCP };

	/** open() - starts with @socket, which is connected and non-blocking. close() - ends the connection;
	 * unsent data are lost. */
	void open(base::Fd socket, Kind kind, Handshake handshake);
	void open(base::Fd socket, Kind kind, const SessionKeys &keys);
	void close();

	const base::Fd &socket() const { return socket_; }

	/** prove() - runs the handshake to its end. No message is sent before that. @deadline_ns: 0: does not
	 * wait
	 * Return: as Handshake::advance(). */
	base::Status prove(uint64_t deadline_ns);
	bool is_proved() const { return is_proved_.load(); }

	/** send() - sends as much as possible without blocking; flush() sends the rest.
	 * Return: DEVICE_LOST when the other side is gone, or does not read; NOT_READY before the handshake
	 * has ended. */
	base::Status send(MessageKind kind, const void *body = nullptr, size_t bytes = 0);
	template <class T> base::Status send(MessageKind kind, const T &body)
	{
		static_assert(std::is_trivially_copyable_v<T>);
		return send(kind, &body, sizeof(body));
	}
	template <class T> base::Status send(MessageKind kind, std::span<const T> records)
	{
		static_assert(std::is_trivially_copyable_v<T>);
		return send(kind, records.data(), records.size_bytes());
	}
	base::Status flush();

	/** drain() - waits until everything is sent. */
	void drain(uint64_t deadline_ns);

	/** events() - for poll(): POLLIN, and POLLOUT while something waits to be sent. */
	short events();

	/** receive() - reads the next message, and checks it with read_message(). Finishes the handshake first.
	 * @deadline_ns: 0 does not wait
	 * Return: DEVICE_LOST when the other side is gone, NOT_READY, BAD_MESSAGE. */
	base::Status receive(MeetingMessage &message, uint64_t deadline_ns);

	/** was_cut() - whether the other side was lost because its machine does not answer. */
	bool was_cut() const { return was_cut_.load(); }

private:
	void begin(const SessionKeys &keys);
	base::Status flush_some() REQUIRES(mutex_);
	base::Status await(uint64_t deadline_ns);
	base::Status take(MeetingMessage &message);
	base::Status read_up_to(size_t bytes);
	base::Status note_end(int error);

	base::Fd socket_;
	Handshake handshake_;
	std::atomic<bool> is_proved_{false};
	std::atomic<bool> was_cut_{false};
	Seal heard_;
	std::vector<uint8_t> input_; /* received part of a message */
	size_t have_ = 0;
	base::Mutex mutex_{"Line::mutex_"};
	Seal said_ GUARDED_BY(mutex_);
	std::vector<uint8_t> output_ GUARDED_BY(mutex_);
};

} // namespace umd
