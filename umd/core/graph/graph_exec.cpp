// SPDX-License-Identifier: MIT
/**
 * DOC: Executable graph
 *
 * The host's side of a graph that the device has loaded, and its updates. graph_launch.cpp has the
 * launches.
 */
#include "graph_exec.h"

#include <cstring>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/host_target.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/event/event_stamp.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;
using Use = drv::SemaphorePool::Use;

static void add_contexts(const NodePlacement &home, ContextSet &contexts)
{
	contexts.add(home.to_owner);
	contexts.add(home.from_owner);
	contexts.add(home.context);
}

static void add_contexts(const Graph &graph, ContextSet &contexts)
{
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (!graph.live(node))
			continue;
		if (graph.kind(node) == TaskKind::CHILD) {
			add_contexts(graph.child(node), contexts);
			continue;
		}
		if (graph.has_home(node))
			add_contexts(graph.home(node), contexts);
	}
}

ContextSet contexts_of(const Graph &graph)
{
	ContextSet contexts;
	add_contexts(graph, contexts);
	return contexts;
}

GraphExec::GraphExec(OpenDevice &open, std::unique_ptr<Graph> graph)
	: device_(open), graph_(std::move(graph)), contexts_(contexts_of(*graph_))
{
}

Result<std::unique_ptr<GraphExec>> GraphExec::create_part(OpenDevice &open,
							  std::unique_ptr<Graph> graph)
{
	std::unique_ptr<GraphExec> exec(new GraphExec(open, std::move(graph)));
	TRY(exec->load());
	return exec;
}

Result<std::unique_ptr<GraphExec>> GraphExec::create(OpenDevice &open, std::unique_ptr<Graph> graph)
{
	auto exec = create_part(open, std::move(graph));
	if (exec)
		(*exec)->traced_ = recorder::observer.note_graph(*(*exec)->graph_, &open.state);
	return exec;
}

Status GraphExec::load()
{
	auto compiled = compile_graph(
		*graph_, [this](const GraphTask &task, unpu_packet &packet, uint32_t &args) {
			return resolve(task, packet, args);
		});
	if (!compiled)
		return set_error(compiled.status(),
				 fmt::format("the graph can't be compiled: {}",
					     compiled.status() == Status::INVALID_ARGUMENT
						     ? "its nodes depend on each other in a cycle"
						     : base::status_sentence(compiled.status())));
	compiled_ = compiled.take();
	if (compiled_.flats.empty() && graph_->cells().empty())
		return Status::OK;
	const DeviceHold device = device_.hold();
	if (!device)
		return set_error(
			Status::DEVICE_LOST,
			"the graph's device was reset; set the device and make the graph again");
	auto id = device->load_graph(compiled_.image.data(), compiled_.image.size());
	compiled_.image = {};
	if (!id)
		return set_error(id.status(),
				 fmt::format("the device refused the graph of {} "
					     "nodes: {}",
					     compiled_.flats.size(),
					     device->refusal(id.status(), drv::Need::GRAPH)));
	id_ = *id;
	return Status::OK;
}

/* Releases the device's resources of a graph now if every launch and update is done; otherwise defers
 * the release. */
GraphExec::~GraphExec()
{
	const DeviceHold held = device_.hold();
	drv::Device *device = held ? &*held : nullptr;
	std::vector<uint64_t> targets = watch_targets_;
	for (const Update &update : updates_)
		targets.push_back(update.target);
	if (!device) {
		for (uint64_t target : targets)
			drop_target(target);
		return;
	}
	std::vector<uint32_t> sems;
	for (const Argument &arg : args_) {
		if (arg.sem != 0 && !graph_leave(arg.event, *device, arg.sem))
			sems.push_back(arg.sem);
	}
	OpenDevice *open = &held.open();
	bool idle = launches_.all_done(*device);
	for (const Update &update : updates_)
		idle = idle && device->done(update.fence);
	auto release = [open, ref = device_, device, id = id_, sems, calls = calls_, va = times_va_,
			targets] {
		for (uint64_t target : targets)
			drop_target(target);
		if (id != 0)
			(void)device->unload_graph(id);
		for (uint32_t sem : sems)
			device->semaphores().release(sem, Use::GROWING);
		/* When a device closes, it runs deferred work after its functions have been removed. */
		for (uint64_t call : calls) {
			if (ref.is_open())
				open->calls.remove(call);
		}
		if (va != 0)
			(void)device->memory().free(drv::Place::DEVICE, va);
	};
	if (idle)
		release();
	else
		device->defer(release);
}

static HostFunction for_graph(HostFunction function)
{
	function.is_permanent = true;
	return function;
}

/* Joins the event of a node that processes share, so that no launch has to send a request for it. Context: no
 * lock held. */
Status GraphExec::attach_shared(const GraphTask &task)
{
	if (task.kind != TaskKind::RECORD && task.kind != TaskKind::WAIT)
		return Status::OK;
	const DeviceHold device = device_.hold();
	const std::shared_ptr<IpcEvent> ipc = shared_event(task.event);
	return ipc && device ? ipc->attach(device.open()) : Status::OK;
}

bool GraphExec::crosses(const Argument &arg) const
{
	const DeviceHold device = device_.hold();
	return arg.kind == TaskKind::WAIT && !arg.ipc && device && !is_of(arg.event, *device);
}

Status GraphExec::give_semaphore(drv::Device &device, Argument &arg)
{
	auto sem = TRY(device.allocate_semaphore());
	arg.sem = sem;
	arg.value = device.value(sem);
	return Status::OK;
}

static Result<uint64_t> add_call(const DeviceRef &ref, const HostFunction &function)
{
	const DeviceHold device = ref.hold();
	if (!device)
		return set_error(
			Status::DEVICE_LOST,
			"the graph's device was reset; set the device and make the graph again");
	return device.open().calls.add(for_graph(function));
}

/* Fills in what only this process knows: the id of a host function, or the argument index of a record
 * or wait. Without analysis: no other thread knows the graph yet. */
Status GraphExec::resolve(const GraphTask &task, unpu_packet &packet,
			  uint32_t &args) NO_THREAD_SAFETY_ANALYSIS
{
	if (calls_host(task.kind)) {
		auto call = TRY(add_call(device_, task.host));
		calls_.push_back(call);
		packet.call.call = call;
		return Status::OK;
	}
	Argument arg{task.kind, task.event, 0, 0, shared_event(task.event)};
	packet.flags |= UNPU_PACKET_ARGUMENT;
	TRY(attach_shared(task));
	arg.is_across = crosses(arg);
	is_special_ = is_special_ || arg.is_across || arg.ipc;
	if (task.kind == TaskKind::RECORD) {
		const DeviceHold device = device_.hold();
		if (!device)
			return set_error(Status::DEVICE_LOST,
					 "the graph's device was reset; set the device and make "
					 "the graph again");
		if (!arg.ipc)
			TRY(give_semaphore(*device, arg));
		packet.signal_op = UNPU_SIGNAL_RAISE;
		packet.signal_value = args;
	} else {
		packet.wait.value = args;
	}
	arg_of_[static_cast<uint32_t>(drv::decode_cookie(packet.cookie).index)] = args;
	args_.push_back(arg);
	args++;
	return Status::OK;
}

uint64_t GraphExec::changes_bytes(const Changes &changes)
{
	return sizeof(unpu_graph_changes) + changes.nodes.size() * sizeof(unpu_packet) +
	       changes.operators.size() * sizeof(unpu_operator) +
	       changes.tensors.size() * sizeof(uint64_t);
}

void GraphExec::write_changes(std::byte *to, const Changes &changes)
{
	unpu_graph_changes header{};
	header.magic = UNPU_GRAPH_CHANGES_MAGIC;
	header.nnodes = static_cast<uint32_t>(changes.nodes.size());
	header.descriptor_bytes = changes.operators.size() * sizeof(unpu_operator);
	header.tensor_bytes = changes.tensors.size() * sizeof(uint64_t);
	uint64_t nodes_bytes = changes.nodes.size() * sizeof(unpu_packet);
	memcpy(to, &header, sizeof(header));
	memcpy(to + sizeof(header), changes.nodes.data(), nodes_bytes);
	if (header.descriptor_bytes)
		memcpy(to + sizeof(header) + nodes_bytes, changes.operators.data(),
		       header.descriptor_bytes);
	if (header.tensor_bytes)
		memcpy(to + sizeof(header) + nodes_bytes + header.descriptor_bytes,
		       changes.tensors.data(), header.tensor_bytes);
}

/* Points the node at @event. If the old event still needs the node's semaphore, allocates another one
 * for the node. */
Status GraphExec::retarget(Argument &arg, uint64_t event)
{
	const DeviceHold held = device_.hold();
	if (!held)
		return set_error(
			Status::DEVICE_LOST,
			"the graph's device was reset; set the device and make the graph again");
	drv::Device &device = *held;
	if (arg.event != event && arg.sem != 0 && graph_leave(arg.event, device, arg.sem))
		arg.sem = 0;
	arg.event = event;
	arg.ipc = shared_event(event);
	arg.is_across = crosses(arg);
	is_special_ = is_special_ || arg.is_across || arg.ipc;
	if (arg.kind != TaskKind::RECORD || arg.ipc || arg.sem != 0)
		return Status::OK;
	auto sem = device.semaphores().allocate();
	if (!sem)
		return set_error(sem.status(),
				 fmt::format("no semaphore is left for the node's event: {}",
					     device.refusal(sem.status(), drv::Need::SEMAPHORE)));
	arg.sem = *sem;
	arg.value = device.value(*sem);
	return Status::OK;
}

/* Returns the packet to which the next change is added. The device refuses a packet of changes as a whole. So
 * a change that it may refuse gets a packet of its own, and does not affect other changes. */
GraphExec::Changes &GraphExec::next_changes(Trust trust)
{
	if (changes_.empty() || changes_.back().trust == Trust::PROGRAM || trust == Trust::PROGRAM)
		changes_.emplace_back().trust = trust;
	return changes_.back();
}

/* Changes the node in the host's graph and stores the packet that changes it on the device. */
Status GraphExec::change(Graph &part, uint32_t node, const GraphTask &task, Changes &changes)
{
	uint32_t number = this->number(part, node);
	unpu_packet packet = task.packet;
	packet.valid = compiled_.places[number];
	packet.cookie |= drv::cookie_place(drv::COOKIE_GRAPH, number);
	auto arg = arg_of_.find(number);
	bool event = task.kind == TaskKind::RECORD || task.kind == TaskKind::WAIT;
	if (event && (arg == arg_of_.end() || args_[arg->second].kind != task.kind))
		return set_error(Status::NOT_SUPPORTED,
				 "a node that records an event or waits for one can't change its "
				 "kind; make the graph again");
	if (event)
		TRY(retarget(args_[arg->second], task.event));
	if (event) {
		packet.flags |= UNPU_PACKET_ARGUMENT;
		if (task.kind == TaskKind::RECORD)
			packet.signal_op = UNPU_SIGNAL_RAISE;
		(task.kind == TaskKind::RECORD ? packet.signal_value : packet.wait.value) =
			arg->second;
	}
	if (calls_host(task.kind)) {
		auto call = TRY(add_call(device_, task.host));
		calls_.push_back(call);
		packet.call.call = call;
	}
	if (task.op) {
		packet.op.offset = changes.operators.size() * sizeof(unpu_operator);
		changes.operators.push_back(*task.op);
	}
	if (task.tensor) {
		packet.tensor.offset = changes.tensors.size() * sizeof(uint64_t);
		changes.tensors.insert(changes.tensors.end(), task.tensor->begin(),
				       task.tensor->end());
	}
	part.set(node, task);
	add_contexts(task.home, contexts_);
	if (disabled_.contains(number)) {
		const auto place = packet.valid;
		packet = drv::nop_packet(packet.cookie);
		packet.valid = place;
	}
	changes.nodes.push_back(packet);
	return Status::OK;
}

/* Does the work of change(), and records it in the trace. @stream: where the device makes the change, or
 * nullptr */
Status GraphExec::replace(Graph &part, uint32_t node, const GraphTask &task, Changes &changes,
			  Stream *stream)
{
	recorder::Entry entry;
	if (traced_)
		entry = traced_->begin_update(part, node, task, stream);
	TRY(change(part, node, task, changes));
	entry.publish();
	return Status::OK;
}

Status GraphExec::set_enabled(Graph &part, uint32_t node, bool enabled)
{
	base::BiasedGuard lock(lock_);
	uint32_t number = this->number(part, node);
	if (enabled == !disabled_.contains(number))
		return Status::OK;
	if (enabled)
		disabled_.erase(number);
	else
		disabled_.insert(number);
	GraphTask task = part.task(node);
	TRY(change(part, node, task, next_changes(Trust::CHECKED)));
	if (traced_)
		traced_->begin_update(part, node, enabled ? task : GraphTask(), nullptr).publish();
	return Status::OK;
}

bool GraphExec::is_enabled(const Graph &part, uint32_t node)
{
	base::BiasedGuard lock(lock_);
	return !disabled_.contains(number(part, node));
}

Status GraphExec::check_contexts()
{
	base::BiasedGuard lock(lock_);
	if (contexts_.are_live()) [[likely]]
		return Status::OK;
	/* The node that needed the context may have another task now. */
	contexts_ = contexts_of(*graph_);
	return contexts_.check();
}

Status GraphExec::set(Graph &part, uint32_t node, const GraphTask &task, Trust trust)
{
	const DeviceHold device = device_.hold();
	if (task.kind == TaskKind::RECORD && device && !device->semaphores().available())
		device->reclaim_semaphores();
	TRY(attach_shared(task));
	base::BiasedGuard lock(lock_);
	return replace(part, node, task, next_changes(trust), nullptr);
}

Result<Fence> GraphExec::update_now(Stream &stream, uint16_t call, Graph &part,
				    std::span<const uint32_t> nodes,
				    std::span<const GraphTask> tasks)
{
	Changes changes;
	Update update{};
	{
		base::BiasedGuard lock(lock_);
		for (uint32_t node : nodes) {
			if (part.packet(node).opcode == UNPU_OP_KERNEL)
				update.replaced.push_back(part.task(node).tensor);
		}
		for (size_t i = 0; i < nodes.size(); i++)
			TRY(replace(part, nodes[i], tasks[i], changes, &stream));
	}
	drv::Device &device = stream.context->device();
	DeviceBlock block(device);
	TRY(block.allocate(changes_bytes(changes)));
	write_changes(block.data(), changes);
	auto fence =
		TRY(submit(stream, drv::graph_update_packet(drv::cookie_call(call), id_, block.va(),
							    changes_bytes(changes))));
	update.fence = fence;
	note_update(device, update);
	return fence;
}

/* The device keeps the graph until its updates have passed too. */
void GraphExec::note_update(drv::Device &device, const Update &update)
{
	base::BiasedGuard lock(lock_);
	std::erase_if(updates_, [&](const Update &old) {
		if (!device.done(old.fence))
			return false;
		drop_target(old.target);
		return true;
	});
	updates_.push_back(update);
}

std::vector<Fence> GraphExec::pending(const drv::Device &device)
{
	std::vector<Fence> fences;
	base::BiasedGuard lock(lock_);
	(void)launches_.for_each([&](const Fence &fence) {
		if (!device.done(fence))
			fences.push_back(fence);
		return true;
	});
	return fences;
}

Status GraphExec::keep_times()
{
	const DeviceHold device = device_.hold();
	if (times_va_ != 0 || id_ == 0 || !device)
		return Status::OK;
	std::string why;
	uint64_t bytes = compiled_.flats.size() * sizeof(unpu_graph_time);
	auto bo = device->memory().allocate(drv::Place::DEVICE, bytes, UNPU_PAGE_4K, why);
	if (!bo)
		return set_error(
			bo.status(),
			fmt::format("no memory for the times of a graph's nodes: {}", why));
	memset(device->space().aperture(bo->va, bytes), 0, bytes);
	Status status = device->trace_graph(id_, bo->va, bytes);
	if (status != Status::OK) {
		(void)device->memory().free(drv::Place::DEVICE, bo->va);
		return device_failed(
			*device, status,
			"the times of a graph's nodes can't be kept, which UNPU_DEBUG asks "
			"for");
	}
	times_va_ = bo->va;
	return Status::OK;
}

unpu_graph_time GraphExec::times(uint32_t number) const
{
	unpu_graph_time time{};
	const DeviceHold device = device_.hold();
	if (times_va_ == 0 || !device)
		return time;
	uint64_t va = times_va_ + compiled_.places[number] * sizeof(time);
	memcpy(&time, device->space().aperture(va, sizeof(time)), sizeof(time));
	return time;
}

} // namespace umd
