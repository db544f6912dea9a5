// SPDX-License-Identifier: MIT
/**
 * DOC: Program
 *
 * The parts that all programs here share: command line, rounds, table, JSON file.
 */
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report.h"
#include "round.h"

namespace CLI {
class App;
}

namespace bench {

/** struct Options - of the command line. */
struct Options {
	Effort effort;
	unsigned rounds = 0;
	std::string json;
	std::string command;
};

/**
 * struct Program - one of them
 * @name, @about: for --help
 * @floors: what the medians should be
 * @rounds: measures everything
 * @extend: adds options of its own; may be empty
 * @instead: called before anything is measured; what it returns, if not negative, ends the program;
 *           may be empty
 */
struct Program {
	const char *name;
	const char *about;
	std::vector<Floor> floors;
	std::function<std::vector<Round>(const Options &)> rounds;
	std::function<void(CLI::App &)> extend;
	std::function<int(const Options &)> instead;
};

/** run_program() - Return: the exit status of main(). */
int run_program(const Program &program, int argc, char **argv);

/** progress() - tells on standard error what is being measured. */
void progress(const Options &options, unsigned round, const char *part);
/** progress_end() - takes that away. */
void progress_end();

} // namespace bench
