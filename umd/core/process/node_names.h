// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/sync/mutex.h"
#include "base/trace/trace_file.h"
#include "process.h"

namespace umd {

/** struct NodeTexts - the names of the nodes of a model that is a graph of its own.
 * @model: "model 3 (look)"
 * @nodes: "Conv /m/Conv_7 (opset 17)"; of what is no node of the file any other text, such as "the result y"
 * @of_tasks: of each task of the graph its node; further tasks are of the last node */
struct NodeTexts {
	std::string model;
	std::vector<std::string> nodes;
	std::vector<uint32_t> of_tasks;

	/** node_of() - the index in @nodes for task @number. */
	size_t node_of(uint32_t number) const
	{
		return number < of_tasks.size() ? of_tasks[number] : nodes.size() - 1;
	}

	/** text() - "model 3 (look), Gather find (opset 17)", for task @number. */
	std::string text(uint32_t number) const { return model + ", " + nodes[node_of(number)]; }
};

/** struct NodeName - @type: "Result" for what is no node of the file */
struct NodeName {
	std::string type, name;
};

/** name_of_node() - the parts of an element of NodeTexts::nodes. */
NodeName name_of_node(const std::string &text);

/** class NodeNames - finds the names of a node of a graph by the number of the program in its cookie. A cookie has room
 * for the numbers of 255 programs; what more there are has the number 0, and its nodes have no names.
 * Context: any thread, which may hold a lock of a context. */
class NodeNames {
public:
	static NodeNames &get() { return Process::own<NodeNames>(); }

	/** add() - Return: the number for the cookies of the nodes. */
	uint8_t add(std::shared_ptr<const NodeTexts> texts);
	/** remove() - the number is free. A trace that is recorded keeps the names until another program has it. */
	void remove(uint8_t number);

	/** text() - as NodeTexts::text(); "" for a number that no program has. */
	std::string text(uint8_t number, uint32_t node);

	/** add_run() - a run of a program task by task. The latest ones are kept. @stream: its serial number
	 * @tasks: the numbers of the tasks in the stream */
	void add_run(uint64_t stream, std::vector<uint64_t> tasks,
		     std::shared_ptr<const NodeTexts> texts);

	/** task_text() - the same for a task of such a run; "" for one of none. */
	std::string task_text(uint64_t stream, uint64_t task);

	/** for_trace() - the names of all programs. */
	std::vector<base::TraceProgram> for_trace();

private:
	base::Mutex mutex_{"NodeNames::mutex_"};
	struct Place {
		bool is_used = false;
		uint64_t since_ns = 0;
		std::shared_ptr<const NodeTexts> texts{};
	};
	std::array<Place, 256> places_ GUARDED_BY(mutex_);
	size_t last_ GUARDED_BY(mutex_) = 0; /* the number given last */
	struct Run {
		uint64_t stream;
		std::vector<uint64_t> tasks;
		std::shared_ptr<const NodeTexts> texts;
	};
	std::deque<Run> runs_ GUARDED_BY(mutex_); /* the oldest one first */
};

} // namespace umd
