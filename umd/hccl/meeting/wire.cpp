// SPDX-License-Identifier: MIT
/**
 * DOC: Sockets of a meeting
 *
 * A meeting is at a Unix socket without a file, whose name is the nonce. So nothing is left behind, and only a
 * process that got the nonce finds it. A message is one packet of the socket.
 */
#include "wire.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

namespace umd {

using base::Fd;
using base::Result;
using base::Status;

/* Some tens of milliseconds. */
static constexpr int CONNECT_TRIES = 20000;

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

Status send_letter(const Fd &socket, LetterKind kind, const void *body, size_t bytes)
{
	uint32_t head[2] = {static_cast<uint32_t>(kind), static_cast<uint32_t>(bytes)};
	static_assert(LETTER_HEAD == sizeof(head));
	iovec parts[2] = {{head, sizeof(head)}, {const_cast<void *>(body), bytes}};
	msghdr header{};
	header.msg_iov = parts;
	header.msg_iovlen = 2;
	ssize_t sent;
	do {
		sent = sendmsg(socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? Status::DEVICE_LOST : Status::OK;
}

static Status await_input(const Fd &socket, uint64_t deadline_ns)
{
	for (;;) {
		const uint64_t now = base::now_ns();
		if (now >= deadline_ns)
			return Status::NOT_READY;
		const timespec left = base::to_timespec(deadline_ns - now);
		pollfd one{socket.get(), POLLIN, 0};
		const int ready =
			ppoll(&one, 1, deadline_ns == base::NO_DEADLINE ? nullptr : &left, nullptr);
		if (ready > 0)
			return Status::OK;
		if (ready < 0 && errno != EINTR)
			return Status::DEVICE_LOST;
	}
}

Status receive_letter(const Fd &socket, Letter &letter, uint64_t deadline_ns)
{
	if (deadline_ns != 0)
		TRY(await_input(socket, deadline_ns));
	ssize_t got;
	do {
		got = recv(socket.get(), &letter, sizeof(letter), MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? Status::NOT_READY : Status::DEVICE_LOST;
	if (got == 0)
		return Status::DEVICE_LOST;
	const auto bytes = static_cast<size_t>(got);
	if (bytes < LETTER_HEAD || bytes != LETTER_HEAD + body_bytes(letter.kind) ||
	    letter.bytes != bytes - LETTER_HEAD)
		return Status::BAD_MESSAGE;
	if (letter.kind == LetterKind::REFUSAL)
		letter.body.refusal.text[sizeof(letter.body.refusal.text) - 1] = '\0';
	return Status::OK;
}

static socklen_t address_of(const Nonce &nonce, sockaddr_un &address)
{
	std::string name = "unpu-hccl-";
	for (uint8_t byte : nonce)
		name += fmt::format("{:02x}", byte);
	address = {};
	address.sun_family = AF_UNIX;
	/* The first byte is 0: the name is no file. */
	memcpy(address.sun_path + 1, name.data(), name.size());
	return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

static Fd make_socket()
{
	return Fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

Result<Fd> listen_for(const Nonce &nonce)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(nonce, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	if (bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0)
		return errno == EADDRINUSE ? Status::IN_USE : Status::NO_PERMISSION;
	if (listen(socket.get(), 4 * MAX_RANKS) != 0)
		return Status::NO_RESOURCE;
	return socket;
}

Result<Fd> connect_to(const Nonce &nonce)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(nonce, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	for (int tries = 1;
	     connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0;
	     tries++) {
		/* Another rank may have the name already, and listen in a moment. */
		if (errno != ECONNREFUSED || tries == CONNECT_TRIES)
			return Status::NOT_READY;
	}
	return socket;
}

bool is_same_user(const Fd &socket)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	return getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
	       peer.uid == getuid();
}

Nonce make_nonce()
{
	Nonce nonce{};
	size_t have = 0;
	while (have < nonce.size()) {
		const ssize_t got = getrandom(nonce.data() + have, nonce.size() - have, 0);
		have += got > 0 ? static_cast<size_t>(got) : 0;
	}
	return nonce;
}

/* FNV-1a with 64 bits, once for each half. */
static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
	const auto *at = static_cast<const uint8_t *>(data);
	for (size_t i = 0; i < bytes; i++)
		seed = (seed ^ at[i]) * 0x100000001b3ull;
	return seed;
}

Nonce derive_nonce(const void *first, size_t first_bytes, const void *second, size_t second_bytes)
{
	Nonce nonce;
	uint64_t seed = 0xcbf29ce484222325ull;
	for (size_t half = 0; half < nonce.size(); half += sizeof(seed)) {
		seed = hash(hash(seed + half, first, first_bytes), second, second_bytes);
		memcpy(nonce.data() + half, &seed, sizeof(seed));
	}
	return nonce;
}

} // namespace umd
