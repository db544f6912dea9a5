// SPDX-License-Identifier: MIT
/**
 * DOC: two streams side by side
 *
 * Each column is one call, in the order in which the program made the calls. A call further right came later,
 * on either stream.
 */
#include "san/report/timeline.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace san {

/* The most steps in a drawing as text. */
static constexpr size_t TEXT_STEPS = 7;
static constexpr size_t LABEL_BYTES = 64;

bool is_side(const Entry &entry, const TimelineEntry &step)
{
	const Call &call = step.is_later ? entry.later : entry.earlier;
	return step.what == Step::What::COMMAND && step.order == call.order;
}

/* The number by which rows are sorted. "host" comes before all streams. */
static uint64_t number_of(const std::string &stream)
{
	const size_t at = stream.find_first_of("0123456789");
	return at == std::string::npos ? 0 : 1 + std::strtoull(stream.c_str() + at, nullptr, 10);
}

int row_of(const Entry &entry, bool is_later)
{
	return is_later == (number_of(entry.later.stream) < number_of(entry.earlier.stream)) ? 0
											     : 1;
}

/* How important a step is; smaller is more important. The two calls come first, then records and waits, then
 * steps near the calls. */
static uint64_t distance(const Entry &entry, const TimelineEntry &step)
{
	constexpr uint64_t FAR = uint64_t{1} << 32;
	if (is_side(entry, step))
		return 0;
	const uint64_t own = step.is_later ? entry.later.order : entry.earlier.order;
	const uint64_t steps = own > step.order ? own - step.order : step.order - own;
	return 1 + std::min(steps, FAR) + (step.what == Step::What::COMMAND ? FAR : 0);
}

std::vector<TimelineEntry> nearest_steps(const Entry &entry, size_t most)
{
	std::vector<TimelineEntry> steps = entry.steps;
	std::stable_sort(steps.begin(), steps.end(),
			 [&](const TimelineEntry &a, const TimelineEntry &b) {
				 return distance(entry, a) < distance(entry, b);
			 });
	if (steps.size() > most)
		steps.resize(most);
	std::stable_sort(
		steps.begin(), steps.end(),
		[](const TimelineEntry &a, const TimelineEntry &b) { return a.order < b.order; });
	return steps;
}

static std::string step_text(const TimelineEntry &step)
{
	const std::string label = step.label.substr(0, LABEL_BYTES);
	switch (step.what) {
	case Step::What::RECORD:
		return "record " + label;
	case Step::What::WAIT:
	case Step::What::WAIT_WITHOUT_RECORD:
		return "wait " + label;
	case Step::What::COMMAND:
		break;
	}
	return (label.empty() ? "allocation" : label) +
	       (step.task == 0 ? "" : fmt::format(", task {}", step.task - 1));
}

std::vector<std::string> draw_timeline(const Entry &entry)
{
	const std::vector<TimelineEntry> steps = nearest_steps(entry, TEXT_STEPS);
	if (steps.size() < 2 || entry.earlier.stream == entry.later.stream)
		return {};
	const size_t width = std::max(entry.earlier.stream.size(), entry.later.stream.size());
	std::string rows[2];
	rows[row_of(entry, false)] = fmt::format("{:<{}} |", entry.earlier.stream, width);
	rows[row_of(entry, true)] = fmt::format("{:<{}} |", entry.later.stream, width);
	for (const TimelineEntry &step : steps) {
		const bool side = is_side(entry, step);
		const std::string text =
			fmt::format("{}{}{}", side ? '[' : '(', step_text(step), side ? ']' : ')');
		const int row = row_of(entry, step.is_later);
		rows[row] += "--" + text;
		rows[1 - row].append(text.size() + 2, '-');
	}
	return {rows[0], rows[1]};
}

} // namespace san
