// SPDX-License-Identifier: MIT
/**
 * DOC: graphs in a trace
 *
 * A node that runs a child graph becomes two nodes, an entry and an exit, with the nodes of the child graph
 * between them. The bodies of a conditional node come one after the other, because only one of them runs. In
 * the trace, the launch as a whole waits for the events that its nodes wait for, and records the events of
 * its nodes at its end. So the trace may have an order that the graph does not guarantee. This can hide a
 * mistake, but no correct program is reported.
 *
 * A node that signals a notify or a word, or waits for one, has a record of its own (GRAPH_SIGNAL,
 * GRAPH_AWAIT), which orders it with other streams. There is no such record if nodes of the graph may be
 * skipped or repeated.
 *
 * A collective operation has a node for each packet, and before them one node with its CollectiveNote. In the
 * trace, the node of the note becomes a chain: signals, the command, waits. For the nodes of packets the
 * trace has only the edges.
 */
#include "traced_graph.h"

#include "collective_note.h"
#include "drv/packet/cookie.h"
#include "host_guard.h"
#include "kernel_operands.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/event_object.h"
#include "umd/core/object/kernel_words.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/opcode.h"
#include "umd/core/task/box.h"
#include "work.h"

namespace umd::recorder {

using san::Kind;

/* The most nodes that the judge accepts. */
static constexpr uint32_t MOST_NODES = 4096;

/* Whether the node is a packet of an operation of several devices, or its note. */
static bool is_of_collective(const GraphTask &task)
{
	return is_collective(drv::decode_cookie(task.packet.cookie).call);
}

static void add_task(Operands &operands, const GraphTask &task)
{
	if (is_of_collective(task))
		return;
	Box box{};
	unpu_fill fill{};
	if (task.kind == TaskKind::HOST_COPY && copied_box(task, box))
		operands.add_box(shape_of(box));
	else if (task.kind == TaskKind::HOST_FILL && filled_range(task, fill))
		operands.add_fill(fill.dst, fill.bytes);
	else if (const KernelWords *words = kernel_words(task))
		add_kernel_operands(operands, *words->image, words->data(),
				    words->size() * sizeof(uint64_t));
	else if (task.tensor)
		(void)operands.add_packet(task.packet, task.tensor->data(),
					  task.tensor->size() * sizeof(uint64_t));
	else
		(void)operands.add_packet(task.packet, task.op, task.op ? sizeof(*task.op) : 0);
}

/* The number by which the device reports what the node's kernel has accessed; 0: the node launches no
 * kernel. */
static uint64_t observer_of(const GraphTask &task)
{
	const KernelWords *words = kernel_words(task);
	return words ? words->head().observer : 0;
}

/* Whether the node does more than its operands and signals describe. */
static bool is_opaque(const GraphTask &task)
{
	switch (task.kind) {
	case TaskKind::HOST:
	case TaskKind::AWAIT_FLAG:
	case TaskKind::JUMP:
	case TaskKind::COND:
		return true;
	default:
		break;
	}
	if (is_of_collective(task))
		return false;
	const OpcodeRow &row = opcode_row(task.packet);
	return row.payload == Payload::KERNEL || row.sync == Sync::WAIT ||
	       row.sync == Sync::WORD_WAIT ||
	       (task.op && task.op->kind == UNPU_OPERATOR_COPY_INDIRECT);
}

static uint32_t label_of(Recorder &recorder, const GraphTask &task)
{
	if (const KernelWords *words = kernel_words(task))
		return kernel_label(recorder, *words->image, words->entry);
	return recorder.call_label(drv::decode_cookie(task.packet.cookie).call);
}

/* What a node is, for a model of time. */
static Work work_of_task(const GraphTask &task)
{
	if (is_of_collective(task))
		return {};
	if (task.kind == TaskKind::HOST_COPY)
		return {san::WorkClass::COPY};
	if (task.kind == TaskKind::HOST_FILL)
		return {san::WorkClass::FILL};
	if (const KernelWords *words = kernel_words(task))
		return {san::WorkClass::KERNEL, nullptr, 0, words->head().blocks};
	if (task.tensor)
		return work_of(task.packet, task.tensor->data(),
			       task.tensor->size() * sizeof(uint64_t));
	return work_of(task.packet, task.op, task.op ? sizeof(*task.op) : 0);
}

uint32_t TracedGraph::number_of(const Graph &part, uint32_t node) const
{
	return first_.at(&part) + node;
}

void TracedGraph::add_edge(uint32_t before, uint32_t after)
{
	if (!is_told_)
		return;
	if (after_.size() <= before)
		after_.resize(before + 1);
	after_[before].push_back(after);
	recorder_.write(
		{.kind = Kind::GRAPH_EDGE, .object = number_, .address = before, .value = after});
}

/* One key space serves for semaphore numbers and addresses of words, because no word has such a low
 * address. */
void TracedGraph::note_signal(const unpu_packet &packet, uint32_t number)
{
	switch (opcode_row(packet).sync) {
	case Sync::NONE:
		break;
	case Sync::SIGNAL:
		if (packet.signal_value != 0)
			signals_[packet.signal_sem].senders.push_back(number);
		break;
	case Sync::WAIT:
		signals_[packet.wait.sem].waiters.push_back(number);
		break;
	case Sync::WORD_WRITE:
		signals_[packet.value_write.address].senders.push_back(number);
		break;
	case Sync::WORD_WAIT:
		signals_[packet.value_wait.address].waiters.push_back(number);
		break;
	}
}

bool TracedGraph::leads_to(uint32_t from, uint32_t to) const
{
	std::vector<bool> is_seen(count_);
	std::vector<uint32_t> open{from};
	while (!open.empty()) {
		const uint32_t node = open.back();
		open.pop_back();
		if (node == to)
			return true;
		if (is_seen[node] || node >= after_.size())
			continue;
		is_seen[node] = true;
		open.insert(open.end(), after_[node].begin(), after_[node].end());
	}
	return false;
}

/* Adds an edge from a node that signals to a node that waits for the signal, unless the edges already order
 * them the other way, as in a loop. The same holds for the chains that nodes start. */
void TracedGraph::add_signals()
{
	for (const auto &[node, head] : starts_) {
		if (!leads_to(head, node))
			add_edge(node, head);
	}
	/* The n-th wait waits for the n-th signal. */
	for (const auto &[latch, signal] : messages_) {
		for (size_t i = 0; i < std::min(signal.senders.size(), signal.waiters.size()); i++)
			add_edge(signal.senders[i], signal.waiters[i]);
	}
	for (const auto &[key, signal] : signals_) {
		for (uint32_t waiter : signal.waiters) {
			for (uint32_t sender : signal.senders) {
				if (!leads_to(waiter, sender))
					add_edge(sender, waiter);
			}
		}
	}
}

/* How a node uses an event that is a flag. Other nodes use none. */
static SyncOp flag_of(TaskKind kind, uint64_t handle)
{
	const bool waits = kind == TaskKind::AWAIT_FLAG;
	const bool resets = kind == TaskKind::RESET_FLAG;
	if (!waits && !resets && kind != TaskKind::SET_FLAG)
		return {};
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	const uint16_t flags = resets ? san::SIGNAL_RESET : san::SIGNAL_SET;
	return {event ? event->traced : 0, 0, flags, waits};
}

/* Records the use of flags for each node. If nodes may be skipped or repeated, the launch as a whole uses the
 * flags. */
void TracedGraph::add_flags()
{
	for (const auto &[number, use] : flags_) {
		const SyncOp latch = flag_of(use.kind, use.event);
		if (is_conditional_ || !is_told_)
			events_.push_back(use);
		else if (latch.latch != 0)
			exchanges_[number] = latch;
	}
}

SyncOp TracedGraph::latch_of(const GraphTask &task) const
{
	if (const SyncOp flag = flag_of(task.kind, task.event); flag.latch != 0)
		return flag;
	if (is_of_collective(task))
		return {};
	return sync_op(recorder_, task.home.device ? task.home.device : device_, task.packet);
}

void TracedGraph::tell_exchange(uint32_t number, const SyncOp &use)
{
	recorder_.write({.kind = use.waits ? Kind::GRAPH_AWAIT : Kind::GRAPH_SIGNAL,
			 .flags = use.flags,
			 .object = number_,
			 .address = number,
			 .bytes = use.latch,
			 .value = use.value});
}

void TracedGraph::add_node(const Graph &part, uint32_t node, const GraphTask &task)
{
	switch (task.kind) {
	case TaskKind::RECORD:
	case TaskKind::WAIT:
		events_.push_back({task.kind, task.event});
		break;
	case TaskKind::SET_FLAG:
	case TaskKind::AWAIT_FLAG:
	case TaskKind::RESET_FLAG:
		flags_.emplace_back(number_of(part, node), EventUse{task.kind, task.event});
		break;
	default:
		break;
	}
	if (!is_told_)
		return;
	if (task.kind != TaskKind::RECORD && task.kind != TaskKind::WAIT) {
		if (!is_of_collective(task))
			note_signal(task.packet, number_of(part, node));
		if (const SyncOp use = latch_of(task); use.latch != 0)
			exchanges_.emplace(number_of(part, node), use);
	}
	Box box{};
	if (task.kind != TaskKind::HOST_COPY && copied_box(task, box))
		copies_.push_back(box);
	is_opaque_ |= is_opaque(task);
	is_conditional_ |= task.kind == TaskKind::JUMP || task.kind == TaskKind::COND;
	Operands operands;
	add_task(operands, task);
	write_work(recorder_, work_of_task(task), operands,
		   {number_, number_of(part, node), label_of(recorder_, task), nullptr});
	recorder_.write({.kind = Kind::GRAPH_NODE,
			 .flags = static_cast<uint16_t>(is_opaque(task) ? san::COMMAND_OPAQUE : 0),
			 .object = number_,
			 .address = observer_of(task),
			 .value = number_of(part, node),
			 .label = label_of(recorder_, task),
			 .site = part.site(node)},
			&operands);
}

/* Adds all nodes first and then the edges, because an edge may lead to any node. */
void TracedGraph::add_part(const Graph &part)
{
	first_.emplace(&part, count_);
	count_ += part.size();
	is_told_ = is_told_ && count_ <= MOST_NODES;
	for (uint32_t node = 0; node < part.size(); node++) {
		if (part.live(node))
			add_node(part, node, part.task(node));
	}
	for (uint32_t node = 0; node < part.size(); node++) {
		if (!part.live(node))
			continue;
		if (part.kind(node) == TaskKind::CHILD)
			add_inside(part, node, {&part.child(node)});
		if (part.kind(node) == TaskKind::EMPTY)
			add_collective(part, node);
		if (part.kind(node) != TaskKind::COND)
			continue;
		std::vector<const Graph *> bodies;
		for (uint32_t i = 0; i < part.bodies(node); i++)
			bodies.push_back(&part.body(node, i));
		add_inside(part, node, bodies);
	}
	add_edges(part);
}

/* Adds the child graphs of a node one after the other, between the node and an additional node at the end. */
void TracedGraph::add_inside(const Graph &part, uint32_t node,
			     const std::vector<const Graph *> &inside)
{
	std::vector<uint32_t> before{number_of(part, node)};
	for (const Graph *graph : inside) {
		add_part(*graph);
		std::vector<bool> is_followed(graph->size());
		std::vector<uint32_t> ends;
		for (uint32_t i = 0; i < graph->size(); i++) {
			for (uint32_t on : graph->after(i))
				is_followed[on] = true;
		}
		for (uint32_t i = 0; i < graph->size(); i++) {
			if (!graph->live(i))
				continue;
			for (uint32_t on :
			     graph->after(i).empty() ? before : std::vector<uint32_t>())
				add_edge(on, number_of(*graph, i));
			const auto exit = exits_.find(number_of(*graph, i));
			if (!is_followed[i])
				ends.push_back(exit != exits_.end() ? exit->second
								    : number_of(*graph, i));
		}
		if (!ends.empty())
			before = std::move(ends);
	}
	const uint32_t exit = count_++;
	is_told_ = is_told_ && count_ <= MOST_NODES;
	exits_.emplace(number_of(part, node), exit);
	if (is_told_)
		recorder_.write({.kind = Kind::GRAPH_NODE, .object = number_, .value = exit});
	for (uint32_t on : before)
		add_edge(on, exit);
}

/* Adds a node that exists only in the trace. Return: its number */
uint32_t TracedGraph::add_extra(uint32_t before, const GraphTask &like, uint32_t site,
				const Operands *operands)
{
	const uint32_t number = count_++;
	is_told_ = is_told_ && count_ <= MOST_NODES;
	if (is_told_)
		recorder_.write({.kind = Kind::GRAPH_NODE,
				 .object = number_,
				 .value = number,
				 .label = label_of(recorder_, like),
				 .site = site},
				operands);
	add_edge(before, number);
	return number;
}

void TracedGraph::add_collective(const Graph &part, uint32_t node)
{
	const GraphTask task = part.task(node);
	if (!task.tensor)
		return;
	const CollectiveNote note = CollectiveNote::of(*task.tensor);
	uint32_t last = number_of(part, node);
	const auto add = [&](const Operands *operands) {
		last = add_extra(last, task, part.site(node), operands);
	};
	for (const uint64_t latch : note.signals) {
		add(nullptr);
		messages_[latch].senders.push_back(last);
		exchanges_[last] = {latch, 1, san::SIGNAL_ADD, false};
	}
	Operands operands;
	note.add_to(operands);
	add(&operands);
	for (const uint64_t latch : note.waits) {
		add(nullptr);
		messages_[latch].waiters.push_back(last);
		exchanges_[last] = {latch, 0, san::LATCH_CONSUME, true};
	}
	exits_.emplace(number_of(part, node), last);
}

void TracedGraph::add_edges(const Graph &part)
{
	for (uint32_t node = 0; node < part.size(); node++) {
		if (!part.live(node))
			continue;
		for (uint32_t on : part.after(node)) {
			const auto exit = exits_.find(number_of(part, on));
			add_edge(exit != exits_.end() ? exit->second : number_of(part, on),
				 number_of(part, node));
		}
		if (part.kind(node) == TaskKind::ACTIVATE)
			starts_.emplace_back(number_of(part, node),
					     number_of(part, part.head(node)));
	}
}

std::unique_ptr<GraphRecord> TracedGraph::note(const Graph &graph, const DeviceState *device)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return nullptr;
	std::unique_ptr<TracedGraph> traced(
		new TracedGraph(*recorder, recorder->next_number(), device));
	traced->add_part(graph);
	traced->add_signals();
	if (traced->count_ == 0)
		traced->is_told_ = false;
	traced->add_flags();
	if (!traced->is_told_)
		return traced;
	if (!traced->is_conditional_) {
		for (const auto &[node, use] : traced->exchanges_)
			traced->tell_exchange(node, use);
	}
	recorder->write({.kind = Kind::GRAPH_READY, .object = traced->number_});
	return traced;
}

TracedGraph::~TracedGraph()
{
	if (is_told_ && is_on())
		recorder_.write({.kind = Kind::GRAPH_DESTROY, .object = number_});
}

void TracedGraph::follow(const GraphRecord &old) const
{
	const auto &before = static_cast<const TracedGraph &>(old);
	if (is_told_ && before.is_told_ && is_on())
		recorder_.write(
			{.kind = Kind::GRAPH_FOLLOW, .object = number_, .value = before.number_});
}

static Entry begin_use(Kind kind, uint64_t handle, Stream &stream)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	return event ? begin_event(kind, *event, stream) : Entry();
}

static bool is_wait(TaskKind kind)
{
	return kind == TaskKind::WAIT || kind == TaskKind::AWAIT_FLAG;
}

std::unique_ptr<GraphRecord::Launch> TracedGraph::begin_launch(Stream &stream, uint16_t call,
							       bool is_kept) const
{
	auto launch = std::make_unique<Launch>();
	uint16_t flags = 0;
	HostGuard::open();
	const bool is_plain = is_kept && !is_opaque_ && exchanges_.empty() && !is_updated_.load();
	if (is_told_)
		launch->digest = LaunchDigest::begin(stream, copies_, is_plain,
						     launches_.fetch_add(1), flags);
	for (const EventUse &use : events_) {
		if (is_wait(use.kind))
			launch->entries.push_back(begin_use(Kind::EVENT_WAIT, use.event, stream));
	}
	if (!is_told_ && is_on())
		launch->entries.push_back(recorder_.reserve({.kind = Kind::COMMAND,
							     .flags = san::COMMAND_OPAQUE,
							     .stream = stream_number(stream),
							     .object = recorder_.next_number(),
							     .label = recorder_.call_label(call)}));
	if (is_told_)
		launch->entries.push_back(
			recorder_.reserve({.kind = Kind::GRAPH_LAUNCH,
					   .flags = flags,
					   .stream = stream_number(stream),
					   .object = number_,
					   .value = launch->digest ? launch->digest->number()
								   : recorder_.next_number(),
					   .label = recorder_.call_label(call)}));
	if (launch->digest)
		launch->digest->read();
	for (const EventUse &use : events_) {
		if (is_wait(use.kind))
			continue;
		const Kind kind =
			use.kind == TaskKind::RESET_FLAG ? Kind::EVENT_RESET : Kind::EVENT_RECORD;
		launch->entries.push_back(begin_use(kind, use.event, stream));
	}
	return launch;
}

Entry TracedGraph::begin_update(const Graph &part, uint32_t node, const GraphTask &task,
				Stream *stream)
{
	const auto first = first_.find(&part);
	if (!is_told_ || !is_on() || first == first_.end())
		return {};
	is_updated_ = true;
	const SyncOp use = latch_of(task);
	if (use.latch != 0 && !is_conditional_ && !stream)
		tell_exchange(first->second + node, use);
	Operands operands;
	add_task(operands, task);
	write_work(recorder_, work_of_task(task), operands,
		   {number_, first->second + node, label_of(recorder_, task), nullptr});
	return recorder_.reserve({.kind = Kind::GRAPH_UPDATE,
				  .stream = stream ? stream_number(*stream) : san::HOST,
				  .object = number_,
				  .address = observer_of(task),
				  .value = first->second + node,
				  .label = label_of(recorder_, task)},
				 &operands);
}

void observe_graphs()
{
	observer.note_graph.fill(TracedGraph::note);
}

} // namespace umd::recorder
