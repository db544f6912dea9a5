// SPDX-License-Identifier: MIT
/**
 * DOC: Seals
 *
 * ChaCha20-Poly1305 of RFC 8439, whose nonce is the number of the piece. Each direction of each connection has a key of
 * its own.
 */
#include "seal.h"

#include <cstring>

#include <sodium.h>

namespace umd {

static_assert(SEAL_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sizeof(Key) == crypto_aead_chacha20poly1305_ietf_KEYBYTES);

/* The library looks once which instructions the CPU has. */
Seal::Seal(const Key &key) : key_(key)
{
	static const int ready = sodium_init();
	(void)ready;
}

using Number = std::array<uint8_t, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

static Number next(uint64_t &number)
{
	Number made{};
	memcpy(made.data(), &number, sizeof(number));
	number++;
	return made;
}

void Seal::close(std::span<const uint8_t> plain, uint8_t *to)
{
	const Number number = next(number_);
	(void)crypto_aead_chacha20poly1305_ietf_encrypt(to, nullptr, plain.data(), plain.size(),
							nullptr, 0, nullptr, number.data(),
							key_.data());
}

bool Seal::open(std::span<const uint8_t> sealed, uint8_t *to)
{
	const Number number = next(number_);
	return sealed.size() >= SEAL_BYTES &&
	       crypto_aead_chacha20poly1305_ietf_decrypt(to, nullptr, nullptr, sealed.data(),
							 sealed.size(), nullptr, 0, number.data(),
							 key_.data()) == 0;
}

} // namespace umd
