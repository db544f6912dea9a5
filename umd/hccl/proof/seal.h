// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aes_gcm.h"
#include "secret.h"

namespace umd {

/** enum class Cipher - what seals a connection. Both sides have the first one. A set of them has a bit for each. */
enum class Cipher : uint32_t { CHACHA20 = 1, AES_GCM = 2 };

/** struct SessionKeys - of one connection: for what this side says, and for what it hears. */
struct SessionKeys {
	Key said{};
	Key heard{};
	Cipher cipher = Cipher::CHACHA20;
};

/** SEAL_BYTES - that sealed bytes have more than plain ones. */
constexpr size_t SEAL_BYTES = 16;

/** SEAL_PIECES - that one key seals; the next one follows from it. A key of AES-GCM is good for 2^34 blocks (RFC 8446,
 * 5.5), and pieces have up to 2^12. */
constexpr uint64_t SEAL_PIECES = 1 << 16;

/** class Seal - one direction of a connection: encrypts and authenticates what is said, or opens what is heard. Each
 * piece has its number, which is not sent, so none can be said twice, be left out, or be sent back to its sender. */
class Seal {
public:
	Seal() = default;
	/** Seal() - @cipher: AES_GCM only where AesGcm::is_there() */
	explicit Seal(const Key &key, Cipher cipher = Cipher::CHACHA20);

	/** close() - @to: receives SEAL_BYTES more than @plain has. */
	void close(std::span<const uint8_t> plain, uint8_t *to);

	/** open() - @to: receives SEAL_BYTES fewer than @sealed has; may be at the same place
	 * Return: false: nobody with the key said this as the next piece. */
	bool open(std::span<const uint8_t> sealed, uint8_t *to);

private:
	using Number = std::array<uint8_t, AesGcm::NUMBER_BYTES>;

	Number next();

	Key key_{};
	uint64_t number_ = 0;
	Cipher cipher_ = Cipher::CHACHA20;
	std::unique_ptr<AesGcm> aes_; /* for key_ */
};

} // namespace umd
