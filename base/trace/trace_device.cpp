// SPDX-License-Identifier: MIT
/**
 * DOC: The device's part of a trace file
 *
 * One row per channel (stream) with its tasks, one per line of a running graph, one per engine, and one
 * for the device with mailbox requests, sleeps and wake calls.
 *
 * Only one thread at a time writes a device's entries. So entries that directly follow the end of a task are
 * caused by it: its signals, and the tasks that these signals wake.
 */
#include <algorithm>

#include "trace_passes.h"
#include "uapi/mailbox.h"
#include "uapi/packet.h"
#include "uapi/regs.h"

namespace base {

static const char *opcode_name(uint32_t opcode)
{
	switch (opcode) {
#define BASE_OPCODE_NAME(name, number) \
	case UNPU_OP_##name: \
		return #name;
		UNPU_OPCODE_LIST(BASE_OPCODE_NAME)
#undef BASE_OPCODE_NAME
	default:
		return "packet";
	}
}

static const char *message_name(uint32_t type)
{
	switch (type) {
#define BASE_MESSAGE_NAME(name, number) \
	case UNPU_MSG_##name: \
		return #name;
		UNPU_MESSAGE_LIST(BASE_MESSAGE_NAME)
#undef BASE_MESSAGE_NAME
	default:
		return "message";
	}
}

/* The name of what a parked task waits for. */
static const char *park_name(uint32_t opcode, uint32_t sem)
{
	if (sem != UNPU_SEM_NONE)
		return "parked";
	switch (opcode) {
	case UNPU_OP_GRAPH:
		return "graph runs";
	case UNPU_OP_HOST_CALL:
		return "host function";
	default:
		return "in an engine";
	}
}

DevicePass::DevicePass(TraceEvents &events, const DeviceTrace &trace, const TaskNames &names)
	: events_(events), trace_(trace),
	  names_(names), device_{device_process(trace.pid, trace.device), DEVICE_ROW}
{
}

void DevicePass::run()
{
	events_.name_process(device_.process,
			     fmt::format("device {} ({})", trace_.device, trace_.name));
	events_.name_row(device_, "device");
	if (trace_.overwritten && !trace_.entries.empty())
		events_.instant(
			device_, trace_.entries.front().time_ns,
			fmt::format("{} earlier entries were overwritten", trace_.overwritten));
	for (const unpu_trace_entry &each : trace_.entries)
		entry(each);
	jobs();
	end_message(last_ns_);
	end_sleep(last_ns_);
	for (auto &[key, row] : channels_)
		end(row, last_ns_, false);
	for (auto &[key, row] : lines_)
		end(row, last_ns_, false);
}

const TraceClient *DevicePass::client(uint32_t number, uint64_t time_ns) const
{
	auto newest = std::find_if(trace_.clients.rbegin(), trace_.clients.rend(),
				   [&](const TraceClient &each) {
					   return each.client == number && each.since_ns <= time_ns;
				   });
	return newest == trace_.clients.rend() ? nullptr : &*newest;
}

ArrowKey DevicePass::key(const unpu_trace_entry &entry, uint32_t object, uint64_t value,
			 ArrowKind kind) const
{
	const TraceClient *owner = client(entry.client, entry.time_ns);
	return {trace_.generation, owner ? owner->session : 0, value, object, kind};
}

/* Names a client's row, with the client's process id in front if it is not the device's process. */
void DevicePass::name_row(const Row &row, const TraceClient *owner, const std::string &name)
{
	if (owner && owner->pid != trace_.pid)
		events_.name_row(row.place, fmt::format("pid {} {}", owner->pid, name));
	else
		events_.name_row(row.place, name);
}

DevicePass::Row &DevicePass::channel(const unpu_trace_entry &entry)
{
	const TraceClient *owner = client(entry.client, entry.time_ns);
	uint64_t session = owner ? owner->session : 0;
	Row &row = channels_[{session, entry.lane}];
	if (row.place.row != 0)
		return row;
	auto block = static_cast<uint32_t>(
		sessions_.try_emplace(session, sessions_.size()).first->second);
	row.place = {device_.process, FIRST_CHANNEL_ROW + block * ROWS_PER_SESSION + entry.lane};
	row.lane = entry.lane;
	name_row(row, owner, fmt::format("stream {}", entry.lane));
	return row;
}

DevicePass::Row &DevicePass::line(const unpu_trace_entry &entry)
{
	const TraceClient *owner = client(entry.client, entry.time_ns);
	uint64_t session = owner ? owner->session : 0;
	Row &row = lines_[{session, entry.value, entry.lane}];
	if (row.place.row != 0)
		return row;
	row.place = {device_.process, FIRST_LINE_ROW + static_cast<uint32_t>(lines_.size())};
	row.is_node = true;
	for (const auto &[key, launcher] : channels_) {
		if (key.first == session && launcher.timeline == entry.value)
			row.lane = launcher.lane;
	}
	name_row(row, owner, fmt::format("graph on stream {}, line {}", row.lane, entry.lane));
	return row;
}

void DevicePass::entry(const unpu_trace_entry &entry)
{
	if (entry.kind == UNPU_TRACE_JOB) {
		jobs_.push_back(entry);
		return;
	}
	last_ns_ = entry.time_ns;
	switch (entry.kind) {
	case UNPU_TRACE_SIGNAL:
	case UNPU_TRACE_WAKE_CALL:
	case UNPU_TRACE_WAKE:
	case UNPU_TRACE_NODE_WAKE:
		break;
	default:
		/* An unrelated entry: the task that ended before did not cause what follows. */
		last_.is_known = false;
		signal_ = {};
		break;
	}
	if (entry.kind >= UNPU_TRACE_FETCH && entry.kind <= UNPU_TRACE_FAULT)
		task_entry(entry);
	else
		device_entry(entry);
}

void DevicePass::task_entry(const unpu_trace_entry &entry)
{
	switch (entry.kind) {
	case UNPU_TRACE_FETCH:
		fetch(entry);
		break;
	case UNPU_TRACE_START:
		start(entry, channel(entry));
		break;
	case UNPU_TRACE_NODE_START:
		start(entry, line(entry));
		break;
	case UNPU_TRACE_END:
		end(channel(entry), entry.time_ns, true);
		break;
	case UNPU_TRACE_NODE_END:
		end(line(entry), entry.time_ns, true);
		break;
	case UNPU_TRACE_PARK:
		park(entry, channel(entry));
		break;
	case UNPU_TRACE_NODE_PARK:
		park(entry, line(entry));
		break;
	case UNPU_TRACE_WAKE:
		wake(entry, channel(entry));
		break;
	case UNPU_TRACE_NODE_WAKE:
		wake(entry, line(entry));
		break;
	default:
		fault_ = entry;
		break;
	}
}

void DevicePass::device_entry(const unpu_trace_entry &entry)
{
	switch (entry.kind) {
	case UNPU_TRACE_SIGNAL:
		signal_ = entry;
		if (entry.object == UNPU_SEM_MAILBOX)
			end_message(entry.time_ns);
		break;
	case UNPU_TRACE_WAKE_CALL:
		events_.instant(device_, entry.time_ns, "wake call",
				fmt::format("\"client\":{},\"semaphore\":{},\"value\":{}",
					    entry.client, entry.object, entry.value));
		break;
	case UNPU_TRACE_HOST_CALL:
		/* A host function was called. The trace names its task only by the cookie: it is the task
		 * that began last, and its next entry says that it waits for the function. */
		if (started_ && started_->task.cookie == entry.cookie)
			events_.from(key(entry, 0, entry.value, ArrowKind::CALL), started_->place,
				     entry.time_ns);
		break;
	case UNPU_TRACE_MESSAGE:
		end_message(entry.time_ns);
		message_ = entry;
		break;
	case UNPU_TRACE_SLEEP:
		sleep_ns_ = entry.time_ns;
		break;
	case UNPU_TRACE_AWAKE:
		end_sleep(entry.time_ns);
		break;
	default:
		break;
	}
}

void DevicePass::fetch(const unpu_trace_entry &entry)
{
	Row &row = channel(entry);
	row.is_running = true;
	row.is_parked = false;
	row.task = entry;
	row.opcode = 0;
	row.timeline = entry.object;
	row.value = entry.value;
}

void DevicePass::start(const unpu_trace_entry &entry, Row &row)
{
	bool fetched = row.is_running && !row.is_node && row.task.cookie == entry.cookie;
	row.is_running = true;
	row.is_parked = false;
	row.task = entry;
	row.opcode = entry.object;
	started_ = &row;
	if (fetched)
		events_.to(key(entry, row.timeline, row.value, ArrowKind::SUBMIT), row.place,
			   entry.time_ns + 1);
}

/* Return: nullptr for what is no node of a program. */
const std::string *DevicePass::node_name(const unpu_trace_entry &task) const
{
	const uint8_t program = program_of(task.cookie);
	if (channel_of(task.cookie) != GRAPH_CHANNEL || program == 0)
		return nullptr;
	const TraceProgram *found = nullptr;
	for (const TraceProgram &each : names_.programs)
		if (each.number == program && each.since_ns <= task.time_ns && !each.names.empty())
			found = &each;
	return found ? &found->names[std::min<size_t>(node_of(task.cookie),
						      found->names.size() - 1)]
		     : nullptr;
}

std::string DevicePass::task_name(const unpu_trace_entry &task, uint32_t opcode) const
{
	uint64_t call = call_of(task.cookie);
	if (!names_.marks.empty()) {
		const TraceClient *owner = client(task.client, task.time_ns);
		auto mark = names_.marks.find(
			{trace_.generation, owner ? owner->session : 0, task.cookie});
		if (mark != names_.marks.end())
			return mark->second;
	}
	if (const std::string *name = node_name(task))
		return *name;
	return call > 0 && call < names_.calls.size() ? names_.calls[call] : opcode_name(opcode);
}

/* The arguments by which a merge identifies the task and a reader finds it. */
std::string DevicePass::task_args(const unpu_trace_entry &task, uint32_t channel) const
{
	const bool is_node = channel_of(task.cookie) == GRAPH_CHANNEL;
	const uint8_t program = program_of(task.cookie);
	const std::string of_program =
		is_node && program != 0 ? fmt::format(",\"program\":{}", program) : "";
	const TraceClient *owner = client(task.client, task.time_ns);
	return fmt::format("\"pid\":{},\"channel\":{},\"{}\":{},\"call\":{}{}",
			   owner ? owner->pid : 0, channel, is_node ? "node" : "packet",
			   is_node ? node_of(task.cookie) : task.cookie & INDEX_MASK,
			   call_of(task.cookie), of_program);
}

void DevicePass::end(Row &row, uint64_t time_ns, bool finished)
{
	if (row.is_parked)
		events_.slice(row.place, row.park_ns, time_ns, park_name(row.opcode, row.park_sem));
	row.is_parked = false;
	if (row.is_running) {
		std::string args = task_args(row.task, row.lane);
		args += fmt::format(",\"opcode\":\"{}\"", opcode_name(row.opcode));
		if (fault_.kind != 0)
			args += fmt::format(",\"status\":\"{}\",\"address\":\"{:#x}\"",
					    status_name(static_cast<Status>(fault_.object)),
					    fault_.value);
		if (!finished)
			args += ",\"unfinished\":true";
		events_.slice(row.place, row.task.time_ns, time_ns, task_name(row.task, row.opcode),
			      args);
		last_ = {true, row.place, time_ns - 1};
		if (finished && !row.is_node)
			events_.from(key(row.task, row.timeline, row.value, ArrowKind::FENCE),
				     row.place, time_ns - 1);
	}
	row.is_running = false;
	fault_ = {};
}

void DevicePass::park(const unpu_trace_entry &entry, Row &row)
{
	row.is_parked = true;
	row.park_ns = entry.time_ns;
	row.park_sem = entry.object;
	row.park_value = row.is_node ? 0 : entry.value;
}

void DevicePass::wake(const unpu_trace_entry &entry, Row &row)
{
	if (!row.is_parked)
		return;
	row.is_parked = false;
	std::string args;
	if (row.park_sem != 0)
		args = fmt::format("\"semaphore\":{}", row.park_sem);
	if (row.park_sem != 0 && !row.is_node)
		args += fmt::format(",\"value\":{}", row.park_value);
	events_.slice(row.place, row.park_ns, entry.time_ns, park_name(row.opcode, row.park_sem),
		      args);
	/* The task that ended just before signalled the semaphore for which this row was parked. */
	if (last_.is_known && signal_.kind != 0 && row.park_sem == signal_.object &&
	    entry.object == UNPU_STATUS_OK)
		events_.arrow("wake", last_.place, last_.time_ns, row.place, entry.time_ns - 1);
}

void DevicePass::end_message(uint64_t time_ns)
{
	if (message_.kind == 0)
		return;
	events_.slice(device_, message_.time_ns, time_ns, message_name(message_.object),
		      fmt::format("\"client\":{}", message_.client));
	events_.from(key(message_, UNPU_SEM_MAILBOX, message_.value, ArrowKind::FENCE), device_,
		     time_ns > message_.time_ns ? time_ns - 1 : time_ns);
	message_ = {};
}

void DevicePass::end_sleep(uint64_t time_ns)
{
	if (sleep_ns_ != 0)
		events_.slice(device_, sleep_ns_, time_ns, "asleep");
	sleep_ns_ = 0;
}

/* An engine computes pieces of several jobs by turns, so its jobs may overlap in time. Slices of one row must not
 * overlap. Each job therefore gets the first free row of its engine. If no row is free, it follows the job on the last
 * row. */
void DevicePass::jobs()
{
	std::stable_sort(jobs_.begin(), jobs_.end(),
			 [](const unpu_trace_entry &a, const unpu_trace_entry &b) {
				 return a.time_ns < b.time_ns;
			 });
	/* for each engine, the end time of the last slice of each row */
	std::map<uint32_t, std::vector<uint64_t>> ends;
	for (const unpu_trace_entry &entry : jobs_) {
		std::vector<uint64_t> &rows = ends[entry.lane];
		size_t row = 0;
		while (row < rows.size() && rows[row] > entry.time_ns)
			row++;
		row = std::min<size_t>(row, ROWS_PER_ENGINE - 1);
		const TracePlace place{device_.process, FIRST_ENGINE_ROW +
								entry.lane * ROWS_PER_ENGINE +
								static_cast<uint32_t>(row)};
		if (row == rows.size()) {
			rows.push_back(0);
			events_.name_row(place, row == 0 ? fmt::format("engine {}", entry.lane)
							 : fmt::format("engine {}, beside it {}",
								       entry.lane, row));
		}
		const uint64_t start_ns = std::max(entry.time_ns, rows[row]);
		rows[row] = std::max(entry.time_ns + entry.value, start_ns + SLICE_MIN_NS);
		events_.slice(place, start_ns, rows[row], task_name(entry, 0),
			      task_args(entry, channel_of(entry.cookie)));
	}
}

} // namespace base
