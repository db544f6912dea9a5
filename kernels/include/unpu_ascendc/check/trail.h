/* SPDX-License-Identifier: MIT */
/*
 * DOC: Trail of the pipes
 *
 * Level 3: each 32 bytes of a local memory remember the last write and the last read of each pipe. An access of a pipe
 * that no flag, queue or barrier puts behind an earlier access of another pipe is a mistake.
 */
#ifndef UNPU_ASCENDC_CHECK_TRAIL_H
#define UNPU_ASCENDC_CHECK_TRAIL_H

#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/check/order.h"
#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

/* What reads or writes: the call, its pipe, and its place. */
struct Actor {
	const char *call;
	Pipe pipe;
	Where where;
};

struct Trail {
	static constexpr uint32_t CELL_BYTES = 32;

	struct Cell {
		const char *call; /* the last write */
		Where where;
		Pipe writer;
		uint32_t written; /* 0: never */
		uint32_t reads[PIPES];
	};

	uint32_t memory;
	uint64_t cell_count;
	Cell *cells;
	Clock *handed_on[2]; /* of each cell that begins a buffer: by EnQue, by FreeTensor */

	bool make(uint32_t of, uint64_t bytes)
	{
		memory = of;
		cell_count = bytes / CELL_BYTES;
		cells = static_cast<Cell *>(malloc(cell_count * sizeof(Cell)));
		handed_on[0] = static_cast<Clock *>(malloc(cell_count * sizeof(Clock)));
		handed_on[1] = static_cast<Clock *>(malloc(cell_count * sizeof(Clock)));
		return cells && handed_on[0] && handed_on[1];
	}
	void clear()
	{
		memset(cells, 0, cell_count * sizeof(Cell));
		memset(handed_on[0], 0, cell_count * sizeof(Clock));
		memset(handed_on[1], 0, cell_count * sizeof(Clock));
	}

	void read(Order &order, const Actor &actor, const char *name, uint64_t offset,
		  uint64_t bytes)
	{
		const uint32_t time = order.tick(actor.pipe);

		for (uint64_t i = offset / CELL_BYTES;
		     bytes && i <= (offset + bytes - 1) / CELL_BYTES && i < cell_count; i++) {
			require_behind_write(order, actor, name, "reads", i);
			cells[i].reads[static_cast<uint32_t>(actor.pipe)] = time;
		}
	}

	void write(Order &order, const Actor &actor, const char *name, uint64_t offset,
		   uint64_t bytes)
	{
		const uint32_t time = order.tick(actor.pipe);
		const Clock &seen = order.now[static_cast<uint32_t>(actor.pipe)];

		for (uint64_t i = offset / CELL_BYTES;
		     bytes && i <= (offset + bytes - 1) / CELL_BYTES && i < cell_count; i++) {
			require_behind_write(order, actor, name, "writes", i);
			for (uint32_t other = 0; other < PIPES; other++)
				if (cells[i].reads[other] > seen.at[other])
					explain_read(actor, name, static_cast<Pipe>(other), i);
			memset(cells[i].reads, 0, sizeof(cells[i].reads));
			cells[i].call = actor.call;
			cells[i].where = actor.where;
			cells[i].writer = actor.pipe;
			cells[i].written = time;
		}
	}

	void require_behind_write(const Order &order, const Actor &actor, const char *name,
				  const char *verb, uint64_t cell) const
	{
		const Cell &last = cells[cell];

		if (last.written <= order.now[static_cast<uint32_t>(actor.pipe)]
					    .at[static_cast<uint32_t>(last.writer)])
			return;
		fail(actor.where,
		     "%s: %s %s byte %llu of %s on the pipe %s, but nothing waits for %s at %s:%u, "
		     "which writes it on the pipe %s: "
		     "a queue, a flag %s_%s or PipeBarrier<PIPE_ALL> is missing",
		     actor.call, name, verb, static_cast<unsigned long long>(cell * CELL_BYTES),
		     memory_name(memory), pipe_name(actor.pipe), last.call,
		     last.where.file ? last.where.file : "?", unsigned(last.where.line),
		     pipe_name(last.writer), pipe_name(last.writer), pipe_name(actor.pipe));
	}

	[[noreturn]] void explain_read(const Actor &actor, const char *name, Pipe reader,
				       uint64_t cell) const
	{
		fail(actor.where,
		     "%s: %s writes byte %llu of %s on the pipe %s, but nothing waits for the pipe "
		     "%s, which may still read it: "
		     "a queue, a flag %s_%s or PipeBarrier<PIPE_ALL> is missing",
		     actor.call, name, static_cast<unsigned long long>(cell * CELL_BYTES),
		     memory_name(memory), pipe_name(actor.pipe), pipe_name(reader),
		     pipe_name(reader), pipe_name(actor.pipe));
	}
};

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_TRAIL_H */
