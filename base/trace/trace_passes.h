// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "trace_events.h"
#include "trace_file.h"

namespace base {

/* Rows of a device: one for the device, its engines, its channels, the lines of graphs. */
constexpr uint32_t DEVICE_ROW = 1;
constexpr uint32_t FIRST_ENGINE_ROW = 2;
/* so the rows of 64 engines end below the first row of a channel */
constexpr uint32_t ROWS_PER_ENGINE = 15;
constexpr uint32_t FIRST_CHANNEL_ROW = 1000;
constexpr uint32_t ROWS_PER_SESSION = 4096;
constexpr uint32_t FIRST_LINE_ROW = 1u << 29;

/* The bits of a cookie that hold the packet's index in its ring. */
constexpr uint64_t INDEX_MASK = (uint64_t{1} << 40) - 1;

/* The channel in the cookie of a node of a graph. */
constexpr uint32_t GRAPH_CHANNEL = 0x3fff;

/* call_of(), channel_of() - the call and the channel that a cookie names (drv/packet/cookie.h). */
constexpr uint64_t call_of(uint64_t cookie)
{
	return cookie >> 54;
}
constexpr uint32_t channel_of(uint64_t cookie)
{
	return static_cast<uint32_t>(cookie >> 40) & 0x3fff;
}

/* program_of(), node_of() - the program of a node of a graph, or 0, and its index in the graph. */
constexpr uint8_t program_of(uint64_t cookie)
{
	return static_cast<uint8_t>(cookie >> 32);
}
constexpr uint32_t node_of(uint64_t cookie)
{
	return static_cast<uint32_t>(cookie);
}

/** device_process() - a pseudo process id for a device; never equal to a real process id. */
constexpr uint32_t device_process(uint32_t pid, uint32_t device)
{
	return 1u << 30 | pid << 4 | (device & 15);
}

/** struct TaskKey - identifies a task of a program: device, session and cookie. */
struct TaskKey {
	uint64_t generation = 0; /* the generation of the device */
	uint64_t session = 0;
	uint64_t cookie = 0;

	auto operator<=>(const TaskKey &other) const = default;
};

/** struct TaskNames - the display names of tasks. */
struct TaskNames {
	std::vector<std::string> calls;	      /* indexed by the call number in a cookie */
	std::map<TaskKey, std::string> marks; /* tasks that the program named itself */
	std::vector<TraceProgram> programs{};
};

/** class HostPass - converts the recorded entries of a program to events. */
class HostPass {
public:
	HostPass(TraceEvents &events, const HostTrace &trace);
	void run();

	/** names() - the names of the program's tasks. Context: after run(). */
	const TaskNames &names() const { return names_; }
	/** mark_list() - the tasks that the program named, for a merge: members of a JSON object. */
	std::string mark_list() const;

private:
	struct Range {
		uint64_t start_ns;
		uint64_t text;
		uint32_t category;
	};

	/* The open slices and ranges of the thread being converted. */
	struct Open {
		TracePlace place;
		bool is_waiting = false;
		uint64_t wait_ns = 0;
		uint64_t sleep_ns = 0;
		bool is_calling = false;
		uint64_t call_ns = 0;
		uint64_t named_call = 0; /* its next submit has this text */
		uint64_t name = 0;
		std::vector<Range> ranges;
	};

	void thread(const ThreadTrace &thread);
	void entry(Open &open, const unpu_trace_entry &entry, uint64_t next_ns);
	void submit(Open &open, const unpu_trace_entry &entry, uint64_t next_ns);
	void wait_end(Open &open, const unpu_trace_entry &entry);
	void call_end(Open &open, const unpu_trace_entry &entry);
	void range(Open &open, const unpu_trace_entry &entry);
	void range_pop(Open &open, uint64_t end_ns);
	ArrowKey key(const unpu_trace_entry &entry, ArrowKind kind) const;
	std::string wait_name(const unpu_trace_entry &entry) const;
	std::string text(uint64_t id) const;
	std::string category(uint32_t id) const;

	TraceEvents &events_;
	const HostTrace &trace_;
	/* indexed by attachment and timeline */
	std::map<std::pair<uint16_t, uint32_t>, uint32_t> channels_;
	/* ranges of all threads, indexed by id */
	std::map<uint64_t, Range> ranges_;
	TaskNames names_;
};

/** class DevicePass - converts the firmware's recorded entries of a device to events. */
class DevicePass {
public:
	/** @names: the names of tasks; empty if only the client process has them. */
	DevicePass(TraceEvents &events, const DeviceTrace &trace, const TaskNames &names);
	void run();

private:
	/* The state of one row. */
	struct Row {
		TracePlace place;
		bool is_running = false;
		bool is_parked = false;
		bool is_node = false;
		uint16_t lane = 0; /* channel; for a node, the channel that launched the graph */
		unpu_trace_entry task{}; /* the task that began last on this row */
		uint32_t opcode = 0;
		uint32_t timeline = 0; /* timeline and value are the packet's fence */
		uint64_t value = 0;
		uint64_t park_ns = 0;
		uint32_t park_sem = 0;
		uint64_t park_value = 0;
	};

	/* An event that ended just now and may be the cause of the next entries. */
	struct Cause {
		bool is_known = false;
		TracePlace place;
		uint64_t time_ns = 0;
	};

	void entry(const unpu_trace_entry &entry);
	void task_entry(const unpu_trace_entry &entry);
	void device_entry(const unpu_trace_entry &entry);
	void fetch(const unpu_trace_entry &entry);
	void start(const unpu_trace_entry &entry, Row &row);
	void end(Row &row, uint64_t time_ns, bool finished);
	void park(const unpu_trace_entry &entry, Row &row);
	void wake(const unpu_trace_entry &entry, Row &row);
	void end_message(uint64_t time_ns);
	void end_sleep(uint64_t time_ns);
	void jobs();
	void name_row(const Row &row, const TraceClient *owner, const std::string &name);
	Row &channel(const unpu_trace_entry &entry);
	Row &line(const unpu_trace_entry &entry);
	const TraceClient *client(uint32_t number, uint64_t time_ns) const;
	ArrowKey key(const unpu_trace_entry &entry, uint32_t object, uint64_t value,
		     ArrowKind kind) const;
	std::string task_name(const unpu_trace_entry &task, uint32_t opcode) const;
	std::string task_args(const unpu_trace_entry &task, uint32_t channel) const;
	const std::string *node_name(const unpu_trace_entry &task) const;

	TraceEvents &events_;
	const DeviceTrace &trace_;
	const TaskNames &names_;
	const TracePlace device_;
	/* sessions, numbered in the order in which they were first seen */
	std::map<uint64_t, size_t> sessions_;
	std::map<std::pair<uint64_t, uint32_t>, Row> channels_; /* indexed by session and channel */
	std::map<std::tuple<uint64_t, uint64_t, uint32_t>, Row>
		lines_; /* indexed by session, timeline and line */
	/* the jobs of engines, in the order in which they ended */
	std::vector<unpu_trace_entry> jobs_;
	const Row *started_ = nullptr; /* the task that began last */
	/* the task that ended last, if it may have caused the next entries */
	Cause last_;
	unpu_trace_entry signal_{}; /* the last signal, if no other entry followed it */
	/* the mailbox request that the firmware is answering */
	unpu_trace_entry message_{};
	unpu_trace_entry fault_{}; /* the fault of the task that ends next */
	uint64_t sleep_ns_ = 0;
	uint64_t last_ns_ = 0;
};

} // namespace base
