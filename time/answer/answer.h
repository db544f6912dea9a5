// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "time/engine/timeline.h"

namespace timing {

/** struct Answer - what a model says of a trace. */
struct Answer {
	Graph graph;
	Profile profile;
	Timeline bound;
	Timeline schedule;
	/* a call stack of the trace in a few words; empty: its first line */
	std::function<std::string(const std::string &site)> place;

	std::string site(const Vertex &vertex) const;
};

/** answer_of() - plays a graph by a profile. */
Answer answer_of(Graph graph, const Profile &profile, const std::vector<Speed> &speeds = {});

/** struct Segment - a part of the critical path: a step, or the wait for the start of a task. */
struct Segment {
	Picoseconds begin = 0;
	Picoseconds end = 0;
	Id step = NO_VERTEX;
	bool is_start = false; /* the device was starting another task */
};

/** path_of() - why the timeline takes as long as it does: steps without a gap from 0 to the total, the first one
 * first. */
std::vector<Segment> path_of(const Timeline &line);

/** enum class Reason - why a stream was idle. */
enum class Reason : uint8_t {
	HOST,	  /* the host submitted the task no earlier */
	STREAM,	  /* another stream's task had to end first */
	OWN,	  /* events, signals and launches of its own take time, too */
	FUNCTION, /* a host function had to end first */
	ENGINE,	  /* another task had the engine */
	LAUNCH,	  /* the device was starting another task */
};

/** struct Gap - a time in which a stream ran no task, although one followed. */
struct Gap {
	Picoseconds begin = 0;
	Picoseconds end = 0;
	Id task = NO_VERTEX; /* the task that follows */
	Reason reason = Reason::HOST;
	Id cause = NO_VERTEX; /* the step that it waited for; NO_VERTEX: none */
};

/** gaps_of() - all gaps between the tasks of each stream, and before its first one; the longest first. */
std::vector<Gap> gaps_of(const Answer &answer);

/** struct Use - how long an engine of a device worked. */
struct Use {
	uint32_t client = 0;
	uint32_t device = 0;
	Engine engine = Engine::NONE;
	uint64_t units = 1;
	unsigned __int128 busy = 0; /* of all its units together */
};

/** uses_of() - the use of all engines that the program used. */
std::vector<Use> uses_of(const Answer &answer);

/** busy_time() - how long at least one of the steps ran. both_time() - how long steps of both ran. */
Picoseconds busy_time(const Answer &answer, const Selector &steps);
Picoseconds both_time(const Answer &answer, const Selector &first, const Selector &second);

/** headline() - the lines that each output begins with: that it is a model, its profile, and what the trace lacks. */
std::string headline(const Answer &answer);

/** text_of() - the answer as text. json_of() - as one JSON object. */
std::string text_of(const Answer &answer, size_t most_gaps);
std::string json_of(const Answer &answer);

/** perfetto_of() - the timeline as a trace that Perfetto shows. */
std::string perfetto_of(const Answer &answer);

} // namespace timing
