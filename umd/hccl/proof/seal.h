// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "secret.h"

namespace umd {

/** struct SessionKeys - of one connection: for what this side says, and for what it hears. */
struct SessionKeys {
	Key said;
	Key heard;
};

/** SEAL_BYTES - that sealed bytes have more than plain ones. */
constexpr size_t SEAL_BYTES = 16;

/** class Seal - one direction of a connection: encrypts and authenticates what is said, or opens what is heard. Each
 * piece has its number, which is not sent, so none can be said twice, be left out, or be sent back to its sender. */
class Seal {
public:
	Seal() = default;
	explicit Seal(const Key &key);

	/** close() - @to: receives SEAL_BYTES more than @plain has. */
	void close(std::span<const uint8_t> plain, uint8_t *to);

	/** open() - @to: receives SEAL_BYTES fewer than @sealed has; may be at the same place
	 * Return: false: nobody with the key said this as the next piece. */
	bool open(std::span<const uint8_t> sealed, uint8_t *to);

private:
	Key key_{};
	uint64_t number_ = 0;
};

} // namespace umd
