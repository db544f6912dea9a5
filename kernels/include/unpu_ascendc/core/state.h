/* SPDX-License-Identifier: MIT */
/*
 * DOC: State
 *
 * What the language keeps of a block between two calls: the registers of the vector unit, the pipe, events, and the
 * memory that the checks of level 2 and 3 use. It lies in the block's state, which the worker sets to zero.
 */
#ifndef UNPU_ASCENDC_CORE_STATE_H
#define UNPU_ASCENDC_CORE_STATE_H

#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/core/services.h"

namespace AscendC {
class TPipe;
}

namespace unpu::lang {

struct CoreChecks;

/* How copies from UB to global memory combine with what is there. */
enum class Atomic : uint32_t { NONE = 0, ADD, MAX, MIN };

/* A range of global memory with scalar accesses that are not yet reported to observe(). */
struct Pending {
	uint64_t start;
	uint64_t end;
	uint32_t write;
	Where where;
};

/*
 * The allocation in which a tensor of global memory may be used. Each tensor points to its home. Another tensor may
 * have taken the home since then.
 */
struct Home {
	uint64_t tensor; /* its start; 0: accesses without a tensor */
	struct unpu_kernel_memory_range range;
	uint64_t quiet; /* @tensor, if its scalar accesses in @range are not reported */
	uint32_t polls; /* reads of it by the scalar unit */
};
inline constexpr uint32_t HOMES = 32;
inline constexpr uint64_t NO_TENSOR = ~uint64_t{0};

/* The home of a tensor that has no memory. */
inline Home nowhere = {NO_TENSOR, {0, 0}, NO_TENSOR, 0};

struct State {
	uint32_t is_started;
	uint32_t is_counter; /* mask mode COUNTER */
	uint64_t mask[2];
	uint64_t compare[2]; /* the compare register */
	uint64_t pad_value;
	float deq_scale;
	float accumulated; /* the result of the last ReduceSum with a count */
	Atomic atomic;
	AscendC::TPipe *pipe;
	unsigned char *workspace; /* SetSysWorkspace() */
	uint64_t left_over;	  /* elements that the last GatherMask kept */
	uint32_t merged[4];	  /* elements that the last MrgSort took of each list */
	uint8_t events[32]; /* for each HardEvent: the identifiers that AllocEventID has returned */
	Home homes[HOMES];
	uint32_t
		last_home; /* the home that a tensor got last; the next tensor gets the one after it */
	Pending pending;
	CoreChecks *checks; /* level 2 and up */
	uint32_t barriers
		[3]; /* level 3: the number of barriers that the block has reached, of each kind */
	uint32_t flags_set
		[16]; /* level 3: how often the block has set and taken each flag between cores */
	uint32_t flags_taken[16];
	uint32_t last_wait; /* level 3: the time of the last look at what other blocks write */
};
static_assert(sizeof(State) <= UNPU_KERNEL_STATE_BYTES, "the state has to fit into the block's");

inline void start(State &state)
{
	state.is_started = 1;
	state.mask[0] = state.mask[1] = ~0ull;
	state.deq_scale = 1.0f;
}

/* The state of the block that runs. */
inline State &state()
{
	State &found = *reinterpret_cast<State *>(block().state);

	if (__builtin_expect(!found.is_started, 0))
		start(found);
	return found;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CORE_STATE_H */
