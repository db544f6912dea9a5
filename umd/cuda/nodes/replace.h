// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/task/tasks.h"

namespace umd::cuda {

/** replace_task() - replaces the task of a node of a graph by one of the same type.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult replace_task(NodeObject &node, const NodeTask &task) REQUIRES(graphs_mutex());

/** replace_in_exec() - replaces the task of @node in an executable graph, for later launches.
 * @lock: graphs_mutex(), which this function may release
 * Return: CUDA_ERROR_INVALID_VALUE for a task of another shape, for memory of another kind or device, and for
 * a node that the executable graph does not have. */
CUresult replace_in_exec(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
			 const NodeObject &node, const NodeTask &task) REQUIRES(graphs_mutex());

/** set_node() - finds a node, which must have type @type, and replaces its task. @make: makes the new task;
 * it also gets the context of the node. It is called without the lock: the task may be the first one that
 * uses memory of another device, and the device then has to map that memory. */
template <class Make>
CUresult set_node(CUgraphNode handle, CUgraphNodeType type, const Make &make,
		  const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	NodeTask task;
	TRY(find_typed(handle, type, node));
	CUcontext context = context_of(*node);
	lock.unlock();
	TRY(make(context, task));
	lock.lock();
	/* Another thread may have changed the graph. */
	TRY(find_typed(handle, type, node));
	return replace_task(*node, task);
}

/** set_exec_node() - the same for an executable graph; @make does not get a context. */
template <class Make>
CUresult set_exec_node(CUgraphExec exec_handle, CUgraphNode handle, CUgraphNodeType type,
		       const Make &make, const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	NodeObject *node = nullptr;
	NodeTask task;
	TRY(find_exec(exec_handle, exec));
	TRY(find_typed(handle, type, node));
	lock.unlock();
	TRY(make(task));
	lock.lock();
	TRY(find_exec(exec_handle, exec));
	TRY(find_typed(handle, type, node));
	return replace_in_exec(lock, exec_handle, *exec, *node, task);
}

} // namespace umd::cuda
