/* SPDX-License-Identifier: MIT */
/*
 * DOC: TBuf and TBufPool
 *
 * Local memory without a queue, and parts of the local memory that have queues and buffers of their own.
 */
#ifndef UNPU_ASCENDC_PIPE_TBUF_H
#define UNPU_ASCENDC_PIPE_TBUF_H

#include "unpu_ascendc/pipe/tpipe.h"

namespace unpu::lang {

__attribute__((noinline, cold)) inline void explain_tbuf(const char *call, bool has_memory,
							 uint32_t byte, uint64_t bytes,
							 uint32_t all, Where where)
{
	if (!has_memory)
		fail(where, "%s: InitBuffer has not given this TBuf any memory", call);
	if (level() > 0)
		fail(where, "%s: %llu bytes from byte %u of a TBuf that has %u bytes", call,
		     static_cast<unsigned long long>(bytes), byte, all);
}

} // namespace unpu::lang

namespace AscendC {

template <TPosition position = TPosition::VECCALC> class TBuf {
public:
	TBuf() = default;

	template <typename T> LocalTensor<T> Get(UNPU_WHERE) const
	{
		return get<T>(bytes_, 0, "Get", where);
	}
	template <typename T> LocalTensor<T> Get(uint32_t elements, UNPU_WHERE) const
	{
		return get<T>(unpu::lang::bytes_of<T>(elements), 0, "Get", where);
	}
	/* @byte: a multiple of 32. */
	template <typename T>
	LocalTensor<T> GetWithOffset(uint32_t elements, uint32_t byte, UNPU_WHERE) const
	{
		if (byte % 32 != 0 && unpu::lang::level() > 0)
			unpu::lang::fail(where,
					 "GetWithOffset: the offset %u is no multiple of 32 bytes",
					 byte);
		return get<T>(unpu::lang::bytes_of<T>(elements), byte, "GetWithOffset", where);
	}
	uint32_t GetBufferLen() const { return bytes_; }
	/* Does nothing, because a TBuf keeps its memory. Kernels that once had a TQue still call it. */
	template <typename T> void FreeTensor(const LocalTensor<T> &) const {}

	template <typename T> void EnQue(const LocalTensor<T> &) const
	{
		static_assert(unpu::lang::never<T>,
			      "unpu has no TBuf::EnQue (see kernel-names): use a TQue");
	}

	/* For TPipe::InitBuffer. */
	bool init(unpu::lang::BufferPool &pool, uint32_t bytes, unpu::lang::Where where)
	{
		if constexpr (unpu::lang::memory_of(position) == UNPU_KERNEL_UB)
			UNPU_MARK_VECTOR();
		bytes_ = unpu::lang::round_up_32(bytes);
		first_ = pool.take(position, 1, bytes_, where);
		has_memory_ = true;
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			if (auto *shadow = unpu::lang::shadow_at(base()))
				shadow->take_over(base(), bytes_);
		return true;
	}

private:
	unsigned char *base() const
	{
		return unpu::lang::address_at(position, first_, bytes_).absAddr;
	}

	template <typename T>
	LocalTensor<T> get(uint64_t bytes, uint32_t byte, const char *call,
			   unpu::lang::Where where) const
	{
		if (__builtin_expect(!has_memory_ | (byte + bytes > bytes_), 0))
			unpu::lang::explain_tbuf(call, has_memory_, byte, bytes, bytes_, where);
		return LocalTensor<T>(unpu::lang::address_at(position, first_ + byte,
							     static_cast<uint32_t>(bytes)));
	}

	uint32_t first_ = 0;
	uint32_t bytes_ = 0;
	bool has_memory_ = false;
};

template <TPosition position, uint32_t count = 4> class TBufPool {
public:
	using IsBufferPool = void;

	template <TPosition src, TPosition dst, int32_t depth, auto mask>
	bool InitBuffer(TQueBind<src, dst, depth, mask> &queue, uint32_t buffers, uint32_t bytes,
			UNPU_WHERE)
	{
		return queue.init(pool_, buffers, bytes, where);
	}
	template <TPosition of> bool InitBuffer(TBuf<of> &buffer, uint32_t bytes, UNPU_WHERE)
	{
		return buffer.init(pool_, bytes, where);
	}
	template <class Pool, class = typename Pool::IsBufferPool>
	bool InitBufPool(Pool &pool, uint32_t bytes, UNPU_WHERE)
	{
		return pool.init(pool_, bytes, where);
	}
	template <class Pool, class Other, class = typename Pool::IsBufferPool>
	bool InitBufPool(Pool &pool, uint32_t bytes, Other &shared, UNPU_WHERE)
	{
		return pool.share(shared, bytes, where);
	}
	void Reset()
	{
		for (uint32_t &used : pool_.used_)
			used = 0;
		pool_.buffers_ = 0;
	}

	/* For TPipe::InitBufPool. */
	bool init(unpu::lang::BufferPool &from, uint32_t bytes, unpu::lang::Where where)
	{
		const uint32_t memory = unpu::lang::memory_of(position);

		bytes = unpu::lang::round_up_32(bytes);
		pool_ = {};
		pool_.start_[memory] = from.take(position, 1, bytes, where);
		pool_.limit_[memory] = bytes;
		return true;
	}
	template <class Other>
	bool share(const Other &other, uint32_t bytes, unpu::lang::Where where)
	{
		const uint32_t memory = unpu::lang::memory_of(position);

		if (bytes > other.pool_.limit_[memory] && unpu::lang::level() > 0)
			unpu::lang::fail(where, "InitBufPool: %u bytes on a pool of %u bytes",
					 bytes, other.pool_.limit_[memory]);
		pool_ = {};
		pool_.start_[memory] = other.pool_.start_[memory];
		pool_.limit_[memory] = unpu::lang::round_up_32(bytes);
		return true;
	}

private:
	template <TPosition, uint32_t> friend class TBufPool;

	unpu::lang::BufferPool pool_ = {};
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_PIPE_TBUF_H */
