// SPDX-License-Identifier: MIT
/**
 * DOC: Peers
 *
 * The same nodes without a device. Called one after another from an array: a lower bound for each
 * runner that looks at a node before it runs it. And as graphs of oneTBB and Taskflow, if these
 * libraries are installed when the bench is built.
 */
#include "peers.h"

#include <memory>
#include <vector>

#include "replays.h"

#ifdef BENCH_TBB
#include <oneapi/tbb/flow_graph.h>
#endif
#ifdef BENCH_TASKFLOW
#include <taskflow/taskflow.hpp>
#endif

namespace bench {

namespace {

/* The vectors of the nodes; as in replays.cpp, neighbouring nodes use different ones. */
struct Work {
	void (*run)(const Work &);
	float *out;
	const float *a;
	const float *b;
};

void run_nothing(const Work &) {}

void run_add(const Work &work)
{
	for (size_t i = 0; i < ADD_FLOATS; i++)
		work.out[i] = work.a[i] + work.b[i];
}

/* A node's own line, as a device's record of it is. */
struct alignas(64) Slot {
	Work work;
};

class Peers {
public:
	Peers(const Effort &effort, Round &round, const char *node, void (*work)(const Work &))
		: effort_(effort), round_(round), node_(node), slots_(SHAPE_NODES),
		  memory_(PLACES * STRIDE)
	{
		for (unsigned i = 0; i < SHAPE_NODES; i++)
			slots_[i].work = {work, at(i + 1), at(i), at(i + 5)};
	}

	void run()
	{
		add("calls", "array of function calls", [&] {
			for (const Slot &slot : slots_)
				slot.work.run(slot.work);
		});
#ifdef BENCH_TBB
		run_tbb(1, "tbb.chain", "oneTBB flow graph, chain");
		run_tbb(SHAPE_BRANCHES, "tbb.branches", "oneTBB flow graph, 8 branches");
#endif
#ifdef BENCH_TASKFLOW
		run_taskflow(1, "taskflow.chain", "Taskflow, chain");
		run_taskflow(SHAPE_BRANCHES, "taskflow.branches", "Taskflow, 8 branches");
#endif
	}

private:
	static constexpr unsigned PLACES = 16;
	static constexpr unsigned STRIDE = 32; /* floats */

	float *at(unsigned i)
	{
		return memory_.data() + i % PLACES * STRIDE;
	}

	template <class Operation>
	void add(const char *key, const char *title, Operation &&operation)
	{
		const Plan plan{20, effort_.scaled(200), 1, 0};
		round_.push_back({std::string("peer.") + key + "." + node_,
				  std::string(title) + ", " + node_, measure(plan, operation),
				  KEY_DESCRIPTOR, Against::TIME, SHAPE_NODES});
	}

#ifdef BENCH_TBB
	void run_tbb(unsigned branches, const char *key, const char *title)
	{
		using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
		tbb::flow::graph graph;
		std::vector<std::unique_ptr<Node>> nodes;
		tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
		for (unsigned i = 0; i < SHAPE_NODES; i++) {
			const Work &work = slots_[i].work;
			nodes.push_back(std::make_unique<Node>(
				graph,
				[&work](const tbb::flow::continue_msg &) { work.run(work); }));
			if (i < branches)
				tbb::flow::make_edge(start, *nodes[i]);
			else
				tbb::flow::make_edge(*nodes[i - branches], *nodes[i]);
		}
		add(key, title, [&] {
			start.try_put(tbb::flow::continue_msg());
			graph.wait_for_all();
		});
	}
#endif

#ifdef BENCH_TASKFLOW
	void run_taskflow(unsigned branches, const char *key, const char *title)
	{
		tf::Executor executor;
		tf::Taskflow graph;
		std::vector<tf::Task> nodes;
		for (unsigned i = 0; i < SHAPE_NODES; i++) {
			const Work &work = slots_[i].work;
			nodes.push_back(graph.emplace([&work] { work.run(work); }));
			if (i >= branches)
				nodes[i - branches].precede(nodes[i]);
		}
		add(key, title, [&] { executor.run(graph).wait(); });
	}
#endif

	const Effort &effort_;
	Round &round_;
	const char *node_;
	std::vector<Slot> slots_;
	std::vector<float> memory_;
};

} // namespace

void measure_peers(const Effort &effort, Round &round)
{
	Peers(effort, round, "nothing", run_nothing).run();
	Peers(effort, round, "add", run_add).run();
}

std::string missing_peers()
{
	std::string names;
#ifndef BENCH_TBB
	names += " oneTBB";
#endif
#ifndef BENCH_TASKFLOW
	names += " Taskflow";
#endif
	return names;
}

} // namespace bench
