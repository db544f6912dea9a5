// SPDX-License-Identifier: MIT
/**
 * DOC: from a trace to a graph
 *
 * The judge runs each record when the rules allow it, and tells the builder what the record's stream has learned
 * until then. Each such fact becomes an edge. A moment of the judge is a slot and a tick; the builder keeps the last
 * vertex of each slot at each tick, so that it finds the vertex at which an edge begins.
 */
#include "time/graph/builder.h"

#include <algorithm>

namespace timing {

using san::Kind;

/* Bounds that a trace of a real program does not reach. Where the judge forgets the past, edges stay: the builder has
 * the graph. */
static san::Options judge_options()
{
	san::Options options;
	options.brief = true;
	return options;
}

Builder::Builder(Changes changes)
	: changes_(std::move(changes)), judge_(
						judge_options(), [](const san::Finding &) {}, this)
{
}

/* Whether the call returns only after the host has learned something. */
static bool waits(const san::Record &record)
{
	switch (record.kind) {
	case Kind::EVENT_SYNC:
	case Kind::EVENT_DONE:
	case Kind::STREAM_SYNC:
	case Kind::STREAM_DONE:
	case Kind::DEVICE_SYNC:
	case Kind::ACQUIRE:
		return true;
	case Kind::AWAIT:
		return record.stream == san::HOST;
	case Kind::FREE:
		return record.stream == san::HOST && (record.flags & san::WAITS) != 0;
	case Kind::STREAM_DESTROY:
		return (record.flags & san::WAITS) != 0;
	default:
		return false;
	}
}

/* Whether others may depend on the call. */
static bool submits(const san::Record &record)
{
	return is_queued(record) || record.kind == Kind::SIGNAL || record.kind == Kind::RELEASE;
}

Id Builder::add(Vertex vertex, const std::vector<Id> &before)
{
	vertex.first = static_cast<uint32_t>(graph_.before.size());
	for (const Id id : before) {
		const auto begin = graph_.before.begin() + vertex.first;
		if (id != NO_VERTEX &&
		    std::find(begin, graph_.before.end(), id) == graph_.before.end())
			graph_.before.push_back(id);
	}
	vertex.count = static_cast<uint32_t>(graph_.before.size()) - vertex.first;
	graph_.vertices.push_back(vertex);
	return static_cast<Id>(graph_.vertices.size() - 1);
}

static Id last_of(const std::map<std::pair<uint32_t, uint32_t>, Id> &vertices,
		  const san::Record &record)
{
	const auto found = vertices.find({record.client, record.thread});
	return found == vertices.end() ? NO_VERTEX : found->second;
}

Vertex Builder::vertex_of(const san::Record &record, Step step) const
{
	Vertex vertex;
	vertex.step = step;
	vertex.number = calls_;
	vertex.label = record.label;
	vertex.site = record.site;
	return vertex;
}

void Builder::take(const san::Record &record)
{
	if (record.kind == Kind::STRING) {
		graph_.texts[static_cast<uint32_t>(record.object)] = record.text;
		return judge_.take(record);
	}
	if (record.kind == Kind::WORK)
		return note_work(record);
	graph_.missing.is_lost |= record.kind == Kind::LOST;
	note(record);
	if (changes_.merged.empty() && !changes_.drops_wait)
		return add(record);
	san::Record changed = record;
	if (change(changed))
		add(changed);
}

/* Changes a record as the user wants it. Return: false if it is left out */
bool Builder::change(san::Record &record)
{
	const bool is_wait = record.kind == Kind::EVENT_WAIT || record.kind == Kind::AWAIT;
	if (is_wait && record.stream != san::HOST && changes_.drops_wait &&
	    changes_.drops_wait(graph_.text(record.site)))
		return false;
	const bool is_second = renamed_.contains({record.client, record.stream});
	if (is_second && record.kind == Kind::STREAM_CREATE)
		return false;
	if (is_second)
		record.stream = renamed_.at({record.client, record.stream}).second;
	return record.kind != Kind::STREAM_DESTROY || change_end(record);
}

/* A stream that stands for several ends with the last of them. */
bool Builder::change_end(const san::Record &record)
{
	const auto parts = parts_.find({record.client, record.stream});
	return parts == parts_.end() || parts->second-- == 1;
}

void Builder::note_stream(const san::Record &record)
{
	const Stream stream{record.client, record.stream};
	const auto index = static_cast<uint32_t>(graph_.lines.size());
	graph_.lines.push_back(
		{clients_.at(record.client), static_cast<uint32_t>(record.bytes), record.label});
	lines_[stream] = index;
	streams_[index] = stream;
	for (auto [first, second] : changes_.merged) {
		if (std::max(first, second) != index + 1 || first == second)
			continue;
		Stream target = streams_[std::min(first, second) - 1];
		if (const auto other = renamed_.find(target); other != renamed_.end())
			target = other->second;
		if (target.first != stream.first)
			continue;
		renamed_[stream] = target;
		parts_.try_emplace(target, 1).first->second++;
	}
}

void Builder::note(const san::Record &record)
{
	const auto place = static_cast<uint32_t>(clients_.size());
	clients_.try_emplace(record.client, place);
	switch (record.kind) {
	case Kind::STREAM_CREATE:
		return note_stream(record);
	case Kind::ALLOC:
		if (record.address != 0 && (record.flags & san::ALLOC_HOST) == 0)
			memory_[{record.client, record.address}] = record.address + record.bytes;
		return;
	case Kind::FREE:
		memory_.erase({record.client, record.address});
		return;
	default:
		return;
	}
}

void Builder::note_work(const san::Record &record)
{
	Work &work = works_[{record.object, record.stream}];
	work.what = static_cast<san::WorkClass>(record.flags & san::WORK_CLASS);
	work.is_known = true;
	work.is_from_host = (record.flags & san::WORK_FROM_HOST) != 0;
	work.is_to_host = (record.flags & san::WORK_TO_HOST) != 0;
	work.dtype = static_cast<uint8_t>(record.flags >> san::WORK_TYPE_SHIFT);
	work.name = record.label;
	const bool is_kernel = work.what == san::WorkClass::KERNEL;
	(is_kernel ? work.blocks : work.operations) = record.address;
	work.read = record.bytes;
	work.written = record.value;
}

bool Builder::is_on_device(uint32_t client, uint64_t address) const
{
	auto after = memory_.upper_bound({client, address});
	if (after == memory_.begin())
		return false;
	--after;
	return after->first.first == client && address < after->second;
}

static uint64_t bytes_of(const san::Operand &operand)
{
	uint64_t bytes = operand.run;
	for (const san::Dimension &dimension : operand.dimensions)
		bytes *= dimension.count;
	return bytes;
}

/* What a command does: its WORK record, or what its operands tell. A kernel's operands are those that the device has
 * observed. */
Work Builder::work_of(const san::Record &record, uint64_t object, uint32_t node)
{
	const auto found = works_.find({object, node});
	Work work = found == works_.end() ? Work() : found->second;
	if (found != works_.end() && node == san::HOST)
		works_.erase(found);
	graph_.missing.works += !work.is_known;
	graph_.missing.costs += work.what == san::WorkClass::KERNEL;
	if (work.is_known && work.what != san::WorkClass::KERNEL)
		return work;
	work.read = 0;
	work.written = 0;
	for (const san::Operand &operand : record.operands) {
		const bool is_read = operand.access == san::Access::READ;
		(is_read ? work.read : work.written) += bytes_of(operand);
		if (!is_on_device(record.client, operand.address))
			(is_read ? work.is_from_host : work.is_to_host) = true;
	}
	if (!work.is_known && record.flags & san::COMMAND_COPY)
		work.what = san::WorkClass::COPY;
	else if (!work.is_known)
		work.what = san::WorkClass::VECTOR;
	work.name = work.is_known ? work.name : record.label;
	return work;
}

/* The host's part of a record, and the judge's. */
void Builder::add(const san::Record &record)
{
	current_ = &record;
	told_.clear();
	if (record.kind == Kind::CALLBACK_BEGIN || record.kind == Kind::CALLBACK_END) {
		judge_.take(record);
		return switch_function(record);
	}
	if (submits(record)) {
		calls_++;
		threads_[{record.client, record.thread}] =
			add(vertex_of(record, Step::CALL), {last_of(threads_, record)});
	}
	judge_.take(record);
	current_ = nullptr;
	const bool has_returned =
		record.kind == Kind::COMMAND && record.flags & san::COMMAND_RETURNED;
	if (waits(record) || (has_returned && !told_.empty()))
		add_return(record);
}

void Builder::add_return(const san::Record &record)
{
	calls_++;
	std::vector<Id> before{last_of(threads_, record)};
	before.insert(before.end(), told_.begin(), told_.end());
	threads_[{record.client, record.thread}] = add(vertex_of(record, Step::RETURN), before);
}

/* While a thread runs a host function, its calls come after the function. */
void Builder::switch_function(const san::Record &record)
{
	const Thread thread{record.client, record.thread};
	const auto function = functions_.find(record.object);
	const auto aside = aside_.find(thread);
	if (record.kind == Kind::CALLBACK_BEGIN && function != functions_.end()) {
		aside_[thread] = last_of(threads_, record);
		threads_[thread] = function->second;
	} else if (record.kind == Kind::CALLBACK_END && aside != aside_.end()) {
		threads_[thread] = add(vertex_of(record, Step::JOIN),
				       {aside->second, last_of(threads_, record)});
		aside_.erase(aside);
	}
}

void Builder::made(san::Slot slot, uint32_t client, uint32_t stream)
{
	Actor actor;
	actor.is_host = stream == san::HOST;
	if (!actor.is_host)
		actor.line = lines_.at({client, stream});
	actors_[slot] = std::move(actor);
}

void Builder::put(Actor &actor, const san::Moment &now, Id vertex)
{
	actor.points.push_back({now.tick, vertex});
}

/* The last vertex of the actor at the moment. */
Id Builder::at(const san::Moment &moment) const
{
	const auto found = actors_.find(moment.slot);
	if (found == actors_.end())
		return NO_VERTEX;
	const std::vector<Point> &points = found->second.points;
	const auto after = std::upper_bound(
		points.begin(), points.end(), moment.tick,
		[](san::Tick tick, const Point &point) { return tick < point.tick; });
	return after == points.begin() ? NO_VERTEX : (after - 1)->vertex;
}

void Builder::published(const san::Moment &host)
{
	const Id vertex = current_ ? last_of(threads_, *current_) : NO_VERTEX;
	if (vertex != NO_VERTEX)
		put(actors_[host.slot], host, vertex);
}

void Builder::joined(const san::Moment &now, const san::Moment &other)
{
	Actor &actor = actors_[now.slot];
	const Id vertex = at(other);
	if (vertex == NO_VERTEX)
		return;
	if (actor.is_host) {
		told_.push_back(vertex);
		return;
	}
	if (std::find(actor.joined.begin(), actor.joined.end(), vertex) != actor.joined.end())
		return;
	actor.joined.push_back(vertex);
	if (graph_.vertices[vertex].step == Step::CALL && actor.call == NO_VERTEX)
		actor.call = vertex;
	if (actor.is_open) {
		actor.open.waits.push_back(vertex);
		return;
	}
	Vertex join;
	join.line = actor.line;
	join.number = graph_.vertices[vertex].number;
	put(actor, now,
	    add(join, {actor.points.empty() ? NO_VERTEX : actor.points.back().vertex, vertex}));
}

static Step step_of(const san::Record &record)
{
	switch (record.kind) {
	case Kind::COMMAND:
		return Step::COMMAND;
	case Kind::EVENT_RECORD:
	case Kind::EVENT_RESET:
		return Step::RECORD;
	case Kind::EVENT_WAIT:
	case Kind::AWAIT:
		return Step::WAIT;
	case Kind::SIGNAL:
		return Step::SIGNAL;
	case Kind::GRAPH_LAUNCH:
		return Step::LAUNCHED;
	case Kind::CALLBACK:
		return Step::FUNCTION;
	default:
		return Step::OTHER;
	}
}

void Builder::ran(const san::Record &record, const san::Moment &now)
{
	Actor &actor = actors_[now.slot];
	Vertex vertex = vertex_of(record, step_of(record));
	vertex.line = actor.line;
	if (actor.call != NO_VERTEX)
		vertex.number = graph_.vertices[actor.call].number;
	if (vertex.step == Step::COMMAND)
		vertex.work = work_of(record, record.object, san::HOST);
	std::vector<Id> before{actor.points.empty() ? NO_VERTEX : actor.points.back().vertex};
	if (actor.is_open) {
		before.push_back(actor.open.begin);
		for (const uint32_t node : actor.open.last)
			before.push_back(actor.open.nodes[node]);
		before.insert(before.end(), actor.open.waits.begin(), actor.open.waits.end());
	}
	const Id id = add(vertex, before);
	graph_.missing.functions += vertex.step == Step::FUNCTION;
	if (vertex.step == Step::FUNCTION)
		functions_[record.object] = id;
	/* The stream does not wait for a function that does not block it. */
	if (vertex.step != Step::FUNCTION || record.flags & san::BLOCKS)
		put(actor, now, id);
	actor.is_open = false;
	actor.open = {};
	actor.joined.clear();
	actor.call = NO_VERTEX;
}

void Builder::began(const san::Moment &now, uint64_t number, const san::Graph &graph)
{
	Actor &actor = actors_[now.slot];
	Vertex vertex;
	vertex.step = Step::LAUNCH;
	vertex.line = actor.line;
	if (actor.call != NO_VERTEX) {
		vertex.number = graph_.vertices[actor.call].number;
		vertex.label = graph_.vertices[actor.call].label;
		vertex.site = graph_.vertices[actor.call].site;
	}
	actor.open.graph = number;
	actor.open.begin =
		add(vertex, {actor.points.empty() ? NO_VERTEX : actor.points.back().vertex});
	put(actor, now, actor.open.begin);
	actor.is_open = true;
	actor.open.nodes.assign(graph.nodes.size(), NO_VERTEX);
	actor.open.on.assign(graph.nodes.size(), {});
	for (uint32_t node = 0; node < graph.nodes.size(); node++) {
		for (const uint32_t after : graph.nodes[node].after)
			actor.open.on[after].push_back(node);
		if (graph.nodes[node].after.empty())
			actor.open.last.push_back(node);
	}
}

void Builder::ran_node(const san::Moment &now, const san::Graph &graph, uint32_t node)
{
	Actor &actor = actors_[now.slot];
	Open &open = actor.open;
	const san::Graph::Node &one = graph.nodes[node];
	if (!actor.is_open || node >= open.nodes.size())
		return;
	san::Record record;
	record.client = graph.client;
	record.label = one.label;
	record.site = one.site;
	record.flags = one.flags;
	record.operands = one.operands;
	const bool has_work = works_.contains({open.graph, node}) || !one.operands.empty();
	Vertex vertex = vertex_of(record, one.exchange.latch == 0 ? Step::OTHER
					  : one.exchange.waits	  ? Step::WAIT
								  : Step::SIGNAL);
	vertex.line = actor.line;
	vertex.is_node = true;
	vertex.number = graph_.vertices[open.begin].number;
	if (vertex.step == Step::OTHER && has_work) {
		vertex.step = Step::COMMAND;
		vertex.work = work_of(record, open.graph, node);
	}
	std::vector<Id> before{open.begin};
	for (const uint32_t other : open.on[node])
		before.push_back(open.nodes[other]);
	if (vertex.step == Step::WAIT) {
		before.insert(before.end(), open.waits.begin(), open.waits.end());
		open.waits.clear();
	}
	open.nodes[node] = add(vertex, before);
	put(actor, now, open.nodes[node]);
	actor.joined.clear();
}

Graph Builder::finish()
{
	judge_.finish();
	graph_.missing.problems = judge_.summary().problems;
	return std::move(graph_);
}

} // namespace timing
