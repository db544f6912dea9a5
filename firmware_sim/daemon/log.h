// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include <spdlog/formatter.h>
#include <spdlog/sinks/sink.h>

#include "base/sync/condition.h"
#include "base/sync/mutex.h"

namespace fwd {

/**
 * class Log - the lines of a firmware that serves. A thread of a device writes lines while all its clients wait, and
 * whoever reads stderr may have stopped. So a thread of the log writes them to stderr. If MOST lines wait for it, each
 * further line replaces the oldest one. Context: any thread.
 */
class Log final : public spdlog::sinks::sink {
public:
	static constexpr size_t MOST = 1024;

	/** Log() - @fd: where the lines go */
	explicit Log(int fd) : fd_(fd) {}

	/** start() - starts the thread of @log. If the system has none left, finish() writes all lines. */
	static void start(std::shared_ptr<Log> log);

	/** finish() - returns when all lines are written, but after a second if nobody reads them. */
	void finish();

	/* The sink of spdlog's logger. */
	void log(const spdlog::details::log_msg &message) override;
	void flush() override {}
	void set_pattern(const std::string &pattern) override;
	void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override;

private:
	[[noreturn]] void serve();
	void write_lines() REQUIRES(mutex_);
	std::string text_of(const spdlog::details::log_msg &message) REQUIRES(mutex_);

	const int fd_;
	base::Mutex mutex_{"Log::mutex_"};
	std::unique_ptr<spdlog::formatter> formatter_ GUARDED_BY(mutex_);
	base::Condition arrived_;
	base::Condition written_;
	std::deque<std::string> lines_ GUARDED_BY(mutex_);
	uint64_t dropped_ GUARDED_BY(mutex_) = 0; /* lines that no line tells of yet */
	bool is_writing_ GUARDED_BY(mutex_) = false;
	bool has_thread_ GUARDED_BY(mutex_) = false;
};

} // namespace fwd
