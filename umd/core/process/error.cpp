// SPDX-License-Identifier: MIT
/**
 * DOC: Error messages
 *
 * Each thread keeps the error messages of its failures in a buffer of fixed size that its first failure
 * allocates and its end frees. Only a pointer to it is thread-local: a library that is loaded late has little
 * room for such words. A program may ask for one place for all threads instead.
 */
#include "error.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <pthread.h>

#include "base/sync/mutex.h"
#include "hal/options.h"
#include "log.h"
#include "process.h"
#include "words.h"

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

/* The calling thread's buffer; nullptr if there is no memory for it. */
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

/* The buffer that all threads share, and whether the program asked for it. */
base::Mutex common_mutex{"common_mutex"};
Text common GUARDED_BY(common_mutex){};
std::atomic<bool> shared{false};

/*
 * A program that polls may fail in the same way thousands of times. The log has only the first few lines of a
 * repeated message; further repetitions are counted. The count is logged before the next line of the log, and
 * at exit.
 */
class Repeats {
public:
	static constexpr uint64_t LOGGED = 3;

	/* @most: times that the line is logged */
	void log(std::string line, uint64_t most = LOGGED) REQUIRES(mutex);
	/* Logs the counts of repeated messages. */
	void flush() REQUIRES(mutex);

	base::Mutex mutex{"Repeats::mutex"};

private:
	static constexpr size_t KNOWN = 32;

	struct Sentence {
		std::string line;
		uint64_t times = 0;   /* occurrences */
		uint64_t counted = 0; /* occurrences that were not logged yet */
	};

	Sentence &find(std::string line) REQUIRES(mutex);

	std::vector<Sentence> sentences_
		GUARDED_BY(mutex); /* in the order of the last occurrence */
};

Repeats::Sentence &Repeats::find(std::string line)
{
	auto at = std::find_if(sentences_.begin(), sentences_.end(),
			       [&](const Sentence &known) { return known.line == line; });
	if (at != sentences_.end()) {
		std::rotate(at, at + 1, sentences_.end());
		return sentences_.back();
	}
	if (sentences_.size() == KNOWN) {
		flush();
		sentences_.erase(sentences_.begin());
	}
	return sentences_.emplace_back(Sentence{std::move(line)});
}

void Repeats::log(std::string line, uint64_t most)
{
	Sentence &sentence = find(std::move(line));
	if (++sentence.times > most) {
		sentence.counted++;
		return;
	}
	flush();
	log_line(sentence.line);
}

void Repeats::flush()
{
	for (Sentence &sentence : sentences_) {
		if (sentence.counted == 0)
			continue;
		log_line(fmt::format("{} ({} more times)", sentence.line, sentence.counted));
		sentence.counted = 0;
	}
}

/* Never destroyed: threads may fail late. A forked child has its own, without counts. */
Repeats &repeats()
{
	static const bool is_registered = [] {
		atexit([] {
			Repeats &own = repeats();
			std::lock_guard lock(own.mutex);
			own.flush();
		});
		return true;
	}();
	(void)is_registered;
	return Process::own<Repeats>();
}

enum LogLevel {
	LOG_NOTHING,  /* UNPU_LOG_ERRORS=0 */
	LOG_FAULTS,   /* UNPU_LOG_ERRORS is not set: only messages of tell_once() */
	LOG_FAILURES, /* UNPU_LOG_ERRORS has any other value */
	LOG_ANSWERS,  /* UNPU_LOG_ERRORS=2: also "not ready" and similar answers */
};

LogLevel log_level()
{
	static const LogLevel level = [] {
		std::string wanted = hal::environment("UNPU_LOG_ERRORS");
		return wanted.empty()  ? LOG_FAULTS
		       : wanted == "0" ? LOG_NOTHING
		       : wanted == "2" ? LOG_ANSWERS
				       : LOG_FAILURES;
	}();
	return level;
}

void put(Text &text, std::string sentence)
{
	sentence.resize(std::min(sentence.size(), SENTENCE_BYTES - 2));
	sentence.push_back('\n');
	size_t keep = std::min(text.bytes, TEXT_BYTES - 1 - sentence.size());
	memmove(text.pending + sentence.size(), text.pending, keep);
	memcpy(text.pending, sentence.data(), sentence.size());
	text.bytes = sentence.size() + keep;
}

/* Moves the pending messages of @from into the text that the program reads. */
const char *take(Text &from, Text &to)
{
	if (from.bytes == 0)
		return nullptr;
	/* Leaves out the newline at the end of the oldest message. */
	memcpy(to.taken, from.pending, from.bytes);
	to.taken[from.bytes - 1] = '\0';
	from.bytes = 0;
	return to.taken;
}

} // namespace

void share_errors(bool wanted)
{
	shared.store(wanted);
}

void note_error(const char *name, std::string sentence, bool usual)
{
	sentence = expand_words(std::move(sentence));
	if (name && log_level() >= (usual ? LOG_ANSWERS : LOG_FAILURES)) {
		std::lock_guard lock(repeats().mutex);
		repeats().log(fmt::format("unpu: {}: {}", name, sentence));
	}
	if (usual)
		return;
	if (shared.load()) [[unlikely]] {
		std::lock_guard lock(common_mutex);
		put(common, std::move(sentence));
	} else if (Text *text = text_of_thread()) {
		put(*text, std::move(sentence));
	}
}

base::Status set_error(base::Status status, std::string sentence)
{
	note_error(name_of_status(status), std::move(sentence));
	return status;
}

void tell_once(base::Status status, const std::string &sentence)
{
	if (log_level() != LOG_FAULTS)
		return;
	std::lock_guard lock(repeats().mutex);
	repeats().log(fmt::format("unpu: {}: {} (UNPU_LOG_ERRORS=0: no such lines)",
				  name_of_status(status), sentence),
		      1);
}

bool explains_errors()
{
	return log_level() >= LOG_FAILURES;
}

bool explains_answers()
{
	return log_level() >= LOG_ANSWERS;
}

const char *take_error()
{
	if (shared.load()) [[unlikely]] {
		Text *text = text_of_thread();
		std::lock_guard lock(common_mutex);
		return text ? take(common, *text) : nullptr;
	}
	return mine ? take(*mine, *mine) : nullptr;
}

} // namespace umd
