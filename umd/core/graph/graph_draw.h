// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "umd/core/object/graph.h"

namespace umd {

class GraphExec;

/** enum class Drawing - output formats. */
enum class Drawing {
	DOT,   /* Graphviz */
	SVG,   /* a column for each stream, later tasks further down */
	TRACE, /* JSON of trace viewers: a row for each stream */
};

/**
 * struct DrawOptions - options of a drawing
 * @exec: source of the run times of the nodes; nullptr: they never ran
 * @name: title of the drawing
 * @verbose: with addresses and values
 * @note: returns an additional text for a node, or an empty string; may be an empty function
 */
struct DrawOptions {
	const GraphExec *exec = nullptr;
	std::string name = "graph";
	bool verbose = false;
	std::function<std::string(const Graph &, uint32_t)> note;
};

/** draw_graph() - draws @graph and the graphs inside it. Context: no other thread changes it meanwhile. */
std::string draw_graph(const Graph &graph, Drawing form, const DrawOptions &options);

/** describe_task() - one line about what a node does. */
std::string describe_task(const Graph &graph, uint32_t node, bool verbose);

/** write_file() - writes a text file. Return: BAD_FILE if @path can't be written; sets the error message. */
base::Status write_file(const std::string &path, const std::string &text);

/** debug_folder() - folder for drawings of invalid captures, the value of UNPU_DEBUG; empty: no drawings. */
const std::string &debug_folder();

/** draw_broken_capture() - writes a DOT file to @folder. Return: its path; empty if it can't be written. */
std::string draw_broken_capture(const std::string &folder, const Graph &graph, uint32_t stream,
				const std::string &why);

} // namespace umd
