/* SPDX-License-Identifier: MIT */
/*
 * DOC: Barriers and flags of a block
 *
 * A block runs its calls in program order, so these order nothing that is not in order already; the checks of level 3
 * follow them.
 */
#ifndef UNPU_ASCENDC_SYNC_BARRIER_H
#define UNPU_ASCENDC_SYNC_BARRIER_H

#include "unpu_ascendc/check/shadow.h"

namespace unpu::lang {

using AscendC::HardEvent;

inline void barrier_of(pipe_t pipe)
{
	if (__builtin_expect(deepest < 3, 1) || pipe != PIPE_ALL)
		return;
	if (Order *order = order_of_block())
		order->barrier();
}

inline void require_event_id(const char *call, int id, Where where)
{
	if ((id < 0 || id > 7) && level() > 0)
		fail(where, "%s: the identifier of an event is %d; there are 0 to 7", call, id);
}

inline void set_flag_of(const char *call, HardEvent event, int id, Where where)
{
	require_event_id(call, id, where);
	if (Order *order = order_of_block())
		order->set_flag(call, static_cast<uint32_t>(event), static_cast<uint32_t>(id),
				where);
}
inline void wait_flag_of(const char *call, HardEvent event, int id, Where where)
{
	require_event_id(call, id, where);
	if (Order *order = order_of_block())
		order->wait_flag(call, static_cast<uint32_t>(event), static_cast<uint32_t>(id),
				 where);
}

} // namespace unpu::lang

namespace AscendC {

template <pipe_t pipe> void PipeBarrier()
{
	static_assert(pipe != PIPE_S, "PipeBarrier: the scalar pipe has no barrier; on the device "
				      "PipeBarrier<PIPE_S> is an error");
	unpu::lang::barrier_of(pipe);
}

template <HardEvent event> void SetFlag(int32_t id, UNPU_WHERE)
{
	unpu::lang::set_flag_of("SetFlag", event, id, where);
}
template <HardEvent event> void WaitFlag(int32_t id, UNPU_WHERE)
{
	unpu::lang::wait_flag_of("WaitFlag", event, id, where);
}

/* Waits for all accesses to memory. All are complete here; the lock makes other threads see them. */
template <MemDsbT kind> void DataSyncBarrier()
{
	unpu::lang::services->atomic_begin();
	unpu::lang::services->atomic_end();
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_SYNC_BARRIER_H */
