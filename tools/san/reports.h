// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"
#include "san/report/suppressions.h"
#include "san_options.h"

namespace san::tool {

/** class Session - one report that is made of files, as the command line wishes. */
class Session {
public:
	explicit Session(const Wishes &wishes);

	/** prepare() - reads the suppressions and the baseline. Return: what is wrong with them, or empty. */
	std::string prepare();

	/** add_file() - a trace, or a report in JSON. Return: why it can't be read, or empty. */
	std::string add_file(const std::string &path);

	/** add_folder() - all traces in a folder, which are those of one run; or the runs in folders of a folder
	 * without traces. Return: as add_file(). */
	std::string add_folder(const std::string &path);

	/** finish() - says what the baseline knows, and which suppressions nothing matched. */
	void finish();

	/** text() - the report in the format that is wished for. */
	std::string text() const;

	/** exit_code() - EXIT_FOUND when there is something that --fail-on names. */
	int exit_code() const;

	const Report &report() const { return report_; }

private:
	std::string add_runs(const std::string &path);
	Options options() const;

	const Wishes &wishes_;
	Suppressions suppressions_;
	Resolver resolver_;
	Report baseline_;
	Report report_;
};

/** run_program() - unpu-san run. Return: how the tool ends. */
int run_program(const Wishes &wishes);

/** replay_program() - unpu-san replay: @wishes.files begins with the decisions. Return: how the tool ends. */
int replay_program(const Wishes &wishes);

/** confirm_finding() - unpu-san confirm: @wishes.files begins with a report. Return: how the tool ends. */
int confirm_finding(const Wishes &wishes);

/** self_test() - unpu-san selftest: judges a program with a mistake and its repair. */
int self_test();

} // namespace san::tool
