// SPDX-License-Identifier: MIT
/**
 * DOC: Handshakes
 *
 * How a connection begins. Neither side says its secret:
 *
 *	caller		called
 *	KNOCK				what it wants, a name, a key, ciphers
 *			ANSWER		a key, one of the ciphers, a proof
 *	ASSENT				a proof
 *
 * The proofs are HMACs of all that was said, by the key that belongs to the name, and differ for the two sides. So an
 * old proof proves nothing, and no side can give the other one's own back.
 *
 * The keys that they say are the public halves of pairs of this connection alone (X25519). The keys of what follows
 * come of all that was said, the secret, and what the two pairs have in common. The other halves are forgotten at the
 * end, so who gets the secret later can't read what was recorded before.
 */
#pragma once

#include <functional>

#include "base/os/shm.h"
#include "seal.h"

namespace umd {

/** HANDSHAKE_VERSION - changes with these messages and with what follows them. */
constexpr uint32_t HANDSHAKE_VERSION = 3;

/** enum class Wish - what a caller wants: to be a rank of a meeting, or to send parcels. */
enum class Wish : uint32_t { MEETING = 1, WIRE };

/** struct Knock - KNOCK. */
struct Knock {
	std::array<char, 4> magic;
	uint32_t version;
	Wish wish;
	uint32_t ciphers; /* that the caller has */
	Nonce name;
	Key pair;
};
static_assert(sizeof(Knock) == 64);

/** struct Answer - ANSWER. */
struct Answer {
	Key pair;
	Cipher cipher;
	Mac proof;
};
static_assert(sizeof(Answer) == 68);

/** all_ciphers() - those that this side has. It may load a library. */
uint32_t all_ciphers();

/** check_knock() - whether a side may knock so. */
bool check_knock(const Knock &knock);

/** class Handshake - one side of a connection that is a stream and does not block. Context: one thread at a time. */
class Handshake {
public:
	/** using Find - gives the key for a wish and a name. Return: whether there is one. */
	using Find = std::function<bool(Wish wish, const Nonce &name, Key &key)>;

	/** call() - for who has connected. receive() - for who has accepted, and takes the last of the ciphers that
	 * both have. @ciphers: a set */
	static Handshake call(Wish wish, const Nonce &name, const Key &key,
			      uint32_t ciphers = static_cast<uint32_t>(Cipher::CHACHA20));
	static Handshake receive(Find find);

	/** advance() - says and hears what is possible now.
	 * Return: OK at the end; NOT_READY; BAD_MESSAGE: the other side does not know the key, or is no library of this
	 * version; DEVICE_LOST: it has gone; NO_RESOURCE: there are no random numbers. */
	base::Status advance(const base::Fd &socket);

	/** has_knocked() - whether the other side knows a name. */
	bool has_knocked() const { return step_ != Step::CALLED; }
	Wish wish() const { return knock_.wish; }
	const Nonce &name() const { return knock_.name; }

	/** keys() - valid after the end. */
	const SessionKeys &keys() const { return keys_; }

private:
	/* What the side waits for, or does next. */
	enum class Step { CALLING, CALLED, ANSWERED, KNOCKED, DONE };

	Mac mac(const Key &key, const char *what) const;
	base::Status knock(const base::Fd &socket);
	base::Status hear_knock(const base::Fd &socket);
	base::Status hear_answer(const base::Fd &socket);
	base::Status hear_assent(const base::Fd &socket);
	base::Status read(const base::Fd &socket, void *to, size_t bytes);
	base::Status end(bool has_called);

	Step step_ = Step::DONE;
	Find find_;
	Key key_{};
	Key own_{}; /* half of the pair */
	Knock knock_{};
	Answer answer_{};
	SessionKeys keys_{};
	std::array<uint8_t, sizeof(Answer)> input_{};
	size_t have_ = 0;
};

} // namespace umd
