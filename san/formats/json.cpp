// SPDX-License-Identifier: MIT
/**
 * DOC: a report for programs
 *
 * The report is lines of JSON. So a report that was cut off is readable up to that point, and grep and jq
 * work on it. Documentation/sanitizer.rst lists the fields. A reader skips fields and kinds of lines that it
 * does not know.
 */
#include "san/formats/json.h"
#include "base/json/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace san {

using Json = nlohmann::ordered_json;

static Json stack_json(const Stack &stack)
{
	Json frames = Json::array();
	for (const Frame &frame : stack) {
		Json json;
		if (!frame.function.empty())
			json["function"] = frame.function;
		if (!frame.file.empty()) {
			json["file"] = frame.file;
			json["line"] = frame.line;
		}
		if (frame.is_inlined)
			json["inlined"] = true;
		if (!frame.module.empty()) {
			json["module"] = frame.module;
			json["offset"] = frame.offset;
		}
		frames.push_back(std::move(json));
	}
	return frames;
}

static Json call_json(const Call &call)
{
	Json json{{"command", call.command}, {"order", call.order},
		  {"client", call.client},   {"stream", call.stream},
		  {"op", call.label},	     {"operand", call.role},
		  {"access", call.use},	     {"stack", stack_json(call.stack)}};
	if (call.task != 0)
		json["task"] = call.task - 1;
	if (!call.launch.empty())
		json["launch"] = {{"op", call.launch}, {"stack", stack_json(call.launch_stack)}};
	return json;
}

static const char *what_text(Step::What what)
{
	switch (what) {
	case Step::What::COMMAND:
		return "command";
	case Step::What::RECORD:
		return "record";
	case Step::What::WAIT:
		return "wait";
	case Step::What::WAIT_WITHOUT_RECORD:
		return "wait-without-record";
	}
	return "?";
}

static Step::What read_what(const std::string &text)
{
	for (const Step::What what :
	     {Step::What::RECORD, Step::What::WAIT, Step::What::WAIT_WITHOUT_RECORD}) {
		if (text == what_text(what))
			return what;
	}
	return Step::What::COMMAND;
}

static Json memory_json(const MemoryPart &memory)
{
	return {{"label", memory.label},
		{"address", memory.address},
		{"bytes", memory.bytes},
		{"overlap", {memory.begin, memory.end}},
		{"stack", stack_json(memory.stack)}};
}

static Json entry_json(const Entry &entry)
{
	Json json = {{"kind", "finding"},
		     {"rule", entry.rule},
		     {"severity", severity_text(entry.severity)},
		     {"fingerprint", entry.fingerprint},
		     {"title", entry.title},
		     {"count", entry.count},
		     {"traces", entry.traces}};
	if (entry.is_known)
		json["known"] = true;
	if (!entry.during.empty())
		json["during"] = entry.during;
	json["later"] = call_json(entry.later);
	if (!entry.earlier.label.empty())
		json["earlier"] = call_json(entry.earlier);
	if (entry.memory.is_known)
		json["memory"] = memory_json(entry.memory);
	if (!entry.order.empty())
		json["order"] = entry.order;
	json["hints"] = Json::array();
	for (const Advice &hint : entry.hints)
		json["hints"].push_back({{"code", hint.code},
					 {"text", hint.text},
					 {"stack", stack_json(hint.stack)}});
	if (!entry.circle.empty())
		json["circle"] = entry.circle;
	json["steps"] = Json::array();
	for (const TimelineEntry &step : entry.steps) {
		json["steps"].push_back({{"what", what_text(step.what)},
					 {"side", step.is_later ? "later" : "earlier"},
					 {"order", step.order},
					 {"number", step.number},
					 {"record", step.record},
					 {"label", step.label},
					 {"place", step.place}});
		if (step.task != 0)
			json["steps"].back()["task"] = step.task - 1;
	}
	return json;
}

static Json totals_json(const Totals &totals)
{
	return {{"kind", "summary"},
		{"traces", totals.traces},
		{"cut", totals.cut},
		{"records", totals.records},
		{"commands", totals.commands},
		{"undecided", totals.undecided},
		{"forgotten", totals.forgotten},
		{"unknown", totals.unknown},
		{"uncompared", totals.uncompared},
		{"unawaited", totals.unawaited},
		{"suppressed", totals.suppressed},
		{"more", totals.more},
		{"problems", totals.problems},
		{"problem", totals.problem}};
}

/* A name in a program need not be UTF-8. */
static std::string line(const Json &json)
{
	return base::write_json(json) + "\n";
}

std::string json_report(const Report &report)
{
	std::string text = line({{"kind", "unpu-san"}, {"version", JSON_VERSION}});
	for (const Entry *entry : report.entries())
		text += line(entry_json(*entry));
	return text + line(totals_json(report.totals()));
}

bool is_json_report(std::string_view text)
{
	return !text.empty() && text.front() == '{';
}

/* A field of the wrong type counts as absent, because a report may come from an untrusted source. */
template <class T> static T get(const Json &json, const char *key)
{
	const auto found = json.is_object() ? json.find(key) : json.end();
	if (found == json.end())
		return T{};
	if constexpr (std::is_same_v<T, std::string>)
		return found->is_string() ? found->template get<std::string>() : "";
	else if constexpr (std::is_same_v<T, bool>)
		return found->is_boolean() && found->template get<bool>();
	else
		return found->is_number_unsigned() ? found->template get<T>() : T{};
}

/* A list or an object; empty if there is none. */
static const Json &part(const Json &json, const char *key)
{
	static const Json *const none = new Json(Json::array());
	const auto found = json.is_object() ? json.find(key) : json.end();
	return found == json.end() || !found->is_structured() ? *none : *found;
}

static Stack read_stack(const Json &json)
{
	Stack stack;
	for (const Json &frame : json) {
		if (stack.size() < Resolver::MAX_FRAMES)
			stack.push_back(
				{get<std::string>(frame, "module"), get<uint64_t>(frame, "offset"),
				 get<std::string>(frame, "function"),
				 get<std::string>(frame, "file"), get<uint32_t>(frame, "line"),
				 get<bool>(frame, "inlined")});
	}
	return stack;
}

/* Return: the number of the task, plus 1; 0: it is not known. */
static uint64_t read_task(const Json &json)
{
	return json.contains("task") ? get<uint64_t>(json, "task") + 1 : 0;
}

static Call read_call(const Json &json)
{
	const Json &launch = part(json, "launch");
	return {get<uint64_t>(json, "command"),
		get<uint64_t>(json, "order"),
		read_task(json),
		get<uint32_t>(json, "client"),
		get<std::string>(json, "stream"),
		get<std::string>(json, "op"),
		get<std::string>(json, "operand"),
		get<std::string>(json, "access"),
		read_stack(part(json, "stack")),
		get<std::string>(launch, "op"),
		read_stack(part(launch, "stack"))};
}

static MemoryPart read_memory(const Json &json)
{
	MemoryPart memory{true,
			  get<std::string>(json, "label"),
			  get<uint64_t>(json, "address"),
			  get<uint64_t>(json, "bytes"),
			  0,
			  0,
			  read_stack(part(json, "stack"))};
	const Json &overlap = part(json, "overlap");
	if (overlap.is_array() && overlap.size() == 2 && overlap[0].is_number_unsigned() &&
	    overlap[1].is_number_unsigned()) {
		memory.begin = overlap[0].get<uint64_t>();
		memory.end = overlap[1].get<uint64_t>();
	}
	return memory;
}

static Severity read_severity(const std::string &text)
{
	if (text == severity_text(Severity::NOTE))
		return Severity::NOTE;
	return text == severity_text(Severity::WARNING) ? Severity::WARNING : Severity::ERROR;
}

static Entry read_entry(const Json &json)
{
	Entry entry;
	entry.rule = get<std::string>(json, "rule");
	entry.severity = read_severity(get<std::string>(json, "severity"));
	entry.fingerprint = get<std::string>(json, "fingerprint");
	entry.title = get<std::string>(json, "title");
	entry.count = get<uint64_t>(json, "count");
	entry.traces = get<uint64_t>(json, "traces");
	entry.is_known = get<bool>(json, "known");
	for (const Json &during : part(json, "during"))
		entry.add_part(during.is_string() ? during.get<std::string>() : "");
	entry.later = read_call(part(json, "later"));
	entry.earlier = read_call(part(json, "earlier"));
	if (json.contains("memory"))
		entry.memory = read_memory(part(json, "memory"));
	entry.order = get<std::string>(json, "order");
	for (const Json &hint : part(json, "hints"))
		entry.hints.push_back({get<std::string>(hint, "code"),
				       get<std::string>(hint, "text"),
				       read_stack(part(hint, "stack"))});
	for (const Json &text : part(json, "circle"))
		entry.circle.push_back(text.is_string() ? text.get<std::string>() : "");
	for (const Json &step : part(json, "steps"))
		entry.steps.push_back({read_what(get<std::string>(step, "what")),
				       get<std::string>(step, "side") == "later",
				       get<uint64_t>(step, "order"), get<uint64_t>(step, "number"),
				       get<uint64_t>(step, "record"),
				       get<std::string>(step, "label"),
				       get<std::string>(step, "place"), read_task(step)});
	return entry;
}

static Totals read_totals(const Json &json)
{
	Totals totals{get<uint64_t>(json, "traces"),
		      get<uint64_t>(json, "cut"),
		      get<uint64_t>(json, "records"),
		      get<uint64_t>(json, "commands"),
		      get<uint64_t>(json, "undecided"),
		      get<uint64_t>(json, "forgotten"),
		      get<uint64_t>(json, "unknown"),
		      get<uint64_t>(json, "uncompared"),
		      get<uint64_t>(json, "unawaited"),
		      get<uint64_t>(json, "suppressed"),
		      get<uint64_t>(json, "more"),
		      get<uint64_t>(json, "problems"),
		      {}};
	for (const Json &problem : part(json, "problem"))
		totals.problem.push_back(problem.is_string() ? problem.get<std::string>() : "");
	return totals;
}

std::string read_json_report(std::string_view text, const std::string &name, Report &report)
{
	size_t number = 0;
	while (!text.empty()) {
		const size_t end = std::min(text.find('\n'), text.size());
		const Json json = base::read_json<Json>(text.substr(0, end));
		text.remove_prefix(std::min(end + 1, text.size()));
		number++;
		if (json.is_discarded() || !json.is_object())
			return fmt::format("{}: line {} is no JSON object", name, number);
		const auto kind = get<std::string>(json, "kind");
		const auto version = get<uint64_t>(json, "version");
		if (number == 1 && (kind != "unpu-san" || version != JSON_VERSION))
			return fmt::format("{}: this is no report of unpu-san of version {}", name,
					   JSON_VERSION);
		if (kind == "finding")
			report.add(read_entry(json));
		else if (kind == "summary")
			report.add(read_totals(json));
	}
	return number == 0 ? fmt::format("{}: the file is empty", name) : "";
}

} // namespace san
