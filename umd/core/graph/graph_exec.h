// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/sync/biased_lock.h"
#include "drv/packet/fence.h"
#include "graph_compiler.h"
#include "umd/core/context/context_set.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/host_target.h"
#include "umd/core/object/fence_set.h"
#include "umd/core/object/graph.h"

namespace umd {

class IpcEvent;
struct Stream;

namespace recorder {

class GraphRecord;

} // namespace recorder
struct Submission;

/**
 * class LateChange - an update of nodes that is computed when a stream reaches it, from the contents of
 * device memory at that time.
 */
class LateChange {
public:
	virtual ~LateChange() = default;

	/** make() - @tasks: out, one for each node. As many of them have an operator as when the update was
	 * queued. This object owns the operators.
	 * Context: a thread of the runtime. Return: a failure is reported as that of the task. */
	virtual base::Status make(const std::byte *input, std::span<GraphTask> tasks) = 0;
};

/** class LaunchWatcher - runs after each execution, before the next one begins. */
class LaunchWatcher : public HostTarget {
public:
	/** launched() - announces one run(), which follows even if the execution is dropped.
	 * Context: the launching thread. */
	virtual void launched() = 0;
};

/** class DeviceBlock - device memory that a packet reads. The destructor frees it when all packets submitted
 * before have completed. Context: one thread. */
class DeviceBlock {
public:
	explicit DeviceBlock(drv::Device &device) : device_(device) {}
	~DeviceBlock();
	DeviceBlock(const DeviceBlock &) = delete;
	DeviceBlock &operator=(const DeviceBlock &) = delete;

	/** allocate() - call it once. May block. Return: NO_MEMORY, sets the error message. */
	base::Status allocate(uint64_t bytes);

	uint64_t va() const { return va_; }
	uint64_t bytes() const { return bytes_; }
	std::byte *data() const;

private:
	drv::Device &device_;
	uint64_t va_ = 0;
	uint64_t bytes_ = 0;
};

/** struct NodeRun - one run of a node that computes or copies; times are those of the trace. */
struct NodeRun {
	uint32_t node; /* number in the whole graph */
	std::string type;
	std::string name;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/** contexts_of() - the contexts that the nodes of @graph, and of the graphs in its child nodes, need. */
ContextSet contexts_of(const Graph &graph);

/**
 * class GraphExec - a graph that is loaded into the device. Its launches run one after the other, in the
 * order in which their packets were submitted, also if streams and threads differ.
 *
 * Context: any thread. A launch holds no lock while it waits for room in a full ring.
 */
class GraphExec {
public:
	/** create() - compiles and loads @graph, and keeps it for queries and updates.
	 * Return: INVALID_ARGUMENT for a cycle, GRAPH_TOO_LARGE, NO_MEMORY, NO_RESOURCE, sets the error
	 * message. */
	static base::Result<std::unique_ptr<GraphExec>> create(OpenDevice &open,
							       std::unique_ptr<Graph> graph);

	/** create_part() - the same, for a part of a graph that is recorded as a whole. */
	static base::Result<std::unique_ptr<GraphExec>> create_part(OpenDevice &open,
								    std::unique_ptr<Graph> graph);

	/** Unloads the graph from the device when its last launch is done. */
	~GraphExec();

	/** graph() - the graph with all changes. Context: no other thread changes it at the same time. */
	Graph &graph() const { return *graph_; }

	/** launch() - appends one execution to @stream, which does not capture. Contexts that the nodes need do
	 * not end while the execution is posted.
	 * @call: names the API call in failure messages. Return: the fence of the execution's end; as
	 * check_contexts(). */
	base::Result<drv::Fence> launch(Stream &stream, uint16_t call);

	/** check_contexts() - Context: as graph().
	 * Return: CONTEXT_DYING if a context that a node needs has ended, sets the error message. */
	base::Status check_contexts();

	/* enum class Trust - CHECKED: the runtime made the task. PROGRAM: a program wrote its descriptor, so the
	 * device may refuse the change. */
	enum class Trust { CHECKED, PROGRAM };

	/** set() - replaces the task of a node, for later launches only.
	 * @part: graph(), or a graph inside it
	 * @task: neither it nor the task it replaces may contain graphs */
	base::Status set(Graph &part, uint32_t node, const GraphTask &task,
			 Trust trust = Trust::CHECKED);

	/** set_enabled() - a disabled node does nothing in later launches, whatever its task is.
	 * @node: of kind COPY or FILL. Return: as set(). */
	base::Status set_enabled(Graph &part, uint32_t node, bool enabled);
	bool is_enabled(const Graph &part, uint32_t node);

	/** update_now() - appends a task to @stream that changes nodes of @part when the stream reaches it.
	 * The change also applies to an execution under way if the node has not started.
	 * @nodes: numbers; @tasks: one for each. Return: as set(). */
	base::Result<drv::Fence> update_now(Stream &stream, uint16_t call, Graph &part,
					    std::span<const uint32_t> nodes,
					    std::span<const GraphTask> tasks);

	/** update_late() - appends tasks to @stream that copy @bytes of device memory at @va, call
	 * @change.make() with them, and change @nodes of the loaded graph. graph() is not updated.
	 * Return: NO_MEMORY, NO_RESOURCE, DEVICE_LOST. */
	base::Status update_late(Stream &stream, uint16_t call, std::span<const uint32_t> nodes,
				 uint64_t va, uint64_t bytes, std::unique_ptr<LateChange> change);

	/** pending() - fences of the launches under way on the graph's device. When all have passed, every
	 * launch that was made before this call has ended. */
	std::vector<drv::Fence> pending(const drv::Device &device);

	/** number() - the number of a node in the cookies of failed tasks. */
	uint32_t number(const Graph &part, uint32_t node) const
	{
		return compiled_.numbers.at(&part)[node];
	}
	/** flats() - all nodes by number; nodes with Graph::NONE do nothing. */
	std::span<const FlatNode> flats() const { return compiled_.flats; }

	/** traced() - the trace records of the graph; nullptr if no trace is recorded. */
	const recorder::GraphRecord *traced() const { return traced_.get(); }

	/** keep_times() - later launches store the begin and end time of each node. Return: NO_MEMORY. */
	base::Status keep_times();
	/** times() - begin and end of the latest run of node @number; zeros if it did not run. */
	unpu_graph_time times(uint32_t number) const;

	/** watch() - sets the watcher of later launches; nullptr for none. */
	void watch(std::shared_ptr<LaunchWatcher> watcher);
	/** take_runs() - the latest run of each node that ran since the last call, in the order of the runs.
	 * Context: no execution is under way. */
	std::vector<NodeRun> take_runs();

private:
	/* A launch argument: a value that each launch sets for a node. */
	struct Argument {
		TaskKind kind;
		uint64_t event;
		uint32_t sem; /* semaphore of a RECORD, unless @ipc is set */
		uint64_t value;
		std::shared_ptr<IpcEvent> ipc; /* if the event has EVENT_IPC */
		bool is_across = false;	       /* a WAIT whose event belongs to another device */
	};

	/* Changed nodes in the device's format. */
	struct Changes {
		std::vector<unpu_packet> nodes; /* field `valid`: the node's place in the image */
		std::vector<unpu_operator> operators;
		std::vector<uint64_t> tensors;
		Trust trust = Trust::CHECKED; /* with PROGRAM the packet has only one node */
	};

	/* An update that was submitted as a task of a stream. */
	struct Update {
		drv::Fence fence;
		uint64_t target; /* HostTarget number of its host function; 0: there is none */
		/* Arguments of kernels that nodes had before. Earlier executions still use their memory. */
		std::vector<TensorWords> replaced{};
	};

	GraphExec(OpenDevice &open, std::unique_ptr<Graph> graph);
	/* Without analysis: the number does not change after create(). */
	size_t count_args() const NO_THREAD_SAFETY_ANALYSIS { return args_.size(); }
	void note_update(drv::Device &device, const Update &update);
	base::Status load();
	base::Status resolve(const GraphTask &task, unpu_packet &packet, uint32_t &args);
	base::Status attach_shared(const GraphTask &task);
	bool crosses(const Argument &arg) const;
	base::Status replace(Graph &part, uint32_t node, const GraphTask &task, Changes &changes,
			     Stream *stream) REQUIRES(lock_);
	static base::Status give_semaphore(drv::Device &device, Argument &arg);
	base::Status retarget(Argument &arg, uint64_t event) REQUIRES(lock_);
	Changes &next_changes(Trust trust) REQUIRES(lock_);
	base::Status change(Graph &part, uint32_t node, const GraphTask &task, Changes &changes)
		REQUIRES(lock_);
	static uint64_t changes_bytes(const Changes &changes);
	static void write_changes(std::byte *to, const Changes &changes);

	struct Special;
	struct Launch;
	base::Status prepare(Launch &launch);
	base::Result<drv::Fence> try_launch(Launch &launch) REQUIRES(lock_);
	base::Result<drv::Fence> try_in_contexts(Launch &launch) REQUIRES(lock_);
	base::Status post_order(Launch &launch) REQUIRES(lock_);
	base::Status post_changes(Launch &launch) REQUIRES(lock_);
	base::Result<drv::Fence> post_execution(Launch &launch) REQUIRES(lock_);
	base::Result<drv::Fence> post_with_ends(Launch &launch, const Submission &one)
		REQUIRES(lock_);
	base::Status find_waits(Launch &launch);
	bool has_waits(const Launch &launch) const REQUIRES(lock_);
	base::Status claim_records(Launch &launch) REQUIRES(lock_);
	std::vector<unpu_graph_argument> next_args(const Launch &launch) const REQUIRES(lock_);
	void add_ends(Launch &launch, std::span<const unpu_graph_argument> args) const
		REQUIRES(lock_);
	void post_rest(Launch &launch);
	void record_events(const Launch &launch, const drv::Fence &end) REQUIRES(lock_);

	const DeviceRef device_;
	const std::unique_ptr<Graph> graph_;
	std::unique_ptr<recorder::GraphRecord> traced_; /* nullptr if no trace is recorded */
	CompiledGraph compiled_;			/* the compiled graph, without the image */
	uint32_t id_ = 0; /* the firmware's number of the graph; 0 for an empty graph */
	std::vector<uint64_t> calls_;
	uint64_t times_va_ = 0;

	base::BiasedLock lock_{"GraphExec::lock_"};
	ContextSet contexts_
		/* contexts of the nodes, possibly also of tasks that they had before */
		GUARDED_BY(lock_);
	std::vector<Argument> args_ GUARDED_BY(lock_);
	/* an event was on another device, or has EVENT_IPC */
	bool is_special_ GUARDED_BY(lock_) = false;
	std::unordered_map<uint32_t, uint32_t> arg_of_
		GUARDED_BY(lock_); /* node number -> index in @args_ */
	std::deque<Changes> changes_
		GUARDED_BY(lock_); /* changes for the next launch; each is a packet of its own */
	std::unordered_set<uint32_t> disabled_ GUARDED_BY(lock_); /* numbers of disabled nodes */
	FenceSet launches_
		GUARDED_BY(lock_); /* end of the latest launch or change on each stream */
	std::vector<Update> updates_ GUARDED_BY(lock_); /* updates that may be under way */
	std::shared_ptr<LaunchWatcher> watcher_ GUARDED_BY(lock_);
	/* HostTarget numbers; the last is that of @watcher_. */
	std::vector<uint64_t> watch_targets_ GUARDED_BY(lock_);
	/* By node number: begin of the run that take_runs() returned last. */
	std::vector<uint64_t> told_ GUARDED_BY(lock_);
};

} // namespace umd
