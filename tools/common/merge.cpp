// SPDX-License-Identifier: MIT
/**
 * DOC: Merging trace files
 *
 * All processes of a machine use one clock, so the merge mainly joins their event lists. In addition it
 * names the tasks of a firmware's file by the call names in its clients' files, and it joins the two ends of
 * each arrow between processes, which have the same key in both files.
 */
#include "merge.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/text.h"

namespace tool {

using Json = nlohmann::ordered_json;

namespace {

/* The first letter of an arrow's key: the kinds of its two ends. */
constexpr char SUBMIT = 's';
constexpr char CALL = 'c';

class Merge {
public:
	std::string add(const std::string &path);
	std::string write(const std::string &path);
	Merged counts() const { return {events_.size(), arrows_, loose_ends_, ""}; }

private:
	void add_ends(const Json &file);
	void name_tasks();
	void name_node(Json &event, const std::string &owner) const;
	void draw_arrows();
	Json other() const;

	Json events_ = Json::array();
	Json calls_ = Json::object(); /* for each process, the names of its calls by number */
	/* for each process, the names of its tasks by device, channel and packet */
	Json marks_ = Json::object();
	/* for each process, since when and with which number a program has nodes of which names */
	Json nodes_ = Json::object();
	uint64_t overwritten_ = 0;
	std::string version_;
	std::map<std::string, Json> from_; /* key -> [key, process, row, time] */
	std::vector<Json> to_;
	Json left_ = Json::array();
	size_t arrows_ = 0;
	size_t loose_ends_ = 0;
};

const char *arrow_name(const std::string &key)
{
	switch (key.empty() ? 0 : key[0]) {
	case SUBMIT:
		return "submit";
	case CALL:
		return "call";
	default:
		return "done";
	}
}

Json half_arrow(const char *phase, const std::string &id, const Json &end)
{
	return {{"ph", phase},	    {"bp", "e"},
		{"cat", "unpu"},    {"id", id},
		{"pid", end.at(1)}, {"tid", end.at(2)},
		{"ts", end.at(3)},  {"name", arrow_name(end.at(0).get<std::string>())}};
}

std::string Merge::add(const std::string &path)
{
	std::ifstream stream(path);
	if (!stream)
		return fmt::format("{}: the file can't be read", path);
	Json file = base::read_json<Json>(std::string(std::istreambuf_iterator<char>(stream), {}));
	if (!file.is_object() || !file["traceEvents"].is_array() ||
	    !file["unpuLooseEnds"].is_object() || !file["otherData"].is_object())
		return fmt::format("{}: this is not a trace that unpu wrote", path);
	for (Json &event : file["traceEvents"])
		events_.push_back(std::move(event));
	Json &about = file["otherData"];
	overwritten_ += about.value("overwritten", uint64_t{0});
	version_ = about.value("version", version_);
	if (about.contains("calls"))
		calls_.update(about["calls"]);
	if (about.contains("marks"))
		marks_.update(about["marks"]);
	if (about.contains("nodes"))
		nodes_.update(about["nodes"]);
	add_ends(file["unpuLooseEnds"]);
	return "";
}

void Merge::add_ends(const Json &file)
{
	for (const Json &end : file.value("from", Json::array()))
		from_[end.at(0).get<std::string>()] = end;
	for (const Json &end : file.value("to", Json::array()))
		to_.push_back(end);
}

void Merge::name_node(Json &event, const std::string &owner) const
{
	const Json &args = event["args"];
	const auto programs = nodes_.find(owner);
	if (programs == nodes_.end() || !args.contains("program"))
		return;
	for (const Json &program : *programs) {
		const Json &names = program.at(2);
		if (program.at(1) != args["program"] ||
		    program.at(0).get<double>() > event.value("ts", 0.0) || names.empty())
			continue;
		event["name"] = names[std::min(args.value("node", size_t{0}), names.size() - 1)];
	}
}

/* A firmware's file has only the numbers of its clients' calls. */
void Merge::name_tasks()
{
	for (Json &event : events_) {
		if (event.value("ph", "") != "X" || !event.contains("args"))
			continue;
		const Json &args = event["args"];
		const auto call = args.value("call", size_t{0});
		if (call == 0 || !args.contains("pid"))
			continue;
		const std::string owner = base::write_json(args["pid"]);
		const auto names = calls_.find(owner);
		if (names != calls_.end() && call < names->size())
			event["name"] = (*names)[call];
		name_node(event, owner);
		const auto marks = marks_.find(owner);
		if (marks == marks_.end() || !args.contains("packet") || !args.contains("channel"))
			continue;
		/* The low bits of a device's pseudo process id are the device number. */
		const auto mark = marks->find(fmt::format(
			"{}.{}.{}", event["pid"].get<uint32_t>() & 15,
			base::write_json(args["channel"]), base::write_json(args["packet"])));
		if (mark != marks->end())
			event["name"] = *mark;
	}
}

void Merge::draw_arrows()
{
	std::set<std::string> met;
	const size_t before = events_.size();
	for (const Json &to : to_) {
		const auto key = to.at(0).get<std::string>();
		const auto from = from_.find(key);
		if (from == from_.end()) {
			left_.push_back(to);
			continue;
		}
		met.insert(key);
		arrows_++;
		const std::string id = fmt::format("m{}.{}", before, arrows_);
		events_.push_back(half_arrow("s", id, from->second));
		events_.push_back(half_arrow("f", id, to));
	}
	std::erase_if(from_, [&](const auto &end) { return met.contains(end.first); });
	/* A task for which no thread waited is normal; a submit without its task is a loose end. */
	loose_ends_ =
		left_.size() +
		static_cast<size_t>(std::count_if(from_.begin(), from_.end(), [](const auto &end) {
			return end.first[0] == SUBMIT;
		}));
}

Json Merge::other() const
{
	return {{"calls", calls_},
		{"marks", marks_},
		{"nodes", nodes_},
		{"version", version_},
		{"overwritten", overwritten_}};
}

std::string Merge::write(const std::string &path)
{
	name_tasks();
	draw_arrows();
	Json from = Json::array();
	for (const auto &[key, end] : from_)
		from.push_back(end);
	const Json file = {{"displayTimeUnit", "ns"},
			   {"traceEvents", events_},
			   {"unpuLooseEnds", {{"from", from}, {"to", left_}}},
			   {"otherData", other()}};
	std::ofstream stream(path);
	stream << base::write_json(file) << '\n';
	stream.flush();
	return stream ? "" : fmt::format("{}: the file can't be written", path);
}

} // namespace

Merged merge_traces(const std::vector<std::string> &files, const std::string &out)
{
	Merge merge;
	std::string why;
	try {
		for (const std::string &file : files) {
			if (why.empty())
				why = merge.add(file);
		}
		if (why.empty())
			why = merge.write(out);
	} catch (const Json::exception &) {
		why = "a file has parts that unpu did not write";
	}
	Merged merged = merge.counts();
	merged.why = why;
	return merged;
}

} // namespace tool
