// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace san {

struct Graph;
struct Moment;
struct Record;
using Slot = uint32_t;

/**
 * class Follower - is told of the order that the rules of the judge give to the calls of a trace: which actors there
 * are, what each of them waits for, and what runs. A model of time is made of it (time/graph).
 *
 * With a follower, each record that runs, each join, and each moment of a host that others may learn has a moment of
 * its own. A join is told even if it adds nothing to what the actor knows: the actor may know it from another thread of
 * its program, and a model of time has a clock for each thread. The findings of a judge with a follower do not count.
 */
class Follower {
public:
	virtual ~Follower() = default;

	/** made() - a stream, or the host of a client, begins to use the slot. @stream: HOST for the host */
	virtual void made(Slot slot, uint32_t client, uint32_t stream) = 0;

	/** published() - others may learn of this moment of a host. */
	virtual void published(const Moment &host) = 0;

	/** joined() - what the actor does at @now and later comes after @other. */
	virtual void joined(const Moment &now, const Moment &other) = 0;

	/** ran() - a record that has a place in a stream has run. */
	virtual void ran(const Record &record, const Moment &now) = 0;

	/** began() - a launch of a graph begins; ran() follows at its end. ran_node() - a node of it has run. */
	virtual void began(const Moment &now, uint64_t number, const Graph &graph) = 0;
	virtual void ran_node(const Moment &now, const Graph &graph, uint32_t node) = 0;
};

} // namespace san
