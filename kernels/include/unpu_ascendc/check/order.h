/* SPDX-License-Identifier: MIT */
/*
 * DOC: Order of the pipes
 *
 * Level 3: a block runs its calls in program order, which is one legal schedule of the device and so hides that a
 * flag is missing. Each pipe therefore has a vector clock, and each 32 bytes of UB remember the last write and the last
 * read of each pipe. An access of a pipe that no flag, queue or barrier puts behind an earlier access of another pipe
 * is a mistake. The compiler of the device orders the scalar and the vector pipe by itself, and the instructions of one
 * pipe; so nothing is asked of the kernel there.
 */
#ifndef UNPU_ASCENDC_CHECK_ORDER_H
#define UNPU_ASCENDC_CHECK_ORDER_H

#include <stdlib.h>
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

struct Order {
	static constexpr uint32_t CELL_BYTES = 32;

	struct Cell {
		const char *call; /* the last write */
		Where where;
		Pipe writer;
		uint32_t written; /* 0: never */
		uint32_t reads[PIPES];
	};
	struct Flag {
		bool is_set;
		Where where;
		Clock clock;
	};

	uint64_t cell_count;
	Cell *cells;
	Clock *handed_on[2]; /* of each cell that begins a buffer: by EnQue, by FreeTensor */
	Clock now[PIPES];
	Flag flags[EVENTS][EVENT_IDS];

	void clear()
	{
		memset(cells, 0, cell_count * sizeof(Cell));
		memset(handed_on[0], 0, cell_count * sizeof(Clock));
		memset(handed_on[1], 0, cell_count * sizeof(Clock));
		memset(now, 0, sizeof(now));
		memset(flags, 0, sizeof(flags));
	}

	/* Begins an instruction of @pipe and returns its number. */
	uint32_t tick(Pipe pipe)
	{
		const uint32_t index = static_cast<uint32_t>(pipe);

		if (pipe == Pipe::S || pipe == Pipe::V)
			now[index].join(
				now[static_cast<uint32_t>(pipe == Pipe::S ? Pipe::V : Pipe::S)]);
		return ++now[index].at[index];
	}

	void read(const char *call, const char *name, Pipe pipe, uint64_t offset, uint64_t bytes,
		  Where where)
	{
		const uint32_t time = tick(pipe);

		for (uint64_t i = offset / CELL_BYTES;
		     bytes && i <= (offset + bytes - 1) / CELL_BYTES && i < cell_count; i++) {
			require_behind_write(call, name, "reads", pipe, i, where);
			cells[i].reads[static_cast<uint32_t>(pipe)] = time;
		}
	}

	void write(const char *call, const char *name, Pipe pipe, uint64_t offset, uint64_t bytes,
		   Where where)
	{
		const uint32_t time = tick(pipe);
		const Clock &seen = now[static_cast<uint32_t>(pipe)];

		for (uint64_t i = offset / CELL_BYTES;
		     bytes && i <= (offset + bytes - 1) / CELL_BYTES && i < cell_count; i++) {
			require_behind_write(call, name, "writes", pipe, i, where);
			for (uint32_t other = 0; other < PIPES; other++)
				if (cells[i].reads[other] > seen.at[other])
					explain_read(call, name, pipe, static_cast<Pipe>(other), i,
						     where);
			memset(cells[i].reads, 0, sizeof(cells[i].reads));
			cells[i].call = call;
			cells[i].where = where;
			cells[i].writer = pipe;
			cells[i].written = time;
		}
	}

	void require_behind_write(const char *call, const char *name, const char *verb, Pipe pipe,
				  uint64_t cell, Where where) const
	{
		const Cell &last = cells[cell];

		if (last.written <=
		    now[static_cast<uint32_t>(pipe)].at[static_cast<uint32_t>(last.writer)])
			return;
		fail(where,
		     "%s: %s %s byte %llu of UB on the pipe %s, but nothing waits for %s at %s:%u, "
		     "which writes it on the pipe %s: "
		     "a queue, a flag %s_%s or PipeBarrier<PIPE_ALL> is missing",
		     call, name, verb, static_cast<unsigned long long>(cell * CELL_BYTES),
		     pipe_name(pipe), last.call, last.where.file ? last.where.file : "?",
		     last.where.line, pipe_name(last.writer), pipe_name(last.writer),
		     pipe_name(pipe));
	}

	[[noreturn]] void explain_read(const char *call, const char *name, Pipe pipe, Pipe reader,
				       uint64_t cell, Where where) const
	{
		fail(where,
		     "%s: %s writes byte %llu of UB on the pipe %s, but nothing waits for the pipe "
		     "%s, which may still read it: "
		     "a queue, a flag %s_%s or PipeBarrier<PIPE_ALL> is missing",
		     call, name, static_cast<unsigned long long>(cell * CELL_BYTES),
		     pipe_name(pipe), pipe_name(reader), pipe_name(reader), pipe_name(pipe));
	}

	/*
	 * A queue hands a buffer from @from on, and @to takes it. @kind: 0 EnQue and DeQue, 1 FreeTensor and
	 * AllocTensor.
	 */
	void hand_on(uint32_t kind, uint64_t offset, Pipe from)
	{
		tick(from);
		handed_on[kind][offset / CELL_BYTES] = now[static_cast<uint32_t>(from)];
	}
	void take(uint32_t kind, uint64_t offset, Pipe to)
	{
		now[static_cast<uint32_t>(to)].join(handed_on[kind][offset / CELL_BYTES]);
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
			     flag.where.file ? flag.where.file : "?", flag.where.line);
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

__attribute__((noinline, cold)) inline Order *make_order(uint64_t bytes)
{
	Order *order = static_cast<Order *>(calloc(1, sizeof(Order)));
	const uint64_t cells = bytes / Order::CELL_BYTES;

	if (order) {
		order->cell_count = cells;
		order->cells = static_cast<Order::Cell *>(malloc(cells * sizeof(Order::Cell)));
		order->handed_on[0] = static_cast<Clock *>(malloc(cells * sizeof(Clock)));
		order->handed_on[1] = static_cast<Clock *>(malloc(cells * sizeof(Clock)));
	}
	if (!order || !order->cells || !order->handed_on[0] || !order->handed_on[1])
		fail({nullptr, 0}, "no memory is left for the checks of level 3");
	return order;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_ORDER_H */
