// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/biased_lock.h"
#include "drv/fence.h"
#include "umd/device_state.h"
#include "umd/fence_set.h"
#include "umd/graph.h"
#include "umd/graph_compiler.h"
#include "umd/host_target.h"

namespace umd {

struct Stream;

/**
 * class LateChange - changes of nodes that are made when a stream comes to them, of what is in memory
 * then.
 */
class LateChange {
public:
	virtual ~LateChange() = default;

	/** make() - @tasks: out, one for each node, as many of them with an operator as were when the
	 * change was queued; operators belong to the change.
	 * Context: a thread of the runtime. Return: what is not OK is the device's to report. */
	virtual base::Status make(const std::byte *input, std::span<GraphTask> tasks) = 0;
};

/** class LaunchWatcher - runs after each execution, before the next one begins. */
class LaunchWatcher : public HostTarget {
public:
	/** launched() - run() will follow, also where the execution is dropped. Context: the launching thread. */
	virtual void launched() = 0;
};

/** class DeviceBlock - device memory that a packet reads. What was submitted by the end of the object
 * still finds it. Context: one thread. */
class DeviceBlock {
public:
	explicit DeviceBlock(drv::Device &device) : device_(device) {}
	~DeviceBlock();
	DeviceBlock(const DeviceBlock &) = delete;
	DeviceBlock &operator=(const DeviceBlock &) = delete;

	/** allocate() - once. May block. Return: NO_MEMORY, with the sentence set. */
	base::Status allocate(uint64_t bytes);

	uint64_t va() const { return va_; }
	uint64_t bytes() const { return bytes_; }
	std::byte *data() const { return device_.space().aperture(va_, bytes_); }

private:
	drv::Device &device_;
	uint64_t va_ = 0;
	uint64_t bytes_ = 0;
};

/** struct NodeRun - a run of a node that computes or moves something; nanoseconds as in the trace. */
struct NodeRun {
	std::string type;
	std::string name;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/**
 * class GraphExec - a graph that the device keeps and runs. Launches of one follow each other in the
 * order in which their packets were posted, on whatever streams and by whatever threads.
 *
 * Context: any thread. Nothing is locked while a launch waits for a full ring.
 */
class GraphExec {
public:
	/** create() - compiles and loads @graph, and keeps it for questions and updates.
	 * Return: INVALID_ARGUMENT for a circle, GRAPH_TOO_LARGE, NO_MEMORY, NO_RESOURCE, with the
	 * sentence set. */
	static base::Result<std::unique_ptr<GraphExec>> create(OpenDevice &open,
							       std::unique_ptr<Graph> graph);

	/** Takes the graph from the device once its last launch is done. */
	~GraphExec();

	/** graph() - what runs, with all changes. Context: nobody changes it meanwhile. */
	Graph &graph() const { return *graph_; }

	/** launch() - appends one execution to @stream, which does not capture.
	 * @call: names the call in what a failure says. Return: the fence of its end. */
	base::Result<drv::Fence> launch(Stream &stream, uint8_t call);

	/** set() - the launches that follow find another task in a node; those made before do not.
	 * @part: graph(), or a graph in it
	 * @task: not of a kind that holds graphs, nor in place of one */
	base::Status set(Graph &part, uint32_t node, const GraphTask &task);

	/** update_now() - appends a task to @stream that changes nodes of @part as soon as the stream
	 * comes there, in an execution under way too if the node has not begun.
	 * @nodes: numbers; @tasks: as many. Return: as set(). */
	base::Result<drv::Fence> update_now(Stream &stream, uint8_t call, Graph &part,
					    std::span<const uint32_t> nodes,
					    std::span<const GraphTask> tasks);

	/** update_late() - appends tasks to @stream that copy @bytes of device memory at @va, have
	 * @change make tasks of them, and change @nodes of the graph itself. The graph's record of what
	 * the nodes do stays as it is. Return: NO_MEMORY, NO_RESOURCE, DEVICE_LOST. */
	base::Status update_late(Stream &stream, uint8_t call, std::span<const uint32_t> nodes,
				 uint64_t va, uint64_t bytes, std::unique_ptr<LateChange> change);

	/** pending() - fences of launches that are under way on the graph's device. When all have passed,
	 * every launch that was made before the call has ended. */
	std::vector<drv::Fence> pending(const drv::Device &device);

	/** number() - of a node, as the cookies of failed tasks name it. */
	uint32_t number(const Graph &part, uint32_t node) const
	{
		return compiled_.numbers.at(&part)[node];
	}
	/** flats() - all nodes by number; Graph::NONE nodes do nothing. */
	const std::vector<FlatNode> &flats() const { return compiled_.flats; }

	/** keep_times() - from the next launch on each node's times are kept. Return: NO_MEMORY. */
	base::Status keep_times();
	/** times() - of the node with that number, when it ran last; zeros if it did not. */
	unpu_graph_time times(uint32_t number) const;

	/** watch() - of the launches that follow; nullptr: of none. */
	void watch(std::shared_ptr<LaunchWatcher> watcher);
	/** take_runs() - of nodes since the last call, in their order; the latest of each. Between
	 * executions. */
	std::vector<NodeRun> take_runs();

private:
	/* What a launch gives to a node. */
	struct Argument {
		TaskKind kind;
		uint64_t event;
		uint32_t sem; /* RECORD */
		uint64_t value;
	};

	/* New nodes, as the device takes them. */
	struct Changes {
		std::vector<unpu_packet> nodes; /* valid: place in the image */
		std::vector<unpu_operator> operators;
	};

	/* An update that is a task of a stream. */
	struct Update {
		drv::Fence fence;
		uint64_t target; /* of its host function; 0 without one */
	};

	GraphExec(OpenDevice &open, std::unique_ptr<Graph> graph);
	void note_update(drv::Device &device, const Update &update);
	base::Status load();
	base::Status resolve(const GraphTask &task, unpu_packet &packet, uint32_t &args);
	base::Status retarget(Argument &arg, uint64_t event);
	base::Status change(Graph &part, uint32_t node, const GraphTask &task, Changes &changes);
	static uint64_t changes_bytes(const Changes &changes);
	static void write_changes(std::byte *to, const Changes &changes);

	struct Launch;
	base::Status prepare(Launch &launch);
	base::Result<drv::Fence> try_launch(Launch &launch);
	base::Status post_order(Launch &launch);
	base::Status post_changes(Launch &launch);
	base::Result<drv::Fence> post_execution(Launch &launch);
	std::vector<unpu_graph_argument> next_args(drv::Device &device) const;
	void record_events(drv::Device &device);

	const DeviceRef device_;
	const std::unique_ptr<Graph> graph_;
	CompiledGraph compiled_; /* without the image */
	uint32_t id_ = 0;	 /* the firmware's; 0 for an empty graph */
	std::vector<uint64_t> calls_;
	uint64_t times_va_ = 0;

	base::BiasedLock lock_{"GraphExec::lock_"}; /* protects the following */
	std::vector<Argument> args_;
	std::unordered_map<uint32_t, uint32_t> arg_of_; /* by number */
	Changes changes_;				/* for the next launch */
	FenceSet launches_; /* of the latest launch on each stream, or of changes for it */
	std::vector<Update> updates_; /* that may be under way */
	std::shared_ptr<LaunchWatcher> watcher_;
	std::vector<uint64_t> watch_targets_; /* the last one is of @watcher_ */
	std::vector<uint64_t> told_;	      /* by number: when the run began that was told last */
};

} // namespace umd
