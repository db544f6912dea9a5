// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/sync/mutex.h"
#include "cuda/cuda.h"
#include "umd/core/graph/graph.h"
#include "umd/core/handle/handle_word.h"
#include "umd/core/multi/multi_exec.h"
#include "umd/cuda/front.h"
#include "umd/cuda/graph/graph_memory.h"

namespace umd {

class Capture;

} // namespace umd

namespace umd::cuda {

struct GraphObject;
struct NodeParameters;

/** struct NodeObject - a node for which the program has a handle. Lock: graphs_mutex(). */
struct NodeObject {
	HandleWord handle;
	GraphObject *graph = nullptr;
	uint32_t number = 0; /* in the graph */
	std::shared_ptr<NodeParameters>
		given; /* by the program; nullptr: none, or a captured node */
};

/** references_mutex - of all user objects. A thread that holds it takes no other lock and calls no function of
 * the program. */
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

/** struct GraphObject - a graph for which the program has a handle. Lock: graphs_mutex(). */
struct GraphObject {
	HandleWord handle;
	std::unique_ptr<Graph> own; /* nullptr: the graph of a child node */
	Graph *graph = nullptr;
	GraphObject *parent = nullptr; /* for the graph of a child node */
	uint32_t parent_node = 0;
	DeviceState *device = nullptr; /* for nodes that run on any device, if no node needs one */
	uint64_t original = 0;	       /* handle of the graph that was cloned */
	uint32_t original_size = 0;    /* nodes from this number on are not in the original */
	Capture *capture = nullptr;    /* under way into this graph */
	bool captured_new = false;     /* the capture created it */
	bool is_moved = false;	       /* into the child node that it belongs to */
	std::map<uint64_t, CaptureAnswer> answers; /* by handle of the capturing stream */
	UserObjects user_objects; /* also of the graphs in child nodes, whose own are empty */
	std::vector<NodeObject *> nodes;	    /* by number; nullptr: has no handle yet */
	std::map<uint32_t, GraphObject *> children; /* by node number, if it has a handle */
};

/** struct ExecObject - an executable graph for which the program has a handle. Lock: graphs_mutex(). */
struct ExecObject {
	HandleWord handle;
	LoadedGraph exec;
	DeviceRef device;    /* of all nodes; none if @exec takes streams of any device */
	uint64_t source = 0; /* handle of the source graph */
	uint64_t flags = 0;
	UserObjects user_objects;
	GraphMemory memory; /* that its nodes use */
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

/** graphs_mutex() - the lock of all graphs. It is the lock of captures, because a capture
 * adds to a graph that the program may inspect. A thread must not wait while it holds this lock. */
inline base::Mutex &graphs_mutex() RETURN_CAPABILITY(TaskSink::mutex)
{
	return TaskSink::mutex;
}

/** find_graph(), find_node(), find_exec() - Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_graph(CUgraph handle, GraphObject *&graph);
CUresult find_node(CUgraphNode handle, NodeObject *&node);
CUresult find_exec(CUgraphExec handle, ExecObject *&exec);

/** new_graph() - creates a graph object that owns @own. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult new_graph(std::unique_ptr<Graph> own, GraphObject *&graph);

/** forget_graph() - destroys the graph. Its handle and the handles of its nodes and child graphs become
 * stale. */
void forget_graph(GraphObject &graph);

/** takes_capture() - whether a capture into the graph, or into a graph in one of its child nodes, is under
 * way. Such a graph can't be destroyed or instantiated. */
bool takes_capture(const GraphObject &graph);

/** check_captured() - refuses the argument @name if takes_capture(). */
CUresult check_captured(const GraphObject &graph, const char *name);

/** check_moved() - refuses the argument @name if the graph was moved into a child node. */
CUresult check_moved(const GraphObject &graph, const char *name);

/** outermost() - the graph itself, or the one around the child node that it is in. */
GraphObject &outermost(GraphObject &graph);

/** node_handle() - the handle of a live node. Return: CUDA_ERROR_OUT_OF_MEMORY. */
CUresult node_handle(GraphObject &graph, uint32_t number, CUgraphNode &handle);

/** child_object() - the object for the graph in a child node. */
CUresult child_object(GraphObject &graph, uint32_t number, GraphObject *&child);

/** node_type() - the type that the interface has for a node. */
CUgraphNodeType node_type(const Graph &graph, uint32_t number);

/** numbers_of() - translates dependencies to the numbers of nodes of @graph and refuses duplicates.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult numbers_of(const GraphObject &graph, const CUgraphNode *handles,
		    const CUgraphEdgeData *edges, size_t count, std::vector<uint32_t> &numbers);

/** check_edges() - CUDA_ERROR_INVALID_VALUE unless all data of the edges is 0. */
CUresult check_edges(const CUgraphEdgeData *edges, size_t count);

/** give_nodes() - writes the result array of a query.
 * @room: in: size of @nodes; out: elements written or, if @nodes is NULL, the number of nodes. */
CUresult give_nodes(GraphObject &graph, const std::vector<uint32_t> &numbers, CUgraphNode *nodes,
		    size_t *room);

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
