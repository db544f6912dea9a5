// SPDX-License-Identifier: MIT
/**
 * DOC: Program
 *
 * All measures run once per round and rounds follow each other, so that a machine that changes its
 * speed changes it for all of them; ratios are taken inside a round. A floor that is missed is marked
 * and is no failure: the figures of a busy machine say nothing about the code.
 */
#include "program.h"

#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "command_line.h"
#include "process/host.h"

namespace bench {

static constexpr unsigned ROUNDS = 9;
static constexpr unsigned QUICK_ROUNDS = 3;

void progress(const Options &options, unsigned round, const char *part)
{
	std::fprintf(stderr, "\rround %u of %u: %-16s", round + 1, options.rounds, part);
}

void progress_end()
{
	std::fprintf(stderr, "\r%-44s\r", "");
}

static int write_json(const Program &program, const Options &options, const Report &report,
		      const nlohmann::ordered_json &host, std::ofstream &file)
{
	nlohmann::ordered_json result;
	result["program"] = program.name;
	result["command"] = options.command;
	result["rounds"] = options.rounds;
	result["quick"] = options.effort.quick;
	result["host"] = host;
	result["measures"] = report.measures();
	result["floors"] = report.floors(program.floors);
	file << result.dump(2) << '\n';
	return file.flush() ? 0 : not_written(program.name, options.json);
}

static int run(const Program &program, const Options &options)
{
	/* Before minutes of work, not after them. */
	std::ofstream file;
	if (!options.json.empty()) {
		file.open(options.json);
		if (!file)
			return not_written(program.name, options.json);
	}
	const nlohmann::ordered_json host = describe_host();
	const Report report(program.rounds(options));
	std::string head;
	for (const auto &[name, value] : host.items())
		head += fmt::format("{}{}: {}", head.empty() ? "" : ", ", name, value.dump());
	std::printf("%s\n%s", head.c_str(), report.table(program.floors).c_str());
	return options.json.empty() ? 0 : write_json(program, options, report, host, file);
}

int run_program(const Program &program, int argc, char **argv)
{
	CLI::App app(program.about, program.name);
	Options options;
	app.add_flag("--quick", options.effort.quick, "fewer rounds and samples");
	app.add_option("--rounds", options.rounds, "rounds over all measures; 9 unless told")
		->check(CLI::Range(1, 1000));
	app.add_option("--json", options.json, "file that receives the results as JSON");
	if (program.extend)
		program.extend(app);
	if (const int status = parse(app, argc, argv); status >= 0)
		return status;
	if (options.rounds == 0)
		options.rounds = options.effort.quick ? QUICK_ROUNDS : ROUNDS;
	for (int i = 0; i < argc; i++)
		options.command += std::string(i ? " " : "") + argv[i];
	if (program.instead) {
		const int status = program.instead(options);
		if (status >= 0)
			return status;
	}
	return run(program, options);
}

} // namespace bench
