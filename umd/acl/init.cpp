// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL initialisation, version, log
 */
#include <cstdarg>
#include <cstdio>

#include "front.h"

using base::Status;
using umd::acl_return;
using umd::Runtime;

aclError aclInit(const char *configPath)
{
	return acl_return(Runtime::get().init(configPath));
}

aclError aclFinalize()
{
	return acl_return(Runtime::get().finalize());
}

aclError aclFinalizeReference(uint64_t *refCount)
{
	return acl_return(Runtime::get().finalize_reference(refCount));
}

/* Records of at least this level are printed; UNPU_LOG_LEVEL names it, nothing is printed without. */
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
	if (!fmt || logLevel < wanted_level() || logLevel < ACL_DEBUG || logLevel > ACL_ERROR)
		return;
	char record[1024];
	va_list args;
	va_start(args, fmt);
	vsnprintf(record, sizeof(record), fmt, args);
	va_end(args);
	fprintf(stderr, "[%s] %s:%u %s: %s\n", NAMES[logLevel], file ? file : "?", line,
		func ? func : "?", record);
}
