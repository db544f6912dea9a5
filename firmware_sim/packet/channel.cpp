// SPDX-License-Identifier: MIT
/**
 * DOC: Channel
 *
 * Device half of a channel. The channel's timeline tells the host what is complete: retiring packet i
 * makes it timeline_base + i + 1. While the next packet is already in the ring, a few short packets share
 * one store of the timeline: each store moves the cache line back from a host that polls it.
 *
 * States of a channel::
 *
 *	         rest()                fetch()               STOP ends
 *	  ARMED <-------- POLLED --------------> RUNNING --------------> STOPPED
 *	        --------> ^    ^                 |  |  ^
 *	       doorbell() |    +-----------------+  |  | a delayed packet begins
 *	                  |       packet ends       |  |
 *	                  |                 woken() |  |
 *	                  |                         v  |
 *	                  +------------------------ WOKEN --+
 *	                         packet ends         ^      | next piece
 *	                                             +------+
 *
 * A POLLED channel is in the run queue. If its ring stays empty for too many turns the channel is ARMED:
 * it leaves the queue, and the host rings the doorbell (D1). A packet that can't end in its turn leaves the
 * channel RUNNING, outside the queue, until an engine, a semaphore, a timer or the host wakes it. abort()
 * drops the packet and leads back to POLLED. halt() applies in each state: the client was cut off, and the
 * channel gets no turn any more.
 */
#include "channel.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/hot_path.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/pieces.h"
#include "firmware_sim/explore/choice.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/graph/graph_update.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/tensor/operator_library.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "firmware_sim/worker/kernel_launch.h"

namespace fw {

using base::Status;

Channel::Channel(ClientContext &client, unpu_channel_status &line, std::shared_ptr<Segment> segment,
		 const unpu_msg_channel &request, std::shared_ptr<FailureGroup> group)
	: client_(client), trace_(client.core.trace), line_(line), group_(std::move(group)),
	  ring_(segment->data, request.slots), timeline_base_(request.timeline_base),
	  timeline_(request.timeline), index_(request.channel), segment_(std::move(segment))
{
	priority = static_cast<uint8_t>(request.priority);
	client_queue = &client_.client_queue;
	place_ = group_->members.size();
	group_->members.push_back(this);
	/* An earlier channel may have left a failure in this timeline. */
	client_.semaphores.clear_status(timeline_);
	if (group_->has_failed)
		take_failure(group_->failure);
	client_.core.queue.push(*this);
}

Channel::~Channel()
{
	client_.forget(*this);
	client_.core.queue.remove(*this);
	client_.counted.packets += retired_;
	group_->members[place_] = group_->members.back();
	group_->members[place_]->place_ = place_;
	group_->members.pop_back();
	base::Arming::disarm(line_.armed);
	answer();
}

HOT_PATH void Channel::publish()
{
	if (published_ == retired_ || fault_.is_lost)
		return;
	published_ = retired_;
	client_.semaphores.raise(timeline_, timeline_base_ + retired_); /* R2, R3 */
}

/* The faults DROP and TWICE: signal and completion never come, or come twice. */
Status Channel::signal_wrongly()
{
	if (fault_.is_lost)
		return Status::OK;
	Status status = apply_signal(client_, packet_);
	(void)apply_signal(client_, packet_);
	client_.semaphores.raise(timeline_, timeline_base_ + retired_ + 1);
	return status;
}

void Channel::take_failure(const Failure &failure)
{
	if (replaces(failure_.status, failure.status))
		failure_ = failure;
	client_.semaphores.fail(timeline_, failure);
}

/* In stop mode the first failure fails the whole group: a host that waits for any of its channels sees it. */
void Channel::stop_group()
{
	group_->has_failed = true;
	group_->failure = failure_;
	for (Channel *member : group_->members) {
		if (member != this)
			member->take_failure(failure_);
	}
}

void Channel::fail(const Outcome &outcome)
{
	Failure failure{outcome.status, packet_.cookie, outcome.address, outcome.detail};
	if (!outcome.is_reported) {
		client_.calls.report_fault(failure, timeline_);
		take_failure(failure);
	} else if (replaces(failure_.status, failure.status))
		failure_ = failure;
	if (group_->stops && !group_->has_failed && outcome.status != Status::OVERFLOW)
		stop_group();
}

HOT_PATH void Channel::retire(const Outcome &outcome)
{
	if (tracing()) [[unlikely]]
		trace_end(outcome);
	if (outcome.status != Status::OK && outcome.status != Status::SKIPPED &&
	    !forgive_overflow(client_, packet_, outcome)) {
		fail(outcome);
		if (auto fail = opcode_row(packet_.opcode).fail)
			fail(client_, packet_, outcome.status);
	}
	const bool is_wrong = fault_.is_lost || fault_.signals_twice;
	Status signalled = is_wrong ? signal_wrongly() : apply_signal(client_, packet_);
	if (signalled != Status::OK) [[unlikely]]
		fail({signalled, 0});
	retired_++;
	if (retired_ - published_ >= tuning::PUBLISH_BATCH || !ring_.ready())
		publish();
}

/* Copies the arguments of a launch, from the slot's page or from the address in the packet. Arguments at an
 * address are many, so the client is charged for the copy. */
Status Channel::fetch_args(Launch &launch, uint64_t &address)
{
	const unpu_graph_ref &ref = packet_.graph;
	auto &args = launch.args;
	if (ref.args == 0)
		return Status::OK;
	if (ref.args_va == 0) {
		args.resize(ref.args);
		unpu_descriptor page;
		ring_.fetch_page(page);
		memcpy(args.data(), &page, args.size() * sizeof(args[0]));
		return Status::OK;
	}
	TRY(client_.account->charge(Resource::MEMORY, ref.args * sizeof(args[0]),
				    launch.args_memory));
	args.resize(ref.args);
	Translation found =
		client_.mmu.translate(ref.args_va, args.size() * sizeof(args[0]), UNPU_ACCESS_READ);
	address = found.address;
	if (found.status == Status::OK)
		memcpy(args.data(), found.data, args.size() * sizeof(args[0]));
	return found.status;
}

/* The operator's descriptor, copied from the slot's page and checked. */
Status Channel::fetch_descriptor()
{
	if (packet_.op.offset != 0)
		return Status::BAD_PACKET;
	if (!ring_.fetch_operator(op_))
		return Status::BAD_OPERATOR;
	return check_operator(op_);
}

/* Context: the packet is valid, so its descriptor is not longer than the ring. */
Status Channel::fetch_tensor()
{
	uint64_t words[UNPU_TENSOR_MAX_BYTES / sizeof(uint64_t)];
	static_assert(UNPU_TENSOR_MAX_BYTES <= UNPU_RING_MIN_SLOTS * UNPU_TENSOR_PAGE_BYTES);
	if (packet_.tensor.offset != 0)
		return Status::BAD_PACKET;
	ring_.fetch_words(words, packet_.tensor.bytes);
	if (!tensor_)
		tensor_ = std::make_unique<TensorOp>();
	const Status status = tensor_->decode({words, packet_.tensor.bytes / sizeof(uint64_t)});
	if (status == Status::NO_OPERATORS)
		client_.explain(packet_.cookie, lack_of_kernels(true));
	TRY(status);
	return tensor_->kind() == packet_.variant ? Status::OK : Status::BAD_PACKET;
}

Status Channel::fetch_kernel()
{
	uint64_t words[UNPU_KERNEL_MAX_BYTES / sizeof(uint64_t)];
	static_assert(UNPU_KERNEL_MAX_BYTES <= UNPU_RING_MIN_SLOTS * UNPU_TENSOR_PAGE_BYTES);
	if (packet_.tensor.offset != 0)
		return Status::BAD_PACKET;
	ring_.fetch_words(words, packet_.tensor.bytes);
	if (!kernel_)
		kernel_ = std::make_unique<KernelLaunch>();
	return kernel_->decode({words, packet_.tensor.bytes / sizeof(uint64_t)});
}

Outcome launch_graph(const Task &task)
{
	return task.channel->launch();
}

Outcome stop_channel(const Task &task)
{
	task.channel->stop();
	return {};
}

Outcome Channel::launch()
{
	Graph *graph = client_.graph(packet_.graph.graph);
	if (!graph)
		return {Status::BAD_GRAPH, 0};
	if (client_.core.null())
		return {};
	Launch launch{this, timeline_, index_, priority, {}, {}};
	uint64_t address = 0;
	Status status = fetch_args(launch, address);
	if (status != Status::OK)
		return {status, address};
	return graph->launch(std::move(launch));
}

Outcome update_graph(const Task &task)
{
	return task.channel->update();
}

Outcome Channel::update()
{
	return GraphUpdate::begin(client_, *this, packet_.change, update_);
}

/* Context: the block has been read. */
Progress Channel::do_update()
{
	client_.core.did_long_work(0);
	if (outcome_.status == Status::OK && !update_->step(outcome_)) {
		client_.core.beat();
		return Progress::MORE;
	}
	update_.reset();
	return take_up();
}

HOT_PATH Outcome Channel::begin()
{
	Status status = validate_packet(packet_, client_.semaphores.users());
	if (status != Status::OK) {
		packet_.signal_op = UNPU_SIGNAL_NONE;
		return {status, 0};
	}
	if (group_->has_failed && !(packet_.flags & UNPU_PACKET_ALWAYS))
		return {Status::SKIPPED, 0};
	Outcome outcome;
	if (client_.core.faults && inject_fault(client_, *this, packet_, index_,
						base::FaultRule::IN_STREAM, fault_, outcome))
		[[unlikely]]
		return outcome;
	return run();
}

/* Runs a packet that no check has refused. */
HOT_PATH Outcome Channel::run()
{
	Task task{client_, *this, packet_, nullptr, nullptr, this};
	if (opcode_row(packet_.opcode).has_descriptor) {
		const Status status = fetch_descriptor();
		if (status != Status::OK)
			return {status, 0};
		task.op = &op_;
	}
	if (opcode_row(packet_.opcode).has_tensor) [[unlikely]] {
		const Status status = fetch_tensor();
		if (status != Status::OK)
			return {status, 0};
		task.tensor = tensor_.get();
	}
	if (opcode_row(packet_.opcode).has_kernel) [[unlikely]] {
		const Status status = fetch_kernel();
		if (status != Status::OK)
			return {status, 0};
		task.kernel = kernel_.get();
		task.timeline = timeline_;
	}
	return execute(task);
}

bool Channel::take_pieces(std::unique_ptr<Job> &job)
{
	long_ = std::move(job);
	long_done_ = 0;
	outcome_ = {};
	state_ = State::WOKEN;
	return true;
}

Progress Channel::do_piece()
{
	const uint64_t units = cut_of(*long_).units;
	const uint64_t each =
		std::min(units_each(*long_, units, client_.core.piece_bytes), units - long_done_);
	PieceFault fault;
	const Status status = run_units(*long_, long_done_, each, fault);
	if (status != Status::OK && outcome_.status == Status::OK)
		outcome_ = {.status = status, .address = fault.address, .detail = fault.detail};
	long_done_ += each;
	client_.core.did_long_work(long_->bytes / units * each);
	client_.core.beat();
	if (long_done_ < units)
		return Progress::MORE;
	client_.core.wrote(long_->packet, &long_->op, long_->operands);
	long_.reset();
	return take_up();
}

/* A turn in state WOKEN: runs the next piece, begins a delayed packet, or retires the packet. */
Progress Channel::take_up()
{
	if (long_) [[unlikely]]
		return do_piece();
	if (update_) [[unlikely]]
		return do_update();
	if (fault_.is_delayed) [[unlikely]] {
		fault_.is_delayed = false;
		state_ = State::RUNNING;
		return finish_turn(run());
	}
	state_ = State::POLLED;
	retire(outcome_);
	return Progress::MORE;
}

HOT_PATH Progress Channel::advance()
{
	if (is_halted_)
		return Progress::BLOCKED;
	if (state_ == State::WOKEN)
		return take_up();
	if (state_ == State::STOPPED) {
		publish();
		return Progress::BLOCKED;
	}
	if (!ring_.fetch(packet_)) {
		publish();
		return Progress::EMPTY;
	}
	if (tracing()) [[unlikely]]
		trace_fetch();
	if (!is_short(packet_))
		publish();
	fault_ = {};
	state_ = State::RUNNING;
	return finish_turn(begin());
}

HOT_PATH Progress Channel::finish_turn(const Outcome &outcome)
{
	if (outcome.is_blocked) {
		if (state_ == State::WOKEN)
			return Progress::MORE;
		if (tracing())
			trace(UNPU_TRACE_PARK, parked_in ? sem : UNPU_SEM_NONE, wanted);
		blocked_since_ns_ = base::coarse_ns();
		client_.core.watchdog.note(blocked_since_ns_);
		return Progress::BLOCKED;
	}
	if (state_ == State::RUNNING)
		state_ = State::POLLED;
	retire(outcome);
	return Progress::MORE;
}

void Channel::woken(Status status, uint64_t address, uint64_t detail)
{
	unpu_assert(has_packet());
	client_.core.timers.remove(*this);
	if (tracing())
		trace(UNPU_TRACE_WAKE, static_cast<uint32_t>(status), 0);
	/* The nodes of a graph have reported their failures already. */
	outcome_ = {.status = status,
		    .address = address,
		    .is_reported = opcode_row(packet_.opcode).launches_graph,
		    .detail = detail};
	state_ = State::WOKEN;
	client_.core.queue.push(*this);
}

HOT_PATH Rest Channel::rest()
{
	state_ = State::ARMED;
	arming_.invite(line_.armed);
	return Rest::ASKED;
}

HOT_PATH void Channel::look_again()
{
	if (!ring_.ready()) {
		client_.counted.arms_won++;
		return;
	}
	client_.counted.arms_lost++;
	doorbell();
}

void Channel::halt()
{
	is_halted_ = true;
	client_.core.queue.remove(*this);
}

HOT_PATH void Channel::doorbell()
{
	rang_ = true;
	if (state_ == State::ARMED) {
		state_ = State::POLLED;
		client_.core.queue.remove(*this);
		base::Arming::disarm(line_.armed);
	}
	if (state_ != State::POLLED || is_halted_)
		return;
	/* The queue may hold many channels whose rings are empty: this one goes before them. It can't do so twice in a
	 * row, since it was armed at an empty turn behind them. */
	client_.core.queue.push_first(*this);
}

void Channel::control(const unpu_msg_channel_control &request)
{
	if (request.actions & UNPU_CHANNEL_CLEAR_STATUS) {
		client_.semaphores.clear_status(timeline_);
		failure_ = {};
		if (group_->has_failed)
			take_failure(group_->failure);
	}
	if (request.actions & UNPU_CHANNEL_STOP_ON_FAILURE) {
		group_->stops = true;
		for (Channel *member : group_->members) {
			if (!group_->has_failed &&
			    replaces(Status::OVERFLOW, member->failure_.status) &&
			    member->failure_.status != Status::OK)
				member->stop_group();
		}
	}
	if (request.actions & UNPU_CHANNEL_PRIORITY) {
		bool waiting = is_queued;
		client_.core.queue.remove(*this);
		priority = static_cast<uint8_t>(request.priority);
		if (waiting)
			client_.core.queue.push(*this);
	}
}

uint32_t Channel::pending() const
{
	base::RingConsumer ahead = ring_;
	uint32_t least = 0, most = ring_.slots();
	while (least != most) {
		const uint32_t middle = least + (most - least) / 2;
		ahead.skip_to(ring_.next() + middle);
		if (ahead.ready())
			least = middle + 1;
		else
			most = middle;
	}
	return least;
}

/* The most waits that are listed for one channel; a graph may have very many lines. */
static constexpr size_t WAITS_MOST = 16;

Graph *Channel::launched() const
{
	const bool waits = has_packet() && opcode_row(packet_.opcode).launches_graph;
	return waits ? client_.graph(packet_.graph.graph) : nullptr;
}

std::vector<Wait> Channel::waits() const
{
	std::vector<Wait> all;
	auto add = [&](const Waiter &waiter) {
		if (all.size() == WAITS_MOST)
			return;
		/* A wait with a time limit ends without help. */
		if (waiter.parked_in && waiter.deadline_ns == base::NO_DEADLINE)
			all.push_back(waiter.parked_in->describe(waiter));
	};
	if (state_ != State::RUNNING)
		return all;
	add(*this);
	const Graph *graph = launched();
	if (graph && graph->owner() == this) {
		for (const Waiter *waiter : graph->waiters(WAITS_MOST))
			add(*waiter);
	}
	return all;
}

bool Channel::find_ends(uint32_t &left, const std::function<void(const Wait &)> &found) const
{
	auto add = [&](const unpu_packet &packet) {
		if (packet.signal_op != UNPU_SIGNAL_NONE)
			found({packet.signal_sem, 0, 0, 0});
		if (auto stored_word = opcode_row(packet.opcode).stored_word)
			found({UNPU_SEM_NONE, stored_word(packet), 0, 0});
	};
	found({timeline_, 0, 0, 0});
	if (has_packet())
		add(packet_);
	unpu_packet packet;
	base::RingConsumer ahead = ring_;
	for (uint32_t i = 0; i < ring_.slots() && ahead.fetch(packet); i++) {
		if (left == 0)
			return false;
		left--;
		add(packet);
	}
	return true;
}

/* Drops the packet that has begun: nothing wakes the channel for it any more. Context: the client has ended
 * the execution of a graph that it launched. */
void Channel::leave_current()
{
	client_.forget(*this);
	long_.reset();
	update_.reset();
	if (has_packet())
		state_ = State::POLLED;
	/* The completion of an earlier packet stays lost until the next one is fetched. */
	fault_ = {.is_lost = fault_.is_lost};
}

bool Channel::can_skip_to(uint64_t upto) const
{
	const uint64_t first = ring_.next();
	return upto >= first && upto - first <= ring_.slots();
}

void Channel::abort(uint64_t upto)
{
	leave_current();
	client_.semaphores.fail_waiters(timeline_);
	ring_.skip_to(upto);
	retired_ = upto;
	publish();
	if (state_ == State::POLLED && !is_halted_)
		client_.core.queue.push(*this);
}

bool Channel::can_stop_current() const
{
	return state_ == State::RUNNING || (state_ == State::WOKEN && (long_ || update_));
}

void Channel::stop_current()
{
	if (!can_stop_current())
		return;
	leave_current();
	state_ = State::RUNNING;
	woken(Status::CHANNEL_STOPPED, 0, 0);
	/* A graph that was stopped has not reported this failure. */
	outcome_.is_reported = false;
}

} // namespace fw
