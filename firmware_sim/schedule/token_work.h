// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>

namespace fw {

/**
 * DOC: Work under the step token
 *
 * While a thread holds the token, no work of other clients makes progress. So a client must not be able to
 * choose the length of work under the token. A request copies at most TOKEN_BYTES and walks at most
 * TOKEN_ITEMS items. BackgroundWork threads, engines or the client's supervisor do longer work. With
 * UNPU_CHECK_TOKEN=1, each place that copies or walks for a client reports the amount, and the process ends
 * if it exceeds these bounds. The test suite runs with this setting.
 */
constexpr uint64_t TOKEN_BYTES = uint64_t{64} << 10;
constexpr uint64_t TOKEN_ITEMS = 1024;

/** is_token_checked() - whether the process ends if the bounds are passed. */
inline bool is_token_checked()
{
	static const bool checked = [] {
		const char *value = getenv("UNPU_CHECK_TOKEN");
		return value && *value == '1';
	}();
	return checked;
}

/** end_token_work() - says how much work of this name was done, and ends the process. */
[[noreturn]] void end_token_work(const char *what, uint64_t bytes, uint64_t items);

/** note_token_work() - the caller, who holds the token, copies so many bytes and walks so many items for a client.
 * @what: the name of the work */
inline void note_token_work(const char *what, uint64_t bytes, uint64_t items = 1)
{
	if ((bytes > TOKEN_BYTES || items > TOKEN_ITEMS) && is_token_checked()) [[unlikely]]
		end_token_work(what, bytes, items);
}

} // namespace fw
