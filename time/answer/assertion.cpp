// SPDX-License-Identifier: MIT
/**
 * DOC: assertions
 */
#include "assertion.h"

#include <algorithm>

#include <fmt/format.h>

namespace timing {

static constexpr uint64_t MILLION = 1'000'000;

static std::string_view trimmed(std::string_view text)
{
	const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
	const size_t end = text.find_last_not_of(" \t");
	return end == std::string_view::npos ? "" : text.substr(begin, end + 1 - begin);
}

std::string Assertion::parse(std::string_view sentence)
{
	sentence_ = trimmed(sentence);
	const size_t at = sentence_.find_first_of("<>=");
	if (at == std::string::npos)
		return fmt::format("'{}' has none of < <= > >= ==", sentence_);
	const size_t end = std::min(sentence_.find_first_not_of("<>=", at), sentence_.size());
	relation_ = sentence_.substr(at, end - at);
	if (relation_ != "<" && relation_ != "<=" && relation_ != ">" && relation_ != ">=" &&
	    relation_ != "==")
		return fmt::format("'{}' has '{}'; it must be one of < <= > >= ==", sentence_,
				   relation_);
	const std::string_view whole = sentence_;
	const std::string problem = parse_measure(trimmed(whole.substr(0, at)));
	return problem.empty() ? parse_value(trimmed(whole.substr(end))) : problem;
}

std::string Assertion::parse_measure(std::string_view text)
{
	const size_t open = std::min(text.find('('), text.size());
	measure_ = trimmed(text.substr(0, open));
	const bool has_steps = open < text.size() && text.back() == ')';
	kind_ = measure_ == "count"			      ? Kind::COUNT
		: measure_ == "overlap" || measure_ == "path" ? Kind::PART
							      : Kind::TIME;
	if (measure_ == "elapsed" || measure_ == "bound")
		return open == text.size() ? "" : fmt::format("{} has no steps", measure_);
	if (measure_ != "busy" && measure_ != "overlap" && measure_ != "path" &&
	    measure_ != "count")
		return fmt::format("'{}' is no measure; there are elapsed, bound, busy(STEPS), "
				   "overlap(STEPS, STEPS), path(STEPS) and count(STEPS)",
				   text);
	if (!has_steps)
		return fmt::format("{} needs steps in brackets", measure_);
	const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
	const size_t comma = std::min(inside.find(','), inside.size());
	const bool is_two = comma < inside.size();
	if (is_two != (measure_ == "overlap"))
		return fmt::format("{} needs {}", measure_,
				   is_two ? "one kind of steps" : "two kinds of steps");
	if (!Selector::parse(trimmed(inside.substr(0, comma)), first_) ||
	    (is_two && !Selector::parse(trimmed(inside.substr(comma + 1)), second_)))
		return fmt::format("'{}' chooses no steps", inside);
	return "";
}

std::string Assertion::parse_value(std::string_view text)
{
	const std::string_view number = trimmed(text.substr(0, text.find('%')));
	const bool is_good =
		kind_ == Kind::TIME ? parse_time(text, value_)
		: kind_ == Kind::PART
			? text.ends_with('%') && parse_number(number, MILLION / 100, value_)
			: parse_number(text, 1, value_);
	if (is_good)
		return "";
	return fmt::format("'{}' is compared with '{}'; it must be {}", measure_, text,
			   kind_ == Kind::TIME	 ? "a time, as 300us"
			   : kind_ == Kind::PART ? "a part, as 80%"
						 : "a number");
}

static uint64_t part_of(Picoseconds part, Picoseconds whole)
{
	return static_cast<uint64_t>(static_cast<unsigned __int128>(part) * MILLION / whole);
}

static Picoseconds path_time(const Answer &answer, const Selector &steps)
{
	Picoseconds sum = 0;
	for (const Segment &segment : path_of(answer.schedule)) {
		if (!segment.is_start &&
		    steps.has(answer.graph, answer.graph.vertices[segment.step]))
			sum += segment.end - segment.begin;
	}
	return sum;
}

static uint64_t count_of(const Answer &answer, const Selector &steps)
{
	return static_cast<uint64_t>(std::count_if(
		answer.graph.vertices.begin(), answer.graph.vertices.end(),
		[&](const Vertex &vertex) { return steps.has(answer.graph, vertex); }));
}

/* Return: false if the program has no such steps, so that there is nothing to measure. */
bool Assertion::measure(const Answer &answer, uint64_t &value, std::string &problem) const
{
	if (measure_ == "elapsed" || measure_ == "bound") {
		value = measure_ == "bound" ? answer.bound.total : answer.schedule.total;
		return true;
	}
	value = count_of(answer, first_);
	if (measure_ == "count")
		return true;
	const bool has_second = measure_ != "overlap" || count_of(answer, second_) != 0;
	if (value == 0 || !has_second) {
		problem = fmt::format("the program has no step '{}'",
				      value == 0 ? first_.words() : second_.words());
		return false;
	}
	const Picoseconds busy = busy_time(answer, first_);
	value = busy;
	if (measure_ == "path")
		value = part_of(path_time(answer, first_),
				std::max<Picoseconds>(answer.schedule.total, 1));
	if (measure_ == "overlap")
		value = part_of(
			both_time(answer, first_, second_),
			std::max<Picoseconds>(std::min(busy, busy_time(answer, second_)), 1));
	return true;
}

Assertion::Verdict Assertion::check(const Answer &answer) const
{
	Verdict verdict;
	uint64_t value = 0;
	if (!measure(answer, value, verdict.problem))
		return verdict;
	const std::vector<Vertex> &vertices = answer.graph.vertices;
	if (kind_ != Kind::COUNT && std::ranges::none_of(vertices, [](const Vertex &vertex) {
		    return vertex.step == Step::COMMAND || vertex.step == Step::FUNCTION;
	    })) {
		verdict.problem = "the trace has no work";
		return verdict;
	}
	verdict.holds = relation_ == "<"    ? value < value_
			: relation_ == "<=" ? value <= value_
			: relation_ == ">"  ? value > value_
			: relation_ == ">=" ? value >= value_
					    : value == value_;
	verdict.value = kind_ == Kind::TIME ? time_text(value)
			: kind_ == Kind::PART
				? fmt::format("{}.{:02}%", value / 10'000, value % 10'000 / 100)
				: std::to_string(value);
	return verdict;
}

} // namespace timing
