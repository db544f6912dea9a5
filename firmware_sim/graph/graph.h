// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "firmware_sim/core/client_context.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/schedule/runner.h"
#include "graph_nodes.h"
#include "uapi/graph.h"

namespace fw {

/** struct Launch - a requested execution. */
struct Launch {
	Waiter *owner;
	uint32_t report;  /* the timeline semaphore in which failures of nodes are recorded */
	uint32_t stream;  /* index of the owner's channel */
	uint8_t priority; /* priority of the owner */
	std::vector<unpu_graph_argument> args;
	Charge args_memory; /* charge of the client for @args */
};

/**
 * class Graph - a loaded graph and, while it runs, its execution. A graph has one execution at a time;
 * further launches queue. Context: under the step token.
 */
class Graph final : public Runner {
public:
	explicit Graph(ClientContext &client);

	/** load() - copies and validates an image; later changes by the client have no effect.
	 * @semaphores: the semaphores of the client
	 * Context: any thread, before any other call. Accesses no state of the client.
	 * Return: BAD_GRAPH or GRAPH_TOO_LARGE when the image is not valid. */
	base::Status load(const std::byte *image, uint64_t bytes,
			  const Semaphores::Users &semaphores);

	/** charge() - charges a loaded graph to the device and to the client. Return: NO_MEMORY, QUOTA. */
	base::Status charge();

	/** bytes() - firmware memory that the graph uses. */
	uint64_t bytes() const;

	/** leave() - unparks at most @left lines, and subtracts their number from @left.
	 * Return: whether all are unparked. Then the graph is in no list, and any thread may destroy it, even
	 * after the client is destroyed. */
	bool leave(unsigned &left);

	/** launch() - starts an execution, or queues behind the one that runs.
	 * Return: BAD_GRAPH for a wrong number of arguments, BAD_SEMAPHORE. */
	Outcome launch(Launch launch);

	/** nodes() - number of nodes. */
	uint64_t nodes() const { return nodes_.size(); }

	/** args() - number of arguments that a launch must give. */
	uint32_t args() const { return nargs_; }

	/** may_change() - false for a control node, which decides which nodes run. */
	bool may_change(uint32_t node) const;

	/** change() - replaces the node that @packet names, which read_changes() and may_change() have
	 * allowed. A node that has begun ends with its old content. @changes: the descriptors to
	 * which @packet refers. */
	void change(const unpu_packet &packet, const GraphChanges &changes);

	/** growth() - upper limit of the additional memory of a change(). recharge() - charges the memory of
	 * the graph after the changes; the caller holds a charge for the additional memory. */
	uint64_t growth(const unpu_packet &packet, const GraphChanges &changes) const;
	void recharge();

	/** trace() - from the next execution on each node stores its times at @va; @bytes 0 turns that
	 * off.
	 * Return: INVALID_ARGUMENT when @bytes is too small. */
	base::Status trace(uint64_t va, uint64_t bytes);

	/** abandon() - @owner leaves: ends its execution, or removes it from the queue. Unparks at most @left
	 * lines, and subtracts their number from @left.
	 * Return: whether all is done. The owner's client has no turns until then. */
	bool abandon(Waiter &owner, unsigned &left);

	bool running() const { return owner_ != nullptr; }
	const Waiter *owner() const { return owner_; }

	/** describe() - the graph for a snapshot. */
	nlohmann::ordered_json describe(uint32_t id) const;
	nlohmann::ordered_json describe_nodes() const;

	/** waiters() - up to @most lines that are parked on a semaphore. In a graph with very many lines not
	 * all of them are searched. */
	std::vector<const Waiter *> waiters(size_t most) const;

	Progress advance() override;

	/* graph_explore.cpp */
	bool offer(std::vector<Choice> &choices) const override;
	Progress advance_one(uint32_t line) override;

	/* graph_run.cpp: Opcode::steer, for the node that @line has come to. */
	bool run_cond(uint32_t line, const unpu_packet &packet);
	bool run_jump(uint32_t line, const unpu_packet &packet);
	bool run_activate(uint32_t line, const unpu_packet &packet);

private:
	struct Span;

	/* State of a line that is parked in a node, or waits for an engine. */
	struct Stand final : Waiter {
		void woken(base::Status status, uint64_t address, uint64_t detail) override;
		Graph *graph = nullptr;
		uint32_t line = 0;
		unpu_packet packet{}; /* the node as it began */
		uint64_t began_ns = 0;
		Outcome outcome;
		/* Copy of the operator of a late node, because an update may change the node before it
		 * begins. */
		std::unique_ptr<unpu_operator> op;
		std::unique_ptr<TensorOp> tensor;
		std::unique_ptr<KernelLaunch> kernel;
		FaultEffect fault;
		std::shared_ptr<Span> span;
	};

	struct Line {
		uint32_t first;
		uint32_t end;
		uint32_t at;
		uint32_t joins;
		uint32_t open; /* joins that have not arrived in this execution */
		uint32_t first_edge;
		uint32_t edges;
		uint32_t region;
		uint32_t others; /* nodes that an engine cannot execute */
		uint64_t cost;	 /* sum over the other nodes */
		uint32_t again;	 /* dormant line: pending activations */
		bool is_dormant;
		bool is_active; /* dormant line: is running */
		bool has_run;	/* dormant line: has been started in this execution */
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
	bool begin_lines();
	void find_times();
	void check_places();
	void fail(const Outcome &outcome, uint64_t cookie);
	void finish();
	void stop();
	void unpark(Stand &stand);
	bool unpark_some(unsigned &left);

	/* graph_run.cpp */
	bool run_line(uint32_t index);
	void run_plain(Line &line, uint32_t last);
	bool run_node(uint32_t index);
	bool execute(Line &line);
	bool execute_late(Line &line);
	bool end_node(Line &line, const Outcome &outcome);
	bool offload(uint32_t index);
	bool take_up(Line &line);
	void complete(Line &line, const unpu_packet &packet, const Outcome &outcome,
		      uint64_t began_ns);
	void complete_stand(Line &line, const Outcome &outcome);
	void end_line(Line &line);
	bool follow_edges(Line &line);
	void leave_line(Line &line);
	bool start_region(uint32_t index);
	bool start_lines();
	void end_region(Region &region);
	bool go_on();
	void resolve(unpu_packet &packet) const;
	bool is_suspect(const Line &line) const;
	void add_stands();
	Stand &take_stand(uint32_t line);
	void put_stand(Line &line);
	uint64_t clock() const;
	void note(uint32_t node, uint64_t began_ns);

	/* trace.cpp */
	bool tracing() const { return client_.core.trace.on(); }
	void trace_node(unpu_trace_kind kind, const Line &line, uint32_t object) const;
	void trace_end(const Line &line, const Outcome &outcome) const;

	ClientContext &client_;
	const bool injects_faults_; /* there are fault rules for tasks */
	const int64_t turn_cost_;   /* limit for the cost of the nodes that run in one turn */
	const uint32_t turn_items_; /* lines that start, or edges that are followed, in one turn */
	GraphNodes nodes_;
	std::vector<Line> lines_;
	std::vector<Region> regions_;
	std::vector<uint32_t> words_;
	std::vector<unpu_graph_cell> cells_;
	uint32_t nargs_ = 0;
	uint64_t places_epoch_ = 0;
	Charge device_memory_;
	Charge quota_; /* charge for the client's memory */
	uint64_t trace_va_ = 0;

	/* State of the current execution: */
	Waiter *owner_ = nullptr;
	bool is_launching_ = false;
	uint32_t report_ = 0;
	uint32_t stream_ = 0;
	int64_t budget_ = 0; /* cost left in this turn */
	size_t cells_stored_ = 0;
	bool has_started_ = false; /* all initial cells are stored */
	/* Work that takes more than one turn. No line runs until it is done. */
	enum class Unfinished : uint8_t {
		NOTHING,
		REGION,
		EDGES
	} unfinished_ = Unfinished::NOTHING;
	/* index of the region that starts, or of the line that ends */
	uint32_t unfinished_index_ = 0;
	/* lines from this one on have not started; edges before this one are done */
	uint32_t unfinished_at_ = 0;
	std::vector<uint32_t> ready_;  /* stack of lines that can run */
	std::vector<uint32_t> rested_; /* lines that used up a turn; they run after the others */
	std::vector<unpu_graph_argument> args_;
	Charge args_memory_;
	Outcome failure_;	  /* the first failure */
	uint64_t ran_ = 0;	  /* number of nodes that ran */
	uint64_t executions_ = 0; /* executions that have ended */
	unpu_graph_time *times_ = nullptr;

	std::deque<std::vector<Stand>> stands_; /* blocks, which never move */
	std::deque<Charge> stand_memory_;
	std::vector<Stand *> free_stands_;
	size_t unparked_blocks_ = 0; /* blocks of stands_ that unpark_some() has finished */
	size_t unparked_ = 0;	     /* stands that it has finished in the next block */
	std::deque<Launch> pending_;
};

} // namespace fw
