// SPDX-License-Identifier: MIT
/**
 * DOC: Work under the step token
 *
 * Ends a process that did too much work under the token.
 */
#include "token_work.h"

#include <cstdio>

namespace fw {

void end_token_work(const char *what, uint64_t bytes, uint64_t items)
{
	fprintf(stderr,
		"unpu: %s: %ju bytes and %ju items under the step token; %ju and %ju at most\n",
		what, static_cast<uintmax_t>(bytes), static_cast<uintmax_t>(items),
		static_cast<uintmax_t>(TOKEN_BYTES), static_cast<uintmax_t>(TOKEN_ITEMS));
	abort();
}

} // namespace fw
