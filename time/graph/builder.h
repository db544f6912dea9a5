// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "changes.h"
#include "san/judge/judge.h"
#include "steps.h"

namespace timing {

/**
 * class Builder - makes a Graph of the records of a trace.
 *
 * A judge of the sanitizer decides what comes before what; the builder follows it. Only the host is different: the
 * judge has one host for each process, a graph has a line for each thread, because threads do not wait for each other
 * when they make calls.
 */
class Builder : private san::Follower {
public:
	explicit Builder(Changes changes = {});

	/** take() - adds the next record of the trace. */
	void take(const san::Record &record);

	/** finish() - ends the trace. Return: the graph, once */
	Graph finish();

private:
	using Thread = std::pair<uint32_t, uint32_t>; /* client and thread */
	using Stream = std::pair<uint32_t, uint32_t>; /* client and stream */

	/* struct Point - the last vertex of an actor at a tick. */
	struct Point {
		san::Tick tick;
		Id vertex;
	};

	/* struct Open - a launch of a graph that has begun. */
	struct Open {
		uint64_t graph = 0;
		Id begin = NO_VERTEX;
		std::vector<Id> nodes;		       /* by number; NO_VERTEX: it has not run */
		std::vector<std::vector<uint32_t>> on; /* by number: the nodes before it */
		std::vector<uint32_t> last;	       /* the nodes that nothing follows */
		std::vector<Id> waits;		       /* what the next node waits for, besides */
	};

	/* struct Actor - a stream or a host, by its slot. */
	struct Actor {
		bool is_host = false;
		uint32_t line = HOST_LINE;
		std::vector<Point> points;
		std::vector<Id> joined; /* what it has joined since its last step */
		Id call = NO_VERTEX;	/* the call whose record it runs */
		bool is_open = false;
		Open open;
	};

	void made(san::Slot slot, uint32_t client, uint32_t stream) override;
	void published(const san::Moment &host) override;
	void joined(const san::Moment &now, const san::Moment &other) override;
	void ran(const san::Record &record, const san::Moment &now) override;
	void began(const san::Moment &now, uint64_t number, const san::Graph &graph) override;
	void ran_node(const san::Moment &now, const san::Graph &graph, uint32_t node) override;

	bool change(san::Record &record);
	bool change_end(const san::Record &record);
	void note(const san::Record &record);
	void note_stream(const san::Record &record);
	void note_work(const san::Record &record);
	void add(const san::Record &record);
	void add_return(const san::Record &record);
	void switch_function(const san::Record &record);
	void judge(const san::Record &record);
	Id add(Vertex vertex, const std::vector<Id> &before);
	Id at(const san::Moment &moment) const;
	void put(Actor &actor, const san::Moment &now, Id vertex);
	Vertex vertex_of(const san::Record &record, Step step) const;
	Work work_of(const san::Record &record, uint64_t object, uint32_t node);
	bool is_on_device(uint32_t client, uint64_t address) const;

	Changes changes_;
	Graph graph_;
	std::map<san::Slot, Actor> actors_;
	std::map<Thread, Id> threads_;	       /* the last vertex of each thread */
	std::map<Thread, Id> aside_;	       /* the same, while the thread runs a host function */
	std::map<Stream, uint32_t> lines_;     /* stream -> index of its line */
	std::map<uint32_t, Stream> streams_;   /* index of a line -> its stream */
	std::map<Stream, Stream> renamed_;     /* streams that are merged into others */
	std::map<Stream, uint32_t> parts_;     /* how many streams a merged stream stands for */
	std::map<uint32_t, uint32_t> clients_; /* client -> its place */
	std::map<std::pair<uint64_t, uint32_t>, Work> works_; /* by object and node */
	std::unordered_map<uint64_t, Id> functions_;
	/* device memory: client and begin -> end */
	std::map<std::pair<uint32_t, uint64_t>, uint64_t> memory_;
	std::vector<Id> told_; /* what the record that is judged tells the host */
	const san::Record *current_ = nullptr;
	uint32_t calls_ = 0;
	san::Judge judge_;
};

} // namespace timing
