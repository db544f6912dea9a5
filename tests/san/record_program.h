// SPDX-License-Identifier: MIT
/**
 * DOC: programs as records
 *
 * A program is written as the calls that a real one makes; each call gives one record. Names are texts, so that a test
 * reads like the report it asks for.
 */
#pragma once

#include <map>
#include <string>
#include <vector>

#include "san/judge/judge.h"
#include "san/trace/record.h"

namespace san::test {

/** struct Bytes - a part of some memory, which may be strided. */
struct Bytes {
	uint64_t address = 0;
	uint64_t bytes = 0;
	std::vector<Dimension> dimensions;

	Bytes part(uint64_t offset, uint64_t length) const
	{
		return {address + offset, length, {}};
	}
	/** column() - @width bytes at @offset of each of @rows rows of @pitch bytes. */
	Bytes column(uint64_t offset, uint64_t width, uint64_t rows, uint64_t pitch) const
	{
		return {address + offset, width, {{rows, static_cast<int64_t>(pitch)}}};
	}
};

/** Operands of a command. */
inline Operand reads(const Bytes &b)
{
	return {b.address, b.bytes, Access::READ, 0, 0, b.dimensions};
}
inline Operand writes(const Bytes &b)
{
	return {b.address, b.bytes, Access::WRITE, 0, 0, b.dimensions};
}
inline Operand reduces(const Bytes &b)
{
	return {b.address, b.bytes, Access::REDUCE, 0, 0, b.dimensions};
}
inline Operand with(Operand operand, uint16_t flags)
{
	operand.flags = flags;
	return operand;
}

/** class Program - collects records; findings() judges them. */
class Program {
public:
	explicit Program(Profile profile) { client(0, profile); }

	/** client() - the calls that follow are made by this process. */
	void client(uint32_t number, Profile profile, uint32_t parent = 0)
	{
		client_ = number;
		if (!known_.insert(number).second)
			return;
		Record &record = add(Kind::CLIENT);
		record.value = static_cast<uint64_t>(profile);
		record.object = parent;
	}

	/** gone() - the process of @client is gone. */
	void gone(uint32_t client) { add(Kind::GONE).object = client; }

	/** thread() - the calls that follow are made by this thread. */
	void thread(uint32_t number) { thread_ = number; }

	/** stream() - @context: of which it is; a legacy stream orders those of its own */
	uint32_t stream(const std::string &name, uint16_t flags = 0, uint64_t context = 0)
	{
		const uint32_t label = text(name);
		Record &record = add(Kind::STREAM_CREATE);
		record.stream = ++streams_;
		record.flags = flags;
		record.label = label;
		record.object = context;
		return record.stream;
	}
	/** stream_of() - one that has an id of the API, on a device. */
	uint32_t stream_of(uint32_t id, uint32_t device)
	{
		Record &record = add(Kind::STREAM_CREATE);
		record.stream = ++streams_;
		record.value = uint64_t{id} + 1;
		record.bytes = device;
		return record.stream;
	}
	void destroy_stream(uint32_t stream, uint16_t flags = 0)
	{
		on(Kind::STREAM_DESTROY, stream).flags = flags;
	}

	/** memory() - device memory whose bytes have values; undefined() has none. */
	Bytes memory(const std::string &name, uint64_t bytes)
	{
		return allocate(name, bytes, ALLOC_DEFINED);
	}
	Bytes undefined(const std::string &name, uint64_t bytes)
	{
		return allocate(name, bytes, 0);
	}
	Bytes pinned(const std::string &name, uint64_t bytes)
	{
		return allocate(name, bytes, ALLOC_HOST);
	}
	Bytes allocate(const std::string &name, uint64_t bytes, uint16_t flags,
		       uint32_t stream = HOST);
	/** again() - a new allocation at the address of an old one. */
	Bytes again(const std::string &name, const Bytes &old, uint16_t flags,
		    uint32_t stream = HOST);
	/** block() - physical memory without an address. map() gives it one, another with each call. */
	uint64_t block(const std::string &name, uint64_t bytes);
	Bytes map(uint64_t block, uint64_t bytes, uint64_t offset = 0);
	void map_at(const Bytes &where, uint64_t block, uint64_t offset = 0);
	void unmap(const Bytes &memory);
	void free(const Bytes &memory, uint32_t stream = HOST, uint16_t flags = 0);

	/** op() - a command with these operands. Return: its number. */
	uint64_t op(uint32_t stream, const std::string &name, std::vector<Operand> operands,
		    uint16_t flags = 0);
	/** copy() - from one memory to another. */
	uint64_t copy(uint32_t stream, const std::string &name, const Bytes &to, const Bytes &from,
		      uint16_t flags = 0)
	{
		return op(stream, name, {reads(from), writes(to)}, flags | COMMAND_COPY);
	}
	void host(const std::string &name, std::vector<Operand> operands);
	/** compared() - a copy has ended. @changed: the bytes that the host changed in flight */
	void compared(uint64_t copy, std::vector<Operand> changed, uint16_t flags = 0)
	{
		Record &record = add(Kind::COMPARED);
		record.object = copy;
		record.operands = std::move(changed);
		record.flags = flags;
	}

	uint64_t event(const std::string &name, EventMode mode = EVENT_SNAPSHOT);
	/** event_of() - one that has a handle of the API. */
	uint64_t event_of(uint64_t handle)
	{
		Record &record = add(Kind::EVENT_CREATE);
		record.object = ++events_;
		record.address = handle;
		return events_;
	}
	void record(uint64_t event, uint32_t stream)
	{
		on(Kind::EVENT_RECORD, stream, "record").object = event;
	}
	void wait(uint32_t stream, uint64_t event)
	{
		on(Kind::EVENT_WAIT, stream, "wait").object = event;
	}
	void reset(uint64_t event, uint32_t stream)
	{
		on(Kind::EVENT_RESET, stream, "reset").object = event;
	}
	void destroy_event(uint64_t event) { add(Kind::EVENT_DESTROY).object = event; }
	void sync_event(uint64_t event) { add(Kind::EVENT_SYNC).object = event; }
	void query_event(uint64_t event) { add(Kind::EVENT_DONE).object = event; }
	void sync(uint32_t stream) { on(Kind::STREAM_SYNC, stream); }
	/** drop() - the program gives up the work of the stream. */
	void drop(uint32_t stream) { on(Kind::STREAM_SYNC, stream).flags = DROPPED; }
	void query(uint32_t stream) { on(Kind::STREAM_DONE, stream); }
	/** sync_device() - @context: 0 for all */
	void sync_device(uint64_t context = 0) { add(Kind::DEVICE_SYNC).object = context; }
	/** block_on() - the thread enters a call that waits for the stream. */
	void block_on(uint32_t stream) { on(Kind::BLOCKED, stream, "synchronize"); }
	void block_on_event(uint64_t event) { add(Kind::BLOCKED).object = event; }
	void block_on_device() { add(Kind::BLOCKED); }

	void signal(uint64_t latch, uint32_t stream, uint64_t value, uint16_t op = SIGNAL_SET)
	{
		Record &record = on(Kind::SIGNAL, stream, "write value");
		record.object = latch;
		record.value = value;
		record.flags = op;
	}
	void await(uint64_t latch, uint32_t stream, uint64_t value, uint16_t flags = LATCH_AT_LEAST)
	{
		Record &record = on(Kind::AWAIT, stream, "wait value");
		record.object = latch;
		record.value = value;
		record.flags = flags;
	}
	/** mark() - the calls that follow are of this part of the program. */
	void mark(const std::string &part) { add(Kind::MARK).text = part; }
	void release(uint64_t key) { add(Kind::RELEASE).object = key; }
	void acquire(uint64_t key) { add(Kind::ACQUIRE).object = key; }
	/** has_read() - the host has read what commands wrote here. */
	void has_read(const Bytes &bytes, uint64_t latch = 0, uint64_t value = 0)
	{
		Record &record = add(Kind::ACQUIRE);
		record.address = bytes.address;
		record.bytes = bytes.bytes;
		record.object = latch;
		record.value = value;
	}

	/** callback() - a host function in the stream. begin() and end() when a thread runs it. */
	uint64_t callback(uint32_t stream, const std::string &name, uint16_t flags = BLOCKS);
	void begin(uint64_t callback, uint32_t thread);
	void end(uint64_t callback, uint32_t thread);

	/** node() - of a graph that is being made. Return: its number. */
	uint64_t node(uint64_t graph, const std::string &name, std::vector<Operand> operands,
		      uint32_t stream = HOST, uint16_t flags = 0);
	void edge(uint64_t graph, uint64_t from, uint64_t to);
	/** signal_node(), await_node() - nodes that signal other streams, or wait for them. */
	uint64_t signal_node(uint64_t graph, uint64_t latch, uint64_t value = 1,
			     uint16_t op = SIGNAL_SET)
	{
		return exchange(Kind::GRAPH_SIGNAL, graph, latch, value, op);
	}
	uint64_t await_node(uint64_t graph, uint64_t latch, uint64_t value = 0,
			    uint16_t flags = LATCH_CONSUME)
	{
		return exchange(Kind::GRAPH_AWAIT, graph, latch, value, flags);
	}
	/** follow() - @graph is in the place of @old. */
	void follow(uint64_t graph, uint64_t old)
	{
		Record &record = add(Kind::GRAPH_FOLLOW);
		record.object = graph;
		record.value = old;
	}
	void destroy_graph(uint64_t graph) { add(Kind::GRAPH_DESTROY).object = graph; }
	void ready(uint64_t graph) { add(Kind::GRAPH_READY).object = graph; }
	/** launch() - Return: its number */
	uint64_t launch(uint64_t graph, uint32_t stream, uint16_t flags = 0);
	void update(uint64_t graph, uint64_t node, std::vector<Operand> operands, uint32_t stream);

	/** site() - where the calls that follow are in the program. */
	void site(const std::string &place) { site_ = text(place); }

	/** task() - the last record is a task of this number. slack() - of the last allocation. */
	void task(uint64_t number)
	{
		Record &last = records_.back();
		(has_task_in_value(last.kind) ? last.value : last.bytes) = number + 1;
	}
	void slack(uint64_t bytes) { records_.back().value = bytes; }
	/** trace() - the records as the bytes of a file. */
	std::string trace() const;

	const std::vector<Record> &records() const { return records_; }
	void clear() { records_.clear(); }
	/** forget_names() - of graphs: a long program has new ones in each turn. */
	void forget_names() { nodes_.clear(); }

	/** findings() - of a judge that sees the whole program. */
	std::vector<Finding> findings(Options options = {}) const;

	/** rules() - how often each rule is found, notes as well. */
	std::map<std::string, int> rules(Options options = {}) const;

private:
	Record &add(Kind kind)
	{
		Record &record = records_.emplace_back();
		record.kind = kind;
		record.client = client_;
		record.thread = thread_;
		record.site = site_;
		return record;
	}
	Record &on(Kind kind, uint32_t stream, const std::string &name = "")
	{
		const uint32_t label = text(name);
		Record &record = add(kind);
		record.stream = stream;
		record.label = label;
		return record;
	}
	uint32_t text(const std::string &name);
	uint64_t exchange(Kind kind, uint64_t graph, uint64_t latch, uint64_t value,
			  uint16_t flags);

	std::vector<Record> records_;
	std::map<std::string, uint32_t> texts_;
	std::map<uint64_t, uint64_t> nodes_;
	std::set<uint32_t> known_;
	uint32_t client_ = 0;
	uint32_t thread_ = 1;
	uint32_t site_ = 0;
	uint32_t streams_ = 0;
	uint64_t events_ = 0;
	uint64_t blocks_ = 0;
	uint64_t commands_ = 0;
	uint64_t next_address_ = 0x10000;
};

} // namespace san::test
