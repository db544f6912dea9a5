// SPDX-License-Identifier: MIT
/**
 * DOC: Executable graphs of several devices
 *
 * Each part of the graph is an executable graph of its own on its device. An update of a node goes to the
 * part that has the node. multi_launch.cpp has the launches. A trace has the graph as a whole. A program may
 * rely only on the order of the edges. The division into parts orders more than that.
 */
#include "multi_exec.h"

#include <algorithm>

#include <fmt/format.h>

#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/record/entry.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;

Result<std::unique_ptr<MultiExec>> MultiExec::create(std::unique_ptr<Graph> graph,
						     const NodePlacement &fallback)
{
	std::unique_ptr<MultiExec> exec(new MultiExec(std::move(graph)));
	TRY(exec->load(fallback));
	exec->traced_ = recorder::observer.note_graph(*exec->graph_, fallback.device);
	return exec;
}

MultiExec::MultiExec(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}

Status MultiExec::load(const NodePlacement &fallback)
{
	auto partition = partition_graph(*graph_, fallback);
	if (!partition)
		return set_error(partition.status(),
				 partition.status() == Status::INVALID_ARGUMENT
					 ? "the graph can't be divided: its nodes depend on each "
					   "other in a cycle"
					 : "a graph with a conditional node must be on one device");
	spots_ = std::move(partition->spots);
	for (GraphPart &part : partition->parts)
		TRY(load_part(part));
	return Status::OK;
}

Status MultiExec::load_part(GraphPart &part)
{
	const ContextHold context = Contexts::hold_context(part.home.context);
	if (!context)
		return set_error(Status::CONTEXT_DYING,
				 fmt::format("context {:#x} of a node of the graph was destroyed; "
					     "make the node again in a live context",
					     part.home.context));
	auto exec = TRY(GraphExec::create_part(*context->open, std::move(part.graph)));
	size_t stream = 0;
	while (stream < streams_.size() && streams_[stream].home.device != part.home.device)
		stream++;
	if (stream == streams_.size())
		streams_.push_back({part.home, DeviceRef(*context->open)});
	parts_.push_back({std::move(exec), stream, std::move(part.follows)});
	return Status::OK;
}

/* A stream that still has work is detached: it runs the work, and then it ends. */
MultiExec::~MultiExec()
{
	for (const DeviceStream &own : streams_) {
		Held<Stream> held(Stream::table(), own.stream);
		if (!held)
			continue;
		Stream &stream = *held;
		const bool has_ended = stream.ends.load();
		held.leave();
		if (has_ended)
			(void)destroy_stream(stream, own.stream, false);
		else
			(void)detach_stream(stream, own.stream);
	}
}

GraphExec &MultiExec::exec_of(const Graph &within, uint32_t node, NodeLocation &spot) const
{
	spot = spots_.at(&within)[node];
	return *parts_[spot.part].exec;
}

Status MultiExec::check_contexts() const
{
	for (const Part &part : parts_)
		TRY(part.exec->check_contexts());
	return Status::OK;
}

Status MultiExec::set(Graph &within, uint32_t node, const GraphTask &task)
{
	NodeLocation spot;
	GraphExec &exec = exec_of(within, node, spot);
	recorder::Entry entry;
	if (traced_)
		entry = traced_->begin_update(within, node, task, nullptr);
	TRY(exec.set(*spot.graph, spot.node, task));
	within.set(node, task);
	entry.publish();
	return Status::OK;
}

Status MultiExec::set_enabled(const Graph &within, uint32_t node, bool enabled)
{
	NodeLocation spot;
	GraphExec &exec = exec_of(within, node, spot);
	recorder::Entry entry;
	if (traced_)
		entry = traced_->begin_update(within, node,
					      enabled ? within.task(node) : GraphTask(), nullptr);
	TRY(exec.set_enabled(*spot.graph, spot.node, enabled));
	entry.publish();
	return Status::OK;
}

bool MultiExec::is_enabled(const Graph &within, uint32_t node)
{
	NodeLocation spot;
	GraphExec &exec = exec_of(within, node, spot);
	return exec.is_enabled(*spot.graph, spot.node);
}

std::vector<DeviceFence> MultiExec::pending()
{
	std::lock_guard lock(mutex_);
	return last_;
}

void MultiExec::follow(std::vector<DeviceFence> fences, const LoadedGraph &old)
{
	note_last(std::move(fences));
	if (traced_ && old.traced())
		traced_->follow(*old.traced());
}

std::vector<DeviceFence> LoadedGraph::pending(const DeviceRef &device) const
{
	if (multi)
		return multi->pending();
	std::vector<DeviceFence> fences;
	if (const DeviceHold open = device.hold()) {
		for (const drv::Fence &fence : single->pending(*open))
			fences.push_back({device, fence});
	}
	return fences;
}

void MultiExec::note_last(std::vector<DeviceFence> fences)
{
	std::lock_guard lock(mutex_);
	last_ = std::move(fences);
}

} // namespace umd
