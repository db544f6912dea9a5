// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "output.h"

namespace tool {

/* The options that the parser does not know, as they stand before the -- of a program; else all words that it did not
 * take. It takes what follows an option that it does not know for arguments, and so does not take the program's. */
inline std::string unknown_words(const CLI::App &app, std::span<char *const> line)
{
	const std::vector<std::string> remaining = app.remaining(true);
	std::string options;
	std::string words;
	for (const std::string_view word : line) {
		if (word == "--")
			break;
		if (word.starts_with('-') && std::ranges::find(remaining, word) != remaining.end())
			options += fmt::format("{}{}", options.empty() ? "" : " ", word);
	}
	for (const std::string &word : remaining) {
		if (word != "--")
			words += (words.empty() ? "" : " ") + word;
	}
	return options.empty() ? words : options;
}

/** refuse() - says what is wrong with a command line, or prints what --help or --version asks for.
 * Return: 0, or @usage. */
inline int refuse(CLI::App &app, const CLI::ParseError &error, std::span<char *const> line,
		  int usage)
{
	const auto is = [&error](CLI::ExitCodes code) {
		return error.get_exit_code() == static_cast<int>(code);
	};
	const std::string words = unknown_words(app, line);
	/* What is required may be missing because of an option that it does not know. */
	if (words.empty() ||
	    !(is(CLI::ExitCodes::ExtrasError) || is(CLI::ExitCodes::RequiredError)))
		return app.exit(error) == 0 ? 0 : usage;
	std::string command = app.get_name();
	for (const CLI::App *at = &app; !at->get_subcommands().empty();) {
		at = at->get_subcommands().front();
		command += " " + at->get_name();
	}
	return complain(app.get_name().c_str(),
			fmt::format("not expected: {}; {} --help lists what is", words, command),
			usage);
}

} // namespace tool
