// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/sync/mutex.h"
#include "cuda/cuda.h"
#include "graph_allocation.h"
#include "graph_memory.h"
#include "graphs_mutex.h"
#include "umd/core/graph/multi_exec.h"
#include "umd/core/handle/handle_word.h"
#include "umd/core/object/graph.h"
#include "umd/cuda/front.h"

namespace umd {

class Capture;

} // namespace umd

namespace umd::cuda {

struct GraphObject;
struct NodeParameters;

/** struct NodeObject - a node for which the program has a handle. */
struct NodeObject {
	HandleWord handle;
	GraphObject *graph GUARDED_BY(graphs_mutex()) = nullptr;
	uint32_t number GUARDED_BY(graphs_mutex()) = 0; /* its number in the graph */
	/* Parameters that the program gave; nullptr: none, or a captured node. */
	std::shared_ptr<NodeParameters> given GUARDED_BY(graphs_mutex());
};

/** references_mutex - the lock of all user objects. A thread that holds it takes no other lock and calls no
 * function of the program. */
extern base::Mutex references_mutex;

/** struct UserObject - an object of the program with a reference count. */
struct UserObject {
	HandleWord handle;
	void *pointer = nullptr;
	CUhostFn destroy = nullptr;
	uint64_t references GUARDED_BY(references_mutex) = 0;
};

/** using UserObjects - the number of references that a graph has, by handle of the object. */
using UserObjects = std::map<uint64_t, uint64_t>;

/** struct CaptureAnswer - the arrays that the last capture_info() call for a stream returned. */
struct CaptureAnswer {
	std::vector<CUgraphNode> nodes;
	std::vector<CUgraphEdgeData> edges;
};

/** struct GraphObject - a graph for which the program has a handle. */
struct GraphObject {
	HandleWord handle;
	/* nullptr: this is the graph of a child node */
	std::unique_ptr<Graph> own GUARDED_BY(graphs_mutex());
	Graph *graph GUARDED_BY(graphs_mutex()) = nullptr;
	/* The graph around the child node that this one is in. */
	GraphObject *parent GUARDED_BY(graphs_mutex()) = nullptr;
	uint32_t parent_node GUARDED_BY(graphs_mutex()) = 0;
	/* The device for nodes that may run on any device, if no node needs a particular one. */
	DeviceState *device GUARDED_BY(graphs_mutex()) = nullptr;
	/* handle of the graph from which it was cloned */
	uint64_t original GUARDED_BY(graphs_mutex()) = 0;
	/* Nodes from this number on are not in the original. */
	uint32_t original_size GUARDED_BY(graphs_mutex()) = 0;
	/* the capture that adds nodes to this graph */
	Capture *capture GUARDED_BY(graphs_mutex()) = nullptr;
	bool captured_new GUARDED_BY(graphs_mutex()) = false; /* the capture created the graph */
	/* The program got the handle of the graph or of a node during the capture. */
	bool is_told GUARDED_BY(graphs_mutex()) = false;
	/* The graph was moved into a child node. */
	bool is_moved GUARDED_BY(graphs_mutex()) = false;
	/* Indexed by the handle of the capturing stream. */
	std::map<uint64_t, CaptureAnswer> answers GUARDED_BY(graphs_mutex());
	/* The user objects of this graph and of the graphs in its child nodes; those graphs have empty
	 * lists. */
	UserObjects user_objects GUARDED_BY(graphs_mutex());
	MemoryNodes memory_nodes GUARDED_BY(graphs_mutex());
	/* Indexed by node number; nullptr: the node has no handle yet. */
	std::vector<NodeObject *> nodes GUARDED_BY(graphs_mutex());
	/* Indexed by node number; only child nodes whose graph has a handle. */
	std::map<uint32_t, GraphObject *> children GUARDED_BY(graphs_mutex());
};

/** struct ExecObject - an executable graph for which the program has a handle. */
struct ExecObject {
	HandleWord handle;
	LoadedGraph exec GUARDED_BY(graphs_mutex());
	/* The device of all nodes; none if the graph can be launched on streams of any device. */
	DeviceRef device GUARDED_BY(graphs_mutex());
	uint64_t source GUARDED_BY(graphs_mutex()) = 0; /* handle of the source graph */
	uint64_t flags GUARDED_BY(graphs_mutex()) = 0;
	UserObjects user_objects GUARDED_BY(graphs_mutex());
	GraphMemory memory GUARDED_BY(graphs_mutex()); /* memory that its nodes use */
	MemoryNodes memory_nodes GUARDED_BY(graphs_mutex());
};

/** struct GraphTables - the handle tables for graphs and their parts. */
struct GraphTables {
	HandleTable<GraphObject, Kind::GRAPH> graphs;
	HandleTable<NodeObject, Kind::GRAPH_NODE> nodes;
	HandleTable<ExecObject, Kind::GRAPH_EXEC> execs;
	HandleTable<UserObject, Kind::USER_OBJECT> user_objects;
};

/** graph_tables() - never destroyed. */
GraphTables &graph_tables();

/** find_graph(), find_node(), find_exec() - find an object by its handle. Return:
 * CUDA_ERROR_INVALID_VALUE. */
CUresult find_graph(CUgraph handle, GraphObject *&graph) REQUIRES(graphs_mutex());
CUresult find_node(CUgraphNode handle, NodeObject *&node) REQUIRES(graphs_mutex());
CUresult find_exec(CUgraphExec handle, ExecObject *&exec) REQUIRES(graphs_mutex());

/** new_graph() - creates a graph object that owns @own. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult new_graph(std::unique_ptr<Graph> own, GraphObject *&graph) REQUIRES(graphs_mutex());

/** forget_graph() - destroys the graph. Its handle and the handles of its nodes and child graphs become
 * stale. */
void forget_graph(GraphObject &graph) REQUIRES(graphs_mutex());

/** takes_capture() - whether a capture into the graph, or into a graph in one of its child nodes, is under
 * way. Such a graph can't be destroyed or instantiated. */
bool takes_capture(const GraphObject &graph) REQUIRES(graphs_mutex());

/** check_captured() - refuses the argument @name if takes_capture(). */
CUresult check_captured(const GraphObject &graph, const char *name) REQUIRES(graphs_mutex());

/** check_moved() - refuses the argument @name if the graph was moved into a child node. */
CUresult check_moved(const GraphObject &graph, const char *name) REQUIRES(graphs_mutex());

/** check_no_memory() - refuses a graph with nodes that allocate or free memory.
 * Return: CUDA_ERROR_NOT_SUPPORTED. */
CUresult check_no_memory(const GraphObject &graph, const char *what) REQUIRES(graphs_mutex());

/** check_takes_memory() - whether such a node may be added. Return: CUDA_ERROR_NOT_SUPPORTED. */
CUresult check_takes_memory(const GraphObject &graph) REQUIRES(graphs_mutex());

/** note_memory_node() - makes the empty node @number one that allocates or frees memory. */
void note_memory_node(GraphObject &graph, uint32_t number, const MemoryNode &node)
	REQUIRES(graphs_mutex());

/** outermost() - the graph itself; if it is in a child node, the outermost graph around it. */
GraphObject &outermost(GraphObject &graph) REQUIRES(graphs_mutex());

/** node_handle() - the handle of a live node. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult node_handle(GraphObject &graph, uint32_t number, CUgraphNode &handle)
	REQUIRES(graphs_mutex());

/** child_object() - the object for the graph in a child node. */
CUresult child_object(GraphObject &graph, uint32_t number, GraphObject *&child)
	REQUIRES(graphs_mutex());

/** node_type() - the type of a node in the interface. */
CUgraphNodeType node_type(const Graph &graph, uint32_t number);

/** numbers_of() - translates dependencies to the numbers of nodes of @graph and refuses duplicates.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult numbers_of(const GraphObject &graph, const CUgraphNode *handles,
		    const CUgraphEdgeData *edges, size_t count, std::vector<uint32_t> &numbers)
	REQUIRES(graphs_mutex());

/** check_edges() - checks that all edge data is 0. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult check_edges(const CUgraphEdgeData *edges, size_t count);

/** give_nodes() - writes the result array of a query.
 * @room: in: size of @nodes; out: elements written or, if @nodes is NULL, the number of nodes. */
CUresult give_nodes(GraphObject &graph, const std::vector<uint32_t> &numbers, CUgraphNode *nodes,
		    size_t *room) REQUIRES(graphs_mutex());

/** retain_all(), release_all() - add and drop all references of a graph.
 * Context: any; they take references_mutex.
 * Return: the objects that lost their last reference. */
void retain_all(const UserObjects &objects);
std::vector<UserObject> release_all(const UserObjects &objects);

/** destroy_user_objects() - calls the program's destructor functions for @gone. */
void destroy_user_objects(const std::vector<UserObject> &gone);

inline CUgraph graph_handle(const GraphObject &graph)
{
	return reinterpret_cast<CUgraph>(graph.handle.now());
}

} // namespace umd::cuda
