// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "comparison.h"
#include "notes.h"
#include "sync_op.h"
#include "umd/core/object/graph.h"

namespace umd::recorder {

/**
 * class TracedGraph - the records of an executable graph. The nodes of child graphs are recorded as nodes of
 * this graph, because the trace has no nested graphs.
 *
 * Context: as the GraphExec that owns it; a launch and an update may run at the same time.
 */
class TracedGraph final : public GraphRecord {
public:
	/** note() - implements note_graph of the observer. */
	static std::unique_ptr<GraphRecord> note(const Graph &graph, const DeviceState *device);
	~TracedGraph() override;

	std::unique_ptr<GraphRecord::Launch> begin_launch(Stream &stream, uint16_t call,
							  bool is_kept) const override;
	void follow(const GraphRecord &old) const override;
	Entry begin_update(const Graph &part, uint32_t node, const GraphTask &task,
			   Stream *stream) override;

private:
	/* The records of one launch: its waits for events, the launch itself, and the events that it records. */
	struct Launch final : GraphRecord::Launch {
		void publish_task(uint64_t task) override
		{
			for (Entry &entry : entries)
				entry.publish_task(task);
		}
		void keep(const drv::Fence &fence) override
		{
			if (digest)
				digest->keep(fence);
		}

		std::vector<Entry> entries;
		std::unique_ptr<LaunchDigest> digest;
	};

	/* An event that a node records, resets or waits for. */
	struct EventUse {
		TaskKind kind;
		uint64_t event; /* handle of the event */
	};

	/* The nodes that signal one semaphore or word, and those that wait for it. */
	struct Signal {
		std::vector<uint32_t> senders;
		std::vector<uint32_t> waiters;
	};

	TracedGraph(Recorder &recorder, uint64_t number, const DeviceState *device)
		: recorder_(recorder), number_(number), device_(device)
	{
	}
	uint32_t number_of(const Graph &part, uint32_t node) const;
	void add_edge(uint32_t before, uint32_t after);
	void note_signal(const unpu_packet &packet, uint32_t number);
	bool leads_to(uint32_t from, uint32_t to) const;
	void add_signals();
	SyncOp latch_of(const GraphTask &task) const;
	void tell_exchange(uint32_t number, const SyncOp &use);
	void add_flags();
	void add_node(const Graph &part, uint32_t node, const GraphTask &task);
	void add_part(const Graph &part);
	void add_edges(const Graph &part);
	void add_inside(const Graph &part, uint32_t node, const std::vector<const Graph *> &inside);
	uint32_t add_extra(uint32_t before, const GraphTask &like, uint32_t site,
			   const Operands *operands);
	void add_collective(const Graph &part, uint32_t node);

	Recorder &recorder_;
	const uint64_t number_;
	const DeviceState *const device_;
	uint32_t count_ = 0;
	/* false: it has more nodes than a trace allows, so the graph is not recorded */
	bool is_told_ = true;
	std::unordered_map<const Graph *, uint32_t> first_; /* number of the first node */
	std::unordered_map<uint32_t, uint32_t>
		exits_; /* for a node that became several nodes: the last of them */
	/* events that the whole launch waits for, or records at its end */
	std::vector<EventUse> events_;
	std::vector<std::pair<uint32_t, EventUse>> flags_; /* nodes with events that are flags */
	/* The data from which edges between signals and waits are computed: the successors of each node, and
	 * for each semaphore or word the nodes that signal it and the nodes that wait for it. */
	std::vector<std::vector<uint32_t>> after_;
	std::unordered_map<uint64_t, Signal> signals_;
	std::unordered_map<uint64_t, Signal>
		messages_; /* nodes of collective operations, by latch */
	std::vector<std::pair<uint32_t, uint32_t>>
		starts_;				 /* for a node: the chain that it starts */
	std::unordered_map<uint32_t, SyncOp> exchanges_; /* nodes that signal or wait */
	std::vector<Box> copies_;			 /* copies of all nodes */
	bool is_opaque_ = false; /* some node does more than the trace describes */
	std::atomic<bool> is_updated_{false};
	mutable std::atomic<uint64_t> launches_{0};
	bool is_conditional_ = false; /* some nodes may be skipped or repeated */
};

} // namespace umd::recorder
