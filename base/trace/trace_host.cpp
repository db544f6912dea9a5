// SPDX-License-Identifier: MIT
/**
 * DOC: The host's part of a trace file
 *
 * One row per thread: submits, waits and their sleeps in the kernel, host functions, and the program's
 * marks and ranges. Only the beginning of a submit is recorded. It is drawn up to the thread's next
 * entry, but not longer than SUBMIT_NS.
 */
#include <algorithm>

#include "trace_passes.h"
#include "uapi/regs.h"

namespace base {

/* The maximum length of a drawn submit: about its real cost. */
static constexpr uint64_t SUBMIT_NS = 300;

HostPass::HostPass(TraceEvents &events, const HostTrace &trace) : events_(events), trace_(trace)
{
	names_.calls = trace.calls;
	names_.programs = trace.programs;
	/* A wait entry has only the timeline; the submit entries map a timeline to its channel. */
	for (const ThreadTrace &thread : trace.threads) {
		for (const unpu_trace_entry &entry : thread.entries) {
			if (entry.kind == UNPU_TRACE_SUBMIT)
				channels_[{entry.lane, entry.object}] = channel_of(entry.cookie);
		}
	}
}

void HostPass::run()
{
	events_.name_process(trace_.pid, trace_.name);
	for (const ThreadTrace &each : trace_.threads)
		thread(each);
}

void HostPass::thread(const ThreadTrace &thread)
{
	const auto &entries = thread.entries;
	Open open;
	open.place = {trace_.pid, thread.tid};
	events_.name_row(open.place, thread.name);
	if (thread.overwritten && !entries.empty())
		events_.instant(
			open.place, entries.front().time_ns,
			fmt::format("{} earlier entries were overwritten", thread.overwritten));
	for (size_t i = 0; i < entries.size(); i++) {
		bool last = i + 1 == entries.size();
		entry(open, entries[i],
		      last ? entries[i].time_ns + SUBMIT_NS : entries[i + 1].time_ns);
	}
	uint64_t end_ns = entries.empty() ? 0 : entries.back().time_ns;
	while (!open.ranges.empty())
		range_pop(open, end_ns);
	if (open.is_waiting)
		events_.slice(open.place, open.wait_ns, end_ns, "wait", "\"unfinished\":true");
	if (open.is_calling)
		events_.slice(open.place, open.call_ns, end_ns, "host function",
			      "\"unfinished\":true");
}

void HostPass::entry(Open &open, const unpu_trace_entry &entry, uint64_t next_ns)
{
	switch (entry.kind) {
	case UNPU_TRACE_SUBMIT:
		submit(open, entry, next_ns);
		break;
	case UNPU_TRACE_DOORBELL:
		events_.instant(open.place, entry.time_ns, "doorbell",
				entry.object == UNPU_DOORBELL_MAILBOX
					? "\"channel\":\"mailbox\""
					: fmt::format("\"channel\":{}", entry.object));
		break;
	case UNPU_TRACE_KICK:
		events_.instant(open.place, entry.time_ns, "kick");
		break;
	case UNPU_TRACE_WAIT_BEGIN:
		open.is_waiting = true;
		open.wait_ns = entry.time_ns;
		open.sleep_ns = 0;
		break;
	case UNPU_TRACE_WAIT_SLEEP:
		open.sleep_ns = entry.time_ns;
		break;
	case UNPU_TRACE_WAIT_END:
		wait_end(open, entry);
		break;
	case UNPU_TRACE_CALL_BEGIN:
		open.is_calling = true;
		open.call_ns = entry.time_ns;
		events_.to(key(entry, ArrowKind::CALL), open.place, entry.time_ns);
		break;
	case UNPU_TRACE_CALL_END:
		call_end(open, entry);
		break;
	default:
		range(open, entry);
		break;
	}
}

ArrowKey HostPass::key(const unpu_trace_entry &entry, ArrowKind kind) const
{
	ArrowKey key;
	if (entry.lane < trace_.attachments.size()) {
		key.generation = trace_.attachments[entry.lane].generation;
		key.session = trace_.attachments[entry.lane].session;
	}
	key.object = kind == ArrowKind::CALL ? 0 : entry.object;
	key.value = entry.value;
	key.kind = kind;
	return key;
}

void HostPass::submit(Open &open, const unpu_trace_entry &entry, uint64_t next_ns)
{
	uint64_t call = call_of(entry.cookie);
	std::string name = "submit";
	if (call > 0 && call < trace_.calls.size())
		name = trace_.calls[call];
	if (open.named_call != 0 && open.named_call == call) {
		name = text(open.name);
		ArrowKey task = key(entry, ArrowKind::SUBMIT);
		names_.marks[{task.generation, task.session, entry.cookie}] = name;
		open.named_call = 0;
	}
	events_.slice(open.place, entry.time_ns, std::min(entry.time_ns + SUBMIT_NS, next_ns), name,
		      fmt::format("\"channel\":{},\"packet\":{}", channel_of(entry.cookie),
				  entry.cookie & INDEX_MASK));
	events_.from(key(entry, ArrowKind::SUBMIT), open.place, entry.time_ns + 1);
}

std::string HostPass::wait_name(const unpu_trace_entry &entry) const
{
	if (entry.object == UNPU_SEM_MAILBOX)
		return "wait for the mailbox";
	auto channel = channels_.find({entry.lane, entry.object});
	if (channel == channels_.end() || channel->second == GRAPH_CHANNEL)
		return fmt::format("wait for semaphore {}", entry.object);
	return fmt::format("wait for stream {}", channel->second);
}

void HostPass::wait_end(Open &open, const unpu_trace_entry &entry)
{
	if (!open.is_waiting)
		return;
	open.is_waiting = false;
	events_.slice(open.place, open.wait_ns, entry.time_ns, wait_name(entry),
		      fmt::format("\"semaphore\":{},\"value\":{},\"status\":\"{}\"", entry.object,
				  entry.value, status_name(static_cast<Status>(entry.cookie))));
	if (open.sleep_ns)
		events_.slice(open.place, open.sleep_ns, entry.time_ns - 1, "asleep");
	if (entry.cookie == 0)
		events_.to(key(entry, ArrowKind::FENCE), open.place, entry.time_ns - 1);
}

void HostPass::call_end(Open &open, const unpu_trace_entry &entry)
{
	if (!open.is_calling)
		return;
	open.is_calling = false;
	events_.slice(open.place, open.call_ns, entry.time_ns, "host function");
}

std::string HostPass::text(uint64_t id) const
{
	return id < trace_.texts.size() ? trace_.texts[id] : "";
}

std::string HostPass::category(uint32_t id) const
{
	return id == 0 ? "" : "\"category\":" + json_text(text(id));
}

/* "DEVICE.CHANNEL.PACKET":"text", the key by which a merge finds a task. */
std::string HostPass::mark_list() const
{
	std::vector<std::string> marks;
	for (const auto &[task, name] : names_.marks) {
		auto device = std::find_if(
			trace_.attachments.begin(), trace_.attachments.end(),
			[&, generation = task.generation](const TraceAttachment &each) {
				return each.generation == generation;
			});
		if (device != trace_.attachments.end())
			marks.push_back(fmt::format("\"{}.{}.{}\":{}", device->device,
						    channel_of(task.cookie),
						    task.cookie & INDEX_MASK, json_text(name)));
	}
	return fmt::format("{}", fmt::join(marks, ","));
}

void HostPass::range_pop(Open &open, uint64_t end_ns)
{
	if (open.ranges.empty())
		return;
	const Range &range = open.ranges.back();
	events_.slice(open.place, range.start_ns, end_ns, text(range.text),
		      category(range.category));
	open.ranges.pop_back();
}

void HostPass::range(Open &open, const unpu_trace_entry &entry)
{
	switch (entry.kind) {
	case UNPU_TRACE_MARK:
		open.named_call = call_of(entry.cookie);
		open.name = entry.value;
		events_.instant(open.place, entry.time_ns, text(entry.value),
				category(entry.object));
		break;
	case UNPU_TRACE_RANGE_PUSH:
		open.ranges.push_back({entry.time_ns, entry.value, entry.object});
		break;
	case UNPU_TRACE_RANGE_POP:
		range_pop(open, entry.time_ns);
		break;
	case UNPU_TRACE_RANGE_START:
		ranges_[entry.cookie] = {entry.time_ns, entry.value, entry.object};
		break;
	case UNPU_TRACE_RANGE_STOP:
		if (auto found = ranges_.find(entry.cookie); found != ranges_.end()) {
			const Range &range = found->second;
			events_.range(trace_.pid, entry.cookie, range.start_ns, entry.time_ns,
				      text(range.text), category(range.category));
			ranges_.erase(found);
		}
		break;
	default:
		break;
	}
}

} // namespace base
