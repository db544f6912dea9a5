// SPDX-License-Identifier: MIT
/**
 * DOC: Log
 *
 * Only the log's thread waits for whoever reads stderr. At the end of the process it may still wait in write(), so
 * nobody joins it.
 */
#include "log.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/thread.h"

namespace fwd {

static constexpr uint64_t PATIENCE_NS = base::NS_PER_S;

void Log::start(std::shared_ptr<Log> log)
{
	auto thread = base::start_thread("unpu-log", [log] { log->serve(); });
	if (!thread)
		return;
	thread.take().detach();
	const std::lock_guard lock(log->mutex_);
	log->has_thread_ = true;
}

void Log::finish()
{
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	std::unique_lock lock(mutex_);
	if (!has_thread_)
		return write_lines();
	while ((!lines_.empty() || is_writing_) && base::now_ns() < deadline_ns)
		written_.wait(lock, deadline_ns);
}

void Log::set_pattern(const std::string &pattern)
{
	set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
}

void Log::set_formatter(std::unique_ptr<spdlog::formatter> formatter)
{
	const std::lock_guard lock(mutex_);
	formatter_ = std::move(formatter);
}

void Log::log(const spdlog::details::log_msg &message)
{
	const std::lock_guard lock(mutex_);
	if (lines_.size() == MOST) {
		lines_.pop_front();
		dropped_++;
	}
	lines_.push_back(text_of(message));
	arrived_.notify_one();
}

std::string Log::text_of(const spdlog::details::log_msg &message)
{
	spdlog::memory_buf_t text;
	formatter_->format(message, text);
	return {text.data(), text.size()};
}

void Log::serve()
{
	std::unique_lock lock(mutex_);
	for (;;) {
		while (lines_.empty())
			arrived_.wait(lock);
		write_lines();
	}
}

void Log::write_lines()
{
	is_writing_ = true;
	while (!lines_.empty()) {
		std::string text;
		if (const uint64_t dropped = std::exchange(dropped_, 0); dropped != 0)
			text = text_of(spdlog::details::log_msg(
				"firmware-sim", spdlog::level::warn,
				fmt::format("{} lines of the log were dropped, because nobody has "
					    "read it",
					    dropped)));
		text += lines_.front();
		lines_.pop_front();
		const base::Unlocked unlocked(mutex_);
		(void)base::calls::write_all(fd_, text.data(), text.size());
	}
	is_writing_ = false;
	written_.notify_all();
}

} // namespace fwd
