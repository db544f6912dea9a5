// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "client.h"
#include "command_processor.h"
#include "graph_nodes.h"
#include "runner.h"
#include "uapi/graph.h"

namespace fw {

/** struct Launch - an execution that was asked for. */
struct Launch {
	Waiter *owner;
	uint32_t report;  /* the timeline semaphore that gets the failures of nodes */
	uint32_t stream;  /* channel of the owner */
	uint8_t priority; /* of the owner */
	std::vector<unpu_graph_argument> args;
};

/**
 * class Graph - a loaded graph and, while it runs, its execution. One execution at a time: channels
 * that launch it meanwhile queue up. Context: under the step token.
 */
class Graph final : public Runner {
public:
	explicit Graph(Client &client);

	/** load() - copies and validates an image; what the client does to it later has no effect.
	 * @semaphores: of the client
	 * Context: any thread, before any other call. Looks at nothing of the client.
	 * Return: BAD_GRAPH or GRAPH_TOO_LARGE when it is not a graph. */
	base::Status load(const std::byte *image, uint64_t bytes,
			  const Semaphores::Users &semaphores);

	/** charge() - to the device and to the client, once it is loaded. Return: NO_MEMORY, QUOTA. */
	base::Status charge();

	/** bytes() - of the firmware's memory. */
	uint64_t bytes() const;

	/** leave() - its lines wait for nothing and it gets no turn any more. After this, any thread may
	 * destroy it, also when the client is gone. */
	void leave();
	~Graph() override;

	/** launch() - starts an execution, or queues behind the one that runs.
	 * Return: BAD_GRAPH for a wrong number of arguments, BAD_SEMAPHORE. */
	Outcome launch(Launch launch);

	/** nodes() - how many it has. */
	uint64_t nodes() const { return nodes_.size(); }

	/** args() - how many a launch has to give. */
	uint32_t args() const { return nargs_; }

	/** may_change() - false for a node that says which nodes run. */
	bool may_change(uint32_t node) const;

	/** change() - replaces the node that @packet names, which read_changes() and may_change() have
	 * allowed. One that has begun ends as it was. @operators: that @packet refers to. */
	void change(const unpu_packet &packet, const std::vector<unpu_operator> &operators);

	/** trace() - from the next execution on each node stores its times; @bytes 0: not any more.
	 * Return: INVALID_ARGUMENT when @bytes is too small. */
	base::Status trace(uint64_t va, uint64_t bytes);

	/** stop_work() - Client::stop_work() for all lines of the execution that @owner launched. */
	void stop_work(const Waiter &owner);

	/** abandon() - @owner goes away: its execution or its place in the queue ends. */
	void abandon(Waiter &owner);

	/** leave_engines() - its lines wait for no engine any more. */
	void leave_engines()
	{
		for (const auto &stand : stands_)
			stand->in_engine = false;
	}

	bool running() const { return owner_ != nullptr; }
	const Waiter *owner() const { return owner_; }

	/** describe() - the graph for a snapshot. */
	nlohmann::ordered_json describe(uint32_t id) const;

	/** waiters() - its lines that are parked on a semaphore, @most of them. */
	std::vector<const Waiter *> waiters(size_t most) const;

	Progress advance() override;

private:
	struct Span;

	/* A line that stands still in a node, or in an engine. */
	struct Stand final : Waiter {
		void woken(base::Status status, uint64_t address) override;
		Graph *graph = nullptr;
		uint32_t line = 0;
		unpu_packet packet{}; /* the node as it began */
		uint64_t began_ns = 0;
		Outcome outcome;
		/* Of an operator that has not begun: an update may have changed the node since. */
		std::unique_ptr<unpu_operator> op;
		bool late = false;  /* has not begun: a fault on purpose */
		bool twice = false; /* is to signal twice: another one */
		std::shared_ptr<Span> span;
	};

	struct Line {
		uint32_t first;
		uint32_t end;
		uint32_t at;
		uint32_t joins;
		uint32_t open; /* joins that this execution still waits for */
		uint32_t first_edge;
		uint32_t edges;
		uint32_t region;
		uint32_t others; /* nodes that no engine could do */
		uint64_t cost;	 /* of the nodes that are not such */
		uint32_t again;	 /* dormant: activations to come */
		bool dormant;
		bool active; /* dormant: runs */
		bool ran;    /* dormant: was started in this execution */
		Stand *stand;
	};

	struct Region {
		uint32_t first;
		uint32_t end;
		uint32_t open;	/* lines that have not ended */
		uint32_t owner; /* line of the COND node */
		uint64_t began_ns;
	};

	void take(GraphImage image);
	void count(Line &line, uint32_t node, bool add);
	Line &line_of(uint32_t node);
	base::Status check_args(const std::vector<unpu_graph_argument> &args) const;

	void start(Launch launch);
	bool store_cells();
	void find_times();
	void check_places();
	void fail(const Outcome &outcome, uint64_t cookie);
	void finish();
	void stop();

	/* graph_run.cpp */
	bool run_line(uint32_t index);
	void run_plain(Line &line);
	bool run_node(uint32_t index);
	bool execute(Line &line);
	bool execute_late(Line &line);
	bool end_node(Line &line, const Outcome &outcome);
	bool strike(Stand &stand, Outcome &outcome);
	bool run_cond(uint32_t index, const unpu_packet &packet);
	void run_jump(Line &line, const unpu_packet &packet);
	void run_activate(Line &line, const unpu_packet &packet);
	bool offload(uint32_t index);
	bool take_up(Line &line);
	void complete(Line &line, const unpu_packet &packet, const Outcome &outcome,
		      uint64_t began_ns);
	void complete_stand(Line &line, const Outcome &outcome);
	void end_line(Line &line);
	void start_region(uint32_t index);
	void end_region(Region &region);
	void resolve(unpu_packet &packet) const;
	Stand &take_stand(uint32_t line);
	void put_stand(Line &line);
	uint64_t clock() const;
	void note(uint32_t node, uint64_t began_ns);

	/* trace.cpp */
	bool tracing() const { return client_.core.trace.on(); }
	void trace_node(unpu_trace_kind kind, const Line &line, uint32_t object) const;
	void trace_end(const Line &line, const Outcome &outcome) const;

	Client &client_;
	const bool struck_; /* faults on purpose are looked for at each node */
	GraphNodes nodes_;
	std::vector<Line> lines_;
	std::vector<Region> regions_;
	std::vector<uint32_t> words_;
	std::vector<unpu_graph_cell> cells_;
	uint32_t nargs_ = 0;
	uint64_t places_epoch_ = 0;
	Charge device_memory_;
	Charge quota_; /* of the client's memory */
	uint64_t trace_va_ = 0;

	/* Of this execution: */
	Waiter *owner_ = nullptr;
	bool launching_ = false;
	uint32_t report_ = 0;
	uint32_t stream_ = 0;
	int64_t budget_ = 0; /* of this turn */
	size_t cells_stored_ = 0;
	bool started_ = false;	       /* all cells are stored */
	std::vector<uint32_t> ready_;  /* lines that can move; the last one first */
	std::vector<uint32_t> rested_; /* lines that used up a turn */
	std::vector<unpu_graph_argument> args_;
	Outcome failure_;	  /* the first one */
	uint64_t ran_ = 0;	  /* nodes */
	uint64_t executions_ = 0; /* that ended */
	unpu_graph_time *times_ = nullptr;

	std::vector<std::unique_ptr<Stand>> stands_;
	std::vector<Stand *> free_stands_;
	std::deque<Launch> pending_;
};

} // namespace fw
