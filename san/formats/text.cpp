// SPDX-License-Identifier: MIT
/**
 * DOC: a report for people
 *
 * The first line of an entry is complete on its own, so that grep finds it. Entries with the same missing
 * edge refer to each other, because one repair mends all of them. A trace or a JSON report may come from an
 * untrusted source. So line ends and terminal control sequences in its texts are escaped.
 */
#include "san/formats/text.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/json/controls.h"
#include "san/report/timeline.h"

namespace san {

/* How many streams of a deadlock are shown. With all of its other lines an entry has at most 20 then. */
static constexpr size_t SHOWN_CIRCLE = 6;
/* How many functions of a call stack are shown. */
static constexpr size_t SHOWN_FRAMES = 8;

static std::string grouped(uint64_t number)
{
	constexpr size_t GROUP = 3;
	const std::string digits = std::to_string(number);
	std::string text;
	for (size_t i = 0; i < digits.size(); i++) {
		if (i > 0 && (digits.size() - i) % GROUP == 0)
			text += ',';
		text += digits[i];
	}
	return text;
}

static std::string size_text(uint64_t bytes)
{
	static constexpr const char *UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t unit = 0;
	while (bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	return fmt::format("{} {}", grouped(bytes), UNITS[unit]);
}

static std::string stack_text(const Stack &stack)
{
	std::string text;
	for (size_t i = 0; i < stack.size() && i < SHOWN_FRAMES; i++)
		text += (i == 0 ? "" : " <- ") + place(stack[i]);
	if (stack.size() > SHOWN_FRAMES)
		text += " <- ...";
	return text;
}

static std::string field(const char *name, const std::string &text)
{
	return fmt::format("  {:<8} {}\n", name, base::without_controls(text));
}

static std::string call_text(const Call &call)
{
	std::string text = fmt::format("{}, {}", call.label, place_in_stream(call));
	if (!call.use.empty())
		text += ", " + call.use + (call.role.empty() ? "" : " its " + call.role);
	if (!call.stack.empty())
		text += ", at " + stack_text(call.stack);
	if (!call.launch.empty())
		text += ", launched by " + call.launch;
	if (!call.launch_stack.empty())
		text += " at " + stack_text(call.launch_stack);
	return text;
}

static std::string memory_text(const MemoryPart &memory)
{
	std::string text;
	if (!memory.label.empty())
		text = fmt::format("\"{}\", ", memory.label);
	text += fmt::format("{} at {:#x}", size_text(memory.bytes), memory.address);
	if (memory.end > memory.begin)
		text += fmt::format(", {} of it from byte {} on",
				    size_text(memory.end - memory.begin), memory.begin);
	if (!memory.stack.empty())
		text += ", allocated at " + stack_text(memory.stack);
	return text;
}

/* The parts of the program that made the later call. */
static std::string during_text(const Entry &entry)
{
	constexpr size_t SHOWN_PARTS = 3;
	const size_t shown = std::min(entry.during.size(), SHOWN_PARTS);
	std::string text;
	for (size_t i = 0; i < shown; i++)
		text += (i == 0 ? "" : ", ") + entry.during[i];
	if (entry.during.size() > shown)
		text += fmt::format(", and {} more", entry.during.size() - shown);
	return text;
}

/* The numbers of the other entries that lack the same edge. */
static std::string same_edge(const std::vector<const Entry *> &entries, size_t self)
{
	const Entry &entry = *entries[self];
	std::string text;
	if (entry.hints.empty() || entry.hints.front().stack.empty())
		return text;
	for (size_t i = 0; i < entries.size(); i++) {
		const Entry &other = *entries[i];
		if (i == self || other.hints.empty() ||
		    other.hints.front().code != entry.hints.front().code ||
		    place(other.hints.front().stack) != place(entry.hints.front().stack))
			continue;
		text += fmt::format("{}F{}", text.empty() ? "" : ", ", i + 1);
	}
	return text;
}

static std::string times(uint64_t count)
{
	return count == 1 ? "seen once" : fmt::format("seen {} times", grouped(count));
}

/* What a rule's findings follow from, and where the page explains the rule. */
static std::string judged_text(const std::string &rule)
{
	const char *from = "by the calls and their order, not by what ran first";
	if (rule.starts_with("HOST-"))
		from = "by the calls, and by what the host did to the memory meanwhile";
	else if (rule.starts_with("UNINIT") || rule.starts_with("OVERRUN"))
		from = "by the bytes that the calls name";
	std::string anchor = rule;
	std::transform(anchor.begin(), anchor.end(), anchor.begin(),
		       [](unsigned char letter) { return std::tolower(letter); });
	return fmt::format("{} (sanitizer.html#{})", from, anchor);
}

static std::string circle_text(const std::vector<std::string> &circle)
{
	const size_t shown = std::min(circle.size(), SHOWN_CIRCLE);
	std::string text;
	for (size_t i = 0; i < shown; i++)
		text += field(i == 0 ? "circle" : "", circle[i]);
	if (circle.size() > shown)
		text += field("", fmt::format("and {} more", circle.size() - shown));
	return text;
}

static std::string entry_text(const std::vector<const Entry *> &entries, size_t i)
{
	const Entry &entry = *entries[i];
	std::string text = base::without_controls(fmt::format(
		"unpu-san F{} {} {}  {}  [{}, {}]", i + 1, severity_text(entry.severity),
		entry.rule, entry.title, entry.fingerprint, times(entry.count)));
	text += '\n';
	if (!entry.during.empty())
		text += field("during", during_text(entry));
	if (entry.memory.is_known)
		text += field("memory", memory_text(entry.memory));
	const bool two = !entry.earlier.label.empty();
	text += field(two ? "later" : "call", call_text(entry.later));
	if (two)
		text += field("earlier", call_text(entry.earlier));
	if (!entry.order.empty())
		text += field("order", entry.order);
	text += circle_text(entry.circle);
	for (const Advice &hint : entry.hints)
		text += field("hint", hint.text);
	text += field("judged", judged_text(entry.rule));
	const std::string same = same_edge(entries, i);
	if (!same.empty())
		text += field("same", same + ": the hint's call is the same there");
	size_t row = 0;
	for (const std::string &line : draw_timeline(entry))
		text += field(row++ == 0 ? "timeline" : "", line);
	return text;
}

std::string text_report(const Report &report)
{
	std::vector<const Entry *> entries = report.entries();
	std::erase_if(entries, [](const Entry *entry) { return entry->is_known; });
	std::string text;
	for (size_t i = 0; i < entries.size(); i++)
		text += entry_text(entries, i) + "\n";
	return text;
}

static std::string counted(size_t count, const char *what)
{
	return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string summary_line(const Report &report)
{
	const Totals &totals = report.totals();
	std::string text;
	size_t all = 0;
	size_t known = 0;
	for (const Severity severity : {Severity::ERROR, Severity::WARNING, Severity::NOTE}) {
		const size_t count = report.count(severity);
		all += count;
		if (count > 0)
			text += (text.empty() ? ": " : ", ") +
				counted(count, severity_text(severity));
	}
	for (const Entry *entry : report.entries())
		known += entry->is_known;
	text = "unpu-san: " + counted(all, "finding") + text;
	if (totals.traces == 0)
		return text + " (not armed: there is no trace)\n";
	text += fmt::format(" (armed, {} checked, {} undecided, {} suppressed",
			    counted(totals.commands, "command"), grouped(totals.undecided),
			    grouped(totals.suppressed));
	if (known > 0)
		text += fmt::format(", {} in the baseline", grouped(known));
	if (totals.forgotten > 0)
		text += fmt::format(", {} {} forgotten", grouped(totals.forgotten),
				    totals.forgotten == 1 ? "access" : "accesses");
	if (totals.uncompared > 0)
		text += fmt::format(", {} {} not compared", grouped(totals.uncompared),
				    totals.uncompared == 1 ? "copy" : "copies");
	if (totals.more > 0)
		text += fmt::format(", {} more not shown", grouped(totals.more));
	return text + ")\n";
}

std::string problem_lines(const Report &report)
{
	std::string text;
	for (const std::string &problem : report.totals().problem)
		text += fmt::format("unpu-san: {}; what follows from it may be wrong\n",
				    base::without_controls(problem));
	if (report.totals().cut > 0)
		text += fmt::format(
			"unpu-san: {} cut off: the program was killed, or the disk or a limit was "
			"reached; what it did after that is not judged\n",
			report.totals().cut == 1
				? std::string("1 trace is")
				: fmt::format("{} traces are", report.totals().cut));
	return text;
}

} // namespace san
