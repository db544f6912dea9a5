// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace tool {

/** complain() - prints one line on standard error. Return: @code. */
inline int complain(const char *program, const std::string &text, int code)
{
	fmt::print(stderr, "{}: {}\n", program, text);
	return code;
}

/** run_tool() - runs @work, the main function of a tool, and checks that all its output was written.
 * @lost: the exit code if output was lost and @work returns 0
 * @work: returns the exit code */
template <class Work> int run_tool(const char *program, int lost, Work &&work)
{
	const auto complain_of = [&](int error, int code) {
		return complain(
			program,
			fmt::format("standard output can't be written: {}", strerror(error)), code);
	};
	int code = lost;
	try {
		code = work();
	} catch (const std::system_error &error) {
		/* fmt::print() throws it if a write fails. A text that fits into the buffer is written later,
		 * by fflush(). */
		return complain_of(error.code().value(), lost);
	} catch (const std::exception &error) {
		code = complain(program,
				fmt::format("a device or a program has told something that "
					    "does not fit: {}",
					    error.what()),
				lost);
	}
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	return complain_of(errno, code == 0 ? lost : code);
}

} // namespace tool
