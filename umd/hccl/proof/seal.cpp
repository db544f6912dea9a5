// SPDX-License-Identifier: MIT
/**
 * DOC: Seals
 *
 * ChaCha20-Poly1305 of RFC 8439 or AES-256-GCM, with the number of the piece as the nonce. Each direction of
 * each connection has a key of its own.
 */
#include "seal.h"

#include <cstring>

#include <sodium.h>

namespace umd {

static_assert(SEAL_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sizeof(Key) == crypto_aead_chacha20poly1305_ietf_KEYBYTES);
static_assert(SEAL_BYTES == AesGcm::TAG_BYTES);
static_assert(AesGcm::NUMBER_BYTES == crypto_aead_chacha20poly1305_ietf_NPUBBYTES);

/* libsodium checks once which instructions the CPU has. */
Seal::Seal(const Key &key, Cipher cipher) : key_(key), cipher_(cipher)
{
	static const int ready = sodium_init();
	(void)ready;
	if (cipher_ == Cipher::AES_GCM)
		aes_ = AesGcm::make(key_);
}

Seal::Number Seal::next()
{
	if (number_ != 0 && number_ % SEAL_PIECES == 0) {
		constexpr std::array<uint8_t, 8> NEXT = {'n', 'e', 'x', 't'};
		const Key made = mac_of(key_, NEXT);
		forget(key_);
		key_ = made;
		if (cipher_ == Cipher::AES_GCM)
			aes_ = AesGcm::make(key_);
	}
	Number made{};
	memcpy(made.data(), &number_, sizeof(number_));
	number_++;
	return made;
}

void Seal::close(std::span<const uint8_t> plain, uint8_t *to)
{
	const Number number = next();
	if (cipher_ == Cipher::CHACHA20)
		(void)crypto_aead_chacha20poly1305_ietf_encrypt(to, nullptr, plain.data(),
								plain.size(), nullptr, 0, nullptr,
								number.data(), key_.data());
	/* If there is no memory for the cipher, the other side gets bytes that it can't open, and ends the
	 * connection. */
	else if (!aes_ || !aes_->close(plain, number.data(), to))
		memset(to, 0, plain.size() + SEAL_BYTES);
}

bool Seal::open(std::span<const uint8_t> sealed, uint8_t *to)
{
	const Number number = next();
	if (sealed.size() < SEAL_BYTES)
		return false;
	if (cipher_ == Cipher::AES_GCM)
		return aes_ && aes_->open(sealed, number.data(), to);
	return crypto_aead_chacha20poly1305_ietf_decrypt(to, nullptr, nullptr, sealed.data(),
							 sealed.size(), nullptr, 0, number.data(),
							 key_.data()) == 0;
}

} // namespace umd
