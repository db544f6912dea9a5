// SPDX-License-Identifier: MIT
/**
 * DOC: Error sentences
 *
 * Each thread keeps the sentences of its failures in a buffer of fixed size that its first failure
 * allocates and its end frees. Only a pointer to it is thread-local: a library that is loaded late has
 * little room for such words.
 */
#include "umd/error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <pthread.h>

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

thread_local constinit Text *mine = nullptr;

void forget(void *text)
{
	free(text);
	mine = nullptr;
}

/* The calling thread's buffer; nullptr when there is no memory for one. */
Text *text_of_thread()
{
	static const pthread_key_t key = [] {
		pthread_key_t made{};
		pthread_key_create(&made, forget);
		return made;
	}();
	if (mine) [[likely]]
		return mine;
	mine = static_cast<Text *>(calloc(1, sizeof(Text)));
	pthread_setspecific(key, mine);
	return mine;
}

/* 0: nothing, 1: failures, 2: also answers like "not ready". */
int log_level()
{
	static const int level = [] {
		std::string wanted = hal::environment("UNPU_LOG_ERRORS");
		return wanted.empty() ? 0 : wanted == "2" ? 2 : 1;
	}();
	return level;
}

} // namespace

void note_error(const char *name, std::string sentence, bool usual)
{
	if (log_level() > (usual ? 1 : 0))
		fprintf(stderr, "unpu: %s: %s\n", name, sentence.c_str());
	Text *text = usual ? nullptr : text_of_thread();
	if (!text)
		return;
	sentence.resize(std::min(sentence.size(), SENTENCE_BYTES - 2));
	sentence.push_back('\n');
	size_t keep = std::min(text->bytes, TEXT_BYTES - 1 - sentence.size());
	memmove(text->pending + sentence.size(), text->pending, keep);
	memcpy(text->pending, sentence.data(), sentence.size());
	text->bytes = sentence.size() + keep;
	text->pending[text->bytes] = '\0';
}

base::Status set_error(base::Status status, std::string sentence)
{
	note_error(base::status_name(status), std::move(sentence));
	return status;
}

bool explains_answers()
{
	return log_level() > 1;
}

const char *take_error()
{
	Text *text = mine;
	if (!text || text->bytes == 0)
		return nullptr;
	/* Without the newline that ends the oldest sentence. */
	memcpy(text->taken, text->pending, text->bytes);
	text->taken[text->bytes - 1] = '\0';
	text->bytes = 0;
	return text->taken;
}

} // namespace umd
