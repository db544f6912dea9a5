// SPDX-License-Identifier: MIT
/**
 * DOC: Replacing the tasks of nodes
 *
 * A node of a graph may get any task of its type. A node of an executable graph keeps its shape, because
 * the device has the graph already: the number of its tasks, their kinds, and the kinds of memory of a copy.
 */
#include "replace.h"

#include "umd/cuda/graph/exec.h"
#include "umd/cuda/graph/graph_divide.h"
#include "umd/cuda/object/graph_memory.h"

namespace umd::cuda {

CUresult replace_task(NodeObject &node, const NodeTask &task)
{
	GraphObject &owner = *node.graph;
	if (task.parts) {
		owner.graph->set_child(node.number, *task.parts);
		owner.graph->set_label(node.number, static_cast<uint8_t>(task.type));
	} else {
		owner.graph->set(node.number, task.task);
	}
	node.given = task.given;
	return CUDA_SUCCESS;
}

static constexpr char MEMORY[] = "the kind or the context of the memory";

static CUresult refuse_shape(const char *what)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} of a node of an executable graph can't change", what));
}

/* The tasks of a labelled node: rows of a fill, or operations of a batch. */
static CUresult replace_parts(ExecObject &exec, Graph &old, const Graph &fresh)
	REQUIRES(graphs_mutex())
{
	std::vector<NodeMemory> &memory = exec.memory.at(&old);
	if (old.size() != fresh.size())
		return refuse_shape("the number of operations");
	for (uint32_t part = 0; part < old.size(); part++) {
		if (old.kind(part) != fresh.kind(part))
			return refuse_shape("the type of an operation");
		if (!can_replace(memory[part], memory_of(fresh.task(part))))
			return refuse_shape(MEMORY);
	}
	for (uint32_t part = 0; part < old.size(); part++) {
		TRY(exec.exec.set(old, part, fresh.task(part)));
		memory[part] = memory_of(fresh.task(part));
	}
	return CUDA_SUCCESS;
}

CUresult replace_in_exec(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
			 const NodeObject &node, const NodeTask &task)
{
	Graph *part = nullptr;
	TRY(find_part(exec, node, part));
	if (home_of(task).device != home_of(*part, node.number).device) {
		if (part->kind(node.number) == TaskKind::RECORD)
			return divide_exec(lock, handle, exec, {{part, node.number, task.task}},
					   {});
		return refuse_shape("the device");
	}
	NodeMemory &memory = exec.memory.at(part)[node.number];
	if (!can_replace(memory, memory_of(task.task)))
		return refuse_shape(MEMORY);
	const bool is_fill = task.type == CU_GRAPH_NODE_TYPE_MEMSET;
	if (is_fill && !same_rows(rows_at(*part, node.number), task.parts.get()))
		return refuse_shape("the number of rows of a fill, or width, pitch and "
				    "elementSize of several rows,");
	const bool has_parts = part->kind(node.number) == TaskKind::CHILD;
	if (has_parts != (task.parts != nullptr))
		return refuse_shape("the number of operations");
	if (has_parts)
		return replace_parts(exec, part->child(node.number), *task.parts);
	TRY(exec.exec.set(*part, node.number, task.task));
	memory = memory_of(task.task);
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
