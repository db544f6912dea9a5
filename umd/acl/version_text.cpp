// SPDX-License-Identifier: MIT
/**
 * DOC: Versions as text
 *
 * A version has up to three numbers and then the name and number of a pre-release: an alpha, a beta or
 * a release candidate. Dots and hyphens separate the parts.
 */
#include "version_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/number.h"

namespace umd {

using base::Result;
using base::Status;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static std::string lower(std::string_view text)
{
	std::string result(text);
	for (char &c : result)
		c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
	return result;
}

static std::vector<std::string_view> words_of(std::string_view text)
{
	std::vector<std::string_view> words;
	for (;;) {
		size_t end = text.find_first_of(".-");
		words.push_back(text.substr(0, end));
		if (end == text.npos)
			return words;
		text.remove_prefix(end + 1);
	}
}

static bool is_number(std::string_view word)
{
	return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

VersionParts split_version(std::string_view text)
{
	VersionParts parts;
	std::string *numbers[] = {&parts.major, &parts.minor, &parts.patch};
	size_t next = 0;
	bool named = false;
	for (std::string_view word : words_of(text)) {
		named |= next == std::size(numbers) || !is_number(word);
		if (!named) {
			*numbers[next++] = word;
			continue;
		}
		parts.release += parts.release.empty() ? "" : ".";
		parts.release += word;
	}
	return parts;
}

static Status add_number(std::string_view word, int32_t unit, int32_t &sum)
{
	constexpr int32_t MOST = 99;
	int32_t number = 0;
	if (word.empty())
		return Status::OK;
	if (!base::read_number(word, number) || number > MOST)
		return Status::BAD_FILE;
	sum += number * unit;
	return Status::OK;
}

/* How far a pre-release is below the final release: 300, 200 or 100, minus its number. */
static int32_t distance(std::string_view release)
{
	struct Stage {
		std::string_view name;
		int32_t below;
	};
	constexpr Stage STAGES[] = {{"alpha", 300}, {"beta", 200}, {"rc", 100}};
	std::string text = lower(release);
	for (const Stage &stage : STAGES) {
		size_t at = text.find(stage.name);
		if (at == text.npos)
			continue;
		at = text.find_first_of("0123456789", at + stage.name.size());
		int32_t number = 0;
		if (at != text.npos)
			std::from_chars(text.data() + at, text.data() + text.size(), number);
		return stage.below - std::clamp(number, 0, 99);
	}
	return 0;
}

Result<int32_t> version_number(std::string_view text)
{
	VersionParts parts = split_version(text);
	if (parts.major.empty())
		return Status::BAD_FILE;
	int32_t sum = -distance(parts.release);
	TRY(add_number(parts.major, 10000000, sum));
	TRY(add_number(parts.minor, 100000, sum));
	TRY(add_number(parts.patch, 1000, sum));
	return sum;
}

std::string find_version(std::string_view file)
{
	constexpr std::string_view KEY = "version=";
	while (!file.empty()) {
		size_t end = file.find('\n');
		std::string_view line = file.substr(0, end);
		if (lower(line.substr(0, KEY.size())) == KEY) {
			line.remove_prefix(KEY.size());
			size_t last = line.find_last_not_of(" \t\r");
			return std::string(line.substr(0, last == line.npos ? 0 : last + 1));
		}
		file.remove_prefix(end == file.npos ? file.size() : end + 1);
	}
	return "";
}

} // namespace umd
