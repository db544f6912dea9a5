// SPDX-License-Identifier: MIT
/**
 * DOC: programs as records
 */
#include "record_program.h"

#include "san/trace/encoding.h"

namespace san::test {

uint32_t Program::text(const std::string &name)
{
	if (name.empty())
		return 0;
	auto [found, added] = texts_.emplace(name, static_cast<uint32_t>(texts_.size() + 1));
	if (added) {
		Record &record = add(Kind::STRING);
		record.object = found->second;
		record.text = name;
	}
	return found->second;
}

Bytes Program::allocate(const std::string &name, uint64_t bytes, uint16_t flags, uint32_t stream)
{
	const Bytes memory{next_address_, bytes, {}};
	next_address_ += (bytes + 0xffff) & ~uint64_t{0xffff};
	return again(name, memory, flags, stream);
}

Bytes Program::again(const std::string &name, const Bytes &old, uint16_t flags, uint32_t stream)
{
	Record &record = on(Kind::ALLOC, stream, name);
	record.address = old.address;
	record.bytes = old.bytes;
	record.object = ++blocks_;
	record.flags = flags;
	return old;
}

uint64_t Program::block(const std::string &name, uint64_t bytes)
{
	Record &record = on(Kind::ALLOC, HOST, name);
	record.bytes = bytes;
	record.object = ++blocks_;
	record.flags = ALLOC_DEFINED;
	return record.object;
}

Bytes Program::map(uint64_t block, uint64_t bytes, uint64_t offset)
{
	const Bytes memory{next_address_, bytes, {}};
	next_address_ += (bytes + 0xffff) & ~uint64_t{0xffff};
	map_at(memory, block, offset);
	return memory;
}

void Program::map_at(const Bytes &where, uint64_t block, uint64_t offset)
{
	Record &record = add(Kind::MAP);
	record.address = where.address;
	record.bytes = where.bytes;
	record.object = block;
	record.value = offset;
}

void Program::unmap(const Bytes &memory)
{
	Record &record = on(Kind::UNMAP, HOST, "unmap");
	record.address = memory.address;
	record.bytes = memory.bytes;
}

void Program::free(const Bytes &memory, uint32_t stream, uint16_t flags)
{
	Record &record = on(Kind::FREE, stream, "free");
	record.address = memory.address;
	record.flags = flags;
}

uint64_t Program::op(uint32_t stream, const std::string &name, std::vector<Operand> operands,
		     uint16_t flags)
{
	Record &record = on(Kind::COMMAND, stream, name);
	record.object = ++commands_;
	record.operands = std::move(operands);
	record.flags = flags;
	return commands_;
}

void Program::host(const std::string &name, std::vector<Operand> operands)
{
	Record &record = on(Kind::HOST_ACCESS, HOST, name);
	record.object = ++commands_;
	record.operands = std::move(operands);
}

uint64_t Program::event(const std::string &name, EventMode mode)
{
	Record &record = on(Kind::EVENT_CREATE, HOST, name);
	record.object = ++events_;
	record.value = mode;
	return events_;
}

uint64_t Program::callback(uint32_t stream, const std::string &name, uint16_t flags)
{
	Record &record = on(Kind::CALLBACK, stream, name);
	record.object = ++commands_;
	record.flags = flags;
	return commands_;
}

void Program::begin(uint64_t callback, uint32_t thread)
{
	thread_ = thread;
	add(Kind::CALLBACK_BEGIN).object = callback;
}

void Program::end(uint64_t callback, uint32_t thread)
{
	thread_ = thread;
	add(Kind::CALLBACK_END).object = callback;
	thread_ = 1;
}

uint64_t Program::node(uint64_t graph, const std::string &name, std::vector<Operand> operands,
		       uint32_t stream, uint16_t flags)
{
	Record &record = on(Kind::GRAPH_NODE, stream, name);
	record.object = graph;
	record.value = nodes_[graph]++;
	record.operands = std::move(operands);
	record.flags = flags;
	return record.value;
}

void Program::edge(uint64_t graph, uint64_t from, uint64_t to)
{
	Record &record = add(Kind::GRAPH_EDGE);
	record.object = graph;
	record.address = from;
	record.value = to;
}

uint64_t Program::exchange(Kind kind, uint64_t graph, uint64_t latch, uint64_t value,
			   uint16_t flags)
{
	const uint64_t number =
		node(graph, kind == Kind::GRAPH_AWAIT ? "wait node" : "signal node", {});
	Record &record = add(kind);
	record.object = graph;
	record.address = number;
	record.bytes = latch;
	record.value = value;
	record.flags = flags;
	return number;
}

uint64_t Program::launch(uint64_t graph, uint32_t stream, uint16_t flags)
{
	Record &record = on(Kind::GRAPH_LAUNCH, stream, "launch");
	record.object = graph;
	record.flags = flags;
	record.value = ++commands_;
	return record.value;
}

void Program::update(uint64_t graph, uint64_t node, std::vector<Operand> operands, uint32_t stream)
{
	Record &record = on(Kind::GRAPH_UPDATE, stream, "update");
	record.object = graph;
	record.value = node;
	record.operands = std::move(operands);
}

std::string Program::trace() const
{
	std::string bytes;
	append_head(bytes);
	for (const Record &record : records_)
		append_record(bytes, record);
	return bytes;
}

std::vector<Finding> Program::findings(Options options) const
{
	std::vector<Finding> found;
	Judge judge(options, [&](const Finding &finding) { found.push_back(finding); });
	for (const Record &record : records_)
		judge.take(record);
	judge.finish();
	const Summary summary = judge.summary();
	if (summary.problems > 0)
		found.emplace_back().later.label = summary.problem;
	return found;
}

std::map<std::string, int> Program::rules(Options options) const
{
	std::map<std::string, int> rules;
	for (const Finding &finding : findings(options))
		rules[rule_text(finding.rule)]++;
	return rules;
}

} // namespace san::test
