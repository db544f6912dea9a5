// SPDX-License-Identifier: MIT
/**
 * DOC: the order of a trace: edges and their closure
 */
#include "order.h"

#include <algorithm>

namespace san::recall {

Node Order::make()
{
	after_.emplace_back();
	return static_cast<Node>(after_.size()) - 1;
}

void Order::edge(Node from, Node to)
{
	if (from != NONE)
		after_[to].push_back(from);
}

/* Adds the next step of the host. It follows @after, too. */
Node Order::advance(ClientState &client, Node after)
{
	const Node node = make();
	edge(client.host, node);
	edge(after, node);
	client.host = node;
	return node;
}

/* A step of a stream is after the stream's last one, and after what the host knew at the call. */
Node Order::enqueue(ClientState &client, uint32_t stream)
{
	StreamState &state = client.streams[stream];
	const Node node = make();
	edge(client.host, node);
	edge(state.last, node);
	const bool is_legacy = state.flags & STREAM_LEGACY;
	for (const auto &[number, other] : client.streams) {
		if ((is_legacy && other.is_blocking()) ||
		    (state.is_blocking() && other.flags & STREAM_LEGACY))
			edge(other.last, node);
	}
	for (const StreamState &other : client.ended) {
		if (is_legacy && other.is_blocking())
			edge(other.last, node);
	}
	state.last = node;
	client.owners[node] = stream;
	return node;
}

/* A synchronization had success, so whatever the stream waits for has come. The host did it, by means that are not in
 * the trace. */
void Order::let_go(ClientState &client, uint32_t stream)
{
	auto is_over = [&](Node node) {
		auto owner = client.owners.find(node);
		if (owner == client.owners.end() || owner->second != stream)
			return false;
		edge(client.host, node);
		return true;
	};
	for (auto &[number, event] : events_)
		std::erase_if(event.pending, is_over);
	for (auto &[number, latch] : latches_)
		std::erase_if(latch.pending, [&](const Await &wait) { return is_over(wait.node); });
}

Node Order::wait_for_all(ClientState &client)
{
	for (const auto &[number, stream] : client.streams)
		let_go(client, number);
	const Node node = advance(client, NONE);
	for (const auto &[number, stream] : client.streams)
		edge(stream.last, node);
	for (const StreamState &stream : client.ended)
		edge(stream.last, node);
	return node;
}

Node Order::add(const Record &record)
{
	ClientState &client = clients_[record.client];
	if (is_queued(record))
		return add_queued(record, client);
	return add_host(record, client);
}

Node Order::add_queued(const Record &record, ClientState &client)
{
	const Node node = enqueue(client, record.stream);
	switch (record.kind) {
	case Kind::EVENT_RECORD:
	case Kind::EVENT_WAIT:
	case Kind::EVENT_RESET:
		add_event(record, node);
		break;
	case Kind::GRAPH_LAUNCH:
		add_launch(record, client, node);
		break;
	case Kind::CALLBACK:
		bodies_[record.object] = {node, (record.flags & BLOCKS) != 0};
		break;
	case Kind::SIGNAL:
		post(record.object, record.value, node);
		break;
	case Kind::AWAIT:
		await(record.object, {record.value, record.flags, node});
		break;
	default:
		break;
	}
	if (record.kind == Kind::COMMAND && record.flags & COMMAND_RETURNED)
		advance(client, node);
	return node;
}

/* An event by value has the latest record. A flag is set from the first record since its reset on, and a wait for
 * one that is not set is after the record to come. */
void Order::add_event(const Record &record, Node node)
{
	EventState &event = events_[record.object];
	if (record.kind == Kind::EVENT_RECORD) {
		if (!event.is_flag || event.latest == NONE) {
			event.latest = node;
			event.waits.clear();
		}
		for (const Node wait : event.pending) {
			edge(node, wait);
			event.waits.push_back(wait);
		}
		event.pending.clear();
		event.reset = NONE;
	} else if (record.kind == Kind::EVENT_WAIT) {
		if (event.latest != NONE) {
			edge(event.latest, node);
			event.waits.push_back(node);
		} else if (event.reset != NONE) {
			early_.emplace_back(node, event.reset);
		}
		if (event.latest == NONE && event.is_flag)
			event.pending.push_back(node);
	} else {
		for (const Node wait : event.waits)
			resets_.emplace_back(wait, node);
		event.waits.clear();
		event.latest = NONE;
		event.reset = node;
	}
}

/* Launches of a graph follow each other. In AscendCL the streams of the capture wait for them, and they for these. */
void Order::add_launch(const Record &record, ClientState &client, Node node)
{
	GraphState &graph = graphs_[record.object];
	edge(graph.last, node);
	graph.last = node;
	if (client.profile != Profile::ASCENDCL)
		return;
	for (const uint32_t number : graph.streams) {
		auto stream = client.streams.find(number);
		if (stream == client.streams.end() || number == record.stream)
			continue;
		edge(stream->second.last, node);
		const Node later = make();
		edge(stream->second.last, later);
		edge(node, later);
		stream->second.last = later;
	}
}

/* The begin and the end of clients and streams. */
Node Order::add_actor(const Record &record, ClientState &client)
{
	auto stream = client.streams.find(record.stream);
	switch (record.kind) {
	case Kind::CLIENT:
		client.profile = static_cast<Profile>(record.value);
		return NONE;
	case Kind::STREAM_CREATE:
		client.streams[record.stream] = {record.flags, NONE};
		return NONE;
	default:
		break;
	}
	if (stream == client.streams.end())
		return NONE;
	if (record.flags & WAITS)
		advance(client, stream->second.last);
	client.ended.push_back(stream->second);
	client.streams.erase(stream);
	return NONE;
}

/* Waits of the host that had success. */
Node Order::add_wait(const Record &record, ClientState &client)
{
	auto stream = client.streams.find(record.stream);
	switch (record.kind) {
	case Kind::STREAM_SYNC:
	case Kind::STREAM_DONE:
		if (stream == client.streams.end())
			return NONE;
		let_go(client, record.stream);
		if (stream->second.flags & STREAM_LEGACY)
			enqueue(client, record.stream);
		return advance(client, stream->second.last);
	case Kind::EVENT_SYNC:
	case Kind::EVENT_DONE:
		return advance(client, events_[record.object].latest);
	default:
		return wait_for_all(client);
	}
}

Node Order::add_host(const Record &record, ClientState &client)
{
	switch (record.kind) {
	case Kind::CLIENT:
	case Kind::STREAM_CREATE:
	case Kind::STREAM_DESTROY:
		return add_actor(record, client);
	case Kind::STREAM_SYNC:
	case Kind::STREAM_DONE:
	case Kind::EVENT_SYNC:
	case Kind::EVENT_DONE:
	case Kind::DEVICE_SYNC:
		return add_wait(record, client);
	case Kind::EVENT_CREATE:
		events_[record.object].is_flag = record.value == EVENT_LATCH;
		return NONE;
	case Kind::FREE:
		return record.flags & WAITS ? wait_for_all(client) : advance(client, NONE);
	case Kind::GRAPH_NODE:
		if (record.stream != HOST)
			graphs_[record.object].streams.insert(record.stream);
		return NONE;
	case Kind::HOST_ACCESS: {
		const Node body = body_of(record);
		return body != NONE ? body : advance(client, NONE);
	}
	case Kind::CALLBACK_BEGIN:
	case Kind::CALLBACK_END:
		return add_callback(record, client);
	case Kind::SIGNAL:
		post(record.object, record.value, advance(client, NONE));
		return NONE;
	case Kind::AWAIT:
		await(record.object, {record.value, record.flags, advance(client, NONE)});
		return NONE;
	case Kind::UNMAP:
		return advance(client, NONE);
	default:
		return NONE;
	}
}

std::map<uint32_t, Node> Order::hosts() const
{
	std::map<uint32_t, Node> hosts;
	for (const auto &[number, client] : clients_) {
		if (clients_.size() > 1 && client.host != NONE)
			hosts[number] = client.host;
	}
	return hosts;
}

Node Order::body_of(const Record &record) const
{
	auto running = running_.find({record.client, record.thread});
	if (running == running_.end())
		return NONE;
	auto body = bodies_.find(running->second);
	return body != bodies_.end() && body->second.blocks ? body->second.node : NONE;
}

Node Order::add_callback(const Record &record, ClientState &client)
{
	auto body = bodies_.find(record.object);
	if (body == bodies_.end())
		return NONE;
	const Thread thread{record.client, record.thread};
	if (record.kind == Kind::CALLBACK_BEGIN) {
		running_[thread] = record.object;
		if (!body->second.blocks)
			advance(client, body->second.node);
	} else {
		running_.erase(thread);
		advance(client, body->second.node);
	}
	return NONE;
}

/* The wait is after the first of the values from which on the word has satisfied it without a break. */
bool Order::satisfy(LatchState &latch, const Await &wait, Node &by)
{
	if (wait.flags & LATCH_CONSUME) {
		if (latch.posts.empty())
			return false;
		by = latch.posts.front().node;
		latch.posts.pop_front();
		return true;
	}
	by = NONE;
	for (auto post = latch.posts.rbegin(); post != latch.posts.rend(); ++post) {
		const bool ends = wait.flags & LATCH_AT_LEAST ? post->value >= wait.value
							      : post->value == wait.value;
		if (!ends)
			break;
		by = post->node;
	}
	return by != NONE;
}

void Order::await(uint64_t number, const Await &wait)
{
	LatchState &latch = latches_[number];
	Node by = NONE;
	if (satisfy(latch, wait, by))
		edge(by, wait.node);
	else
		latch.pending.push_back(wait);
}

void Order::post(uint64_t number, uint64_t value, Node node)
{
	LatchState &latch = latches_[number];
	latch.posts.push_back({value, node});
	std::erase_if(latch.pending, [&](const Await &wait) {
		Node by = NONE;
		const bool ends = satisfy(latch, wait, by);
		if (ends)
			edge(by, wait.node);
		return ends;
	});
}

/* Takes the nodes in an order that the edges allow; each knows all that the nodes before it know. */
bool Order::close()
{
	const size_t count = after_.size();
	const size_t words = (count + 63) / 64;
	std::vector<std::vector<Node>> next(count);
	std::vector<size_t> left(count);
	std::vector<Node> ready;
	for (size_t node = 0; node < count; node++) {
		left[node] = after_[node].size();
		for (const Node before : after_[node])
			next[before].push_back(static_cast<Node>(node));
		if (left[node] == 0)
			ready.push_back(static_cast<Node>(node));
	}
	closed_.assign(count, std::vector<uint64_t>(words));
	size_t done = 0;
	while (done < ready.size()) {
		const Node node = ready[done++];
		closed_[node][node / 64] |= uint64_t{1} << node % 64;
		for (const Node later : next[node]) {
			for (size_t i = 0; i < words; i++)
				closed_[later][i] |= closed_[node][i];
			if (--left[later] == 0)
				ready.push_back(later);
		}
	}
	return done == count;
}

bool Order::before(Node a, Node b) const
{
	return closed_[b][a / 64] >> a % 64 & 1;
}

std::vector<std::pair<Node, Node>> Order::unordered_resets() const
{
	std::vector<std::pair<Node, Node>> found;
	for (const auto &[wait, reset] : resets_) {
		if (!before(wait, reset))
			found.emplace_back(wait, reset);
	}
	for (const auto &[wait, reset] : early_) {
		if (!before(reset, wait))
			found.emplace_back(wait, reset);
	}
	return found;
}

bool Order::has_endless_waits() const
{
	auto waits = [](const auto &pair) { return !pair.second.pending.empty(); };
	return std::any_of(events_.begin(), events_.end(), waits) ||
	       std::any_of(latches_.begin(), latches_.end(), waits);
}

} // namespace san::recall
