// SPDX-License-Identifier: MIT
/*
 * DOC: Texts of options
 *
 * Shapes, ranges and profiles as scripts write them for `atc`: with blanks anywhere, with a last separator or without.
 */
#include "option_texts.h"

#include <charconv>

namespace models {

namespace {

constexpr size_t MOST_PROFILES = 100;
constexpr int64_t MOST_SIZE = INT32_MAX;

std::string_view trim(std::string_view text)
{
	constexpr std::string_view BLANKS = " \t\r\n\"'";
	const size_t begin = text.find_first_not_of(BLANKS);
	if (begin == std::string_view::npos)
		return {};
	return text.substr(begin, text.find_last_not_of(BLANKS) - begin + 1);
}

bool read_number(std::string_view text, int64_t &value)
{
	text = trim(text);
	const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
	return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/* "3", "-1", "1~8", or "1~-1" */
bool read_dim(std::string_view text, DimRange &dim, Problems &problems)
{
	const size_t tilde = text.find('~');
	const std::string told = "--input_shape has the dim " + std::string(text);
	if (!read_number(text.substr(0, tilde), dim.least))
		return problems.add(bad_shape, told + "; a dim is a number, -1, or a range as 1~8");
	dim.most = dim.least;
	if (tilde == std::string_view::npos) {
		if (dim.least == -1)
			dim = {1, ir::UNKNOWN};
		else if (dim.least < 0 || dim.least > MOST_SIZE)
			return problems.add(shape_not_positive,
					    told + "; it must be at least 0 and at most " +
						    std::to_string(MOST_SIZE) +
						    ", or -1 for one that is open");
		return true;
	}
	if (!read_number(text.substr(tilde + 1), dim.most) || dim.least < 0 ||
	    (dim.most != -1 && dim.most < dim.least) || dim.most > MOST_SIZE)
		return problems.add("E10048",
				    told + "; a range is written as 1~8, or 1~-1 without an "
					   "end");
	return true;
}

bool read_shape(std::string_view part, std::string_view dims, InputShape &shape, Problems &problems)
{
	dims = trim(dims);
	if (dims.empty())
		return true;
	while (true) {
		const size_t comma = dims.find(',');
		if (!read_dim(trim(dims.substr(0, comma)), shape.dims.emplace_back(), problems))
			return false;
		if (comma == std::string_view::npos)
			return true;
		dims.remove_prefix(comma + 1);
		if (shape.dims.size() > ir::MAX_RANK)
			return problems.add(bad_shape, "--input_shape has more than 8 dims in " +
							       std::string(part));
	}
}

/* has_colon() - Return: the place of the colon behind the name; names have colons too, so it is the last one */
bool parse_parts(std::string_view text, bool has_brackets, std::vector<InputShape> &shapes,
		 Problems &problems)
{
	bool is_good = true;
	for (const std::string &part : split(text, ';')) {
		InputShape shape;
		const size_t colon = part.rfind(':');
		std::string_view dims =
			std::string_view(part).substr(colon == std::string::npos ? 0 : colon + 1);
		if (colon != std::string::npos)
			shape.name = trim(std::string_view(part).substr(0, colon));
		dims = trim(dims);
		if (has_brackets) {
			if (dims.size() < 2 || dims.front() != '[' || dims.back() != ']') {
				is_good = problems.add(
					"E10048",
					"--input_shape_range has " + part +
						"; an input is written as name:[1,3~8,-1]");
				continue;
			}
			dims = dims.substr(1, dims.size() - 2);
		}
		if (read_shape(part, dims, shape, problems))
			shapes.push_back(std::move(shape));
		else
			is_good = false;
	}
	return is_good;
}

} // namespace

std::vector<std::string> split(std::string_view text, char between)
{
	std::vector<std::string> parts;
	while (true) {
		const size_t end = text.find(between);
		if (const std::string_view part = trim(text.substr(0, end)); !part.empty())
			parts.emplace_back(part);
		if (end == std::string_view::npos)
			return parts;
		text.remove_prefix(end + 1);
	}
}

bool parse_shapes(std::string_view text, std::vector<InputShape> &shapes, Problems &problems)
{
	return parse_parts(text, false, shapes, problems);
}

bool parse_shape_ranges(std::string_view text, std::vector<InputShape> &shapes, Problems &problems)
{
	return parse_parts(text, true, shapes, problems);
}

bool parse_choices(const char *option, std::string_view text, om::Dynamic dynamic,
		   std::vector<om::Profile> &choices, Problems &problems)
{
	const bool is_batch = dynamic == om::Dynamic::BATCH;
	const std::string told = "--" + std::string(option) + " has ";
	for (const std::string &part : split(text, is_batch ? ',' : ';')) {
		om::Profile &choice = choices.emplace_back();
		for (const std::string &number : split(part, ',')) {
			int64_t value;
			if (!read_number(number, value) || value < 1 || value > MOST_SIZE)
				return problems.add(
					"E10018", told + number + ", which is no positive number");
			choice.push_back(value);
		}
		if (dynamic == om::Dynamic::IMAGE && choice.size() != 2)
			return problems.add("E10019",
					    told + part + "; an image has a height and a width");
	}
	const size_t least = dynamic == om::Dynamic::DIMS ? 2 : 1;
	if (choices.size() < least || choices.size() > MOST_PROFILES)
		return problems.add("E10035", told + std::to_string(choices.size()) +
						      " profiles; " + std::to_string(least) +
						      " to " + std::to_string(MOST_PROFILES) +
						      " are possible");
	return true;
}

bool parse_fixed(std::string_view text, std::vector<FixedInput> &fixed, Problems &problems)
{
	for (const std::string &part : split(text, ';')) {
		const size_t colon = part.rfind(':');
		if (colon == std::string::npos || colon == 0)
			return problems.add(bad_option,
					    "--fix_input has " + part +
						    "; an input is written as name:1,2,3");
		fixed.push_back({std::string(trim(std::string_view(part).substr(0, colon))),
				 split(std::string_view(part).substr(colon + 1), ',')});
		if (fixed.back().values.empty())
			return problems.add(bad_option,
					    "--fix_input has no number for " + fixed.back().name);
	}
	return true;
}

bool parse_format(std::string_view text, om::Format &format, Problems &problems)
{
	static constexpr struct {
		const char *word;
		om::Format format;
	} WORDS[] = {{"NCHW", om::Format::NCHW},
		     {"ND", om::Format::ND},
		     {"NHWC", om::Format::NHWC},
		     {"NCDHW", om::Format::NCDHW},
		     {"NDHWC", om::Format::NDHWC}};
	for (const auto &each : WORDS)
		if (trim(text) == each.word) {
			format = each.format;
			return true;
		}
	return problems.add(bad_option, "--input_format is " + std::string(text) +
						"; allowed are NCHW, NHWC, ND, NCDHW and NDHWC");
}

} // namespace models
