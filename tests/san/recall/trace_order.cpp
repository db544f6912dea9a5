// SPDX-License-Identifier: MIT
/**
 * DOC: the order of a trace: edges and their closure
 */
#include "trace_order.h"

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
		if (other.context == state.context &&
		    ((is_legacy && other.is_blocking()) ||
		     (state.is_blocking() && other.flags & STREAM_LEGACY)))
			edge(other.last, node);
	}
	for (const StreamState &other : client.ended) {
		if (is_legacy && other.is_blocking() && other.context == state.context)
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

Node Order::wait_for_all(ClientState &client, uint64_t context)
{
	const auto is_meant = [context](const StreamState &stream) {
		return context == 0 || stream.context == context;
	};
	for (const auto &[number, stream] : client.streams) {
		if (is_meant(stream))
			let_go(client, number);
	}
	const Node node = advance(client, NONE);
	for (const auto &[number, stream] : client.streams) {
		if (is_meant(stream))
			edge(stream.last, node);
	}
	for (const StreamState &stream : client.ended) {
		if (is_meant(stream))
			edge(stream.last, node);
	}
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
		return add_launch(record, client, node);
	case Kind::CALLBACK:
		bodies_[record.object] = {node, (record.flags & BLOCKS) != 0};
		break;
	default:
		exchange(record, node);
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

/* A node that signals, or waits for a signal, is a step of its own, and so are the nodes before and after it.
 * Return: a step that is after all of them. */
Node Order::add_steps(GraphState &graph, Node begin)
{
	graph.steps.clear();
	const auto does_exchange = [](const auto &node) {
		return node.second.exchange.object != 0;
	};
	if (std::none_of(graph.nodes.begin(), graph.nodes.end(), does_exchange))
		return begin;
	const Node end = make();
	for (const auto &[number, node] : graph.nodes) {
		const Node step = make();
		graph.steps[number] = step;
		edge(begin, step);
		edge(step, end);
	}
	for (const auto &[number, node] : graph.nodes) {
		for (const uint64_t after : node.after)
			edge(graph.steps[number], graph.steps[after]);
	}
	for (const auto &[number, node] : graph.nodes)
		exchange(node.exchange, graph.steps[number]);
	return end;
}

/* Launches of a graph follow each other. In AscendCL the streams of the capture wait for them, and they for these.
 * Return: the begin of the launch. */
Node Order::add_launch(const Record &record, ClientState &client, Node node)
{
	GraphState &graph = graphs_[record.object];
	edge(graph.last, node);
	const bool joins = client.profile == Profile::ASCENDCL;
	for (const uint32_t number : graph.streams) {
		auto stream = client.streams.find(number);
		if (joins && stream != client.streams.end() && number != record.stream)
			edge(stream->second.last, node);
	}
	graph.last = add_steps(graph, node);
	client.streams[record.stream].last = graph.last;
	client.owners[graph.last] = record.stream;
	for (const auto &[number, step] : graph.steps)
		client.owners[step] = record.stream;
	for (const uint32_t number : graph.streams) {
		auto stream = client.streams.find(number);
		if (!joins || stream == client.streams.end() || number == record.stream)
			continue;
		const Node later = make();
		edge(stream->second.last, later);
		edge(graph.last, later);
		stream->second.last = later;
	}
	return node;
}

Node Order::add_graph(const Record &record)
{
	GraphState &graph = graphs_[record.object];
	switch (record.kind) {
	case Kind::GRAPH_NODE:
		graph.nodes.try_emplace(record.value);
		if (record.stream != HOST)
			graph.streams.insert(record.stream);
		return NONE;
	case Kind::GRAPH_EDGE:
		graph.nodes[record.address].after.push_back(record.value);
		return NONE;
	case Kind::GRAPH_FOLLOW:
		graph.last = graphs_[record.value].last;
		return NONE;
	default:
		break;
	}
	Record &exchange = graph.nodes[record.address].exchange;
	exchange = record;
	exchange.kind = record.kind == Kind::GRAPH_SIGNAL ? Kind::SIGNAL : Kind::AWAIT;
	exchange.object = record.bytes;
	return NONE;
}

Node Order::step_of(uint64_t number, uint64_t node) const
{
	auto graph = graphs_.find(number);
	if (graph == graphs_.end())
		return NONE;
	auto step = graph->second.steps.find(node);
	return step == graph->second.steps.end() ? NONE : step->second;
}

/* What a record of SIGNAL or AWAIT does. Of a graph it may be for a flag. */
void Order::exchange(const Record &record, Node node)
{
	auto event = events_.find(record.object);
	if (event != events_.end() && event->second.is_flag &&
	    (record.kind == Kind::SIGNAL || record.kind == Kind::AWAIT)) {
		Record use = record;
		use.kind = record.kind == Kind::AWAIT	  ? Kind::EVENT_WAIT
			   : record.flags == SIGNAL_RESET ? Kind::EVENT_RESET
							  : Kind::EVENT_RECORD;
		return add_event(use, node);
	}
	if (record.kind == Kind::SIGNAL)
		post(record, node);
	else if (record.kind == Kind::AWAIT && record.object != 0)
		await(record.object, {record.value, record.flags, node});
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
		client.streams[record.stream] = {record.flags, record.object, NONE};
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
		return wait_for_all(client, record.object);
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
	case Kind::GRAPH_EDGE:
	case Kind::GRAPH_SIGNAL:
	case Kind::GRAPH_AWAIT:
	case Kind::GRAPH_FOLLOW:
		return add_graph(record);
	case Kind::HOST_ACCESS: {
		const Node body = body_of(record);
		return body != NONE ? body : advance(client, NONE);
	}
	case Kind::CALLBACK_BEGIN:
	case Kind::CALLBACK_END:
		return add_callback(record, client);
	case Kind::SIGNAL:
	case Kind::AWAIT:
		exchange(record, advance(client, NONE));
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

static uint64_t value_after(uint64_t value, const Record &signal)
{
	const auto operand = static_cast<uint32_t>(signal.value);
	const auto old = static_cast<uint32_t>(value);
	return signal.flags == SIGNAL_ADD   ? old + operand
	       : signal.flags == SIGNAL_OR  ? old | operand
	       : signal.flags == SIGNAL_AND ? old & operand
					    : signal.value;
}

static bool ends(uint64_t value, uint64_t wanted, uint16_t flags)
{
	return flags & LATCH_AT_LEAST ? value >= wanted : value == wanted;
}

/* Takes the first @count posts away, after which the word is @base. */
void Order::take(LatchState &latch, size_t count, uint64_t base)
{
	latch.posts.erase(latch.posts.begin(), latch.posts.begin() + count);
	latch.base = base;
	for (Post &post : latch.posts)
		post.value = base = value_after(base, post.signal);
}

/* The post that ends the wait: the first one after which the word is right for a wait that clears it, otherwise the
 * first one from which on it has been right without a break. Return: the number of posts if there is none. */
size_t Order::last_needed(const LatchState &latch, const Await &wait)
{
	const size_t count = latch.posts.size();
	size_t last = count;
	if (wait.flags & LATCH_CLEAR) {
		for (last = 0; last < count; last++) {
			if (ends(latch.posts[last].value, wait.value, wait.flags))
				break;
		}
		return last;
	}
	while (last > 0 && ends(latch.posts[last - 1].value, wait.value, wait.flags))
		last--;
	return last;
}

/* The wait is after the last signal that it needs, and after each one since the last assignment without which the word
 * would not be right then. Where the trace can't say which values are right, it is after all. */
bool Order::satisfy(LatchState &latch, const Await &wait, std::vector<Node> &by)
{
	if (latch.posts.empty())
		return false;
	if (wait.flags & LATCH_ANY) {
		for (const Post &post : latch.posts)
			by.push_back(post.node);
		if (wait.flags & LATCH_CLEAR)
			take(latch, latch.posts.size(), 0);
		return true;
	}
	if (wait.flags & LATCH_CONSUME) {
		by.push_back(latch.posts.front().node);
		take(latch, 1, latch.posts.front().value);
		return true;
	}
	const size_t last = last_needed(latch, wait);
	if (last == latch.posts.size())
		return false;
	size_t first = last;
	while (first > 0 && latch.posts[first].signal.flags != SIGNAL_SET)
		first--;
	for (size_t i = first; i <= last; i++) {
		uint64_t others = first == 0 ? latch.base : latch.posts[first - 1].value;
		for (size_t j = first; j <= last; j++)
			others = j == i ? others : value_after(others, latch.posts[j].signal);
		const bool assigns = latch.posts[i].signal.flags == SIGNAL_SET;
		if (i == last || assigns || !ends(others, wait.value, wait.flags))
			by.push_back(latch.posts[i].node);
	}
	if (wait.flags & LATCH_CLEAR)
		take(latch, last + 1, 0);
	return true;
}

void Order::await(uint64_t number, const Await &wait)
{
	LatchState &latch = latches_[number];
	std::vector<Node> by;
	if (!satisfy(latch, wait, by))
		return latch.pending.push_back(wait);
	for (const Node node : by)
		edge(node, wait.node);
}

/* Whether the edges so far lead from @from to @to. */
bool Order::leads(Node from, Node to) const
{
	std::vector<Node> next{to};
	std::set<Node> seen;
	while (!next.empty()) {
		const Node node = next.back();
		next.pop_back();
		if (node == from)
			return true;
		if (seen.insert(node).second)
			next.insert(next.end(), after_[node].begin(), after_[node].end());
	}
	return false;
}

void Order::post(const Record &record, Node node)
{
	LatchState &latch = latches_[record.object];
	/* No wait sees what was posted before the word was set to 0. */
	while (record.flags == SIGNAL_SET && record.value == 0 && !latch.posts.empty() &&
	       leads(latch.posts.front().node, node))
		take(latch, 1, latch.posts.front().value);
	const uint64_t before = latch.posts.empty() ? latch.base : latch.posts.back().value;
	latch.posts.push_back({record, value_after(before, record), node});
	std::erase_if(latch.pending, [&](const Await &wait) {
		std::vector<Node> by;
		if (!satisfy(latch, wait, by))
			return false;
		for (const Node signal : by)
			edge(signal, wait.node);
		return true;
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
