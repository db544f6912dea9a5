// SPDX-License-Identifier: MIT
/*
 * DOC: what tests of captures and graphs share
 */
#ifndef UNPU_TESTS_CUDA_GRAPHS_H
#define UNPU_TESTS_CUDA_GRAPHS_H

#include "support/fixture.h"

#include <atomic>

namespace cuda_test {

/* A capture in a stream, ended by end() or with the object, whatever becomes of it. */
class Capturing {
public:
	explicit Capturing(CUstream stream,
			   CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL);
	~Capturing();
	Capturing(const Capturing &) = delete;
	Capturing &operator=(const Capturing &) = delete;

	CUresult end(CUgraph *graph);
	/* Ends it; it has to fail in this way, and to leave no graph and an ordinary stream. */
	void end_fails(CUresult expected);

	CUstreamCaptureStatus status() const;

private:
	CUstream stream_;
	bool ended_ = false;
};

/* A graph that is destroyed with the object. */
class Graph {
public:
	Graph();
	explicit Graph(CUgraph graph) : handle_(graph) {}
	~Graph();
	Graph(const Graph &) = delete;
	Graph &operator=(const Graph &) = delete;

	operator CUgraph() const { return handle_; }

	CUgraph release();
	size_t size() const;
	std::vector<CUgraphNode> nodes() const;

private:
	CUgraph handle_ = nullptr;
};

/* Made of a graph, destroyed with the object. */
class Exec {
public:
	explicit Exec(CUgraph graph);
	~Exec();
	Exec(const Exec &) = delete;
	Exec &operator=(const Exec &) = delete;

	operator CUgraphExec() const { return handle_; }

	void run(CUstream stream) const;

private:
	CUgraphExec handle_ = nullptr;
};

CUgraphNodeType type_of(CUgraphNode node);

/* A host node that adds 1 to a counter. */
CUgraphNode add_count(CUgraph graph, const std::vector<CUgraphNode> &after,
		      std::atomic<int> &counter);

} // namespace cuda_test

#endif
