// SPDX-License-Identifier: MIT
/**
 * DOC: Running a graph
 *
 * A line runs until a node blocks or the turn is over. Nodes whose addresses are known run one after the
 * other through Node::run; the others go through the command processor, as packets do. A line that ends
 * decrements the count of each line that joins it.
 *
 * A COND node starts a region, and its line blocks until the region has ended. A loop ends with the first
 * failure: the failed node may be the one that would have changed the condition.
 */
#include <algorithm>
#include <cstring>

#include "firmware_sim/schedule/token_work.h"
#include "graph.h"

namespace fw {

using base::Status;

/* A line of this cost takes longer than the wake-up of an engine thread. */
static constexpr uint32_t SPAN_COST = 8192;
/* The most nodes of a line that an engine gets at once. */
static constexpr uint32_t SPAN_NODES = 1024;
/* Nodes of this cost take about as long as one piece of a job. */
static constexpr uint64_t STEP_COST = 4096;
/* This many edges that end, or lines that start, cost about as much as one node. */
static constexpr uint32_t EDGES_COST = 4;
/* The cost of a node that goes through the command processor. */
static constexpr int64_t SLOW_COST = 4;
/* This many waiters that a signal looks at cost as much as one node. */
static constexpr uint64_t LOOKS_COST = 4;

/* struct Graph::Span - copies of all nodes of a line, for an engine; an update does not change them. */
struct Graph::Span {
	std::vector<Node> nodes;
	std::vector<unpu_operator> operators;
	std::vector<Hold> held;
	std::vector<unpu_graph_time> times;
	uint64_t boot_ns = 0;

	size_t done = 0;

	/* Runs nodes that take about as long as one piece of a job. Return: whether there are more. */
	bool step()
	{
		for (uint64_t cost = 0; done < nodes.size() && cost < STEP_COST; done++) {
			const Node &node = nodes[done];
			uint64_t began_ns = times.empty() ? 0 : base::now_ns() - boot_ns;
			node.run(node);
			if (!times.empty())
				times[done] = {began_ns, base::now_ns() - boot_ns};
			cost += node.cost;
		}
		return done < nodes.size();
	}
};

uint64_t Graph::clock() const
{
	return times_ ? base::now_ns() - client_.core.boot_ns : 0;
}

void Graph::note(uint32_t node, uint64_t began_ns)
{
	if (times_) [[unlikely]]
		times_[node] = {began_ns, clock()};
}

/* Adds a block of stands. A graph that runs few lines at a time needs few stands. A graph with very many
 * lines gets large blocks, which the allocator maps separately and returns to the kernel. */
void Graph::add_stands()
{
	constexpr size_t MOST = 512;
	const size_t count = std::min(MOST, size_t{1} << std::min<size_t>(stands_.size(), 9));
	free_stands_.reserve(free_stands_.size() + count);
	std::vector<Stand> &block = stands_.emplace_back(count);
	/* The line waits already, so this can't be refused; what the client asks for next can. */
	client_.account->charge_anyway(Resource::MEMORY, count * sizeof(Stand),
				       stand_memory_.emplace_back());
	for (size_t i = count; i-- != 0;) {
		block[i].graph = this;
		free_stands_.push_back(&block[i]);
	}
}

Graph::Stand &Graph::take_stand(uint32_t line)
{
	if (free_stands_.empty())
		add_stands();
	Stand &stand = *free_stands_.back();
	free_stands_.pop_back();
	stand.line = line;
	stand.fault = {};
	lines_[line].stand = &stand;
	return stand;
}

void Graph::put_stand(Line &line)
{
	line.stand->span.reset();
	line.stand->op.reset();
	line.stand->tensor.reset();
	line.stand->kernel.reset();
	free_stands_.push_back(line.stand);
	line.stand = nullptr;
}

void Graph::Stand::woken(Status status, uint64_t address, uint64_t detail)
{
	graph->client_.core.timers.remove(*this);
	if (graph->tracing())
		graph->trace_node(UNPU_TRACE_NODE_WAKE, graph->lines_[line],
				  static_cast<uint32_t>(status));
	outcome = {.status = status, .address = address, .detail = detail};
	graph->ready_.push_back(line);
	graph->client_.core.queue.push(*graph);
}

/* Return: true if the turn is over and the line can still run. */
bool Graph::run_line(uint32_t index)
{
	Line &line = lines_[index];
	if (line.stand && !take_up(line))
		return false;
	if (line.cost >= SPAN_COST && !line.others && !injects_faults_ && line.at != line.end &&
	    (line.at - line.first) % SPAN_NODES == 0 && offload(index))
		return false;
	while (line.at != line.end) {
		if (budget_ <= 0)
			return true;
		const uint32_t end = std::min(nodes_.refresh(line.at), line.end);
		if (nodes_.at(line.at)->run && !injects_faults_)
			run_plain(line, end);
		else if (!run_node(index))
			return false;
	}
	end_line(line);
	return false;
}

/* Runs nodes in a row up to @last that have Node::run, until one has none or the turn is over. */
void Graph::run_plain(Line &line, uint32_t last)
{
	const Node *node = nodes_.at(line.at);
	const Node *end = nodes_.at(last);
	int64_t budget = budget_;
	if (times_ || tracing() || !client_.core.watches.empty()) [[unlikely]] {
		uint64_t began_ns = clock();
		if (tracing())
			trace_node(UNPU_TRACE_NODE_START, line, nodes_.opcode(line.at));
		node->run(*node);
		if (tracing())
			trace_end(line, {});
		budget_ -= node->cost;
		ran_++;
		note(line.at, began_ns);
		if (nodes_.tensor(line.at))
			client_.core.watches.look();
		client_.core.watches.wrote(nodes_.written(line.at++));
		return;
	}
	do {
		node->run(*node);
		budget -= node->cost;
		node++;
	} while (node != end && node->run && budget > 0);
	budget_ = budget;
	uint32_t before = line.at;
	line.at = static_cast<uint32_t>(node - nodes_.at(0));
	ran_ += line.at - before;
}

void Graph::complete(Line &line, const unpu_packet &packet, const Outcome &outcome,
		     uint64_t began_ns)
{
	if (tracing()) [[unlikely]]
		trace_end(line, outcome);
	if (outcome.status != Status::OK && !forgive_overflow(client_, packet, outcome))
		fail(outcome, packet.cookie);
	const uint64_t looks = client_.core.inbox.looks();
	Status signalled = apply_signal(client_, packet);
	budget_ -= static_cast<int64_t>((client_.core.inbox.looks() - looks) / LOOKS_COST);
	if (signalled != Status::OK) [[unlikely]]
		fail({signalled, 0}, packet.cookie);
	note(line.at, began_ns);
	line.at++;
	ran_++;
}

/* Completes the node in which a line was blocked. */
void Graph::complete_stand(Line &line, const Outcome &outcome)
{
	const Stand &stand = *line.stand;
	complete(line, stand.packet, outcome, stand.began_ns);
	if (stand.fault.signals_twice) [[unlikely]]
		(void)apply_signal(client_, stand.packet);
}

/* Continues a line that was blocked. Return: false when it blocks again. */
bool Graph::take_up(Line &line)
{
	Stand &stand = *line.stand;
	if (stand.fault.is_delayed) [[unlikely]] {
		stand.fault.is_delayed = false;
		return execute_late(line);
	}
	if (stand.span) {
		const auto count = static_cast<uint32_t>(stand.span->nodes.size());
		if (times_ && !stand.span->times.empty())
			memcpy(times_ + line.at, stand.span->times.data(),
			       stand.span->times.size() * sizeof(unpu_graph_time));
		if (tracing())
			trace_end(line, {});
		line.at += count;
		ran_ += count;
		if (!client_.core.watches.empty())
			client_.core.watches.look();
	} else {
		complete_stand(line, stand.outcome);
	}
	put_stand(line);
	return true;
}

void Graph::resolve(unpu_packet &packet) const
{
	if (!(packet.flags & UNPU_PACKET_ARGUMENT))
		return;
	packet.flags &= static_cast<uint8_t>(~UNPU_PACKET_ARGUMENT);
	bool wait = opcode_row(packet.opcode).argument == Argument::WAIT;
	const unpu_graph_argument &arg = args_[wait ? packet.wait.value : packet.signal_value];
	if (wait) {
		packet.wait.sem = arg.sem;
		packet.wait.value = arg.value;
	} else {
		packet.signal_sem = arg.sem;
		packet.signal_value = arg.value;
	}
}

/* Return: false when the line is blocked now. */
bool Graph::run_node(uint32_t index)
{
	Line &line = lines_[index];
	unpu_packet packet = nodes_.packet(line.at);
	budget_ -= std::max<int64_t>(nodes_.at(line.at)->cost, SLOW_COST);
	resolve(packet);
	if (tracing()) [[unlikely]]
		trace_node(UNPU_TRACE_NODE_START, line, packet.opcode);
	if (const auto steer = opcode_row(packet.opcode).steer)
		return (this->*steer)(index, packet);
	Stand &stand = take_stand(index);
	stand.packet = packet;
	stand.began_ns = clock();
	Outcome outcome;
	if (injects_faults_ && inject_fault(client_, stand, stand.packet, stream_,
					    base::FaultRule::IN_GRAPH, stand.fault, outcome))
		[[unlikely]] {
		const unpu_operator *op = nodes_.descriptor(line.at);
		if (op && stand.fault.is_delayed)
			stand.op = std::make_unique<unpu_operator>(*op);
		if (const TensorOp *tensor = nodes_.tensor(line.at);
		    tensor && stand.fault.is_delayed)
			stand.tensor = std::make_unique<TensorOp>(*tensor);
		if (const KernelLaunch *kernel = nodes_.kernel(line.at);
		    kernel && stand.fault.is_delayed)
			stand.kernel = std::make_unique<KernelLaunch>(*kernel);
		return end_node(line, outcome);
	}
	if (stand.fault.is_lost) [[unlikely]]
		stand.packet.signal_op = UNPU_SIGNAL_NONE;
	return execute(line);
}

/* Executes the node in the line's Stand. Return: false when it blocks. */
bool Graph::execute(Line &line)
{
	Stand &stand = *line.stand;
	Places places{};
	Outcome outcome =
		fw::execute({client_, stand, stand.packet, nodes_.descriptor(line.at), &places,
			     nullptr, nodes_.tensor(line.at), nodes_.kernel(line.at), report_});
	if (places[0] && !outcome.is_blocked)
		nodes_.keep(line.at, places);
	return end_node(line, outcome);
}

/* Executes a delayed node as it was before the delay. An update may have changed the node since, so its
 * places are not kept. */
bool Graph::execute_late(Line &line)
{
	Stand &stand = *line.stand;
	return end_node(line,
			fw::execute({client_, stand, stand.packet, stand.op.get(), nullptr, nullptr,
				     stand.tensor.get(), stand.kernel.get(), report_}));
}

bool Graph::end_node(Line &line, const Outcome &outcome)
{
	if (outcome.is_blocked) {
		const Stand &stand = *line.stand;
		if (tracing())
			trace_node(UNPU_TRACE_NODE_PARK, line,
				   stand.parked_in ? stand.sem : UNPU_SEM_NONE);
		return false;
	}
	complete_stand(line, outcome);
	put_stand(line);
	return true;
}

/* Reads the value of a condition. Return: the fault if it can't be read. */
template <class T> static Outcome read_value(ClientContext &client, uint64_t va, T &value)
{
	Translation found = client.mmu.translate(va, sizeof(value), UNPU_ACCESS_READ);
	if (found.status != Status::OK)
		return {found.status, found.address};
	memcpy(&value, found.data, sizeof(value));
	return {};
}

/* The index of the region to run; @count or more: none. */
static uint64_t choose(const unpu_cond &cond, uint64_t value)
{
	switch (cond.kind) {
	case UNPU_COND_IF:
		return value ? 0 : 1;
	case UNPU_COND_WHILE:
		return value ? 0 : cond.count;
	default:
		return value;
	}
}

bool Graph::run_cond(uint32_t index, const unpu_packet &packet)
{
	Line &line = lines_[index];
	uint64_t value = 0;
	Outcome outcome = read_value(client_, packet.cond.va, value);
	uint64_t chosen = choose(packet.cond, value);
	bool loop = packet.cond.kind == UNPU_COND_WHILE;
	if (outcome.status != Status::OK || chosen >= packet.cond.count ||
	    (loop && failure_.status != Status::OK)) {
		complete(line, packet, outcome, clock());
		return true;
	}
	uint32_t which = packet.cond.first + static_cast<uint32_t>(chosen);
	Region &region = regions_[which];
	region.owner = index;
	region.began_ns = clock();
	if (!start_region(which) || region.open != 0)
		return false;
	/* The region has no lines. A loop reads its condition again. */
	if (!loop)
		complete(line, packet, outcome, region.began_ns);
	return true;
}

bool Graph::run_jump(uint32_t index, const unpu_packet &packet)
{
	Line &line = lines_[index];
	const unpu_jump &jump = packet.jump;
	uint32_t value = 0;
	Outcome outcome;
	if (jump.va)
		outcome = read_value(client_, jump.va, value);
	uint32_t target = words_[jump.first + std::min(value, jump.count - 1)];
	bool back = target <= line.at;
	complete(line, packet, outcome, clock());
	if (outcome.status == Status::OK && !(back && failure_.status != Status::OK))
		line.at = target;
	return true;
}

static bool compares(uint32_t compare, int64_t left, int64_t right)
{
	switch (compare) {
	case UNPU_COMPARE_EQ:
		return left == right;
	case UNPU_COMPARE_NE:
		return left != right;
	case UNPU_COMPARE_GT:
		return left > right;
	case UNPU_COMPARE_GE:
		return left >= right;
	case UNPU_COMPARE_LT:
		return left < right;
	case UNPU_COMPARE_LE:
		return left <= right;
	default:
		return true;
	}
}

static Outcome read_integer(ClientContext &client, uint64_t va, uint32_t width, int64_t &value)
{
	if (width == sizeof(value))
		return read_value(client, va, value);
	int32_t narrow = 0;
	Outcome outcome = read_value(client, va, narrow);
	value = narrow;
	return outcome;
}

bool Graph::run_activate(uint32_t index, const unpu_packet &packet)
{
	Line &line = lines_[index];
	const unpu_activate &activate = packet.activate;
	int64_t left = 0;
	int64_t right = 0;
	Outcome outcome;
	if (activate.compare != UNPU_COMPARE_ALWAYS) {
		outcome = read_integer(client_, activate.left, activate.width, left);
		if (outcome.status == Status::OK)
			outcome = read_integer(client_, activate.right, activate.width, right);
	}
	complete(line, packet, outcome, clock());
	if (outcome.status != Status::OK || !compares(activate.compare, left, right))
		return true;
	Line &target = lines_[activate.line];
	if (target.has_run && failure_.status != Status::OK)
		return true;
	target.has_run = true;
	if (activate.flags & UNPU_ACTIVATE_LEAVES)
		line.at = line.end;
	if (target.is_active) {
		target.again++;
		return true;
	}
	target.is_active = true;
	target.at = target.first;
	regions_[target.region].open++;
	ready_.push_back(activate.line);
	return true;
}

/* Return: whether all its lines have started; else go_on() starts the others. */
bool Graph::start_region(uint32_t index)
{
	regions_[index].open = 0;
	unfinished_ = Unfinished::REGION;
	unfinished_index_ = index;
	unfinished_at_ = regions_[index].end;
	return start_lines();
}

bool Graph::start_lines()
{
	Region &region = regions_[unfinished_index_];
	const uint32_t some = std::min(unfinished_at_ - region.first, turn_items_);
	note_token_work("the start of lines", 0, some);
	budget_ -= some / EDGES_COST;
	for (const uint32_t last = unfinished_at_ - some; unfinished_at_ != last;) {
		const uint32_t i = --unfinished_at_;
		Line &line = lines_[i];
		line.at = line.first;
		line.open = line.joins;
		line.again = 0;
		line.is_active = false;
		line.has_run = false;
		if (line.is_dormant)
			continue;
		region.open++;
		if (line.joins == 0)
			ready_.push_back(i);
	}
	if (unfinished_at_ != region.first)
		return false;
	unfinished_ = Unfinished::NOTHING;
	return true;
}

void Graph::end_line(Line &line)
{
	unfinished_at_ = 0;
	if (follow_edges(line))
		return leave_line(line);
	unfinished_ = Unfinished::EDGES;
	unfinished_index_ = static_cast<uint32_t>(&line - lines_.data());
}

/* Return: whether no edge is left; else go_on() follows the others. */
bool Graph::follow_edges(Line &line)
{
	const uint32_t some = std::min(line.edges - unfinished_at_, turn_items_);
	note_token_work("edges", 0, some);
	budget_ -= some / EDGES_COST;
	for (const uint32_t last = unfinished_at_ + some; unfinished_at_ != last;
	     unfinished_at_++) {
		const uint32_t target = words_[line.first_edge + unfinished_at_];
		if (--lines_[target].open == 0)
			ready_.push_back(target);
	}
	return unfinished_at_ == line.edges;
}

/* Starts lines, or follows edges, that the last turn left. Return: whether none is left, so that lines can run. */
bool Graph::go_on()
{
	if (unfinished_ == Unfinished::EDGES) {
		Line &line = lines_[unfinished_index_];
		if (!follow_edges(line))
			return false;
		unfinished_ = Unfinished::NOTHING;
		leave_line(line);
		return true;
	}
	Region &region = regions_[unfinished_index_];
	if (!start_lines())
		return false;
	/* All its lines are dormant. */
	if (region.open == 0 && unfinished_index_ != 0)
		end_region(region);
	return true;
}

void Graph::leave_line(Line &line)
{
	if (line.again > 0 && failure_.status == Status::OK) {
		line.again--;
		line.at = line.first;
		ready_.push_back(static_cast<uint32_t>(&line - lines_.data()));
		return;
	}
	line.is_active = false;
	Region &region = regions_[line.region];
	if (--region.open == 0 && line.region != 0)
		end_region(region);
}

void Graph::end_region(Region &region)
{
	Line &owner = lines_[region.owner];
	unpu_packet packet = nodes_.packet(owner.at);
	if (packet.cond.kind != UNPU_COND_WHILE)
		complete(owner, packet, {}, region.began_ns);
	ready_.push_back(region.owner);
}

/* Gives the next nodes of a line to an engine, if one is idle and other lines or runners have work. */
bool Graph::offload(uint32_t index)
{
	const Line &line = lines_[index];
	if (!client_.core.engines.idle() || (ready_.empty() && client_.core.queue.empty()))
		return false;
	const uint32_t end = line.at + std::min(line.end - line.at, SPAN_NODES);
	for (uint32_t i = line.at; i < end; i++) {
		(void)nodes_.refresh(i);
		/* The cached addresses of a tensor operator belong to the graph. */
		if (!nodes_.at(i)->run || nodes_.tensor(i))
			return false;
	}
	auto span = std::make_shared<Span>();
	span->nodes.assign(nodes_.at(line.at), nodes_.at(end));
	note_token_work("a line for an engine", span->nodes.size() * sizeof(Node),
			span->nodes.size());
	span->operators.reserve(span->nodes.size());
	for (uint32_t i = line.at; i < end; i++) {
		MemoryRange ranges[UNPU_OPERATOR_MAX_OPERANDS];
		const unsigned count = nodes_.ranges(i, ranges);
		for (unsigned k = 0; k < count; k++)
			span->held.push_back(client_.mmu.hold(ranges[k].va, ranges[k].bytes));
		if (const unpu_operator *op = nodes_.descriptor(i)) {
			span->operators.push_back(*op);
			span->nodes[i - line.at].amount =
				reinterpret_cast<uint64_t>(&span->operators.back());
		}
	}
	if (times_)
		span->times.resize(span->nodes.size());
	span->boot_ns = client_.core.boot_ns;
	Stand &stand = take_stand(index);
	stand.span = span;
	stand.is_in_engine = true;
	auto job = std::make_unique<Job>();
	job->step = [span] { return span->step(); };
	job->owner = &stand;
	job->client_queue = &client_.client_queue;
	job->client = client_.number;
	job->bytes = span->nodes.size() * tuning::LONG_BYTES;
	job->packet.cookie = nodes_.cookie(line.at);
	if (tracing()) {
		trace_node(UNPU_TRACE_NODE_START, line, nodes_.opcode(line.at));
		trace_node(UNPU_TRACE_NODE_PARK, line, UNPU_SEM_NONE);
	}
	client_.core.note_work(client_.client_queue, job->bytes);
	client_.core.engines.submit(std::move(job));
	return true;
}

} // namespace fw
