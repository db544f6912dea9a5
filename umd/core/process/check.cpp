// SPDX-License-Identifier: MIT
/**
 * DOC: Lines of strict mode
 */
#include "check.h"

#include <mutex>
#include <set>

#include "base/sync/mutex.h"
#include "error.h"
#include "log.h"
#include "process.h"
#include "words.h"

namespace umd::check {

namespace {

/* Remembers which lines were written, because a program makes the same mistake in each iteration of a
 * loop. */
class ReportedOnce {
public:
	bool is_new(const std::string &sentence)
	{
		std::lock_guard lock(mutex_);
		return texts_.size() < MOST && texts_.insert(sentence).second;
	}

private:
	static constexpr size_t MOST = 1000;

	base::Mutex mutex_{"ReportedOnce::mutex_"};
	std::set<std::string> texts_ GUARDED_BY(mutex_);
};

} // namespace

void say(const std::string &sentence)
{
	log_line("unpu: UNPU_CHECK: " + expand_words(sentence));
}

base::Status misuse(base::Status status, const std::string &sentence)
{
	if (Process::own<ReportedOnce>().is_new(sentence))
		say(sentence);
	if (base::load_relaxed(mode) != static_cast<uint32_t>(Mode::ERROR))
		return base::Status::OK;
	note_error(nullptr, sentence);
	return status;
}

} // namespace umd::check
