// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL log
 */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "front.h"
#include "umd/core/process/log.h"

/* The least level that is logged, from UNPU_LOG_LEVEL. Without that variable nothing is logged. */
static int wanted_level()
{
	static const int level = [] {
		std::string text = hal::environment("UNPU_LOG_LEVEL");
		return text.empty() ? static_cast<int>(ACL_ERROR) + 1 : atoi(text.c_str());
	}();
	return level;
}

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
	       const char *fmt, ...)
{
	static constexpr const char *NAMES[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
	constexpr size_t RECORD_BYTES = 1024;
	if (!fmt || logLevel < wanted_level() || logLevel < ACL_DEBUG || logLevel > ACL_ERROR)
		return;
	char record[RECORD_BYTES];
	va_list args;
	va_start(args, fmt);
	vsnprintf(record, sizeof(record), fmt, args);
	va_end(args);
	umd::log_line(fmt::format("[{}] {}:{} {}: {}", NAMES[logLevel], file ? file : "?", line,
				  func ? func : "?", record));
}
