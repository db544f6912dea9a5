// SPDX-License-Identifier: MIT
/**
 * DOC: Fills
 *
 * Doubles the filled part until it is 4 KiB, which stays in the first-level cache, and then copies that piece
 * repeatedly.
 */
#include "fill.h"

#include "base/hot_path.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace base {

HOT_PATH void fill_pattern(void *to, uint64_t bytes, uint32_t pattern, uint32_t width)
{
	constexpr uint64_t PIECE_BYTES = 4096;
	auto *target = static_cast<std::byte *>(to);
	if (width == 1) {
		memset(target, static_cast<int>(pattern & 0xff), bytes);
		return;
	}
	if (bytes == 0)
		return;
	uint64_t done = width;
	memcpy(target, &pattern, width);
	while (done < bytes) {
		const uint64_t more = std::min({done, PIECE_BYTES, bytes - done});
		memcpy(target + done, target, more);
		done += more;
	}
}

} // namespace base
