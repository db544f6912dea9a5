// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "cuda/cuda.h"
#include "front.h"
#include "umd/graph.h"
#include "umd/graph_exec.h"
#include "umd/handle_word.h"

namespace umd::cuda {

struct GraphObject;

/** struct NodeObject - a node that a program has a handle of. Lock: graphs_lock(). */
struct NodeObject {
	HandleWord handle;
	GraphObject *graph = nullptr;
	uint32_t number = 0; /* in the graph */
};

/** struct UserObject - something of the program, with a count of references. */
struct UserObject {
	HandleWord handle;
	void *pointer = nullptr;
	CUhostFn destroy = nullptr;
	uint64_t references = 0; /* under a lock of their own */
};

/** using UserObjects - references that a graph has, by handle of the object. */
using UserObjects = std::map<uint64_t, uint64_t>;

/** struct CaptureAnswer - what was last told of a stream that captures. */
struct CaptureAnswer {
	std::vector<CUgraphNode> nodes;
	std::vector<CUgraphEdgeData> edges;
};

/** struct GraphObject - a graph that a program has a handle of. Lock: graphs_lock(). */
struct GraphObject {
	HandleWord handle;
	std::unique_ptr<Graph> own; /* nullptr: the graph of a child node */
	Graph *graph = nullptr;
	GraphObject *parent = nullptr; /* of a child node's graph */
	uint32_t parent_node = 0;
	DeviceState *device = nullptr; /* of its nodes; nullptr while they need none */
	uint64_t original = 0;	       /* handle of the graph it is a clone of */
	uint32_t original_size = 0;    /* numbers from here on are its own */
	bool capturing = false;
	bool captured_new = false;		   /* made by its capture */
	std::map<uint64_t, CaptureAnswer> answers; /* by stream that captures into it */
	UserObjects user_objects;
	std::vector<NodeObject *> nodes;	    /* by number; nullptr where nobody asked */
	std::map<uint32_t, GraphObject *> children; /* by node; those that somebody asked for */
};

/** struct ExecObject - an executable graph that a program has a handle of. Lock: graphs_lock(). */
struct ExecObject {
	HandleWord handle;
	std::shared_ptr<GraphExec> exec;
	DeviceRef device;
	uint64_t source = 0; /* handle of the graph it was made of */
	uint64_t flags = 0;
	UserObjects user_objects;
};

/** struct GraphTables - all handles of this kind. */
struct GraphTables {
	HandleTable<GraphObject, Kind::CUDA_GRAPH> graphs;
	HandleTable<NodeObject, Kind::CUDA_NODE> nodes;
	HandleTable<ExecObject, Kind::CUDA_EXEC> execs;
	HandleTable<UserObject, Kind::CUDA_USER_OBJECT> user_objects;
};

/** graph_tables() - never destroyed. */
GraphTables &graph_tables();

/** graphs_lock() - the one lock of graphs, which is that of captures too: a capture adds to a graph that
 * a program may look at. Nothing is waited for while it is held. */
std::unique_lock<base::Mutex> graphs_lock();

/** find_graph(), find_node(), find_exec() - Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_graph(CUgraph handle, GraphObject *&graph);
CUresult find_node(CUgraphNode handle, NodeObject *&node);
CUresult find_exec(CUgraphExec handle, ExecObject *&exec);

/** new_graph() - a handle of @own. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult new_graph(std::unique_ptr<Graph> own, GraphObject *&graph);

/** forget_graph() - the handle, those of its nodes and of the graphs in it are stale from now on. */
void forget_graph(GraphObject &graph);

/** node_handle() - of a node that is live. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult node_handle(GraphObject &graph, uint32_t number, CUgraphNode &handle);

/** child_object() - of the graph in a child node. */
CUresult child_object(GraphObject &graph, uint32_t number, GraphObject *&child);

/** node_type() - what the interface calls a node. */
CUgraphNodeType node_type(const Graph &graph, uint32_t number);

/** numbers_of() - nodes of @graph that something is to follow, each once.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult numbers_of(const GraphObject &graph, const CUgraphNode *handles,
		    const CUgraphEdgeData *edges, size_t count, std::vector<uint32_t> &numbers);

/** check_edges() - CUDA_ERROR_INVALID_VALUE for anything but ordinary ones. */
CUresult check_edges(const CUgraphEdgeData *edges, size_t count);

/** give_nodes() - the answer of calls that give an array. @room: how many fit; receives how many there
 * are, or were given. */
CUresult give_nodes(GraphObject &graph, const std::vector<uint32_t> &numbers, CUgraphNode *nodes,
		    size_t *room);

/** retain_all(), release_all() - references of a whole graph. Context: any; they take a lock under which
 * nothing else is locked. Return: the objects that have lost their last reference. */
void retain_all(const UserObjects &objects);
std::vector<UserObject> release_all(const UserObjects &objects);

/** destroy_user_objects() - calls the program's functions for @gone. */
void destroy_user_objects(const std::vector<UserObject> &gone);

inline CUgraph graph_handle(const GraphObject &graph)
{
	return reinterpret_cast<CUgraph>(graph.handle.now());
}

} // namespace umd::cuda
