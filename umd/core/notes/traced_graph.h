// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "comparison.h"
#include "latch_use.h"
#include "umd/core/object/graph.h"
#include "umd/core/record/notes.h"

namespace umd::recorder {

/**
 * class TracedGraph - what the trace knows of an executable graph. The graphs inside of it are told as its own
 * nodes: the trace has no graphs in graphs.
 *
 * Context: as the GraphExec that owns it; a launch and an update may meet.
 */
class TracedGraph {
public:
	/** note() - tells of @graph. @device: of its nodes that have no home
	 * Return: nullptr if nothing is recorded. */
	static std::unique_ptr<TracedGraph> note(const Graph &graph, const DeviceState *device);
	~TracedGraph();

	/** class Launch - the records of one launch: what it waits for, itself, and what it records. */
	class Launch {
	public:
		/** publish() - does nothing for an empty launch. */
		void publish()
		{
			for (Entry &entry : entries_)
				entry.publish();
		}
		/** publish_task() - the same, of what is @task of its stream. */
		void publish_task(uint64_t task)
		{
			for (Entry &entry : entries_)
				entry.publish_task(task);
		}

		/** keep() - the launch is submitted. @fence: of its end */
		void keep(const drv::Fence &fence)
		{
			if (digest_)
				digest_->keep(fence);
		}

	private:
		friend TracedGraph;
		std::vector<Entry> entries_;
		std::unique_ptr<LaunchDigest> digest_;
	};
	/** begin_launch() - @is_kept: the caller will call Launch::keep() */
	Launch begin_launch(Stream &stream, uint16_t call, bool is_kept) const;

	/** follow() - the next launch is after those of @old so far. */
	void follow(const TracedGraph &old) const;

	/** begin_update() - @task replaces that of a node. @stream: where the change is made; nullptr: at once,
	 * for later launches */
	Entry begin_update(const Graph &part, uint32_t node, const GraphTask &task, Stream *stream);

private:
	/* An event that a node records, resets or waits for. */
	struct EventUse {
		TaskKind kind;
		uint64_t event; /* handle */
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
	LatchUse latch_of(const GraphTask &task) const;
	void tell_exchange(uint32_t number, const LatchUse &use);
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
	bool is_told_ = true; /* false: it has more nodes than a trace allows */
	std::unordered_map<const Graph *, uint32_t> first_; /* number of node 0 */
	std::unordered_map<uint32_t, uint32_t>
		exits_;		       /* of nodes that became several: the node at their end */
	std::vector<EventUse> events_; /* that the whole launch waits for, or records at its end */
	std::vector<std::pair<uint32_t, EventUse>> flags_; /* nodes with events that are flags */
	/* What is told of the graph, for the edges that signals are: nodes after a node; the nodes that signal a
	 * semaphore or a word, and those that wait for it. */
	std::vector<std::vector<uint32_t>> after_;
	std::unordered_map<uint64_t, Signal> signals_;
	std::unordered_map<uint64_t, Signal>
		messages_; /* of operations of several devices, by latch */
	std::vector<std::pair<uint32_t, uint32_t>>
		starts_; /* nodes, and the chains that they start */
	std::unordered_map<uint32_t, LatchUse> exchanges_; /* nodes that signal or wait */
	std::vector<Box> copies_;			   /* of nodes */
	bool is_opaque_ = false; /* a node does more than the trace tells */
	std::atomic<bool> is_updated_{false};
	mutable std::atomic<uint64_t> launches_{0};
	bool is_conditional_ = false; /* nodes that may be skipped, or run again */
};

} // namespace umd::recorder
