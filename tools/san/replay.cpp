// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san replay
 *
 * Runs a program with the decisions of an earlier run. The decisions of this run are recorded too: a remark in
 * them says where the program asked for something else.
 */
#include <filesystem>
#include <regex>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "output_files.h"
#include "reports.h"
#include "schedules.h"
#include "started_program.h"

namespace san::tool {

/* The device refuses such decisions, too, but by then the program runs, without a device. @from: where the text is
 * from. Return: what is wrong with a text of decisions, or an empty text. */
static std::string problem_of_decisions(const std::string &text, const std::string &from)
{
	static const char *const HEAD = "unpu-decisions ";
	const std::regex word_form(R"(@\d+[swp]|(\d+:)?\d+(g\d+)?[^\s*\dg](\*\d+)?)");
	const bool is_file = !text.starts_with('@');
	if (is_file && !text.starts_with(HEAD))
		return from + " is no file of decisions";
	std::istringstream lines(text);
	std::string line;
	if (is_file)
		std::getline(lines, line);
	while (std::getline(lines, line)) {
		std::istringstream words(line);
		for (std::string word; words >> word && word != "!";)
			if (!std::regex_match(word, word_form))
				return fmt::format("{}'{}' is no decision",
						   is_file ? from + ": " : "", word);
	}
	return "";
}

/* Return: the code of the tool, unless the program was killed by the signal @ended.signal. */
static int replay(const Wishes &wishes, Ended &ended)
{
	const Folder folder;
	if (folder.path().empty())
		return complain("no temporary folder can be made", EXIT_USAGE);
	std::error_code error;
	std::string from = wishes.files[0];
	std::string text = from;
	if (!from.starts_with('@')) {
		const File file(from);
		if (!file.problem().empty())
			return complain(file.problem(), EXIT_USAGE);
		text.assign(file.bytes().begin(), file.bytes().end());
		from = std::filesystem::absolute(from, error).string();
	}
	const std::string why = problem_of_decisions(text, wishes.files[0]);
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	Start start;
	start.variables = {
		{"UNPU_SCHEDULE", fmt::format("replay:from={},log={}", from, folder.path())}};
	ended = run_once({wishes.files.begin() + 1, wishes.files.end()}, start);
	if (!ended.problem.empty())
		return complain(ended.problem, EXIT_NO_RUN);
	if (!ended.is_good())
		return ended.code;
	const std::string decisions = read_decisions(folder.path());
	if (decisions.empty())
		return complain("the program ran nothing on a device", EXIT_NEW);
	/* The device has already written to standard error where the run differs. */
	return has_diverged(decisions) ? EXIT_NEW : EXIT_CLEAN;
}

int replay_program(const Wishes &wishes)
{
	Ended ended;
	const int code = replay(wishes, ended);
	if (ended.signal != 0)
		end_by(ended.signal);
	return code;
}

} // namespace san::tool
