// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <acl/acl.h>
#include <fmt/format.h>
#include <unpu/unpu.h>

namespace tool {

constexpr uint64_t KIB = 1024;

/* How the programs end; their --help says so too. */
constexpr int EXIT_SHOWN = 0;
constexpr int EXIT_NO_DEVICE = 1;
constexpr int EXIT_USAGE = 2;

constexpr const char *EXIT_CODES =
	"Ends with 0 when it printed what was asked for, 1 when a device "
	"can't be opened or does not answer or standard output can't be "
	"written, 2 when the command line, the device string or a file is "
	"wrong.";

inline std::string version()
{
	int major = 0;
	int minor = 0;
	int patch = 0;
	unpu_version(&major, &minor, &patch);
	return fmt::format("{}.{}.{}", major, minor, patch);
}

/** sentence() - why the last call failed. @otherwise: where the library has no details. */
inline std::string sentence(const char *otherwise)
{
	const char *why = aclGetRecentErrMsg();
	return why ? why : otherwise;
}

/** complain() - one line on standard error. Return: @code. */
inline int complain(const char *program, const std::string &text, int code)
{
	fmt::print(stderr, "{}: {}\n", program, text);
	return code;
}

/** run_tool() - runs @work, a tool's main function, and sees to it that all it printed was written.
 * @work: returns the exit code */
template <class Work> int run_tool(const char *program, Work &&work)
{
	int code = EXIT_NO_DEVICE;
	try {
		code = work();
	} catch (const std::system_error &error) {
		/* Of fmt::print(), for more text than a buffer takes. */
		errno = error.code().value();
		return complain(
			program,
			fmt::format("standard output can't be written: {}", strerror(errno)),
			EXIT_NO_DEVICE);
	}
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	return complain(program,
			fmt::format("standard output can't be written: {}", strerror(errno)),
			code == EXIT_SHOWN ? EXIT_NO_DEVICE : code);
}

/** variable() - of the environment, or "". */
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
