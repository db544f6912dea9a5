/* SPDX-License-Identifier: MIT */
/*
 * DOC: Waits between blocks
 *
 * The worker waits; here a block tells which wait it is, and the checks learn that it happened.
 */
#ifndef UNPU_ASCENDC_SYNC_CORES_H
#define UNPU_ASCENDC_SYNC_CORES_H

#include "unpu_ascendc/check/overlap.h"
#include "unpu_ascendc/copy/move.h"
#include "unpu_ascendc/sync/barrier.h"

namespace unpu::lang {

/* Stores the place of the next wait for other blocks. A worker that is older than this header does not read it. */
inline void tell_wait(Where where)
{
	if (services->bytes > offsetof(unpu_kernel_services, wait_at))
		services->wait_at(where.file, static_cast<uint32_t>(where.line));
}

/* The pipes of a block have ended what they do before the block waits for others. */
inline void wait_for_blocks(uint32_t kind, Where where)
{
	const uint32_t which = kind == UNPU_KERNEL_SYNC_ALL ? 2 : block().core;
	const Place place = {Over::BARRIER, which, 0, ++state().barriers[which]};

	barrier_of(PIPE_ALL);
	give_order(place);
	tell_wait(where);
	services->barrier(kind);
	take_order(place);
}

/* The index of the group of the block: the cores that share one cube core. */
inline uint32_t group_of_block()
{
	const unpu_kernel_block &of = block();
	const uint32_t each =
		of.core == UNPU_KERNEL_CORE_AIV && of.sub_count > 1 ? of.sub_count : 1;

	return static_cast<uint32_t>(of.index) / each;
}

inline void set_core_flag(uint32_t mode, uint32_t id)
{
	const uint32_t core = block().core, turn = ++state().flags_set[id & 15];

	if (mode == 0)
		give_order({Over::KIND, core, id, turn});
	else
		give_order({Over::GROUP, group_of_block() * 2 + core, id, turn});
	services->flag_set(mode, id);
}
inline void wait_core_flag(uint32_t id, Where where)
{
	const uint32_t turn = ++state().flags_taken[id & 15];

	barrier_of(PIPE_ALL);
	tell_wait(where);
	services->flag_wait(id);
	take_order({Over::KIND, block().core, id, turn});
	for (uint32_t core = 0; core < 2; core++)
		take_order({Over::GROUP, group_of_block() * 2 + core, id, turn});
}

inline void require_flag_id(const char *call, uint32_t id, uint32_t last, Where where)
{
	if (id > last && level() > 0)
		fail(where, "%s: the identifier is %u; kernels have 0 to %u", call, id, last);
}

} // namespace unpu::lang

namespace AscendC {

/* Waits for all vector cores or all cube cores; with false, for both. */
template <bool isAIVOnly = true> void SyncAll(UNPU_WHERE)
{
	unpu::lang::wait_for_blocks(isAIVOnly ? UNPU_KERNEL_SYNC_CORES : UNPU_KERNEL_SYNC_ALL,
				    where);
}
/* The software barrier. It uses 32 bytes of global memory for each core, and a tensor in UB of the same size. */
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<int32_t> &workspace, const LocalTensor<int32_t> &ub,
	     const int32_t usedCores = 0, UNPU_WHERE)
{
	const uint64_t cores =
		usedCores > 0 ? static_cast<uint64_t>(usedCores) : unpu::lang::block().count;

	if (unpu::lang::level() > 0)
		unpu::lang::require_global(
			"SyncAll", reinterpret_cast<uint64_t>(workspace.GetPhyAddr()), cores * 32,
			unpu::lang::Access::WRITE, workspace.origin(), where);
	unpu::lang::require_local("SyncAll", "ubWorkspace", ub.address_, cores * 32, 32, where);
	if (usedCores > 0 && static_cast<uint64_t>(usedCores) != unpu::lang::block().count)
		unpu::lang::fail(where,
				 "SyncAll: usedCores is %d of %llu blocks; this implementation "
				 "waits for all blocks of a launch",
				 usedCores,
				 static_cast<unsigned long long>(unpu::lang::block().count));
	unpu::lang::wait_for_blocks(isAIVOnly ? UNPU_KERNEL_SYNC_CORES : UNPU_KERNEL_SYNC_ALL,
				    where);
}

/* Block @blockIdx has reached @eventID. */
template <bool isAIVOnly = true>
void IBSet(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t blockIdx,
	   int32_t eventID)
{
	unpu::lang::barrier_of(PIPE_ALL);
	unpu::lang::give_order({unpu::lang::Over::BLOCK, static_cast<uint32_t>(blockIdx),
				static_cast<uint32_t>(eventID), 0});
	unpu::lang::services->block_set(static_cast<uint32_t>(blockIdx),
					static_cast<uint32_t>(eventID));
}
template <bool isAIVOnly = true>
void IBWait(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t blockIdx,
	    int32_t eventID, UNPU_WHERE)
{
	unpu::lang::barrier_of(PIPE_ALL);
	unpu::lang::tell_wait(where);
	unpu::lang::services->block_wait(static_cast<uint32_t>(blockIdx),
					 static_cast<uint32_t>(eventID));
	unpu::lang::take_order({unpu::lang::Over::BLOCK, static_cast<uint32_t>(blockIdx),
				static_cast<uint32_t>(eventID), 0});
}

/* Mode 0: all cores of a kind; 1: the vector cores of a group; 2: the cube core of a group and its vector cores. */
template <uint8_t mode, pipe_t pipe> void CrossCoreSetFlag(uint16_t id, UNPU_WHERE)
{
	static_assert(mode <= 2, "CrossCoreSetFlag: there are the modes 0, 1 and 2");
	unpu::lang::require_flag_id("CrossCoreSetFlag", id, 10, where);
	unpu::lang::set_core_flag(mode, id);
}
template <uint8_t mode = 0, pipe_t pipe = PIPE_S> void CrossCoreWaitFlag(uint16_t id, UNPU_WHERE)
{
	unpu::lang::require_flag_id("CrossCoreWaitFlag", id, 10, where);
	unpu::lang::wait_core_flag(id, where);
}

/* The private cache of the scalar unit: there is none here. A block that polls calls it, so others may run. */
template <typename T, CacheLine line, DcciDst target = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T> &)
{
	unpu::lang::services->yield();
	unpu::lang::note_wait();
}
template <typename T, CacheLine line, DcciDst target = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const LocalTensor<T> &)
{
}
template <typename T> void DataCachePreload(const GlobalTensor<uint64_t> &, const T) {}

} // namespace AscendC

#endif /* UNPU_ASCENDC_SYNC_CORES_H */
