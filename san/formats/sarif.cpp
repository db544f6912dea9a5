// SPDX-License-Identifier: MIT
/**
 * DOC: a report in SARIF
 *
 * The result's location is the later call; the earlier one, the allocation and the calls of hints are related
 * locations. Each of the two streams is a thread flow, whose steps are in the order of the calls.
 */
#include "san/formats/sarif.h"
#include "base/json/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "san/report/source_path.h"

namespace san {

using Json = nlohmann::ordered_json;

static constexpr const char *SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
				      "schemas/sarif-schema-2.1.0.json";

static Json rules_json()
{
	Json rules = Json::array();
#define SAN_RULE_JSON(name, text, severity, sentence) \
	rules.push_back( \
		{{"id", text}, \
		 {"shortDescription", {{"text", sentence}}}, \
		 {"defaultConfiguration", {{"level", severity_text(Severity::severity)}}}});
	SAN_RULE_LIST(SAN_RULE_JSON)
#undef SAN_RULE_JSON
	return rules;
}

static Json location(const Frame &frame, const std::string &root, const std::string &message)
{
	Json json = {{"physicalLocation",
		      {{"artifactLocation",
			{{"uri", source_path(frame.file, root)}, {"uriBaseId", "SRCROOT"}}},
		       {"region", {{"startLine", frame.line}}}}},
		     {"message", {{"text", message}}}};
	if (!frame.function.empty())
		json["logicalLocations"] = {{{"fullyQualifiedName", frame.function}}};
	return json;
}

static void add_related(Json &list, const Stack &stack, const std::string &root,
			const std::string &message)
{
	const Frame *frame = source_below(stack, root);
	if (!frame)
		return;
	Json json = location(*frame, root, message);
	json["id"] = list.size() + 1;
	list.push_back(std::move(json));
}

static Json related(const Entry &entry, const std::string &root)
{
	Json list = Json::array();
	if (!entry.earlier.label.empty())
		add_related(list, entry.earlier.stack, root,
			    fmt::format("earlier: {} on {}", entry.earlier.label,
					entry.earlier.stream));
	add_related(list, entry.memory.stack, root, "the memory is allocated here");
	for (const Advice &hint : entry.hints)
		add_related(list, hint.stack, root, hint.text);
	return list;
}

static std::string message_of(const Entry &entry)
{
	std::string text = entry.title + ".";
	if (!entry.order.empty())
		text += " Here " + entry.order + ".";
	for (const Advice &hint : entry.hints)
		text += " Hint: " + hint.text + ".";
	return text;
}

/* One thread flow for each call. It has the call stack, the outermost function first. */
static Json flow(const Call &call, const std::string &root)
{
	Json steps = Json::array();
	for (auto frame = call.stack.rbegin(); frame != call.stack.rend(); ++frame) {
		if (frame->line > 0 && !source_path(frame->file, root).empty())
			steps.push_back({{"location", location(*frame, root, place(*frame))}});
	}
	return {{"id", call.stream}, {"locations", steps}};
}

static Json flows(const Entry &entry, const std::string &root)
{
	Json threads = Json::array();
	for (const Call *call : {&entry.earlier, &entry.later}) {
		Json one = flow(*call, root);
		if (!one["locations"].empty())
			threads.push_back(std::move(one));
	}
	return threads;
}

static Json result_json(const Entry &entry, const Frame &frame, const std::string &root)
{
	Json json = {{"ruleId", entry.rule},
		     {"level", severity_text(entry.severity)},
		     {"message", {{"text", message_of(entry)}}},
		     {"locations",
		      {location(frame, root,
				fmt::format("{} on {}", entry.later.label, entry.later.stream))}},
		     {"partialFingerprints", {{"unpuSan/v1", entry.fingerprint}}},
		     {"occurrenceCount", entry.count}};
	Json list = related(entry, root);
	if (!list.empty())
		json["relatedLocations"] = std::move(list);
	Json threads = flows(entry, root);
	if (!threads.empty())
		json["codeFlows"] = {{{"threadFlows", std::move(threads)}}};
	if (entry.is_known)
		json["baselineState"] = "unchanged";
	return json;
}

static Json notification(const Entry &entry)
{
	return {{"level", severity_text(entry.severity)},
		{"message", {{"text", fmt::format("{}: {}", entry.rule, message_of(entry))}}},
		{"descriptor", {{"id", entry.rule}}}};
}

std::string sarif_report(const Report &report, const std::string &root)
{
	Json results = Json::array();
	Json notifications = Json::array();
	for (const Entry *entry : report.entries()) {
		const Frame *frame = source_below(entry->later.stack, root);
		if (frame)
			results.push_back(result_json(*entry, *frame, root));
		else
			notifications.push_back(notification(*entry));
	}
	const Json run = {{"tool",
			   {{"driver",
			     {{"name", "unpu-san"},
			      {"version", UNPU_VERSION_TEXT},
			      {"rules", rules_json()}}}}},
			  {"originalUriBaseIds",
			   {{"SRCROOT", {{"description", {{"text", "The root of the sources"}}}}}}},
			  {"invocations",
			   {{{"executionSuccessful", report.totals().problems == 0},
			     {"toolExecutionNotifications", notifications}}}},
			  {"columnKind", "unicodeCodePoints"},
			  {"results", results}};
	const Json log = {{"$schema", SCHEMA}, {"version", "2.1.0"}, {"runs", {run}}};
	return base::write_json(log, 2) + "\n";
}

/* A workflow command ends at the end of the line, and a property of it ends at ':' or ','. So these
 * characters are escaped. */
static std::string escape(const std::string &text, bool is_property)
{
	std::string escaped;
	for (const char c : text) {
		const bool special = c == '%' || c == '\r' || c == '\n' ||
				     (is_property && (c == ':' || c == ','));
		if (special)
			escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
		else
			escaped += c;
	}
	return escaped;
}

std::string github_report(const Report &report, const std::string &root)
{
	std::string text;
	for (const Entry *entry : report.entries()) {
		if (entry->is_known)
			continue;
		const char *command = entry->severity == Severity::ERROR ? "error" : "warning";
		if (entry->severity == Severity::NOTE)
			command = "notice";
		const Frame *frame = source_below(entry->later.stack, root);
		text += fmt::format("::{} ", command);
		if (frame)
			text += fmt::format("file={},line={},",
					    escape(source_path(frame->file, root), true),
					    frame->line);
		text += fmt::format("title={}::{}\n", escape("unpu-san " + entry->rule, true),
				    escape(message_of(*entry), false));
	}
	return text;
}

} // namespace san
