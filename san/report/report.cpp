// SPDX-License-Identifier: MIT
/**
 * DOC: from findings to a report
 *
 * A mistake in a loop is found in each iteration. A report shows it once, with a count: findings with one
 * fingerprint are one entry, which has the calls of the first of them.
 */
#include "san/report/report.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "san/report/marks.h"
#include "san/trace/merge.h"

namespace san {

const Frame *source(const Stack &stack)
{
	for (const Frame &frame : stack) {
		if (!frame.file.empty() && frame.line > 0)
			return &frame;
	}
	return nullptr;
}

static std::string name_of(const std::string &path)
{
	return std::filesystem::path(path).filename();
}

std::string place(const Frame &frame)
{
	const std::string function = frame.function.empty() ? "" : frame.function + "()";
	if (!frame.file.empty())
		return fmt::format("{}{}{}:{}", function, function.empty() ? "" : " ",
				   name_of(frame.file), frame.line);
	if (frame.module.empty())
		return frame.function;
	if (!function.empty())
		return fmt::format("{} in {}", function, name_of(frame.module));
	return fmt::format("{}+{:#x}", name_of(frame.module), frame.offset);
}

std::string place(const Stack &stack)
{
	if (stack.empty())
		return "";
	const Frame *best = source(stack);
	return place(best ? *best : stack.front());
}

/* Whether a frame is the start of a program, of a thread or of a test: main(), or a function that calls
 * it. */
static bool is_start(const Frame &frame)
{
	static constexpr const char *STARTS[] = {"_start",
						 "__libc_start_main",
						 "__libc_start_main_impl",
						 "__libc_start_call_main",
						 "start_thread",
						 "clone3",
						 "__clone3",
						 "clone"};
	static constexpr const char *START_FOLDERS[] = {"/_pytest/", "/pluggy/"};
	return std::find(std::begin(STARTS), std::end(STARTS), frame.function) !=
		       std::end(STARTS) ||
	       std::any_of(std::begin(START_FOLDERS), std::end(START_FOLDERS),
			   [&](const char *folder) {
				   return frame.file.find(folder) != std::string::npos;
			   });
}

/* Removes the frames below the start, because they are the same in each program. */
static void cut_start(Stack &stack)
{
	while (stack.size() > 1 && is_start(stack.back()))
		stack.pop_back();
}

static Stack stack_of_program(Resolver &resolver, const std::string &site)
{
	Stack stack = resolver.stack(site);
	cut_start(stack);
	return stack;
}

/* A key that all findings of one entry share. */
static std::string entry_key(const Entry &entry, bool by_part)
{
	if (!by_part || entry.during.empty())
		return entry.fingerprint;
	return entry.fingerprint + '\n' + entry.during.front();
}

namespace {

/* class Collector - turns the findings of one trace into entries. */
class Collector {
public:
	Collector(Resolver &resolver, const Report::Drop &drop, const Marks &marks, Places &places,
		  bool by_part, size_t most_repeats)
		: resolver_(resolver), drop_(drop), marks_(marks), all_places_(places),
		  by_part_(by_part), most_repeats_(most_repeats)
	{
	}

	void take(const Finding &finding)
	{
		const std::string &part = marks_.part(finding.later.client, finding.later.order);
		if (finding.repeats != 0)
			return repeat(finding.repeats, part);
		Entry entry = make_entry(finding);
		entry.add_part(part);
		const bool dropped = drop_ && drop_(entry);
		/* The reporter recognises repeats of no more findings, so more need not be kept. */
		if (seen_.size() < most_repeats_)
			seen_[finding.number] = dropped ? "" : entry_key(entry, by_part_);
		if (dropped)
			totals_.suppressed++;
		else
			add(std::move(entry));
	}

	std::vector<Entry> &entries() { return entries_; }
	Totals &totals() { return totals_; }

private:
	void add(Entry entry)
	{
		const std::string key = entry_key(entry, by_part_);
		auto found = places_.find(key);
		if (found != places_.end()) {
			entries_[found->second].count++;
			for (const std::string &part : entry.during)
				entries_[found->second].add_part(part);
		} else if (entries_.size() < Report::MAX_ENTRIES) {
			places_.emplace(key, entries_.size());
			entries_.push_back(std::move(entry));
		} else {
			totals_.more++;
		}
	}

	void repeat(uint64_t number, const std::string &part)
	{
		const std::string &same = seen_[number];
		auto found = places_.find(same);
		if (found == places_.end()) {
			(same.empty() ? totals_.suppressed : totals_.more)++;
			return;
		}
		Entry &first = entries_[found->second];
		if (!by_part_ || part.empty() || first.during.empty() ||
		    first.during.front() == part) {
			first.count++;
			first.add_part(part);
			return;
		}
		/* The calls are the same, but another part of the program made them. */
		Entry entry = first;
		entry.count = 1;
		entry.during = {part};
		add(std::move(entry));
	}

	Stack stack(const std::string &site) { return stack_of_program(resolver_, site); }

	Call call(const Side &side)
	{
		return {side.command,
			side.order,
			side.task,
			side.client,
			side.stream,
			side.label,
			side.role,
			side.use,
			stack(side.site),
			side.launch,
			stack(side.launch_site)};
	}

	Entry make_entry(const Finding &finding)
	{
		Entry entry;
		entry.rule = rule_text(finding.rule);
		entry.severity = rule_severity(finding.rule);
		entry.later = call(finding.later);
		entry.earlier = call(finding.earlier);
		const MemoryText &memory = finding.memory;
		if (memory.is_known)
			entry.memory = {true,
					memory.label,
					memory.address,
					memory.bytes,
					memory.overlap.begin,
					memory.overlap.end,
					stack(memory.site)};
		entry.order = finding.order;
		for (const Hint &hint : finding.hints)
			entry.hints.push_back({hint.code, hint.text, stack(hint.site)});
		entry.circle = finding.circle;
		for (const Step &step : finding.steps)
			entry.steps.push_back({step.what, step.is_later, step.order, step.number,
					       step.record, step.label, place(stack(step.site)),
					       step.task});
		entry.fingerprint = fingerprint(entry, all_places_.number(entry));
		entry.title = title(entry, finding.rule);
		return entry;
	}

	Resolver &resolver_;
	const Report::Drop &drop_;
	const Marks &marks_;
	Places &all_places_;
	bool by_part_;
	size_t most_repeats_;
	/* number of a finding -> key of its entry; empty: the finding was dropped */
	std::unordered_map<uint64_t, std::string> seen_;
	std::unordered_map<std::string, size_t> places_;
	std::vector<Entry> entries_;
	Totals totals_;
};

} // namespace

/* Adds the counts and problems of all readers of a run. */
static void add_readers(Totals &totals, const Merger &merger, std::span<const Trace> traces)
{
	totals.traces = merger.count();
	for (size_t i = 0; i < merger.count(); i++) {
		const Reader &reader = merger.reader(i);
		totals.cut += reader.is_cut();
		if (reader.problem().empty())
			continue;
		totals.problems++;
		totals.problem.push_back(fmt::format("{}: {}", traces[i].name, reader.problem()));
	}
}

std::string Report::add_run(std::span<const Trace> traces, Resolver &resolver, Options options)
{
	Merger merger;
	for (const Trace &trace : traces) {
		const Reader reader(trace.bytes);
		if (!reader.problem().empty())
			return fmt::format("{}: {}", trace.name, reader.problem());
		if (!merger.add(trace.bytes))
			return fmt::format("{}: a run has {} traces at most", trace.name,
					   Merger::MOST_TRACES);
	}
	Marks marks;
	Collector collector(resolver, drop_, marks, all_places_, by_part_, options.bounds.findings);
	options.brief = true;
	options.place = [&](const std::string &site) {
		return place(stack_of_program(resolver, site));
	};
	Judge judge(options, [&](const Finding &finding) { collector.take(finding); });
	Record record;
	while (merger.next(record)) {
		marks.take(record);
		judge.take(record);
		collector.totals().cut += record.kind == Kind::LOST;
	}
	judge.finish();
	for (Entry &entry : collector.entries())
		add(std::move(entry));

	const Summary summary = judge.summary();
	Totals &totals = collector.totals();
	totals.records = summary.records;
	totals.commands = summary.commands;
	totals.undecided = summary.undecided;
	totals.forgotten = summary.forgotten;
	totals.unknown = summary.unknown;
	totals.uncompared = summary.uncompared;
	totals.unawaited = summary.unawaited;
	totals.has_kernels = summary.has_kernels;
	totals.problems = summary.problems;
	if (summary.problems > 0)
		totals.problem.push_back(fmt::format("{}: {}", traces[0].name, summary.problem));
	add_readers(totals, merger, traces);
	add(totals);
	return "";
}

void Report::add(Entry entry)
{
	if (drop_ && drop_(entry)) {
		totals_.suppressed += entry.count;
		return;
	}
	const std::string key = entry_key(entry, by_part_);
	auto known = places_.find(key);
	if (known != places_.end()) {
		Entry &same = entries_[known->second];
		same.count += entry.count;
		same.traces += entry.traces;
		for (const std::string &part : entry.during)
			same.add_part(part);
		return;
	}
	if (entries_.size() >= MAX_ENTRIES) {
		totals_.more += entry.count;
		return;
	}
	places_.emplace(key, entries_.size());
	entries_.push_back(std::move(entry));
}

void Report::add(const Totals &totals)
{
	totals_.traces += totals.traces;
	totals_.cut += totals.cut;
	totals_.records += totals.records;
	totals_.commands += totals.commands;
	totals_.undecided += totals.undecided;
	totals_.forgotten += totals.forgotten;
	totals_.unknown += totals.unknown;
	totals_.uncompared += totals.uncompared;
	totals_.unawaited += totals.unawaited;
	totals_.has_kernels |= totals.has_kernels;
	totals_.suppressed += totals.suppressed;
	totals_.more += totals.more;
	totals_.problems += totals.problems;
	totals_.problem.insert(totals_.problem.end(), totals.problem.begin(), totals.problem.end());
}

std::vector<const Entry *> Report::entries() const
{
	std::vector<const Entry *> sorted;
	for (const Entry &entry : entries_)
		sorted.push_back(&entry);
	std::stable_sort(sorted.begin(), sorted.end(),
			 [](const Entry *a, const Entry *b) { return a->severity > b->severity; });
	return sorted;
}

/* The places in the program of all entries of one kind and the same functions, in their order. */
static std::map<std::string, std::vector<std::string>> places_of(const std::vector<Entry> &entries)
{
	std::map<std::string, std::vector<std::string>> all;
	for (const Entry &entry : entries) {
		std::vector<std::string> &places = all[fingerprint(entry)];
		const std::string place = place_of(entry);
		if (std::find(places.begin(), places.end(), place) == places.end())
			places.push_back(place);
	}
	return all;
}

void Report::mark_known(const Report &baseline)
{
	auto known = places_of(baseline.entries_);
	for (const auto &[kind, mine] : places_of(entries_)) {
		std::vector<std::string> &old = known[kind];
		const auto is_old = [&](const std::string &place) {
			return std::find(old.begin(), old.end(), place) != old.end();
		};
		size_t moved = old.size() -
			       static_cast<size_t>(std::count_if(mine.begin(), mine.end(), is_old));
		for (const std::string &place : mine) {
			if (moved == 0 || is_old(place))
				continue;
			old.push_back(place);
			moved--;
		}
	}
	for (Entry &entry : entries_) {
		const std::vector<std::string> &old = known[fingerprint(entry)];
		entry.is_known = std::find(old.begin(), old.end(), place_of(entry)) != old.end();
	}
}

size_t Report::count(Severity severity) const
{
	return static_cast<size_t>(
		std::count_if(entries_.begin(), entries_.end(), [&](const Entry &entry) {
			return entry.severity == severity && !entry.is_known;
		}));
}

} // namespace san
