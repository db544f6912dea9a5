// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include <acl/acl.h>
#include <fmt/format.h>
#include <unpu/unpu.h>

#include "output.h"

namespace tool {

constexpr uint64_t KIB = 1024;

/* The exit codes of the tools, which --help lists too. */
constexpr int EXIT_SHOWN = 0;
constexpr int EXIT_NO_DEVICE = 1;
constexpr int EXIT_USAGE = 2;

constexpr const char *EXIT_CODES =
	"Ends with 0 when it printed what was asked for, 1 when a device "
	"can't be opened or does not answer or standard output can't be "
	"written, 2 when the command line, the device string or a file is "
	"wrong, or no firmware listens at the place that the string names.";

inline std::string version()
{
	int major = 0;
	int minor = 0;
	int patch = 0;
	unpu_version(&major, &minor, &patch);
	return fmt::format("{}.{}.{}", major, minor, patch);
}

/** sentence() - the error message of the last call that failed. @otherwise: the message if the library has no
 * details. */
inline std::string sentence(const char *otherwise)
{
	const char *why = aclGetRecentErrMsg();
	return why ? why : otherwise;
}

/** variable() - the value of a variable of the environment, or "". */
inline std::string variable(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

/** use_device() - makes @text the device string of this process, before its first use. */
inline void use_device(const std::string &text)
{
	if (!text.empty())
		setenv("UNPU_DEVICE", text.c_str(), 1);
}

} // namespace tool
