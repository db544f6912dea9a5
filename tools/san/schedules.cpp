// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san: schedules and files of decisions
 *
 * firmware_sim/explore/decisions.h documents the files.
 */
#include "schedules.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/schedule.h"
#include "output_files.h"

namespace san::tool {

std::string check_schedule(const std::string &schedule)
{
	std::string why;
	return base::parse_schedule(schedule, why) ? "" : why;
}

Order order_of_run(const std::string &schedule, uint64_t seed, uint64_t steps,
		   const std::string &folder)
{
	std::string value = schedule;
	auto add = [&value](const std::string &name, const std::string &text) {
		if (value.find(name + "=") == std::string::npos)
			value += (value.find(':') == std::string::npos ? ":" : ",") + name + "=" +
				 text;
	};
	add("seed", fmt::format("{}", seed));
	if (steps != 0)
		add("steps", fmt::format("{}", steps));
	std::string why;
	const auto plan = base::parse_schedule(value, why);
	const std::string name = plan ? base::describe_schedule(**plan) : value;
	add("log", std::filesystem::absolute(folder));
	return {name, value};
}

static std::vector<std::string> files_in(const std::string &folder)
{
	std::vector<std::string> files;
	std::error_code error;
	for (const auto &each : std::filesystem::directory_iterator(folder, error)) {
		if (each.path().extension() == ".decisions")
			files.push_back(each.path());
	}
	std::sort(files.begin(), files.end());
	return files;
}

std::string decision_file(const std::string &folder)
{
	const std::vector<std::string> files = files_in(folder);
	return files.size() == 1 ? files[0] : "";
}

std::string read_decisions(const std::string &folder)
{
	std::string text;
	for (const std::string &path : files_in(folder)) {
		const File file(path);
		std::string one(file.bytes().begin(), file.bytes().end());
		one.erase(0, std::min(one.find('\n'), one.size()));
		text += one;
	}
	std::replace(text.begin(), text.end(), '\n', ' ');
	return text;
}

uint64_t count_decisions(const std::string &text)
{
	uint64_t count = 0;
	std::istringstream words(text);
	for (std::string word; words >> word && word != "!";) {
		const size_t star = word.find('*');
		uint64_t times = 1;
		if (star != std::string::npos)
			std::from_chars(word.data() + star + 1, word.data() + word.size(), times);
		count += word[0] == '@' ? 0 : times;
	}
	return count;
}

bool has_diverged(const std::string &text)
{
	return text.find("! ") != std::string::npos;
}

size_t difference(const std::string &one, const std::string &other)
{
	std::istringstream left(one), right(other);
	for (size_t at = 1;; at++) {
		std::string a, b;
		const bool has_left = static_cast<bool>(left >> a);
		const bool has_right = static_cast<bool>(right >> b);
		if (!has_left && !has_right)
			return 0;
		if (a != b)
			return at;
	}
}

} // namespace san::tool
