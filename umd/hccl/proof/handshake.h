// SPDX-License-Identifier: MIT
/**
 * DOC: Handshakes
 *
 * A handshake begins each connection. Neither side reveals the secret:
 *
 *	caller		called
 *	KNOCK				a wish, a name, a key, ciphers
 *			ANSWER		a key, the chosen cipher, a proof
 *	ASSENT				a proof
 *
 * A proof is an HMAC of all messages so far, made with the key that belongs to the name. The two sides use
 * different labels. So a recorded proof is useless later, and no side can send the other side's own proof
 * back.
 *
 * The keys in these messages are the public halves of key pairs that are made for this connection only
 * (X25519). The session keys are derived from all messages, the secret, and the shared result of the two key
 * pairs. The private halves are erased at the end. So an attacker who learns the secret later can't decrypt
 * what was recorded before (forward secrecy).
 */
#pragma once

#include <functional>

#include "base/os/shm.h"
#include "seal.h"

namespace umd {

/** HANDSHAKE_VERSION - changes with these messages and with what follows them. */
constexpr uint32_t HANDSHAKE_VERSION = 3;

/** enum class Wish - what a caller wants: to be a rank of a meeting, or to send frames. */
enum class Wish : uint32_t { MEETING = 1, WIRE };

/** struct Knock - the first message of the caller. */
struct Knock {
	std::array<char, 4> magic;
	uint32_t version;
	Wish wish;
	uint32_t ciphers; /* set of ciphers that the caller supports */
	Nonce name;
	Key pair;
};
static_assert(sizeof(Knock) == 64);

/** struct Answer - the message of the called side. */
struct Answer {
	Key pair;
	Cipher cipher;
	Mac proof;
};
static_assert(sizeof(Answer) == 68);

/** all_ciphers() - the set of ciphers that this side supports. The call may load a library. */
uint32_t all_ciphers();

/** check_knock() - whether all fields of a KNOCK are valid. */
bool check_knock(const Knock &knock);

/** class Handshake - one side of a handshake, on a non-blocking stream socket. Context: one thread at a
 * time. */
class Handshake {
public:
	/** using Find - a function that finds the key for a wish and a name. Return: whether there is such a
	 * key. */
	using Find = std::function<bool(Wish wish, const Nonce &name, Key &key)>;

	/** call() - the side that has connected. receive() - the side that has accepted; it chooses the last
	 * cipher that both sides support. @ciphers: a set */
	static Handshake call(Wish wish, const Nonce &name, const Key &key,
			      uint32_t ciphers = static_cast<uint32_t>(Cipher::CHACHA20));
	static Handshake receive(Find find);

	/** advance() - sends and receives as much as possible without blocking.
	 * Return: OK: the handshake is complete; NOT_READY: call again; BAD_MESSAGE: the other side does not
	 * know the key, or has another version; DEVICE_LOST: the connection has ended; NO_RESOURCE: the
	 * kernel gives no random numbers. */
	base::Status advance(const base::Fd &socket);

	/** has_knocked() - whether the other side has named a known name. */
	bool has_knocked() const { return step_ != Step::CALLED; }
	Wish wish() const { return knock_.wish; }
	const Nonce &name() const { return knock_.name; }

	/** keys() - the session keys; valid when advance() has returned OK. */
	const SessionKeys &keys() const { return keys_; }

private:
	/* The next step of this side. */
	enum class Step { CALLING, CALLED, ANSWERED, KNOCKED, DONE };

	Mac mac(const Key &key, const char *what) const;
	base::Status knock(const base::Fd &socket);
	base::Status on_knock(const base::Fd &socket);
	base::Status on_answer(const base::Fd &socket);
	base::Status on_assent(const base::Fd &socket);
	base::Status read(const base::Fd &socket, void *to, size_t bytes);
	base::Status end(bool has_called);

	Step step_ = Step::DONE;
	Find find_;
	Key key_{};
	Key own_{}; /* private half of this side's key pair */
	Knock knock_{};
	Answer answer_{};
	SessionKeys keys_{};
	std::array<uint8_t, sizeof(Answer)> input_{};
	size_t have_ = 0;
};

} // namespace umd
