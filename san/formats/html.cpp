// SPDX-License-Identifier: MIT
/**
 * DOC: a report as an HTML page
 *
 * The page contains its style and its drawings. It has no script and refers to no other file, so a CI system
 * can keep it as the result of a test run. All texts come from the program under test, so they are escaped.
 */
#include "san/formats/html.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "san/formats/text.h"
#include "san/report/timeline.h"

namespace san {

/* The number of steps in a drawing, and its measures in pixels. */
static constexpr size_t SHOWN_STEPS = 12;
static constexpr int MARGIN = 16;
static constexpr int COLUMN = 188;
static constexpr int BOX_WIDTH = 176;
static constexpr int LINE = 16;
/* room for two lines of label and one line for the place */
static constexpr int BOX_HEIGHT = 3 * LINE + 8;
static constexpr int ROWS[] = {16, 112};
static constexpr int HEIGHT = 184;
static constexpr int CHARACTER = 8; /* average width of a character, an upper bound */
/* So many characters fit into a box in any common font. */
static constexpr size_t LABEL_CHARACTERS = 24;

static constexpr const char *STYLE =
	"body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;"
	"color:#1c2024;background:#fff}"
	"h1{font-size:1.4em}h2{font-size:1.05em;margin:0 0 .5em}"
	"article{border:1px solid #c8ced6;border-left-width:6px;border-radius:4px;padding:1em;"
	"margin:1em 0}"
	".error{border-left-color:#b3261e}.warning{border-left-color:#a86500}"
	".note{border-left-color:#4a6785}"
	"dl{display:grid;grid-template-columns:6em 1fr;gap:.2em 1em;margin:0}"
	"dt{color:#56606b}dd{margin:0;overflow-wrap:anywhere}code{font-size:.92em}"
	"figure{margin:1em 0 0;overflow-x:auto}figcaption{color:#56606b}"
	"svg text{font:12px system-ui,sans-serif}"
	"@media(prefers-color-scheme:dark){body{color:#e4e7eb;background:#16191d}"
	"article{border-color:#3a424c}dt,figcaption{color:#9aa5b1}svg{color:#e4e7eb}}";

static std::string escape(const std::string &text)
{
	std::string escaped;
	for (const char c : text) {
		switch (c) {
		case '&':
			escaped += "&amp;";
			break;
		case '<':
			escaped += "&lt;";
			break;
		case '>':
			escaped += "&gt;";
			break;
		case '"':
			escaped += "&quot;";
			break;
		case '\'':
			escaped += "&#39;";
			break;
		default:
			/* HTML does not allow other control characters. */
			escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'
					   ? '?'
					   : c;
		}
	}
	return escaped;
}

/* Cuts a UTF-8 text between two characters, never inside of one. */
static std::string shortened(const std::string &text)
{
	size_t end = 0;
	for (size_t characters = 0; end < text.size(); end++) {
		const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
		characters += begins;
		if (begins && characters > LABEL_CHARACTERS)
			return text.substr(0, end) + "…";
	}
	return text;
}

/* A label in two lines: it is cut only if both lines are full. */
static std::array<std::string, 2> two_lines(const std::string &label)
{
	size_t end = label.rfind(' ', LABEL_CHARACTERS);
	if (label.size() <= LABEL_CHARACTERS || end == std::string::npos)
		end = LABEL_CHARACTERS;
	if (label.size() <= end)
		return {label, ""};
	while (end > 1 && (static_cast<unsigned char>(label[end]) & 0xc0) == 0x80)
		end--;
	return {label.substr(0, end), shortened(label.substr(end + (label[end] == ' ')))};
}

/* A place is the function, file and line of a call. The title of a box has all of it. */
static std::string file_and_line(const std::string &place)
{
	return place.substr(place.rfind(' ') + 1);
}

static std::string item(const char *name, const std::string &html)
{
	return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

static std::string stack_html(const Stack &stack)
{
	std::string html;
	for (const Frame &frame : stack)
		html += fmt::format("<br><code>{}</code>", escape(place(frame)));
	return html;
}

static std::string call_html(const Call &call)
{
	std::string html =
		fmt::format("<b>{}</b>, {}", escape(call.label), escape(place_in_stream(call)));
	if (!call.use.empty())
		html += ", " + escape(call.use);
	if (!call.role.empty())
		html += " its " + escape(call.role);
	html += stack_html(call.stack);
	if (!call.launch.empty())
		html += "<br>launched by " + escape(call.launch) + stack_html(call.launch_stack);
	return html;
}

static std::string count_text(uint64_t count)
{
	return count == 1 ? "once" : fmt::format("{} times", count);
}

static std::string memory_html(const MemoryPart &memory)
{
	std::string html;
	if (!memory.label.empty())
		html = fmt::format("<b>{}</b>, ", escape(memory.label));
	html += fmt::format("{} bytes at {:#x}", memory.bytes, memory.address);
	if (memory.end > memory.begin)
		html += fmt::format("; bytes {} to {} are used by both", memory.begin,
				    memory.end - 1);
	if (!memory.stack.empty())
		html += "; allocated at" + stack_html(memory.stack);
	return html;
}

static const char *verb(Step::What what)
{
	switch (what) {
	case Step::What::RECORD:
		return "record ";
	case Step::What::WAIT:
		return "wait ";
	case Step::What::WAIT_WITHOUT_RECORD:
		return "wait, no record ";
	case Step::What::COMMAND:
		break;
	}
	return "";
}

static std::string box(const Entry &entry, const TimelineEntry &step, int x)
{
	const bool side = is_side(entry, step);
	const int y = ROWS[row_of(entry, step.is_later)];
	const std::string label = verb(step.what) + step.label +
				  (step.task == 0 ? "" : fmt::format(", task {}", step.task - 1));
	const std::string title =
		step.place.empty() ? label : fmt::format("{} at {}", label, step.place);
	const std::array<std::string, 2> lines = two_lines(label);
	return fmt::format("<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
			   "rx=\"4\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>"
			   "<text x=\"{}\" y=\"{}\" fill=\"#1c2024\">{}</text>"
			   "<text x=\"{}\" y=\"{}\" fill=\"#1c2024\">{}</text>"
			   "<text x=\"{}\" y=\"{}\" fill=\"#56606b\">{}</text></g>\n",
			   escape(title), x, y, BOX_WIDTH, BOX_HEIGHT, side ? "#fde3e1" : "#eef1f5",
			   side ? "#b3261e" : "#8793a1", side ? 2 : 1, x + 6, y + LINE,
			   escape(lines[0]), x + 6, y + 2 * LINE, escape(lines[1]), x + 6,
			   y + 3 * LINE, escape(shortened(file_and_line(step.place))));
}

/* An arrow from the record of an event to the wait that refers to it. */
static std::string arrow(const Entry &entry, const TimelineEntry &wait, int to,
			 const TimelineEntry &record, int from)
{
	const int x1 = from + BOX_WIDTH / 2;
	const int x2 = to + BOX_WIDTH / 2;
	const int begin = row_of(entry, record.is_later);
	const int end = row_of(entry, wait.is_later);
	const int y1 = ROWS[begin] + (begin == 1 ? 0 : BOX_HEIGHT);
	const int y2 = ROWS[end] + (end == 1 ? 0 : BOX_HEIGHT);
	return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#2f6f4f\" "
			   "stroke-width=\"2\" marker-end=\"url(#tip)\"/>\n",
			   x1, y1, x2, y2);
}

static std::string drawing(const Entry &entry)
{
	const std::vector<TimelineEntry> steps = nearest_steps(entry, SHOWN_STEPS);
	if (steps.size() < 2)
		return "";
	const size_t longest = std::max(entry.earlier.stream.size(), entry.later.stream.size());
	const int left = MARGIN + CHARACTER * static_cast<int>(longest);
	const int width = left + COLUMN * static_cast<int>(steps.size()) + MARGIN;
	std::string svg = fmt::format(
		"<figure><svg role=\"img\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
		"<title>The two streams around the finding</title>\n",
		width, HEIGHT);
	for (const bool is_later : {false, true}) {
		const int y = ROWS[row_of(entry, is_later)] + BOX_HEIGHT / 2;
		const std::string &name = is_later ? entry.later.stream : entry.earlier.stream;
		svg += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"currentColor\">{}</text>"
				   "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" "
				   "stroke=\"#8793a1\"/>\n",
				   MARGIN, y + 4, escape(name), left, y, width - MARGIN, y);
	}
	/* place of a record in the trace -> its column in the drawing */
	std::map<uint64_t, size_t> places;
	for (size_t i = 0; i < steps.size(); i++) {
		const int x = left + COLUMN * static_cast<int>(i) + (COLUMN - BOX_WIDTH) / 2;
		svg += box(entry, steps[i], x);
		if (steps[i].what == Step::What::RECORD)
			places[steps[i].order] = i;
		const auto record = places.find(steps[i].record);
		if (steps[i].record != 0 && record != places.end())
			svg += arrow(entry, steps[i], x, steps[record->second],
				     left + COLUMN * static_cast<int>(record->second));
	}
	return svg + "</svg><figcaption>A column is a call, in the order in which the program made "
		     "them. Red: the two calls. Arrows: waits for records.</figcaption></figure>\n";
}

static std::string entry_html(const Entry &entry, size_t number)
{
	std::string html =
		fmt::format("<article class=\"{}\" id=\"F{}\"><h2>F{} {} {}: {}</h2>\n<dl>\n",
			    severity_text(entry.severity), number, number,
			    severity_text(entry.severity), escape(entry.rule), escape(entry.title));
	for (const std::string &part : entry.during)
		html += item("during", escape(part));
	if (entry.memory.is_known)
		html += item("memory", memory_html(entry.memory));
	const bool two = !entry.earlier.label.empty();
	html += item(two ? "later" : "call", call_html(entry.later));
	if (two)
		html += item("earlier", call_html(entry.earlier));
	if (!entry.order.empty())
		html += item("order", escape(entry.order));
	for (const std::string &link : entry.circle)
		html += item("circle", escape(link));
	for (const Advice &hint : entry.hints)
		html += item("hint", escape(hint.text));
	html += item("seen",
		     fmt::format("{}{}, <code>{}</code>{}", count_text(entry.count),
				 entry.traces > 1 ? fmt::format(" in {} traces", entry.traces) : "",
				 escape(entry.fingerprint),
				 entry.is_known ? ", in the baseline" : ""));
	return html + "</dl>\n" + drawing(entry) + "</article>\n";
}

std::string html_report(const Report &report)
{
	std::string html = fmt::format(
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
		"<meta name=\"viewport\" content=\"width=device-width\">"
		"<title>unpu-san</title><style>{}</style></head><body>\n"
		"<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><marker id=\"tip\" "
		"markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\">"
		"<path d=\"M0,0 L8,4 L0,8 z\" fill=\"#2f6f4f\"/></marker></defs></svg>\n"
		"<h1>unpu-san</h1>\n<p>{}</p>\n",
		STYLE, escape(summary_line(report)));
	const std::string problems = problem_lines(report);
	if (!problems.empty())
		html += fmt::format("<p>{}</p>\n", escape(problems));
	size_t number = 0;
	for (const Entry *entry : report.entries())
		html += entry_html(*entry, ++number);
	return html + "</body></html>\n";
}

} // namespace san
