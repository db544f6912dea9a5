// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/os/shm.h"
#include "base/result.h"
#include "base/sync/mutex.h"
#include "words.h"

namespace umd {

/** struct Letter - one message. */
struct Letter {
	LetterKind kind;
	uint32_t bytes; /* of the body */
	union Body {
		Introduction hello;
		Welcome welcome;
		RankKeys keys;
		KeyTable table;
		Refusal refusal;
		Leave leave;
		Gone gone;
	} body;
};

/** LETTER_HEAD - bytes before the body. */
constexpr size_t LETTER_HEAD = offsetof(Letter, body);

/** class Line - a connection that carries letters. Context: one thread at a time reads; any thread sends. */
class Line {
public:
	/** enum class Kind - PACKETS: SOCK_SEQPACKET of this machine. STREAM: TCP. */
	enum class Kind { PACKETS, STREAM };

	/** open() - @socket: is connected. close() - ends the connection; what was not sent yet is lost. */
	void open(base::Fd socket, Kind kind);
	void close();

	/** expect_only() - other letters than those of @kind are BAD_MESSAGE, before their bodies are read. */
	void expect_only(LetterKind kind) { only_ = kind; }

	const base::Fd &socket() const { return socket_; }
	/** release() - gives the socket away. */
	base::Fd release() { return std::move(socket_); }

	/** send() - never blocks; flush() sends the rest of a stream.
	 * Return: DEVICE_LOST when the other side is gone, or does not read. */
	base::Status send(LetterKind kind, const void *body = nullptr, size_t bytes = 0);
	template <class T> base::Status send(LetterKind kind, const T &body)
	{
		static_assert(std::is_trivially_copyable_v<T>);
		return send(kind, &body, sizeof(body));
	}
	base::Status flush();

	/** drain() - waits until all is sent. */
	void drain(uint64_t deadline_ns);

	/** events() - for poll(): POLLIN, and POLLOUT while something waits to be sent. */
	short events();

	/** receive() - takes the next letter, which has the size that its kind asks for.
	 * @deadline_ns: 0 does not wait
	 * Return: DEVICE_LOST when the other side is gone, NOT_READY, BAD_MESSAGE. */
	base::Status receive(Letter &letter, uint64_t deadline_ns);

	/** was_cut() - whether the other side was lost because its machine does not answer. */
	bool was_cut() const { return was_cut_.load(); }

private:
	base::Status send_bytes(const uint32_t *head, const void *body, size_t bytes);
	base::Status flush_some() REQUIRES(mutex_);
	base::Status await(uint64_t deadline_ns);
	base::Status take_packet(Letter &letter);
	base::Status take_frame(Letter &letter);
	base::Status read_up_to(size_t bytes);
	base::Status note_end(int error);

	base::Fd socket_;
	bool is_stream_ = false;
	LetterKind only_{}; /* 0: all */
	std::atomic<bool> was_cut_{false};
	std::vector<uint8_t> input_; /* of a stream: a letter that has come in part */
	size_t have_ = 0;
	base::Mutex mutex_{"Line::mutex_"};
	std::vector<uint8_t> output_ GUARDED_BY(mutex_); /* of a stream */
};

} // namespace umd
