// SPDX-License-Identifier: MIT
/**
 * DOC: Launches of executable graphs
 *
 * A launch is one packet. Values that differ from launch to launch are arguments in the page of that packet:
 * the fences of events that the graph records or waits for. Changes since the last launch are in packets in
 * front of it. Launches follow each other, so a change never happens during an execution.
 *
 * Several threads may launch one graph on different streams. Launches run in the order in which their packets
 * are posted. A thread decides under the lock which launch it follows, and posts its packets under the same
 * lock. If the ring is full, the thread releases the lock, waits for room, and then decides again which
 * launch to follow.
 */
#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "graph_exec.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/event/event_stamp.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/process/error.h"
#include "umd/core/record/graph_record.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

/* The most packets that are posted together with the execution before them. */
static constexpr size_t MOST_TOGETHER = 128;

DeviceBlock::~DeviceBlock()
{
	if (va_ != 0)
		(void)device_.memory().free(drv::Place::DEVICE, va_);
}

std::byte *DeviceBlock::data() const
{
	return device_.space().aperture(va_, bytes_);
}

Status DeviceBlock::allocate(uint64_t bytes)
{
	std::string why;
	auto bo = device_.memory().allocate(drv::Place::DEVICE, bytes, UNPU_PAGE_4K, why);
	if (!bo)
		return set_error(bo.status(), fmt::format("no memory for the launch: {}", why));
	va_ = bo->va;
	bytes_ = bo->bytes;
	return Status::OK;
}

/* State of a launch for events of other devices and for events that processes share. */
struct GraphExec::Special {
	/* A record of an event that processes share. */
	struct SharedRecord {
		size_t arg; /* index of the argument */
		std::shared_ptr<IpcEvent> ipc;
		IpcEvent::Ticket ticket;
		/* the thread has waited for the earlier record of the lane, if that was necessary */
		bool has_waited = false;
	};

	/* The fence for a node that waits for an event of another device. */
	struct AcrossWait {
		size_t arg; /* index of the argument */
		uint64_t event;
		Fence fence;
	};

	explicit Special(Stream &where) : stream(where) {}
	~Special() { unclaim(0); }

	void unclaim(size_t from);

	Stream &stream;

	std::vector<AcrossWait> waits;	   /* in the order of the arguments */
	std::vector<SharedRecord> records; /* in the order of the arguments */
	std::shared_ptr<IpcEvent> full;	   /* the event that had no free lane in the last try */
	unsigned round = 0;
};

/* struct Launch - a launch of which some packets are not posted yet. */
struct GraphExec::Launch {
	Launch(Stream &where, uint8_t name)
		: stream(where), device(where.context->device()), call(name),
		  aborts(where.channel->aborts())
	{
	}
	~Launch() { unwatch(); }

	void watch_by(std::shared_ptr<LaunchWatcher> by, uint64_t target);
	void unwatch();

	Stream &stream;
	drv::Device &device;
	const uint16_t call;
	const uint32_t aborts;
	FenceSet follows; /* launches on other streams that its posted packets wait for */

	/* Objects that the thread creates without the lock, if the launch needs them. */
	std::optional<DeviceBlock> changes;
	bool changes_posted = false; /* some changes in that block have been posted */
	std::optional<DeviceBlock> args;
	std::shared_ptr<LaunchWatcher> watcher;
	uint64_t watch = 0; /* number of the watcher's host function, until it is posted */

	std::span<unpu_packet> next; /* the packets after the execution */
	/* index of the first packet in @next that was not posted together with the execution */
	size_t rest = 0;
	unpu_packet few[2]; /* storage for @next if it has at most two packets */
	std::unique_ptr<unpu_packet[]> many;

	/* exists only if some argument needs more than the fence of an event */
	std::unique_ptr<Special> special;
	/* exists only if launches are recorded */
	std::unique_ptr<recorder::GraphRecord::Launch> record;
	size_t together = 0; /* number of packets that were posted together with the execution */
	Fence execution;     /* the execution, once it is posted */
};

void GraphExec::Launch::watch_by(std::shared_ptr<LaunchWatcher> by, uint64_t target)
{
	unwatch();
	watcher = std::move(by);
	if (!watcher)
		return;
	HostFunction function = target_function(target);
	function.stream = stream.serial;
	/* Done before the call is registered, because an abort of the stream drops registered calls and
	 * runs their targets. */
	watcher->launched();
	auto number = stream.context->open->calls.add(function);
	/* If no thread for host functions can start, the graph runs without its watcher. */
	if (number)
		watch = *number;
	else
		watcher->run();
}

void GraphExec::Launch::unwatch()
{
	if (watch == 0)
		return;
	/* An abort of the stream may have dropped the call and run the watcher. */
	if (stream.context->open->calls.remove(watch))
		watcher->run();
	watch = 0;
}

/* Drops the records from index @from on, which were not posted. */
void GraphExec::Special::unclaim(size_t from)
{
	for (; records.size() > from; records.pop_back())
		records.back().ipc->unclaim(stream, records.back().ticket);
}

/* Whether the launch already has a fence for each wait for an event of another device. */
bool GraphExec::has_waits(const Launch &launch) const
{
	size_t found = 0;
	for (size_t i = 0; i < args_.size(); i++) {
		if (!args_[i].is_across) [[likely]]
			continue;
		if (found == launch.special->waits.size() ||
		    launch.special->waits[found].arg != i ||
		    launch.special->waits[found].event != args_[i].event)
			return false;
		found++;
	}
	return true;
}

/* Finds these fences. The device may have to ask for a semaphore that follows the other device's. Context: the
 * lock is not held. */
Status GraphExec::find_waits(Launch &launch)
{
	{
		base::BiasedGuard lock(lock_);
		if (!is_special_) [[likely]]
			return Status::OK;
		if (!launch.special)
			launch.special = std::make_unique<Special>(launch.stream);
		launch.special->waits.clear();
		for (size_t i = 0; i < args_.size(); i++) {
			if (args_[i].is_across)
				launch.special->waits.push_back({i, args_[i].event, {}});
		}
	}
	for (Special::AcrossWait &wait : launch.special->waits) {
		auto fence = TRY(graph_wait_across(wait.event, launch.device));
		wait.fence = fence;
	}
	return Status::OK;
}

/* Claims a lane for each record of an event that processes share, and posts the waits that a lane needs.
 * Return: NOT_READY while the ring or an event is full. */
Status GraphExec::claim_records(Launch &launch)
{
	size_t claimed = 0;
	for (size_t i = 0; i < args_.size(); i++) {
		const Argument &arg = args_[i];
		if (arg.kind != TaskKind::RECORD || !arg.ipc) [[likely]]
			continue;
		const bool has_one = claimed < launch.special->records.size() &&
				     launch.special->records[claimed].arg == i &&
				     launch.special->records[claimed].ipc == arg.ipc;
		if (has_one) {
			claimed++;
			continue;
		}
		launch.special->unclaim(claimed);
		IpcEvent::Ticket ticket;
		if (!arg.ipc->try_claim(launch.stream, ticket)) {
			launch.special->full = arg.ipc;
			return Status::NOT_READY;
		}
		launch.special->records.push_back({i, arg.ipc, ticket});
		claimed++;
	}
	launch.special->unclaim(claimed);
	for (Special::SharedRecord &record : launch.special->records) {
		if (!record.ticket.is_after_other || record.has_waited)
			continue;
		const Fence signal = record.ipc->fence(launch.stream, record.ticket);
		auto packet = drv::order_packet(drv::cookie_call(launch.call), signal.sem,
						signal.value - 1);
		TRY(try_submit(launch.stream, {packet}, launch.aborts));
		record.has_waited = true;
	}
	return Status::OK;
}

/* Fills in the arguments of this launch. A graph may wait for an event that its last launch recorded. */
std::vector<unpu_graph_argument> GraphExec::next_args(const Launch &launch) const
{
	drv::Device &device = launch.device;
	size_t record = 0;
	size_t across = 0;
	std::vector<unpu_graph_argument> args;
	if (args_.empty())
		return args;
	args.reserve(args_.size());
	for (const Argument &arg : args_) {
		Fence fence;
		if (arg.kind == TaskKind::RECORD && arg.ipc) {
			fence = arg.ipc->fence(launch.stream,
					       launch.special->records[record++].ticket);
		} else if (arg.kind == TaskKind::RECORD)
			fence = {arg.sem, arg.value + 1};
		else if (arg.ipc)
			fence = arg.ipc->latest_fence(device);
		else if (arg.is_across)
			fence = launch.special->waits[across++].fence;
		else
			fence = graph_wait_target(arg.event, device);
		if (fence.empty())
			fence = {UNPU_SEM_FIRST_FREE, 0};
		args.push_back({fence.sem, 0, fence.value});
	}
	return args;
}

void GraphExec::record_events(const Launch &launch, const Fence &end)
{
	for (Argument &arg : args_) {
		if (arg.kind != TaskKind::RECORD)
			continue;
		graph_record(arg.event, launch.stream, {arg.sem, ++arg.value});
	}
	if (!launch.special)
		return;
	for (const Special::SharedRecord &record : launch.special->records) {
		record.ipc->publish(record.ticket);
		record.ipc->note_submitted(record.ticket, end);
	}
	launch.special->records.clear();
}

/* The packets after the execution. An execution that is skipped signals nothing; these signals come all the same,
 * so that no wait for an event lasts for ever. After an execution that signals they change nothing. */
[[gnu::noinline]] void GraphExec::add_ends(Launch &launch,
					   std::span<const unpu_graph_argument> args) const
{
	const auto cookie = drv::cookie_call(launch.call);
	const size_t most = args.size() + 1;
	if (most > std::size(launch.few) && !launch.many)
		launch.many = std::make_unique<unpu_packet[]>(most);
	unpu_packet *const first = launch.many ? launch.many.get() : launch.few;
	unpu_packet *end = first;
	if (launch.watch != 0)
		*end++ = drv::host_call_packet(cookie, launch.watch);
	for (size_t i = 0; i < args.size(); i++) {
		if (args_[i].kind == TaskKind::RECORD)
			*end++ = drv::signal_packet(cookie, args[i].sem, UNPU_SIGNAL_RAISE,
						    args[i].value);
	}
	launch.next = {first, end};
	/* These packets also run if the execution was skipped. */
	for (unpu_packet &packet : launch.next)
		packet.flags |= UNPU_PACKET_ALWAYS;
}

/* Posts the signals that were not posted together with the execution: those beyond MOST_TOGETHER, or all of
 * them if an abort of the stream came in between. If the stream ends meanwhile, they are dropped with its
 * other work. Context: no lock held. */
[[gnu::noinline]] void GraphExec::post_rest(Launch &launch)
{
	Result<Fence> fence = Fence{};
	while (launch.rest < launch.next.size() && fence) {
		fence = try_submit(launch.stream, {launch.next[launch.rest]},
				   launch.stream.channel->aborts());
		if (fence)
			launch.rest++;
		else if (fence.status() == Status::NOT_READY &&
			 wait_for_room(launch.stream) == Status::OK)
			fence = Fence{};
	}
	if (!fence || fence->empty())
		return;
	/* The graph keeps its semaphores until these signals are done. */
	base::BiasedGuard lock(lock_);
	launches_.add(*fence, launch.device);
}

/* Usually there is one launch to follow. A launch that an abort has dropped passes early, so those before
 * it are followed, too. Return: NOT_READY while the ring is full. */
Status GraphExec::post_order(Launch &launch)
{
	Status status = Status::OK;
	(void)launches_.for_each([&](const Fence &before) {
		if (before.sem == launch.stream.channel->timeline() || launch.device.done(before) ||
		    launch.follows.has(before))
			return true;
		auto packet =
			drv::order_packet(drv::cookie_call(launch.call), before.sem, before.value);
		status = try_submit(launch.stream, {packet}, launch.aborts).status();
		if (status != Status::OK)
			return false;
		launch.follows.add(before, launch.device);
		return true;
	});
	return status;
}

/* Posts the first packet of changes. Changes count as made when they are posted, because the launch of
 * another thread may come next. Return: NOT_READY while the ring is full, the block is too small, or changes
 * are left. */
Status GraphExec::post_changes(Launch &launch)
{
	const uint64_t bytes = changes_bytes(changes_.front());
	if (!launch.changes || launch.changes_posted || launch.changes->bytes() < bytes)
		return Status::NOT_READY;
	write_changes(launch.changes->data(), changes_.front());
	auto packet = drv::graph_update_packet(drv::cookie_call(launch.call), id_,
					       launch.changes->va(), bytes);
	auto fence = TRY(try_submit(launch.stream, {packet}, launch.aborts));
	launches_.add(fence, launch.device);
	launch.changes_posted = true;
	/* If an abort of the stream came in between, the packet was dropped, and the execution will be
	 * dropped, too. */
	if (launch.stream.channel->aborts() != launch.aborts)
		return Status::OK;
	changes_.pop_front();
	return changes_.empty() ? Status::OK : Status::NOT_READY;
}

/* Return: NOT_READY while the ring is full. */
[[gnu::noinline]] Result<Fence> GraphExec::post_with_ends(Launch &launch, const Submission &one)
{
	if (launch.next.empty())
		return try_submit(launch.stream, one, launch.aborts);
	const auto next = launch.next.first(std::min(launch.next.size(), MOST_TOGETHER));
	auto fence =
		try_submit(launch.stream, {one.packet, one.page, one.bytes, next}, launch.aborts);
	if (!fence)
		return fence;
	launch.together = next.size();
	/* If an abort of the stream came in between, these packets were dropped. The first of them is the
	 * call of the watcher. */
	const bool was_dropped = launch.stream.channel->aborts() != launch.aborts;
	const size_t calls = launch.watch != 0 ? 1 : 0;
	launch.rest = was_dropped ? calls : next.size();
	if (!was_dropped)
		launch.watch = 0;
	return fence;
}

/* Return: NOT_READY while the ring is full. */
Result<Fence> GraphExec::post_execution(Launch &launch)
{
	const auto cookie = drv::cookie_call(launch.call);
	const auto args = next_args(launch);
	const auto count = static_cast<uint32_t>(args.size());
	const bool has_page = id_ != 0 && !launch.args;
	if (id_ != 0 && launch.args)
		memcpy(launch.args->data(), args.data(), count * sizeof(args[0]));
	const unpu_packet packet = id_ == 0
					   ? drv::nop_packet(cookie)
					   : drv::graph_packet(cookie, id_, count,
							       launch.args ? launch.args->va() : 0);
	const Submission one{packet, has_page ? args.data() : nullptr,
			     has_page ? count * sizeof(args[0]) : 0};
	if (launch.watch == 0 && args.empty()) [[likely]]
		return try_submit(launch.stream, one, launch.aborts);
	add_ends(launch, args);
	return post_with_ends(launch, one);
}

/* Return: NOT_READY if the thread must first wait or create an object: under the lock this
 * function waits for nothing. */
Result<Fence> GraphExec::try_launch(Launch &launch)
{
	if (watcher_ != launch.watcher) [[unlikely]]
		return Status::NOT_READY;
	if (is_special_) [[unlikely]] {
		if (!launch.special || !has_waits(launch))
			return Status::NOT_READY;
		TRY(claim_records(launch));
	}
	TRY(post_order(launch));
	if (!changes_.empty()) [[unlikely]]
		TRY(post_changes(launch));
	auto fence = post_execution(launch);
	if (!fence)
		return fence;
	launch.execution = {fence->sem, fence->value - launch.together};
	launches_.add(*fence, launch.device);
	if (!args_.empty()) [[unlikely]]
		record_events(launch, *fence);
	return fence;
}

/* Calls try_launch() while the contexts that the graph needs can't end. */
[[gnu::noinline]] Result<Fence> GraphExec::try_in_contexts(Launch &launch)
{
	std::vector<ContextHold> holds;
	TRY(contexts_.hold(*launch.stream.context, holds));
	return try_launch(launch);
}

/* Creates the objects that the launch needs. Context: the lock is not held. */
Status GraphExec::prepare(Launch &launch)
{
	uint64_t bytes = 0;
	uint64_t target = 0;
	std::shared_ptr<LaunchWatcher> watcher;
	if (launch.special && launch.special->full) {
		Status status =
			launch.special->full->wait_for_lane(launch.stream, launch.special->round++);
		launch.special->full.reset();
		if (status != Status::OK)
			return device_failed(launch.stream.context->device(), status,
					     "an earlier launch of the graph did not end");
	}
	{
		base::BiasedGuard lock(lock_);
		if (!changes_.empty())
			bytes = changes_bytes(changes_.front());
		watcher = watcher_;
		if (watcher)
			target = watch_targets_.back();
	}
	if (watcher != launch.watcher)
		launch.watch_by(std::move(watcher), target);
	if (bytes == 0 ||
	    (launch.changes && !launch.changes_posted && launch.changes->bytes() >= bytes))
		return Status::OK;
	launch.changes.emplace(launch.device);
	launch.changes_posted = false;
	return launch.changes->allocate(bytes);
}

Result<Fence> GraphExec::launch(Stream &stream, uint16_t call)
{
	TRY(begin_submit(stream));
	Launch launch(stream, call);
	if (traced_) [[unlikely]]
		launch.record = traced_->begin_launch(stream, call, true);
	if (count_args() > UNPU_GRAPH_PAGE_ARGS) [[unlikely]] {
		launch.args.emplace(launch.device);
		TRY(launch.args->allocate(count_args() * sizeof(unpu_graph_argument)));
	}
	for (;;) {
		base::BiasedGuard lock(lock_);
		auto fence = contexts_.empty() ? try_launch(launch) : try_in_contexts(launch);
		lock.unlock();
		if (fence && !launch.next.empty()) [[unlikely]]
			post_rest(launch);
		if (fence && launch.record) [[unlikely]] {
			launch.record->publish_task(stream.channel->task_number(launch.execution));
			launch.record->keep(*fence);
		}
		if (fence.status() != Status::NOT_READY) [[likely]]
			return fence;
		TRY(find_waits(launch));
		TRY(prepare(launch));
		const size_t next = std::min(launch.next.size(), MOST_TOGETHER);
		TRY(wait_for_room(stream, static_cast<uint32_t>(next) + 1));
	}
}

} // namespace umd
