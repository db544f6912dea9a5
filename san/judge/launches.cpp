// SPDX-License-Identifier: MIT
/**
 * DOC: the judge: launches of graphs
 *
 * A launch is one step of its stream, unless nodes of the graph signal other streams or wait for their
 * signals. In that case the judge runs the nodes one after the other, in an order that the edges allow. The
 * launch is held at a wait until a signal ends it. Each node counts as ordered after all nodes that ran
 * before it, even if no edge orders them. So a mistake may be missed, but no correct program is reported.
 * Races between nodes are found when the graph is made.
 */
#include "san/judge/judge.h"

#include <algorithm>

namespace san {

Launch::Launch(const Graph &graph)
	: rank_(graph.nodes.size(), OTHER), left_(graph.nodes.size()), has_run_(graph.nodes.size())
{
	for (auto node = graph.order.rbegin(); node != graph.order.rend(); ++node) {
		const Graph::Node &one = graph.nodes[*node];
		const bool leads_to_signal =
			std::any_of(one.after.begin(), one.after.end(), [&](uint32_t after) {
				return rank_[after] == SIGNAL || rank_[after] == TO_SIGNAL;
			});
		if (one.exchange.latch != 0)
			rank_[*node] = one.exchange.waits ? WAIT : SIGNAL;
		else if (leads_to_signal)
			rank_[*node] = TO_SIGNAL;
		for (const uint32_t after : one.after)
			left_[after]++;
	}
	for (uint32_t node = 0; node < left_.size(); node++) {
		if (left_[node] == 0)
			ready_[rank_[node]].push_back(node);
	}
}

uint32_t Launch::next()
{
	for (const Rank rank : {SIGNAL, TO_SIGNAL, OTHER}) {
		if (ready_[rank].empty())
			continue;
		const uint32_t node = ready_[rank].back();
		ready_[rank].pop_back();
		return node;
	}
	return NONE;
}

/* Edges that were added after the launch began do not count. */
void Launch::finish(const Graph &graph, uint32_t node)
{
	has_run_[node] = true;
	for (const uint32_t after : graph.nodes[node].after) {
		if (left_[after] > 0 && --left_[after] == 0)
			ready_[rank_[after]].push_back(after);
	}
}

bool Judge::run_launch(Stream &stream, Held &held, bool forced)
{
	if (!held.launch) {
		if (const char *why = graphs_.join(held.record.object, stream)) {
			complain(why);
			return true;
		}
		stream.actor.tick();
		held.command->moment = stream.actor.now();
		summary_.commands++;
	}
	Graph &graph = *graphs_.find(held.record.object);
	if (!held.launch)
		graphs_.begin(graph, held.command);
	if (follower_ && !held.launch)
		follower_->began(held.command->moment, held.record.object, graph);
	if (graph.exchanges == 0 && !held.launch) {
		for (const uint32_t node : graph.order) {
			graphs_.run_node(graph, node, held.command);
			if (follower_)
				follower_->ran_node(held.command->moment, graph, node);
		}
	} else {
		if (!held.launch)
			held.launch = std::make_shared<Launch>(graph);
		if (held.launch->is_of(graph) && !run_nodes(stream, held, graph, forced))
			return false;
		/* A follower tells the end of the launch apart from its last node. */
		if (follower_)
			stream.actor.tick();
		held.command->moment = stream.actor.now();
	}
	graphs_.end(graph, held.command);
	note_contents(stream, held, graph);
	if (graph.is_opaque || graph.exchanges != 0)
		note_opaque(stream);
	stream.mark({Mark::What::COMMAND, held.command->order, held.record.label, held.record.site,
		     held.command->number, nullptr, 0, held.command->task});
	return true;
}

/* Begins the comparison of sources in pinned memory, and notes commands from which the host may learn that an
 * open copy has ended. */
void Judge::note_contents(const Stream &stream, const Held &held, Graph &graph)
{
	if (held.record.flags & COMMAND_COMPARED && graph.exchanges == 0)
		contents_.begin(held.command, held.host, graphs_.sources_of(graph), held.is_held,
				held.record.object);
	summary_.uncompared += (held.record.flags & COMMAND_UNCOMPARED) != 0;
	if (!watches_contents())
		return;
	const bool tells =
		std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Graph::Node &node) {
			return tells_host(stream, node.operands, node.flags);
		});
	if (tells)
		contents_.note_teller(stream.client, stream.actor.now());
}

/* Runs nodes of a launch. Return: false if only waits are left, and no signal has ended them. */
bool Judge::run_nodes(Stream &stream, Held &held, const Graph &graph, bool forced)
{
	Launch &launch = *held.launch;
	for (;;) {
		uint32_t node = launch.next();
		if (node == Launch::NONE && launch.waits().empty())
			return true;
		if (node == Launch::NONE)
			node = end_wait(stream, launch, graph, forced);
		if (node == Launch::NONE)
			return false;
		run_node(stream, held, graph, node);
		launch.finish(graph, node);
		has_advanced_ = true;
	}
}

void Judge::run_node(Stream &stream, const Held &held, const Graph &graph, uint32_t node)
{
	const Graph::Exchange &exchange = graph.nodes[node].exchange;
	stream.actor.tick();
	auto command = std::make_shared<Command>(*held.command);
	command->moment = stream.actor.now();
	graphs_.use_parameters(*graphs_.find(held.record.object), {node, node + 1}, command);
	graphs_.run_node(graph, node, command);
	if (follower_)
		follower_->ran_node(command->moment, graph, node);
	if (exchange.latch == 0)
		return;
	if (is_flag_event(exchange.latch))
		use_flag(events_.find(exchange.latch)->second, exchange, command);
	else if (!exchange.waits)
		latches_[exchange.latch].signal(exchange.value, exchange.flags, command->moment);
}

/* Applies a node that records, resets or waits for an event that is a flag. */
void Judge::use_flag(Event &event, const Graph::Exchange &exchange,
		     const std::shared_ptr<Command> &command)
{
	const GenerationPointer latest = event.latest;
	if (exchange.waits) {
		if (latest)
			latest->add_wait(command);
	} else if (exchange.flags == SIGNAL_RESET) {
		event.take_away(command);
		if (latest)
			check_waits(*latest, *command, event.number);
	} else {
		const GenerationPointer generation = event.make_record(command);
		generation->is_known = true;
		event.set(generation);
	}
}

bool Judge::is_over(const Graph::Exchange &wait, Stream &stream)
{
	if (!is_flag_event(wait.latch))
		return latches_[wait.latch].await(wait.value, wait.flags, stream.actor);
	const GenerationPointer &latest = events_.find(wait.latch)->second.latest;
	if (!latest || !latest->is_known)
		return false;
	latest->is_consumed = true;
	stream.actor.join(latest->call->moment);
	return true;
}

/* Return: a wait of the launch that has ended, or NONE. */
uint32_t Judge::end_wait(Stream &stream, Launch &launch, const Graph &graph, bool forced)
{
	for (const uint32_t node : launch.waits()) {
		if (!is_over(graph.nodes[node].exchange, stream))
			continue;
		launch.end_wait(node);
		return node;
	}
	if (!forced)
		return Launch::NONE;
	stream.actor.join(actors_.client(stream.client)->host.now());
	const uint32_t node = launch.waits().front();
	launch.end_wait(node);
	return node;
}

} // namespace san
