// SPDX-License-Identifier: MIT
/**
 * DOC: the conflicts of a trace: accesses, and all pairs of them
 */
#include "conflicts.h"

#include <algorithm>

namespace san::recall {

/* A strided operand with more runs counts as all the bytes between its first and its last one. */
static constexpr uint64_t MOST_RUNS = 1 << 16;

uint32_t Conflicts::place_of(const Record &record)
{
	places_.push_back(texts_[record.label] + "\n" + texts_[record.site]);
	return static_cast<uint32_t>(places_.size() - 1);
}

void Conflicts::take(const Record &record)
{
	if (record.kind == Kind::STRING) {
		texts_[record.object] = record.text;
		return;
	}
	const Node node = order_.add(record);
	switch (record.kind) {
	case Kind::ALLOC:
		return allocate(record, node);
	case Kind::MAP:
		if (auto found = numbers_.find(record.object); found != numbers_.end())
			map(record.client, record.address, record.bytes, found->second,
			    record.value);
		return;
	case Kind::FREE:
	case Kind::UNMAP:
		return end_memory(record, node);
	case Kind::COMMAND:
	case Kind::HOST_ACCESS:
		return run(record, node);
	case Kind::EVENT_WAIT:
	case Kind::EVENT_RESET:
		waits_[node] = place_of(record);
		return;
	case Kind::GRAPH_NODE:
		graphs_[record.object][record.value].place = place_of(record);
		graphs_[record.object][record.value].operands = record.operands;
		return;
	case Kind::GRAPH_EDGE:
		graphs_[record.object][record.address].after.push_back(record.value);
		return;
	case Kind::GRAPH_READY:
		return check_graph(graphs_[record.object], record.client);
	case Kind::GRAPH_UPDATE:
		graphs_[record.object][record.value].operands = record.operands;
		if (record.stream != HOST)
			parameters_[record.object].touches.push_back({node,
								      Use::WRITE,
								      false,
								      record.client,
								      place_of(record),
								      {{0, 1}}});
		return;
	case Kind::GRAPH_LAUNCH:
		return launch(record, node);
	case Kind::GRAPH_DESTROY:
		graphs_.erase(record.object);
		return;
	default:
		return;
	}
}

void Conflicts::allocate(const Record &record, Node node)
{
	const size_t block = blocks_.size();
	blocks_.emplace_back().bytes = record.bytes;
	numbers_[record.object] = block;
	if (record.address != 0)
		map(record.client, record.address, record.bytes, block, 0);
	if (record.stream != HOST)
		blocks_[block].touches.push_back({node,
						  Use::ALLOC,
						  false,
						  record.client,
						  place_of(record),
						  {{0, record.bytes}}});
}

/* A mapping takes the place of older ones, of which the parts beside it stay. */
void Conflicts::map(uint32_t client, uint64_t address, uint64_t bytes, size_t block,
		    uint64_t offset)
{
	Space &space = spaces_[client];
	const uint64_t end = address + bytes;
	auto at = space.upper_bound(address);
	if (at != space.begin())
		--at;
	while (at != space.end() && at->first < end) {
		const auto [begin, old] = *at;
		if (old.end <= address) {
			++at;
			continue;
		}
		at = space.erase(at);
		if (begin < address)
			space[begin] = {address, old.block, old.offset};
		if (old.end > end)
			space[end] = {old.end, old.block, old.offset + (end - begin)};
	}
	space[address] = {end, block, offset};
}

void Conflicts::end_memory(const Record &record, Node node)
{
	Touch access{node, Use::FREE, record.stream == HOST, record.client, place_of(record), {}};
	access.hosts = order_.hosts();
	Span addresses{record.address, record.address + record.bytes};
	if (record.kind == Kind::FREE) {
		const Space &space = spaces_[record.client];
		auto found = space.find(record.address);
		if (found == space.end())
			return;
		Block &block = blocks_[found->second.block];
		access.bytes = {{0, block.bytes}};
		block.touches.push_back(std::move(access));
		return;
	}
	access.use = Use::UNMAP;
	use_bytes(record.client, addresses, access, nullptr);
}

void Conflicts::run(const Record &record, Node node)
{
	const bool is_host = record.kind == Kind::HOST_ACCESS;
	Touch access{node, Use::READ, is_host, record.client, place_of(record), {}};
	access.hosts = order_.hosts();
	Touch staged = access;
	if (record.flags & COMMAND_STAGED && !is_host) {
		staged.node = order_.host_step(record.client);
		staged.by_host = true;
	}
	for (const Operand &operand : record.operands)
		use(record.client, operand, operand.flags & OPERAND_STAGED ? staged : access);
}

void Conflicts::launch(const Record &record, Node node)
{
	const uint32_t place = place_of(record);
	parameters_[record.object].touches.push_back(
		{node, Use::READ, false, record.client, place, {{0, 1}}});
	for (const auto &[number, one] : graphs_[record.object]) {
		const Node step = order_.step_of(record.object, number);
		Touch access{
			step != NONE ? step : node, Use::READ, false, record.client, one.place, {}};
		access.hosts = order_.hosts();
		for (const Operand &operand : one.operands)
			use(record.client, operand, access);
	}
}

void Conflicts::use(uint32_t client, const Operand &operand, const Touch &access,
		    std::map<size_t, Block> *apart)
{
	std::vector<Span> runs{{operand.address, operand.address + operand.run}};
	for (const Dimension &dimension : operand.dimensions) {
		const size_t count = runs.size();
		if (count * dimension.count > MOST_RUNS) {
			const auto reach =
				static_cast<int64_t>(dimension.count - 1) * dimension.stride;
			uint64_t begin = UINT64_MAX;
			uint64_t end = 0;
			for (const Span &run : runs) {
				begin = std::min(begin, run.begin + std::min<int64_t>(reach, 0));
				end = std::max(end, run.end + std::max<int64_t>(reach, 0));
			}
			runs = {{begin, end}};
			continue;
		}
		for (uint64_t step = 1; step < dimension.count; step++) {
			const auto move = static_cast<int64_t>(step) * dimension.stride;
			for (size_t i = 0; i < count; i++)
				runs.push_back({runs[i].begin + move, runs[i].end + move});
		}
		if (dimension.count == 0)
			runs.clear();
	}
	for (const Use each : {Use::READ, Use::WRITE, Use::REDUCE}) {
		const bool both = operand.access == Access::READ_WRITE;
		const bool is_read = operand.access == Access::READ || both;
		const bool is_write = operand.access == Access::WRITE || both;
		if (each == Use::READ	 ? !is_read
		    : each == Use::WRITE ? !is_write
					 : operand.access != Access::REDUCE)
			continue;
		Touch one = access;
		one.use = each;
		for (const Span &run : runs)
			use_bytes(client, run, one, apart);
	}
}

/* Adds the access to the blocks that the addresses mean now. Runs of one operand that follow each other become one
 * access. */
void Conflicts::use_bytes(uint32_t client, Span addresses, const Touch &access,
			  std::map<size_t, Block> *apart)
{
	const Space &space = spaces_[client];
	auto at = space.upper_bound(addresses.begin);
	if (at != space.begin())
		--at;
	for (; at != space.end() && at->first < addresses.end; ++at) {
		const uint64_t begin = std::max(addresses.begin, at->first);
		const uint64_t end = std::min(addresses.end, at->second.end);
		if (begin >= end)
			continue;
		const size_t number = at->second.block;
		Block &block = apart ? (*apart)[number] : blocks_[number];
		const Span bytes{begin - at->first + at->second.offset,
				 end - at->first + at->second.offset};
		Touch *last = block.touches.empty() ? nullptr : &block.touches.back();
		if (!last || last->node != access.node || last->use != access.use ||
		    last->place != access.place || last->by_host != access.by_host) {
			block.touches.push_back(access);
			last = &block.touches.back();
		}
		last->bytes.push_back(bytes);
	}
}

/* The nodes, each after those before it. */
std::vector<uint64_t> Conflicts::sort(const Graph &graph)
{
	std::map<uint64_t, size_t> left;
	for (const auto &[number, node] : graph) {
		for (const uint64_t after : node.after)
			left[after]++;
	}
	std::vector<uint64_t> sorted;
	for (const auto &[number, node] : graph) {
		if (left[number] == 0)
			sorted.push_back(number);
	}
	for (size_t i = 0; i < sorted.size(); i++) {
		for (const uint64_t after : graph.at(sorted[i]).after) {
			if (--left[after] == 0)
				sorted.push_back(after);
		}
	}
	return sorted;
}

static Record event_record(Kind kind, uint32_t stream, uint64_t number)
{
	Record record;
	record.kind = kind;
	record.stream = stream;
	record.object = number + 1;
	return record;
}

/* The nodes of a graph as a trace of their own, whose order is that of its edges: each node is a stream of its own,
 * and an edge is an event. */
void Conflicts::check_graph(const Graph &graph, uint32_t client)
{
	Order paths;
	std::map<size_t, Block> blocks;
	std::map<uint64_t, uint32_t> streams;
	std::map<uint64_t, std::vector<uint64_t>> before;
	for (const auto &[number, node] : graph) {
		const auto stream = static_cast<uint32_t>(streams.size());
		streams[number] = stream;
		(void)paths.add(event_record(Kind::STREAM_CREATE, stream, number));
		for (const uint64_t after : node.after)
			before[after].push_back(number);
	}
	for (const uint64_t number : sort(graph)) {
		const GraphNode &node = graph.at(number);
		const uint32_t stream = streams[number];
		for (const uint64_t other : before[number])
			(void)paths.add(event_record(Kind::EVENT_WAIT, stream, other));
		const Node step = paths.add(event_record(Kind::COMMAND, stream, number));
		const Touch access{step, Use::READ, false, client, node.place, {}};
		for (const Operand &operand : node.operands)
			use(client, operand, access, &blocks);
		(void)paths.add(event_record(Kind::EVENT_RECORD, stream, number));
	}
	(void)paths.close();
	std::swap(order_, paths);
	for (const auto &[number, block] : blocks)
		search(block);
	std::swap(order_, paths);
}

bool Conflicts::overlap(const Touch &a, const Touch &b)
{
	for (const Span &one : a.bytes) {
		for (const Span &other : b.bytes) {
			if (one.begin < other.end && other.begin < one.end)
				return true;
		}
	}
	return false;
}

/* What the host of a client knows to be over, it may have told other clients. */
bool Conflicts::is_told(const Touch &a, const Touch &b) const
{
	auto host = b.hosts.find(a.client);
	return a.client != b.client && host != b.hosts.end() && order_.before(a.node, host->second);
}

/* Whether @a and @b, in the order of their calls, conflict without an order. */
bool Conflicts::race(const Touch &a, const Touch &b) const
{
	const bool is_end = a.use >= Use::FREE || b.use >= Use::FREE;
	if (a.use == b.use && a.use != Use::WRITE)
		return false;
	if (a.by_host && b.by_host && a.client == b.client && !is_end)
		return false;
	if (is_told(a, b))
		return false;
	/* Other processes go on with what one of them has unmapped. What is mapped there later is another block. */
	if (a.use == Use::UNMAP || (b.use == Use::UNMAP && a.client != b.client))
		return false;
	if (b.use >= Use::FREE)
		return !order_.before(a.node, b.node) && overlap(a, b);
	if (a.use == Use::ALLOC)
		return !order_.before(a.node, b.node) && overlap(a, b);
	if (a.use == Use::FREE)
		return !order_.before(b.node, a.node) && overlap(a, b);
	return !order_.before(a.node, b.node) && !order_.before(b.node, a.node) && overlap(a, b);
}

void Conflicts::report(const Touch &a, const Touch &b)
{
	const std::string &one = places_[a.place];
	const std::string &other = places_[b.place];
	races_.insert(std::min(one, other) + "\n| " + std::max(one, other));
}

void Conflicts::search(const Block &block)
{
	for (size_t b = 0; b < block.touches.size(); b++) {
		for (size_t a = 0; a < b; a++) {
			if (race(block.touches[a], block.touches[b]))
				report(block.touches[a], block.touches[b]);
		}
	}
}

std::set<std::string> Conflicts::races()
{
	if (!order_.close() || order_.has_endless_waits())
		races_.insert("a wait that never ends");
	for (const Block &block : blocks_)
		search(block);
	for (const auto &[graph, block] : parameters_)
		search(block);
	for (const auto &[wait, reset] : order_.unordered_resets())
		races_.insert(places_[waits_[wait]] + "\n| " + places_[waits_[reset]]);
	return races_;
}

} // namespace san::recall
