// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-time: from traces to answers
 */
#include "time_model.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "san/trace/merge.h"
#include "time/graph/builder.h"
#include "tools/san/output_files.h"

namespace timing::tool {

using san::tool::File;

/* "copy.h2d=2x" makes steps faster, "host.call=2us" sets a figure. */
std::string Model::read_set(const std::string &text)
{
	constexpr uint64_t MILLION = 1'000'000;
	const size_t at = text.find('=');
	if (at == std::string::npos)
		return fmt::format("--set {}: it must be STEPS=FACTORx or FIGURE=VALUE", text);
	const std::string name = text.substr(0, at);
	const std::string value = text.substr(at + 1);
	if (!value.ends_with('x')) {
		const std::string problem = profile_.set(name, value);
		return problem.empty() ? "" : fmt::format("--set {}: {}", text, problem);
	}
	Speed speed;
	if (!Selector::parse(name, speed.steps) ||
	    !parse_number(value.substr(0, value.size() - 1), MILLION, speed.of) || speed.of == 0)
		return fmt::format("--set {}: it must be STEPS=FACTORx, as copy.h2d=2x", text);
	speeds_.push_back(std::move(speed));
	return "";
}

std::string Model::read_merge(const std::string &text)
{
	const size_t comma = std::min(text.find(','), text.size());
	uint64_t first = 0;
	uint64_t second = 0;
	if (comma == text.size() || !parse_number(text.substr(0, comma), 1, first) ||
	    !parse_number(text.substr(comma + 1), 1, second) || first == 0 || second == 0 ||
	    first == second)
		return fmt::format("--merge {}: it must be two streams of the report, as 1,2",
				   text);
	changes_.merged.emplace_back(static_cast<uint32_t>(first), static_cast<uint32_t>(second));
	return "";
}

/* A call stack in a few words: its innermost frame, which is the program's call. */
std::string Model::place(const std::string &site)
{
	const san::Stack stack = resolver_.stack(site);
	if (stack.empty())
		return "";
	const san::Frame &frame = stack.front();
	if (!frame.file.empty())
		return fmt::format("{}:{} {}",
				   std::filesystem::path(frame.file).filename().string(),
				   frame.line, frame.function);
	if (!frame.function.empty())
		return frame.function;
	return fmt::format("{}+{:#x}", std::filesystem::path(frame.module).filename().string(),
			   frame.offset);
}

std::string Model::prepare(const Wishes &wishes, bool is_changed)
{
	std::string problem;
	if (wishes.profile != "plain") {
		const File file(wishes.profile);
		problem = file.problem();
		if (problem.empty())
			problem = profile_.read({file.bytes().data(), file.bytes().size()});
		if (!problem.empty())
			return fmt::format("--profile {}: {}", wishes.profile, problem);
	}
	if (!is_changed)
		return "";
	for (size_t i = 0; problem.empty() && i < wishes.sets.size(); i++)
		problem = read_set(wishes.sets[i]);
	for (size_t i = 0; problem.empty() && i < wishes.merges.size(); i++)
		problem = read_merge(wishes.merges[i]);
	no_waits_ = wishes.no_waits;
	found_.assign(no_waits_.size(), 0);
	if (!no_waits_.empty())
		changes_.drops_wait = [this](const std::string &site) {
			const std::string text = place(site);
			for (size_t i = 0; i < no_waits_.size(); i++) {
				if (text.find(no_waits_[i]) == std::string::npos)
					continue;
				found_[i]++;
				return true;
			}
			return false;
		};
	return problem;
}

/* The traces of one run. */
static std::string list_traces(const std::string &path, std::vector<std::string> &traces)
{
	std::error_code error;
	if (!std::filesystem::is_directory(path, error)) {
		traces.push_back(path);
		return "";
	}
	for (const auto &each : std::filesystem::directory_iterator(path, error)) {
		if (each.path().extension() == ".unpusan")
			traces.push_back(each.path());
	}
	std::sort(traces.begin(), traces.end());
	return traces.empty() ? path + ": there is no trace in this folder" : "";
}

std::string Model::read(const std::string &path, Answer &answer)
{
	std::vector<std::string> traces;
	const std::string problem = list_traces(path, traces);
	if (!problem.empty())
		return problem;
	std::vector<std::unique_ptr<File>> files;
	san::Merger merger;
	for (const std::string &trace : traces) {
		files.push_back(std::make_unique<File>(trace));
		if (!files.back()->problem().empty())
			return files.back()->problem();
		if (!merger.add(files.back()->bytes()))
			return fmt::format("{}: there are more traces than {}", path,
					   san::Merger::MOST_TRACES);
	}
	Builder builder(changes_);
	san::Record record;
	while (merger.next(record))
		builder.take(record);
	for (size_t i = 0; i < merger.count(); i++) {
		if (!merger.reader(i).problem().empty())
			return fmt::format("{}: {}", traces[i], merger.reader(i).problem());
		if (merger.reader(i).is_cut())
			return fmt::format("{}: it ends inside of a record; only a whole trace "
					   "tells how long the program takes",
					   traces[i]);
	}
	Graph graph = builder.finish();
	for (const auto &[first, second] : changes_.merged) {
		const size_t last = std::max(first, second);
		if (last > graph.lines.size())
			return fmt::format("--merge {},{}: the program has {} streams", first,
					   second, graph.lines.size());
		if (graph.lines[first - 1].client != graph.lines[second - 1].client)
			return fmt::format("--merge {},{}: they are of two processes", first,
					   second);
	}
	for (size_t i = 0; i < no_waits_.size(); i++) {
		if (found_[i] == 0)
			return fmt::format("--no-wait {}: no stream waits at such a place",
					   no_waits_[i]);
	}
	answer = answer_of(std::move(graph), profile_, speeds_);
	answer.place = [this](const std::string &site) { return place(site); };
	return "";
}

} // namespace timing::tool
