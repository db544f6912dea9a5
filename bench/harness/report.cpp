// SPDX-License-Identifier: MIT
/**
 * DOC: Report
 *
 * Each round gives one median and one 99th percentile per measure; shown are the medians over the
 * rounds, with the smallest and the largest round in brackets.
 */
#include "report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bench {

static const Measure *find(const Round &round, std::string_view key)
{
	auto found = std::find_if(round.begin(), round.end(),
				  [&](const Measure &measure) { return measure.key == key; });
	return found == round.end() ? nullptr : &*found;
}

static Spread spread_of(std::vector<double> values)
{
	if (values.empty())
		return {};
	const double median = quantile(values, 0.5);
	return {median, values.front(), values.back()};
}

static double ratio_of(const Measure &measure, const Measure &base)
{
	if (measure.against == Against::SPEED)
		return base.summary.median_ns / measure.summary.median_ns;
	return measure.summary.median_ns / base.summary.median_ns;
}

static double gigabytes_per_s(const Measure &measure, double time_ns)
{
	return static_cast<double>(measure.bytes) / time_ns;
}

Report::Row Report::row(const Measure &measure) const
{
	std::vector<double> times;
	std::vector<double> p99s;
	std::vector<double> ratios;
	double wakes = -1;
	for (const Round &round : rounds_) {
		const Measure *here = find(round, measure.key);
		if (!here)
			continue;
		times.push_back(here->summary.median_ns);
		wakes = std::max(wakes, here->wakes);
		p99s.push_back(here->summary.p99_ns);
		if (const Measure *base = find(round, here->base))
			ratios.push_back(ratio_of(*here, *base));
	}
	const bool has_ratio = !ratios.empty();
	return {&measure,	   spread_of(times), quantile(p99s, 0.5),
		spread_of(ratios), has_ratio,	     wakes};
}

static std::string section_of(const Measure &measure)
{
	return measure.key.substr(0, measure.key.find('.'));
}

static std::string time_text(double ns)
{
	return ns < 100 ? fmt::format("{:.1f}", ns) : fmt::format("{:.0f}", ns);
}

std::string Report::line(const Row &row) const
{
	const Measure &measure = *row.measure;
	const Spread &time = row.time_ns;
	std::string range = fmt::format("[{} .. {}]", time_text(time.min), time_text(time.max));
	std::string text = fmt::format("{:<48} {:>10} {:<24} {:>10}", measure.title,
				       time_text(time.median), range, time_text(row.p99_ns));
	if (row.has_ratio)
		text += fmt::format(" {:>8.3f} [{:.3f} .. {:.3f}]", row.ratio.median, row.ratio.min,
				    row.ratio.max);
	if (measure.items > 1)
		text += fmt::format("  {:.1f} ns each",
				    time.median / static_cast<double>(measure.items));
	if (measure.bytes > 0)
		text += fmt::format("  {:.2f} GB/s", gigabytes_per_s(measure, time.median));
	if (measure.object_bytes > 0)
		text += fmt::format("  {:.0f} bytes each", measure.object_bytes);
	if (row.wakes >= 0)
		text += fmt::format("  {:.0f} wake-ups", row.wakes);
	return text + "\n";
}

bool Report::value_of(const Floor &floor, double &value) const
{
	const Measure *measure = rounds_.empty() ? nullptr : find(rounds_.front(), floor.key);
	if (!measure)
		return false;
	const Row found = row(*measure);
	switch (floor.figure) {
	case Figure::RATIO:
		value = found.ratio.median;
		return found.has_ratio;
	case Figure::TIME_NS:
		value = found.time_ns.median;
		return true;
	case Figure::ITEM_NS:
		value = found.time_ns.median / static_cast<double>(measure->items);
		return true;
	case Figure::WAKES:
		value = found.wakes;
		return value >= 0;
	}
	return false;
}

static const char *verdict(const Floor &floor, double value)
{
	const bool met = floor.at_least ? value >= floor.limit : value <= floor.limit;
	return met ? "met" : "missed";
}

static const char *unit_of(const Floor &floor)
{
	switch (floor.figure) {
	case Figure::RATIO:
		return "x";
	case Figure::WAKES:
		return "";
	default:
		return " ns";
	}
}

std::string Report::floor_line(const Floor &floor) const
{
	double value = 0;
	const bool measured = value_of(floor, value);
	const std::string limit =
		fmt::format("{} {:g}{}", floor.at_least ? ">=" : "<=", floor.limit, unit_of(floor));
	const std::string got =
		measured ? fmt::format("{:.4g}{}", value, unit_of(floor)) : std::string("-");
	return fmt::format("{:<48} {:>14} {:>14}  {}\n", floor.title, limit, got,
			   measured ? verdict(floor, value) : "not measured");
}

std::string Report::table(const std::vector<Floor> &floors) const
{
	std::string text;
	std::string section;
	for (const Measure &measure : rounds_.front()) {
		if (section_of(measure) != section) {
			section = section_of(measure);
			text += fmt::format("\n{:<48} {:>10} {:<24} {:>10} {:>8}\n", section, "ns",
					    "[min .. max]", "p99 ns",
					    measure.against == Against::SPEED ? "x speed"
									      : "x base");
		}
		text += line(row(measure));
	}
	text += fmt::format("\n{:<48} {:>14} {:>14}\n", "floor", "wanted", "median");
	for (const Floor &floor : floors)
		text += floor_line(floor);
	return text;
}

static nlohmann::ordered_json as_json(const Spread &spread)
{
	return {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}};
}

/* To a tenth of a nanosecond; a sample has no more. */
static nlohmann::ordered_json rounded(const std::vector<double> &samples)
{
	auto list = nlohmann::ordered_json::array();
	for (double sample : samples)
		list.push_back(std::round(sample * 10) / 10);
	return list;
}

nlohmann::ordered_json Report::samples_of(std::string_view key) const
{
	auto list = nlohmann::ordered_json::array();
	for (const Round &round : rounds_) {
		const Measure *here = find(round, key);
		if (!here)
			continue;
		const Summary &summary = here->summary;
		list.push_back({{"median_ns", summary.median_ns},
				{"p99_ns", summary.p99_ns},
				{"batches_ns", rounded(summary.batches_ns)},
				{"singles_ns", rounded(summary.singles_ns)}});
	}
	return list;
}

nlohmann::ordered_json Report::measures() const
{
	auto list = nlohmann::ordered_json::array();
	for (const Measure &measure : rounds_.front()) {
		const Row found = row(measure);
		nlohmann::ordered_json entry;
		entry["key"] = measure.key;
		entry["title"] = measure.title;
		entry["time_ns"] = as_json(found.time_ns);
		entry["p99_ns"] = found.p99_ns;
		if (found.has_ratio) {
			entry["ratio"] = as_json(found.ratio);
			entry["ratio"]["to"] = measure.base;
			entry["ratio"]["of"] = measure.against == Against::SPEED ? "speed" : "time";
		}
		if (measure.items > 1)
			entry["items"] = measure.items;
		if (measure.bytes > 0)
			entry["bytes"] = measure.bytes;
		if (measure.object_bytes > 0)
			entry["object_bytes"] = measure.object_bytes;
		if (found.wakes >= 0)
			entry["wakes"] = found.wakes;
		entry["samples"] = samples_of(measure.key);
		list.push_back(entry);
	}
	return list;
}

nlohmann::ordered_json Report::floors(const std::vector<Floor> &floors) const
{
	auto list = nlohmann::ordered_json::array();
	for (const Floor &floor : floors) {
		double value = 0;
		const bool measured = value_of(floor, value);
		nlohmann::ordered_json entry;
		entry["title"] = floor.title;
		entry["key"] = floor.key;
		entry[floor.at_least ? "at_least" : "at_most"] = floor.limit;
		if (measured)
			entry["value"] = value;
		entry["verdict"] = measured ? verdict(floor, value) : "not measured";
		list.push_back(entry);
	}
	return list;
}

} // namespace bench
