/* SPDX-License-Identifier: MIT */
/*
 * DOC: TPipe
 *
 * Gives out local memory to queues and buffers, from byte 0 upwards in the order of InitBuffer, and identifiers of
 * events. A block has one pipe at a time.
 */
#ifndef UNPU_ASCENDC_PIPE_TPIPE_H
#define UNPU_ASCENDC_PIPE_TPIPE_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/core/marks.h"
#include "unpu_ascendc/pipe/buffer_pool.h"
#include "unpu_ascendc/tensor/local_tensor.h"

namespace AscendC {

using TEventID = int8_t;

template <TPosition src, TPosition dst, int32_t depth, auto mask> class TQueBind;
template <TPosition position> class TBuf;

class TPipe {
public:
	TPipe() { Init(); }
	~TPipe()
	{
		if (unpu::lang::state().pipe == this)
			unpu::lang::state().pipe = nullptr;
	}
	TPipe(const TPipe &) = delete;
	TPipe &operator=(const TPipe &) = delete;

	void Init()
	{
		unpu::lang::State &state = unpu::lang::state();

		state.pipe = this;
		memset(state.events, 0, sizeof(state.events));
		pool_.reset();
	}
	void Reset() { Destroy(); }
	void Destroy()
	{
		if (unpu::lang::Order *order = unpu::lang::order_of_block())
			order->barrier();
		Init();
	}

	/* A queue of @count buffers of @bytes each. */
	template <TPosition src, TPosition dst, int32_t depth, auto mask>
	bool InitBuffer(TQueBind<src, dst, depth, mask> &queue, uint32_t count, uint32_t bytes,
			UNPU_WHERE)
	{
		return queue.init(pool_, count, bytes, where);
	}
	template <TPosition position>
	bool InitBuffer(TBuf<position> &buffer, uint32_t bytes, UNPU_WHERE)
	{
		return buffer.init(pool_, bytes, where);
	}
	template <class Pool, class = typename Pool::IsBufferPool>
	bool InitBufPool(Pool &pool, uint32_t bytes, UNPU_WHERE)
	{
		return pool.init(pool_, bytes, where);
	}
	/* A second pool on the memory of the first. */
	template <class Pool, class Other, class = typename Pool::IsBufferPool>
	bool InitBufPool(Pool &pool, uint32_t bytes, Other &shared, UNPU_WHERE)
	{
		return pool.share(shared, bytes, where);
	}

	template <HardEvent event> TEventID AllocEventID(UNPU_WHERE)
	{
		uint8_t &used = unpu::lang::state().events[static_cast<uint32_t>(event)];
		const int id = free_id(used);

		if (id < 0) {
			if (unpu::lang::level() > 0)
				unpu::lang::fail(where,
						 "AllocEventID: all 8 identifiers of this event "
						 "are in use; ReleaseEventID gives one back");
			return 0;
		}
		used = static_cast<uint8_t>(used | 1u << id);
		return static_cast<TEventID>(id);
	}
	template <HardEvent event> void ReleaseEventID(TEventID id, UNPU_WHERE)
	{
		uint8_t &used = unpu::lang::state().events[static_cast<uint32_t>(event)];

		if (unpu::lang::level() > 0 && (id < 0 || id > 7 || !(used & 1u << id)))
			unpu::lang::fail(where,
					 "ReleaseEventID: the identifier %d was not allocated for "
					 "this event",
					 int(id));
		used = static_cast<uint8_t>(used & ~(1u << (id & 7)));
	}
	/* An identifier that is free now. It stays free. */
	TEventID FetchEventID(HardEvent event) const
	{
		const int id = free_id(unpu::lang::state().events[static_cast<uint32_t>(event)]);

		return static_cast<TEventID>(id < 0 ? 0 : id);
	}
	template <HardEvent event> TEventID FetchEventID() const { return FetchEventID(event); }

	template <TPosition position> uint64_t GetQueueEndAddress() const
	{
		return pool_.used(unpu::lang::memory_of(position));
	}
	uint64_t GetBaseAddr(TPosition position) const
	{
		return reinterpret_cast<uint64_t>(
			unpu::lang::block().local[unpu::lang::memory_of(position)].base);
	}

	/* For the objects of the language that take local memory. */
	unpu::lang::BufferPool &pool() { return pool_; }

private:
	static int free_id(uint8_t used)
	{
		return used == 0xff ? -1 : __builtin_ctz(~static_cast<unsigned>(used));
	}

	unpu::lang::BufferPool pool_;
};

/* The pipe of the block. */
inline TPipe *GetTPipePtr(UNPU_WHERE)
{
	TPipe *pipe = unpu::lang::state().pipe;

	if (!pipe)
		unpu::lang::fail(where, "GetTPipePtr: the block has no TPipe");
	return pipe;
}

} // namespace AscendC

/* The device's headers declare it in both namespaces. */
using AscendC::GetTPipePtr;

#endif /* UNPU_ASCENDC_PIPE_TPIPE_H */
