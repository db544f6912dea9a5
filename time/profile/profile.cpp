// SPDX-License-Identifier: MIT
/**
 * DOC: profiles
 *
 * A profile is a text of lines "FIGURE VALUE UNIT SOURCE", with comments from # on, and a line "name NAME". Nothing in
 * it is a float: a value is a whole number of picoseconds, of bytes or of operations a second.
 */
#include "profile.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace timing {

namespace {

/* struct Row - what the list of figures says of one. */
struct Row {
	std::string_view word;
	Unit unit;
	uint64_t plain;
	std::string_view text;
};

/* struct Scale - a unit of a file. */
struct Scale {
	std::string_view word;
	Unit unit;
	uint64_t one;
};

} // namespace

static constexpr Row ROWS[] = {
#define TIME_FIGURE_ROW(name, word, unit, value, text) {word, Unit::unit, value, text},
	TIME_FIGURE_LIST(TIME_FIGURE_ROW)
#undef TIME_FIGURE_ROW
};

static constexpr Scale SCALES[] = {
	{"s", Unit::TIME, SECOND},     {"ms", Unit::TIME, MS},
	{"us", Unit::TIME, US},	       {"ns", Unit::TIME, NS},
	{"ps", Unit::TIME, 1},	       {"TB/s", Unit::RATE, TERA},
	{"GB/s", Unit::RATE, GIGA},    {"MB/s", Unit::RATE, GIGA / 1000},
	{"Tops/s", Unit::SPEED, TERA}, {"Gops/s", Unit::SPEED, GIGA},
	{"cores", Unit::COUNT, 1},
};

static constexpr std::string_view SOURCES[] = {"assumed", "vendor", "measured", "derived"};

/* A rate of one byte a day is as good as none. */
static constexpr uint64_t MOST_TIME = 1000 * SECOND;
static constexpr uint64_t MOST_RATE = 1000 * TERA * 1000;
static constexpr uint64_t MOST_CORES = 1024;

Profile::Profile()
{
	for (size_t i = 0; i < values_.size(); i++)
		values_[i] = ROWS[i].plain;
}

static std::vector<std::string_view> words_of(std::string_view line)
{
	std::vector<std::string_view> words;
	line = line.substr(0, line.find('#'));
	while (true) {
		const size_t begin = line.find_first_not_of(" \t\r");
		if (begin == std::string_view::npos)
			return words;
		const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
		words.push_back(line.substr(begin, end - begin));
		line.remove_prefix(end);
	}
}

bool parse_number(std::string_view text, uint64_t scale, uint64_t &value)
{
	constexpr size_t MOST_DIGITS = 9;
	const size_t point = std::min(text.find('.'), text.size());
	const std::string_view whole = text.substr(0, point);
	const std::string_view part = text.substr(std::min(point + 1, text.size()));
	const auto is_digits = [](std::string_view digits) {
		return std::all_of(digits.begin(), digits.end(),
				   [](char c) { return c >= '0' && c <= '9'; });
	};
	if (whole.empty() || whole.size() > MOST_DIGITS || part.size() > MOST_DIGITS ||
	    !is_digits(whole) || !is_digits(part))
		return false;
	unsigned __int128 sum = 0;
	unsigned __int128 power = 1;
	for (const char digit : whole)
		sum = sum * 10 + static_cast<unsigned>(digit - '0');
	for (const char digit : part) {
		sum = sum * 10 + static_cast<unsigned>(digit - '0');
		power *= 10;
	}
	const unsigned __int128 product = sum * scale / power;
	value = static_cast<uint64_t>(product);
	return product <= UINT64_MAX;
}

/* The unit of these words: behind the number, or the second word. */
static bool parse_value(std::string_view text, Unit unit, uint64_t &value)
{
	const size_t end = text.find_first_not_of("0123456789.");
	const std::string_view word =
		end == std::string_view::npos ? std::string_view("cores") : text.substr(end);
	for (const Scale &scale : SCALES) {
		if (scale.word == word && scale.unit == unit)
			return parse_number(text.substr(0, end), scale.one, value);
	}
	return false;
}

bool parse_time(std::string_view text, Picoseconds &time)
{
	return parse_value(text, Unit::TIME, time);
}

static std::string_view units_text(Unit unit)
{
	switch (unit) {
	case Unit::TIME:
		return "a time, as 2us";
	case Unit::RATE:
		return "bytes a second, as 20GB/s";
	case Unit::SPEED:
		return "operations a second, as 100Tops/s";
	case Unit::COUNT:
		break;
	}
	return "a number of cores";
}

std::string Profile::set(std::string_view figure, std::string_view text)
{
	const auto row = std::find_if(std::begin(ROWS), std::end(ROWS),
				      [&](const Row &one) { return one.word == figure; });
	if (row == std::end(ROWS))
		return fmt::format("there is no figure '{}'; 'unpu time profiles' lists them",
				   figure);
	uint64_t value = 0;
	const bool is_time = row->unit == Unit::TIME;
	const uint64_t most = is_time			 ? MOST_TIME
			      : row->unit == Unit::COUNT ? MOST_CORES
							 : MOST_RATE;
	if (!parse_value(text, row->unit, value) || value > most || (value == 0 && !is_time))
		return fmt::format("{} is '{}'; it must be {}", figure, text,
				   units_text(row->unit));
	values_[static_cast<size_t>(row - std::begin(ROWS))] = value;
	if (!name_.ends_with(", changed"))
		name_ += ", changed";
	return "";
}

std::string Profile::read_line(std::string_view line)
{
	std::vector<std::string_view> words = words_of(line);
	if (words.empty())
		return "";
	if (words[0] == "name" && words.size() == 2) {
		name_ = words[1];
		return "";
	}
	const auto source = std::find(std::begin(SOURCES), std::end(SOURCES), words.back());
	if (words.size() < 3 || words.size() > 4 || source == std::end(SOURCES))
		return "a line has a figure, its value with a unit, and assumed, vendor, measured "
		       "or "
		       "derived";
	const std::string name = name_;
	const std::string value = fmt::format("{}{}", words[1], words.size() == 4 ? words[2] : "");
	std::string problem = set(words[0], value);
	name_ = name;
	if (!problem.empty())
		return problem;
	for (size_t i = 0; i < values_.size(); i++) {
		if (ROWS[i].word == words[0])
			sources_[i] = static_cast<Source>(source - std::begin(SOURCES));
	}
	return "";
}

std::string Profile::read(std::string_view text)
{
	for (size_t number = 1; !text.empty(); number++) {
		const size_t end = std::min(text.find('\n'), text.size());
		const std::string problem = read_line(text.substr(0, end));
		if (!problem.empty())
			return fmt::format("line {}: {}", number, problem);
		text.remove_prefix(std::min(end + 1, text.size()));
	}
	return "";
}

static std::string value_text(uint64_t value, Unit unit)
{
	for (const Scale &scale : SCALES) {
		if (scale.unit == unit && value >= scale.one && value % scale.one == 0)
			return fmt::format("{} {}", value / scale.one, scale.word);
	}
	const auto smallest = std::find_if(std::rbegin(SCALES), std::rend(SCALES),
					   [&](const Scale &scale) { return scale.unit == unit; });
	return fmt::format("{} {}", value / smallest->one, smallest->word);
}

std::string Profile::text() const
{
	std::string text = fmt::format("name {}\n", name_);
	for (size_t i = 0; i < values_.size(); i++)
		text += fmt::format("{:<18} {:>12} {:<9} # {}\n", ROWS[i].word,
				    value_text(values_[i], ROWS[i].unit),
				    SOURCES[static_cast<size_t>(sources_[i])], ROWS[i].text);
	return text;
}

std::string time_text(Picoseconds time)
{
	for (const Scale &scale : SCALES) {
		if (scale.unit == Unit::TIME && (time >= scale.one || scale.one == NS))
			return fmt::format("{}.{:03} {}", time / scale.one,
					   time % scale.one * 1000 / scale.one, scale.word);
	}
	return "";
}

} // namespace timing
