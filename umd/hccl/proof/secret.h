// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace umd {

/** using Nonce - 16 bytes: the secret of a meeting, which nobody can guess, or a name that was made of it. */
using Nonce = std::array<uint8_t, 16>;

/** using Key - what two sides have to know to meet. using Mac - proves that a side knows one. */
using Key = std::array<uint8_t, 32>;
using Mac = std::array<uint8_t, 32>;

/** enum class Topic - what a name is for. Names of different topics tell nothing of each other. */
enum class Topic : uint8_t { SOCKET = 1, DOOR, COMMUNICATOR, RANK, MEETING, TABLE, WIRE, KEY };

/** make_nonce() - a random secret. make_key() - a random key. Return: NO_RESOURCE where the kernel gives no random
 * numbers. */
base::Result<Nonce> make_nonce();
base::Result<Key> make_key();

/** make_key_pair() - a pair for one connection (X25519): @own stays, @said is said. Return: NO_RESOURCE. */
base::Status make_key_pair(Key &own, Key &said);

/** agree() - the key that two sides have in common who have said a key each.
 * Return: false: what the other one has said is none of a pair. */
bool agree(const Key &own, const Key &heard, Key &common);

/** forget() - no copy of @key is left here. */
void forget(Key &key);

/** derive() - what follows from @from, and does not lead back to it. It may be shown where @topic is a name. */
Nonce derive(Topic topic, std::span<const uint8_t> from, std::span<const uint8_t> more = {});

/** key_of() - the key of a meeting. */
Key key_of(const Nonce &secret);

/** mac_of() - HMAC-SHA256 of bytes. is_same() - takes as long whatever differs. */
Mac mac_of(const Key &key, std::span<const uint8_t> bytes);
bool is_same(const Mac &one, const Mac &other);

/** hex_of() - a name as text. */
std::string hex_of(const Nonce &name);

/** bytes_of() - the bytes of an object. */
template <class T> std::span<const uint8_t> bytes_of(const T &object)
{
	return {reinterpret_cast<const uint8_t *>(&object), sizeof(object)};
}

} // namespace umd
