// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"
#include "san/report/suppressions.h"
#include "san_options.h"

namespace san::tool {

/** class Session - makes one report from files, with the options of the command line. */
class Session {
public:
	explicit Session(const Wishes &wishes);

	/** prepare() - reads the suppressions and the baseline. Return: what is wrong with these files, or an
	 * empty text. */
	std::string prepare();

	/** add_file() - adds a trace, or a report in JSON. Return: why the file can't be read, or an empty
	 * text. */
	std::string add_file(const std::string &path);

	/** add_folder() - adds all traces in a folder, which belong to one run. If the folder has no traces,
	 * adds the runs in the folders inside it. Return: as add_file(). */
	std::string add_folder(const std::string &path);

	/** finish() - marks the findings that are in the baseline, and reports suppressions that matched no
	 * finding. */
	void finish();

	/** text() - the report in the format that the command line names. */
	std::string text() const { return text_as(wishes_.format); }

	/** write_all() - writes the report into @folder as report.txt, report.json and report.sarif. Return: which
	 * file can't be written and why, or an empty text. */
	std::string write_all(const std::string &folder) const;

	/** exit_code() - what --exit-code names if the report has a finding of a severity that --fail-on
	 * names, else EXIT_CLEAN. */
	int exit_code() const;

	const Report &report() const { return report_; }

private:
	std::string add_runs(const std::string &path);
	std::string text_as(const std::string &format) const;
	Options options() const;

	const Wishes &wishes_;
	Suppressions suppressions_;
	Resolver resolver_;
	Report baseline_;
	Report report_;
};

/** run_program() - unpu-san run. Return: the exit code of the tool. */
int run_program(const Wishes &wishes);

/** replay_program() - unpu-san replay: @wishes.files begins with the file of decisions. Return: the exit code
 * of the tool. */
int replay_program(const Wishes &wishes);

/** confirm_finding() - unpu-san confirm: @wishes.files begins with a report. Return: the exit code of the
 * tool. */
int confirm_finding(const Wishes &wishes);

/** self_test() - unpu-san selftest: checks a program with a mistake, and the program without the mistake. */
int self_test();

} // namespace san::tool
