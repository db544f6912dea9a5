// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <vector>

#include "client.h"
#include "command_processor.h"
#include "runner.h"
#include "uapi/graph.h"

namespace fw {

/**
 * class Graph - a loaded graph and, while it runs, its execution. One execution at a time: channels
 * that launch it meanwhile queue up. Context: under the step token.
 */
class Graph final : public Runner {
public:
	/** load() - copies and validates an image; what the client does to it later has no effect.
	 * Return: BAD_GRAPH or GRAPH_TOO_LARGE when it is not a graph. */
	static base::Result<std::unique_ptr<Graph>> load(Client &client, const std::byte *image,
							 uint64_t bytes);
	~Graph() override;

	/** struct Launch - who wants an execution. */
	struct Launch {
		Waiter *owner;	  /* woken at its end */
		uint32_t report;  /* timeline semaphore that gets the failures of nodes */
		uint8_t priority; /* of the owner */
	};

	/** launch() - starts an execution, or queues behind the one that runs. */
	Outcome launch(const Launch &wanted);

	/** abandon() - @owner goes away: its execution or its place in the queue ends. */
	void abandon(Waiter &owner);

	bool running() const { return owner_ != nullptr; }

	/** describe() - the graph for a snapshot. */
	nlohmann::ordered_json describe(uint32_t id) const;

	/** waiters() - its lines that are parked on a semaphore. */
	std::vector<const Waiter *> waiters() const;

	Progress advance() override;

private:
	struct Line final : Waiter {
		void woken(base::Status status, uint64_t address) override;
		Graph *graph = nullptr;
		uint32_t first = 0;
		uint32_t end = 0;
		uint32_t at = 0;
		bool suspended = false; /* at a node that still has joins open */
		bool finishing = false; /* node @at ended elsewhere, not accounted yet */
		Outcome outcome;
	};

	explicit Graph(Client &client) : client_(client) {}
	base::Status parse(const std::byte *image, uint64_t bytes);
	base::Status check_lines(const unpu_graph_header &header);
	base::Status check_node(uint32_t index) const;
	base::Status check_edges();
	void start(const Launch &wanted);
	bool run_line(uint32_t index, uint32_t &budget);
	Outcome run_node(Line &line);
	void check_places();
	void fail(const unpu_graph_node &node, const Outcome &outcome);
	void complete(Line &line, const Outcome &outcome);
	void finish();
	void stop();

	Client &client_;
	std::vector<unpu_graph_node> nodes_;
	std::vector<uint32_t> edges_;
	std::vector<uint32_t> line_of_;
	std::vector<unpu_operator> operators_;
	std::vector<Line> lines_;
	std::vector<uint32_t> first_joins_;
	std::vector<Places> places_;
	uint64_t places_epoch_ = 0;

	std::vector<uint32_t> joins_; /* of this execution */
	std::vector<uint32_t> ready_; /* lines that can move */
	uint32_t open_lines_ = 0;
	Waiter *owner_ = nullptr;
	uint32_t report_ = 0;
	Outcome failure_; /* the first one of this execution */
	std::deque<Launch> pending_;
	uint64_t executions_ = 0; /* that ended */
};

} // namespace fw
