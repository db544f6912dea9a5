// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>

#include "base/os/shm.h"
#include "base/result.h"
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

/** send_letter() - never blocks: a side that does not read its few messages is as good as gone.
 * Return: DEVICE_LOST when the other side is gone. */
base::Status send_letter(const base::Fd &socket, LetterKind kind, const void *body = nullptr,
			 size_t bytes = 0);

template <class T> base::Status send_letter(const base::Fd &socket, LetterKind kind, const T &body)
{
	static_assert(std::is_trivially_copyable_v<T>);
	return send_letter(socket, kind, &body, sizeof(body));
}

/** receive_letter() - takes the next message, which has the size that its kind asks for.
 * @deadline_ns: 0 does not wait
 * Return: DEVICE_LOST when the other side is gone, NOT_READY, BAD_MESSAGE. */
base::Status receive_letter(const base::Fd &socket, Letter &letter, uint64_t deadline_ns);

/** listen_for() - a socket that listens at the place of @nonce. Return: IN_USE when another one does. */
base::Result<base::Fd> listen_for(const Nonce &nonce);

/** connect_to() - Return: NOT_READY when nobody listens there. */
base::Result<base::Fd> connect_to(const Nonce &nonce);

/** is_same_user() - whether the other side of a socket is a process of this user. */
bool is_same_user(const base::Fd &socket);

/** make_nonce() - a random one. derive_nonce() - the one that follows from two parts. */
Nonce make_nonce();
Nonce derive_nonce(const void *first, size_t first_bytes, const void *second, size_t second_bytes);

} // namespace umd
