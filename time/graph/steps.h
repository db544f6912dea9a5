// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/trace/record.h"

namespace timing {

/** Id - the number of a vertex. A vertex comes after all vertices that it depends on. */
using Id = uint32_t;
constexpr Id NO_VERTEX = UINT32_MAX;
constexpr uint32_t HOST_LINE = UINT32_MAX; /* as the line of a vertex: a thread of the host */

/** enum class Step - what a vertex stands for. */
enum class Step : uint8_t {
	CALL,	  /* the host submits work, or signals */
	RETURN,	  /* a call that waited returns */
	JOIN,	  /* takes no time: a line continues after something else */
	COMMAND,  /* work of the device, with its Work */
	RECORD,	  /* the record or the reset of an event */
	WAIT,	  /* a wait for an event, a notify or a word */
	SIGNAL,	  /* a signal of a notify or a word */
	LAUNCH,	  /* the begin of a launch of a graph */
	LAUNCHED, /* takes no time: its end */
	FUNCTION, /* a host function */
	OTHER,	  /* takes no time: an allocation in the order of a stream, and the like */
};

/** struct Work - what a command computes and moves. */
struct Work {
	san::WorkClass what = san::WorkClass::NONE;
	bool is_from_host = false;
	bool is_to_host = false;
	bool is_known = false; /* the trace has a WORK record of the command */
	uint8_t dtype = 0;     /* enum unpu_dtype */
	uint32_t name = 0;     /* number of a text */
	uint64_t operations = 0;
	uint64_t blocks = 0; /* of a kernel */
	uint64_t read = 0;   /* bytes */
	uint64_t written = 0;
};

/** struct Vertex - a step of a stream or of a thread of the host. */
struct Vertex {
	Step step = Step::JOIN;
	bool is_node = false;	   /* a node of a graph */
	uint32_t line = HOST_LINE; /* index of its stream in Graph::lines */
	/* place of its call among all calls of the trace; breaks ties */
	uint32_t number = 0;
	uint32_t label = 0; /* number of the text of its call */
	uint32_t site = 0;  /* number of the text of its call stack */
	uint32_t first = 0; /* of its dependencies in Graph::before */
	uint32_t count = 0;
	Work work;
};

/** struct Line - a stream of the program. */
struct Line {
	uint32_t client = 0; /* place of its process among those of the trace */
	uint32_t device = 0;
	uint32_t label = 0; /* number of the text of its name; 0: it has none */
};

/** struct Missing - what the trace does not tell. */
struct Missing {
	uint64_t works = 0;	/* commands without a WORK record: their bytes alone are known */
	uint64_t costs = 0;	/* kernels: their operations are not known */
	uint64_t problems = 0;	/* records that are impossible */
	uint64_t functions = 0; /* host functions: a constant stands for their time */
	bool is_lost = false;	/* the trace could not grow */
};

/** struct Graph - the steps of a program and their order. */
struct Graph {
	std::vector<Vertex> vertices;
	std::vector<Id> before;				 /* the dependencies of all vertices */
	std::vector<Line> lines;			 /* line n of a report is lines[n - 1] */
	std::unordered_map<uint32_t, std::string> texts; /* by number */
	Missing missing;

	/** text() - the text of this number; empty if there is none. */
	std::string text(uint32_t number) const
	{
		const auto found = texts.find(number);
		return found == texts.end() ? std::string() : found->second;
	}
};

} // namespace timing
