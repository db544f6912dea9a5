// SPDX-License-Identifier: MIT
/**
 * DOC: Error sentences
 *
 * Each thread keeps the sentences of its failures in a fixed buffer, so that an error path allocates
 * nothing and a thread leaves nothing behind.
 */
#include "umd/error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hal/options.h"

namespace umd {

namespace {

constexpr size_t TEXT_BYTES = 2048;
constexpr size_t SENTENCE_BYTES = 1024;

struct Text {
	char pending[TEXT_BYTES];
	char taken[TEXT_BYTES];
	size_t bytes;
};

thread_local constinit Text text{};

bool log_wanted()
{
	static const bool wanted = !hal::environment("UNPU_LOG_ERRORS").empty();
	return wanted;
}

} // namespace

base::Status set_error(base::Status status, std::string sentence)
{
	if (log_wanted())
		fprintf(stderr, "unpu: %s: %s\n", base::status_name(status), sentence.c_str());
	sentence.resize(std::min(sentence.size(), SENTENCE_BYTES - 2));
	sentence.push_back('\n');
	size_t keep = std::min(text.bytes, TEXT_BYTES - 1 - sentence.size());
	memmove(text.pending + sentence.size(), text.pending, keep);
	memcpy(text.pending, sentence.data(), sentence.size());
	text.bytes = sentence.size() + keep;
	text.pending[text.bytes] = '\0';
	return status;
}

const char *take_error()
{
	if (text.bytes == 0)
		return nullptr;
	/* Without the newline that ends the oldest sentence. */
	memcpy(text.taken, text.pending, text.bytes);
	text.taken[text.bytes - 1] = '\0';
	text.bytes = 0;
	return text.taken;
}

} // namespace umd
