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

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
	if (!majorVersion || !minorVersion || !patchVersion)
		return acl_return(umd::null_argument("a version pointer"));
	*majorVersion = ACL_MAJOR_VERSION;
	*minorVersion = ACL_MINOR_VERSION;
	*patchVersion = ACL_PATCH_VERSION;
	return ACL_SUCCESS;
}

const char *aclrtGetSocName()
{
	return Runtime::get().soc_name().c_str();
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
	if (!runMode)
		return acl_return(umd::null_argument("runMode"));
	*runMode = ACL_HOST;
	return ACL_SUCCESS;
}

size_t aclDataTypeSize(aclDataType dataType)
{
	switch (dataType) {
	case ACL_STRING:
	case ACL_DT_UNDEFINED:
		return 0;
	case ACL_BOOL:
	case ACL_INT8:
	case ACL_UINT8:
	case ACL_HIFLOAT8:
	case ACL_FLOAT8_E5M2:
	case ACL_FLOAT8_E4M3FN:
	case ACL_FLOAT8_E8M0:
	case ACL_INT4:
	case ACL_UINT1:
		return 1;
	case ACL_FLOAT16:
	case ACL_BF16:
	case ACL_INT16:
	case ACL_UINT16:
		return 2;
	case ACL_FLOAT:
	case ACL_INT32:
	case ACL_UINT32:
	case ACL_COMPLEX32:
		return 4;
	case ACL_COMPLEX128:
		return 16;
	default:
		return 8;
	}
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
