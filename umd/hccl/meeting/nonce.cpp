// SPDX-License-Identifier: MIT
/**
 * DOC: Nonces
 *
 * The name of a meeting. Who knows it may take part.
 */
#include "nonce.h"

#include <cstring>

#include "base/os/calls/transfers.h"

namespace umd {

Nonce make_nonce()
{
	Nonce nonce{};
	(void)base::calls::fill_random(nonce.data(), nonce.size());
	return nonce;
}

/* FNV-1a with 64 bits, once for each half. */
static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
	const auto *at = static_cast<const uint8_t *>(data);
	for (size_t i = 0; i < bytes; i++)
		seed = (seed ^ at[i]) * 0x100000001b3ull;
	return seed;
}

Nonce derive_nonce(const void *first, size_t first_bytes, const void *second, size_t second_bytes)
{
	Nonce nonce;
	uint64_t seed = 0xcbf29ce484222325ull;
	for (size_t half = 0; half < nonce.size(); half += sizeof(seed)) {
		seed = hash(hash(seed + half, first, first_bytes), second, second_bytes);
		memcpy(nonce.data() + half, &seed, sizeof(seed));
	}
	return nonce;
}

} // namespace umd
