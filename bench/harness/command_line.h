// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

namespace bench {

/** parse() - reads the command line. For a wrong one it prints a sentence.
 * Return: the exit status of main(): 0 after --help, 2 for a wrong command line; -1: go on. */
inline int parse(CLI::App &app, int argc, char **argv)
{
	try {
		app.parse(argc, argv);
		return -1;
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? 0 : 2;
	}
}

/** not_written() - says that the file of the results can't be written. Return: the exit status of main(). */
inline int not_written(const char *program, const std::string &path)
{
	std::fprintf(stderr, "%s: %s can't be written\n", program, path.c_str());
	return 1;
}

} // namespace bench
