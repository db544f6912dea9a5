// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/packet/fence.h"
#include "graph_exec.h"
#include "launch_queue.h"
#include "partition.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/held.h"

namespace umd {

struct LoadedGraph;
struct Stream;

/** struct DeviceFence - a fence and its device. */
struct DeviceFence {
	DeviceRef device;
	drv::Fence fence;
};

/**
 * class MultiExec - a graph with nodes of several devices, of which each device has loaded its parts. Its
 * launches run one after the other, also if streams and threads differ.
 *
 * Context: any thread. A launch holds no lock while it waits for another thread's or for room in a full ring.
 */
class MultiExec {
public:
	/** create() - divides and loads @graph, and keeps it for queries and updates.
	 * @fallback: where the nodes run if none needs a device
	 * Return: as partition_graph() and GraphExec::create(); CONTEXT_DYING if the context of a device's
	 * first node has ended; sets the error message. */
	static base::Result<std::unique_ptr<MultiExec>> create(std::unique_ptr<Graph> graph,
							       const NodePlacement &fallback);

	/** Unloads the parts when their last launches are done. Context: no lock held. */
	~MultiExec();

	/** graph() - the whole graph with all changes. Context: no other thread changes it at the same time. */
	Graph &graph() const { return *graph_; }

	/** follow() - makes the next launch wait for @fences, which are the fences of all launches of @old.
	 * Context: before the first launch. */
	void follow(std::vector<DeviceFence> fences, const LoadedGraph &old);

	/** launch() - appends one execution to @stream, which does not capture and may be of any device. If a
	 * node of another device fails, the execution fails in @stream too.
	 * @stream: held only while a part is posted to it; empty on return if it has ended meanwhile
	 * @call: names the API call in failure messages
	 * Return: CONTEXT_DYING if a context that a part needs has ended, or its device was reset; the
	 * results of GraphExec::launch(). After a failure @stream follows the parts that were posted. */
	base::Status launch(Held<Stream> &stream, uint16_t call);

	/** check_contexts(), set(), set_enabled(), is_enabled() - as those of GraphExec.
	 * @within: graph(), or a graph inside it. @task: runs on the device of the node, or on any device if
	 * the node does. */
	base::Status check_contexts() const;
	base::Status set(Graph &within, uint32_t node, const GraphTask &task);
	base::Status set_enabled(const Graph &within, uint32_t node, bool enabled);
	bool is_enabled(const Graph &within, uint32_t node);

	/** pending() - when these fences have passed, every launch that was made before has ended. */
	std::vector<DeviceFence> pending();

	/** traced() - the trace records of the graph; nullptr if no trace is recorded. */
	const recorder::GraphRecord *traced() const { return traced_.get(); }

private:
	struct Part {
		std::unique_ptr<GraphExec> exec;
		size_t stream;		       /* index into streams_ */
		std::vector<uint32_t> follows; /* parts of other devices that this part follows */
	};

	/* A device, and the stream for its parts when the launch is on a stream of another device. */
	struct DeviceStream {
		NodePlacement home;
		DeviceRef device;
		/* handle of the stream; nullptr until a launch needs it */
		const void *stream = nullptr;
	};

	struct Launch;

	explicit MultiExec(std::unique_ptr<Graph> graph);
	base::Status load(const NodePlacement &fallback);
	base::Status load_part(GraphPart &part);
	GraphExec &exec_of(const Graph &within, uint32_t node, NodeLocation &spot) const;
	base::Status make_stream(DeviceStream &own, uint32_t priority);
	base::Status begin(Launch &launch);
	base::Status post(Launch &launch, size_t index);
	base::Status join(Launch &launch);
	void publish(Launch &launch);
	void note_last(std::vector<DeviceFence> fences);

	const std::unique_ptr<Graph> graph_;
	std::unique_ptr<recorder::GraphRecord>
		traced_; /* records of all parts; nullptr if no trace is recorded */
	std::unordered_map<const Graph *, std::vector<NodeLocation>> spots_;
	std::vector<Part> parts_;

	LaunchQueue queue_; /* the first thread in it may change streams_ */
	std::vector<DeviceStream> streams_;
	base::Mutex mutex_{"MultiExec::mutex_"};
	/* When these fences have passed, the last launch has ended. */
	std::vector<DeviceFence> last_ GUARDED_BY(mutex_);
};

/** struct LoadedGraph - an executable graph; one of the two pointers is set, or none. */
struct LoadedGraph {
	std::shared_ptr<GraphExec> single; /* all nodes are on one device */
	std::shared_ptr<MultiExec> multi;

	Graph &graph() const { return multi ? multi->graph() : single->graph(); }

	/** check_contexts(), set(), set_enabled(), is_enabled() - as those of GraphExec and MultiExec. */
	base::Status check_contexts() const
	{
		return multi ? multi->check_contexts() : single->check_contexts();
	}
	base::Status set(Graph &within, uint32_t node, const GraphTask &task) const
	{
		return multi ? multi->set(within, node, task) : single->set(within, node, task);
	}
	base::Status set_enabled(Graph &within, uint32_t node, bool enabled) const
	{
		return multi ? multi->set_enabled(within, node, enabled)
			     : single->set_enabled(within, node, enabled);
	}
	bool is_enabled(const Graph &within, uint32_t node) const
	{
		return multi ? multi->is_enabled(within, node) : single->is_enabled(within, node);
	}

	/** pending() - as MultiExec::pending(). @device: the device of @single */
	std::vector<DeviceFence> pending(const DeviceRef &device) const;

	/** traced() - the trace records of the graph; nullptr if no trace is recorded. */
	const recorder::GraphRecord *traced() const
	{
		return multi ? multi->traced() : single->traced();
	}
};

} // namespace umd
