// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aes_gcm.h"
#include "secret.h"

namespace umd {

/** enum class Cipher - the ciphers that can seal a connection. Every side supports the first one. Each value
 * is one bit, so that a number can hold a set. */
enum class Cipher : uint32_t { CHACHA20 = 1, AES_GCM = 2 };

/** struct SessionKeys - the keys of one connection: one for what this side sends, one for what it
 * receives. */
struct SessionKeys {
	Key said{};
	Key heard{};
	Cipher cipher = Cipher::CHACHA20;
};

/** SEAL_BYTES - how many bytes longer sealed bytes are than plain ones. */
constexpr size_t SEAL_BYTES = 16;

/** SEAL_PIECES - how many pieces one key seals; after that the next key is derived from it. A key of AES-GCM
 * is safe for 2^34 blocks (RFC 8446, 5.5), and a piece has up to 2^12 blocks. */
constexpr uint64_t SEAL_PIECES = 1 << 16;

/** class Seal - one direction of a connection. It encrypts and authenticates the pieces that are sent, or
 * opens the pieces that are received. Each piece has a number, which is not sent. So an attacker can't repeat
 * a piece, drop one, or send one back to its sender. */
class Seal {
public:
	Seal() = default;
	/** Seal() - @cipher: AES_GCM only if AesGcm::is_there() */
	explicit Seal(const Key &key, Cipher cipher = Cipher::CHACHA20);

	/** close() - seals the next piece. @to: receives SEAL_BYTES more than @plain has. */
	void close(std::span<const uint8_t> plain, uint8_t *to);

	/** open() - opens the next piece. @to: receives SEAL_BYTES fewer than @sealed has; may be the same
	 * buffer
	 * Return: false if these bytes are not the next piece of a sender that has the key. */
	bool open(std::span<const uint8_t> sealed, uint8_t *to);

private:
	using Number = std::array<uint8_t, AesGcm::NUMBER_BYTES>;

	Number next();

	Key key_{};
	uint64_t number_ = 0;
	Cipher cipher_ = Cipher::CHACHA20;
	std::unique_ptr<AesGcm> aes_; /* cipher with key_ */
};

} // namespace umd
