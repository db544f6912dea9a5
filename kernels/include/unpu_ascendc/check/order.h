/* SPDX-License-Identifier: MIT */
/*
 * DOC: Order of the pipes
 *
 * Level 3: a block runs its calls in program order, which is one legal schedule of the device and so hides that a
 * flag is missing. Each pipe therefore has a vector clock, which flags, queues and barriers hand on; check/trail.h
 * compares them with the accesses. The compiler of the device orders the scalar and the vector pipe by itself, and the
 * instructions of one pipe; so nothing is asked of the kernel there.
 */
#ifndef UNPU_ASCENDC_CHECK_ORDER_H
#define UNPU_ASCENDC_CHECK_ORDER_H

#include <string.h>

#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/core/services.h"

namespace unpu::lang {

enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX };
inline constexpr uint32_t PIPES = 7;
inline constexpr uint32_t EVENTS = static_cast<uint32_t>(AscendC::HardEvent::MAX);
inline constexpr uint32_t EVENT_IDS = 8;

constexpr const char *pipe_name(Pipe pipe)
{
	constexpr const char *names[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};

	return names[static_cast<uint32_t>(pipe)];
}

/* The pipe that sets an event, and the one that waits for it. */
struct Edge {
	Pipe from;
	Pipe to;
};

constexpr Edge edge_of(uint32_t event)
{
	constexpr Edge edges[EVENTS] = {
		{Pipe::MTE2, Pipe::MTE1}, {Pipe::MTE1, Pipe::MTE2}, {Pipe::MTE1, Pipe::M},
		{Pipe::M, Pipe::MTE1},	  {Pipe::MTE2, Pipe::V},    {Pipe::V, Pipe::MTE2},
		{Pipe::MTE3, Pipe::V},	  {Pipe::V, Pipe::MTE3},    {Pipe::M, Pipe::V},
		{Pipe::V, Pipe::M},	  {Pipe::V, Pipe::V},	    {Pipe::MTE3, Pipe::MTE1},
		{Pipe::MTE1, Pipe::MTE3}, {Pipe::MTE1, Pipe::V},    {Pipe::MTE2, Pipe::M},
		{Pipe::M, Pipe::MTE2},	  {Pipe::V, Pipe::MTE1},    {Pipe::M, Pipe::FIX},
		{Pipe::FIX, Pipe::M},	  {Pipe::MTE3, Pipe::MTE2}, {Pipe::MTE2, Pipe::MTE3},
		{Pipe::S, Pipe::V},	  {Pipe::V, Pipe::S},	    {Pipe::S, Pipe::MTE2},
		{Pipe::MTE2, Pipe::S},	  {Pipe::S, Pipe::MTE3},    {Pipe::MTE3, Pipe::S},
		{Pipe::MTE2, Pipe::FIX},  {Pipe::FIX, Pipe::MTE2},  {Pipe::FIX, Pipe::S},
		{Pipe::M, Pipe::S},	  {Pipe::FIX, Pipe::MTE3},
	};

	return edges[event];
}

struct Clock {
	uint32_t at[PIPES];

	void join(const Clock &other)
	{
		for (uint32_t i = 0; i < PIPES; i++)
			at[i] = at[i] < other.at[i] ? other.at[i] : at[i];
	}
};

/* Pipes as a set. */
using PipeSet = uint32_t;
constexpr PipeSet set_of(Pipe pipe)
{
	return 1u << static_cast<uint32_t>(pipe);
}

struct Order {
	struct Flag {
		bool is_set;
		Where where;
		Clock clock;
	};

	Clock now[PIPES];
	Flag flags[EVENTS][EVENT_IDS];

	void clear() { memset(this, 0, sizeof(*this)); }

	/* Begins an instruction of @pipe and returns its number. */
	uint32_t tick(Pipe pipe)
	{
		const uint32_t index = static_cast<uint32_t>(pipe);

		if (pipe == Pipe::S || pipe == Pipe::V)
			now[index].join(
				now[static_cast<uint32_t>(pipe == Pipe::S ? Pipe::V : Pipe::S)]);
		return ++now[index].at[index];
	}

	/* What the pipes of a set have done so far. */
	Clock hand_on(PipeSet from)
	{
		Clock clock = {};

		for (uint32_t i = 0; i < PIPES; i++)
			if (from >> i & 1) {
				tick(static_cast<Pipe>(i));
				clock.join(now[i]);
			}
		return clock;
	}
	/* The pipes of a set wait for it. */
	void take(const Clock &clock, PipeSet to)
	{
		for (uint32_t i = 0; i < PIPES; i++)
			if (to >> i & 1)
				now[i].join(clock);
	}

	void set_flag(const char *name, uint32_t event, uint32_t id, Where where)
	{
		Flag &flag = flags[event][id];
		const Edge edge = edge_of(event);

		if (flag.is_set)
			fail(where,
			     "%s: the flag %s_%s %u is set already, at %s:%u; a WaitFlag has to "
			     "come between",
			     name, pipe_name(edge.from), pipe_name(edge.to), id,
			     flag.where.file ? flag.where.file : "?", unsigned(flag.where.line));
		tick(edge.from);
		flag = {true, where, now[static_cast<uint32_t>(edge.from)]};
	}
	void wait_flag(const char *name, uint32_t event, uint32_t id, Where where)
	{
		Flag &flag = flags[event][id];
		const Edge edge = edge_of(event);

		if (!flag.is_set)
			fail(where,
			     "%s: the flag %s_%s %u is not set: the pipe %s would wait for ever",
			     name, pipe_name(edge.from), pipe_name(edge.to), id,
			     pipe_name(edge.to));
		flag.is_set = false;
		now[static_cast<uint32_t>(edge.to)].join(flag.clock);
	}

	/* PipeBarrier<PIPE_ALL>(). */
	void barrier()
	{
		Clock all = {};

		for (uint32_t i = 0; i < PIPES; i++)
			tick(static_cast<Pipe>(i));
		for (const Clock &clock : now)
			all.join(clock);
		for (Clock &clock : now)
			clock = all;
	}

	/* The end of the kernel: flags that no pipe has waited for stay set for the next kernel. */
	void finish() const
	{
		for (uint32_t event = 0; event < EVENTS; event++)
			for (uint32_t id = 0; id < EVENT_IDS; id++)
				if (flags[event][id].is_set)
					fail(flags[event][id].where,
					     "SetFlag: the kernel ends, and no WaitFlag has waited "
					     "for the flag %s_%s %u",
					     pipe_name(edge_of(event).from),
					     pipe_name(edge_of(event).to), id);
	}
};

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_ORDER_H */
