// SPDX-License-Identifier: MIT
/**
 * DOC: Exchange
 *
 * What all devices of one firmware have in common.
 */
#include "exchange.h"

#include <sys/random.h>

namespace fw {

/* A number that nobody can guess and that never comes twice; never 0. */
static uint64_t random_word()
{
	uint64_t word = 0;
	while (word == 0)
		(void)getrandom(&word, sizeof(word), 0);
	return word;
}

Exchange::Exchange() : instance_(random_word()) {}

std::shared_ptr<Exchange> make_exchange()
{
	return std::make_shared<Exchange>();
}

} // namespace fw
