// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace umd {

/** using Nonce - 16 bytes: the secret of a meeting, which nobody can guess, or a name that is derived from
 * it. */
using Nonce = std::array<uint8_t, 16>;

/** using Key - a secret key that two sides share. using Mac - a proof that a side knows a key. */
using Key = std::array<uint8_t, 32>;
using Mac = std::array<uint8_t, 32>;

/** enum class Topic - what a derived name is for. Names of different topics reveal nothing about each
 * other. */
enum class Topic : uint8_t { SOCKET = 1, DOOR, COMMUNICATOR, RANK, MEETING, TABLE, WIRE, KEY };

/** make_nonce() - makes a random secret. make_key() - makes a random key. Return: NO_RESOURCE if the kernel
 * gives no random numbers. */
base::Result<Nonce> make_nonce();
base::Result<Key> make_key();

/** make_key_pair() - makes a key pair for one connection (X25519). @own: the private half. @said: the public
 * half. Return: NO_RESOURCE. */
base::Status make_key_pair(Key &own, Key &said);

/** agree() - computes the key that two sides share after they have exchanged their public halves.
 * Return: false if @heard is no valid public key. */
bool agree(const Key &own, const Key &heard, Key &common);

/** forget() - erases @key from memory. */
void forget(Key &key);

/** derive() - a hash of @from and @more, from which nobody can compute them. A result whose @topic is a name
 * may be public. */
Nonce derive(Topic topic, std::span<const uint8_t> from, std::span<const uint8_t> more = {});

/** key_of() - the key of the meeting with this secret. */
Key key_of(const Nonce &secret);

/** mac_of() - HMAC-SHA256 of bytes. is_same() - compares two of them in constant time. */
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
