// SPDX-License-Identifier: MIT
/**
 * DOC: from findings to a report
 *
 * A mistake in a loop is found in each turn. A report shows it once, with a count: findings with one fingerprint
 * are one entry, which has the calls of the first of them.
 */
#include "san/report/report.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

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

/* What is below main() or the start of a thread is the same in each program. */
static void cut_start(Stack &stack)
{
	static constexpr const char *STARTS[] = {"_start",
						 "__libc_start_main",
						 "__libc_start_main_impl",
						 "__libc_start_call_main",
						 "start_thread",
						 "clone3",
						 "__clone3",
						 "clone"};
	while (stack.size() > 1 && std::find(std::begin(STARTS), std::end(STARTS),
					     stack.back().function) != std::end(STARTS))
		stack.pop_back();
}

namespace {

/* class Collector - makes entries of the findings of one trace. */
class Collector {
public:
	Collector(Resolver &resolver, const Report::Drop &drop, size_t most_repeats)
		: resolver_(resolver), drop_(drop), most_repeats_(most_repeats)
	{
	}

	void take(const Finding &finding)
	{
		if (finding.repeats != 0)
			return repeat(finding.repeats);
		Entry entry = make_entry(finding);
		const bool dropped = drop_ && drop_(entry);
		/* Those of which repeats are recognised are not more. */
		if (seen_.size() < most_repeats_)
			seen_[finding.number] = dropped ? "" : entry.fingerprint;
		if (dropped) {
			totals_.suppressed++;
			return;
		}
		auto found = places_.find(entry.fingerprint);
		if (found != places_.end()) {
			entries_[found->second].count++;
		} else if (entries_.size() < Report::MAX_ENTRIES) {
			places_.emplace(entry.fingerprint, entries_.size());
			entries_.push_back(std::move(entry));
		} else {
			totals_.more++;
		}
	}

	std::vector<Entry> &entries() { return entries_; }
	Totals &totals() { return totals_; }

private:
	void repeat(uint64_t number)
	{
		const std::string &same = seen_[number];
		auto found = places_.find(same);
		if (found != places_.end())
			entries_[found->second].count++;
		else if (same.empty())
			totals_.suppressed++;
		else
			totals_.more++;
	}

	Stack stack(const std::string &site)
	{
		Stack stack = resolver_.stack(site);
		cut_start(stack);
		return stack;
	}

	Call call(const Side &side)
	{
		return {side.command, side.order, side.client, side.stream,
			side.label,   side.role,  side.use,    stack(side.site)};
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
					       step.record, step.label, place(stack(step.site))});
		entry.fingerprint = fingerprint(entry);
		entry.title = title(entry, finding.rule);
		return entry;
	}

	Resolver &resolver_;
	const Report::Drop &drop_;
	size_t most_repeats_;
	/* number of a finding -> its fingerprint; empty when it was dropped */
	std::unordered_map<uint64_t, std::string> seen_;
	std::unordered_map<std::string, size_t> places_;
	std::vector<Entry> entries_;
	Totals totals_;
};

} // namespace

/* What the readers of a run have to say. */
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
	Collector collector(resolver, drop_, options.bounds.findings);
	options.brief = true;
	options.place = [&](const std::string &site) { return place(resolver.stack(site)); };
	Judge judge(options, [&](const Finding &finding) { collector.take(finding); });
	Record record;
	while (merger.next(record))
		judge.take(record);
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
	totals.problems = summary.problems;
	if (summary.problems > 0)
		totals.problem.push_back(fmt::format("{}: {}", traces[0].name, summary.problem));
	add_readers(totals, merger, traces);
	add(totals);
	return "";
}

void Report::add(Entry entry)
{
	auto known = places_.find(entry.fingerprint);
	if (known != places_.end()) {
		entries_[known->second].count += entry.count;
		entries_[known->second].traces += entry.traces;
		return;
	}
	if (entries_.size() >= MAX_ENTRIES) {
		totals_.more += entry.count;
		return;
	}
	places_.emplace(entry.fingerprint, entries_.size());
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

void Report::mark_known(const std::function<bool(const std::string &fingerprint)> &known)
{
	for (Entry &entry : entries_)
		entry.is_known = known(entry.fingerprint);
}

size_t Report::count(Severity severity) const
{
	return static_cast<size_t>(
		std::count_if(entries_.begin(), entries_.end(), [&](const Entry &entry) {
			return entry.severity == severity && !entry.is_known;
		}));
}

} // namespace san
