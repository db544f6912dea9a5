// SPDX-License-Identifier: MIT
/**
 * DOC: Secrets
 *
 * A process that knows the secret of a meeting may take part. Only the root information contains the secret.
 * Names of sockets, communicators and frames are hashes of it (BLAKE2b), from which nobody can compute the
 * secret. The keys of connections depend on more than the secret.
 */
#include "secret.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sodium.h>

#include "base/os/calls/transfers.h"

namespace umd {

using base::Result;
using base::Status;

static_assert(sizeof(Mac) == crypto_auth_hmacsha256_BYTES);
static_assert(sizeof(Key) == crypto_auth_hmacsha256_KEYBYTES);
static_assert(sizeof(Key) == crypto_scalarmult_BYTES);
static_assert(sizeof(Key) == crypto_scalarmult_SCALARBYTES);

template <class T> static Result<T> make()
{
	T made{};
	if (!base::calls::fill_random(made.data(), made.size()))
		return Status::NO_RESOURCE;
	return made;
}

Result<Nonce> make_nonce()
{
	return make<Nonce>();
}

Result<Key> make_key()
{
	return make<Key>();
}

Status make_key_pair(Key &own, Key &said)
{
	if (!base::calls::fill_random(own.data(), own.size()))
		return Status::NO_RESOURCE;
	(void)crypto_scalarmult_base(said.data(), own.data());
	return Status::OK;
}

bool agree(const Key &own, const Key &heard, Key &common)
{
	return crypto_scalarmult(common.data(), own.data(), heard.data()) == 0;
}

void forget(Key &key)
{
	sodium_memzero(key.data(), key.size());
}

/* The hash includes the length of the first part, so that the same bytes divided in another way have another
 * hash. */
static void hash(Topic topic, std::span<const uint8_t> from, std::span<const uint8_t> more,
		 std::span<uint8_t> to)
{
	crypto_generichash_state state;
	const std::array<uint8_t, 8> head = {'u', 'n', 'p', 'u', 1, static_cast<uint8_t>(topic)};
	const uint64_t first = from.size();
	(void)crypto_generichash_init(&state, nullptr, 0, to.size());
	(void)crypto_generichash_update(&state, head.data(), head.size());
	(void)crypto_generichash_update(&state, bytes_of(first).data(), sizeof(first));
	(void)crypto_generichash_update(&state, from.data(), from.size());
	(void)crypto_generichash_update(&state, more.data(), more.size());
	(void)crypto_generichash_final(&state, to.data(), to.size());
}

Nonce derive(Topic topic, std::span<const uint8_t> from, std::span<const uint8_t> more)
{
	Nonce made;
	hash(topic, from, more, made);
	return made;
}

Key key_of(const Nonce &secret)
{
	Key made;
	hash(Topic::KEY, secret, {}, made);
	return made;
}

Mac mac_of(const Key &key, std::span<const uint8_t> bytes)
{
	Mac mac;
	(void)crypto_auth_hmacsha256(mac.data(), bytes.data(), bytes.size(), key.data());
	return mac;
}

bool is_same(const Mac &one, const Mac &other)
{
	return sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string hex_of(const Nonce &name)
{
	std::string text;
	for (const uint8_t byte : name)
		text += fmt::format("{:02x}", byte);
	return text;
}

} // namespace umd
