/* SPDX-License-Identifier: MIT */
/*
 * DOC: Queues
 *
 * A queue owns buffers. AllocTensor takes the next free one, EnQue and DeQue hand it from one pipe to the next in
 * order, and FreeTensor gives it back.
 */
#ifndef UNPU_ASCENDC_PIPE_TQUE_H
#define UNPU_ASCENDC_PIPE_TQUE_H

#include "unpu_ascendc/pipe/tpipe.h"

namespace unpu::lang {

/*
 * The pipes that write the buffers of a queue, and those that read them. If there are two of a kind, the queue
 * orders both. @src, @dst: the positions between which the contents move. @memory: the local memory that has the
 * buffers
 */
constexpr PipeSet producers_of(TPosition src, uint32_t memory)
{
	switch (memory) {
	case UNPU_KERNEL_L1:
		return set_of(Pipe::MTE2) | set_of(Pipe::MTE3);
	case UNPU_KERNEL_L0A:
	case UNPU_KERNEL_L0B:
		return set_of(Pipe::MTE1) | set_of(Pipe::MTE2);
	case UNPU_KERNEL_L0C:
		return set_of(Pipe::M);
	default:
		break;
	}
	switch (memory_of(src)) {
	case UNPU_KERNEL_L1:
		return set_of(Pipe::MTE1);
	case UNPU_KERNEL_UB:
		return set_of(src == TPosition::GM || src == TPosition::VECIN ? Pipe::MTE2
									      : Pipe::V);
	default:
		return set_of(Pipe::M);
	}
}

constexpr PipeSet consumers_of(TPosition dst, uint32_t memory)
{
	switch (memory) {
	case UNPU_KERNEL_L1:
		return set_of(Pipe::MTE1) | set_of(Pipe::FIX);
	case UNPU_KERNEL_L0A:
	case UNPU_KERNEL_L0B:
		return set_of(Pipe::M);
	case UNPU_KERNEL_L0C:
		return set_of(Pipe::FIX) | set_of(Pipe::V);
	default:
		break;
	}
	const bool is_copied = dst == TPosition::GM || dst == TPosition::VECOUT ||
			       memory_of(dst) == UNPU_KERNEL_L1;

	return set_of(is_copied ? Pipe::MTE3 : Pipe::V);
}

/* Reports to the checks that AllocTensor takes a whole buffer, or that FreeTensor gives it back. */
__attribute__((noinline)) inline void note_taken(const TBuffAddr &buffer, PipeSet producers)
{
	Shadow *shadow = shadow_at(buffer.absAddr);

	if (!shadow)
		return;
	shadow->mark(buffer.absAddr, buffer.dataLen, Shadow::UNWRITTEN);
	shadow->take(1, buffer.bufferAddr, producers);
}
__attribute__((noinline)) inline void note_given_back(const TBuffAddr &buffer, PipeSet consumers)
{
	Shadow *shadow = shadow_at(buffer.absAddr);

	if (!shadow)
		return;
	shadow->mark(buffer.absAddr, buffer.dataLen, Shadow::FREED);
	shadow->hand_on(1, buffer.bufferAddr, consumers);
}

} // namespace unpu::lang

namespace AscendC {

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind {
	/* Where the buffers lie. */
	static constexpr TPosition position_ = src == TPosition::GM ? dst : src;
	static constexpr uint32_t memory_ = unpu::lang::memory_of(position_);

public:
	TQueBind() = default;

	template <typename T> LocalTensor<T> AllocTensor(UNPU_WHERE)
	{
		return LocalTensor<T>(alloc(where));
	}
	template <typename T> void AllocTensor(LocalTensor<T> &tensor, UNPU_WHERE)
	{
		tensor.address_ = alloc(where);
	}

	template <typename T> bool EnQue(const LocalTensor<T> &tensor, UNPU_WHERE)
	{
		append_buffer(tensor.address_, unpu::lang::producers_of(src, memory_), where);
		return true;
	}
	template <TPosition srcUser, TPosition dstUser, typename T>
	bool EnQue(const LocalTensor<T> &tensor, UNPU_WHERE)
	{
		append_buffer(tensor.address_, unpu::lang::producers_of(srcUser, memory_), where);
		return true;
	}

	template <typename T> LocalTensor<T> DeQue(UNPU_WHERE)
	{
		return LocalTensor<T>(pop_buffer(unpu::lang::consumers_of(dst, memory_), where));
	}
	template <typename T> void DeQue(LocalTensor<T> &tensor, UNPU_WHERE)
	{
		tensor.address_ = pop_buffer(unpu::lang::consumers_of(dst, memory_), where);
	}
	template <TPosition srcUser, TPosition dstUser, typename T> LocalTensor<T> DeQue(UNPU_WHERE)
	{
		return LocalTensor<T>(
			pop_buffer(unpu::lang::consumers_of(dstUser, memory_), where));
	}

	template <typename T> void FreeTensor(const LocalTensor<T> &tensor, UNPU_WHERE)
	{
		give_back(tensor.address_, where);
	}
	void FreeAllEvent() {}

	bool HasTensorInQue() const { return queued_ > 0; }
	bool HasIdleBuffer() const { return out_ != all(); }
	bool VacantInQue() const { return queued_ < (depth > 0 ? uint32_t(depth) : 1); }
	int32_t GetTensorCountInQue() const { return static_cast<int32_t>(queued_); }
	uint32_t GetBufferLen() const { return bytes_; }

	/* For TPipe::InitBuffer. */
	bool init(unpu::lang::BufferPool &pool, uint32_t count, uint32_t bytes,
		  unpu::lang::Where where)
	{
		if constexpr (memory_ == UNPU_KERNEL_UB)
			UNPU_MARK_VECTOR();
		if (count == 0 || count > unpu::lang::BUFFERS_MAX || bytes == 0) {
			if (unpu::lang::level() > 0)
				unpu::lang::fail(where,
						 "InitBuffer: %u buffers of %u bytes; a queue has "
						 "1 to %u buffers, of 1 byte at least",
						 count, bytes, unpu::lang::BUFFERS_MAX);
			return false;
		}
		bytes_ = unpu::lang::round_up_32(bytes);
		count_ = count;
		first_ = pool.take(position_, count, bytes_, where);
		out_ = 0;
		next_ = queued_ = head_ = 0;
		return true;
	}

private:
	/* Not inlined: a call for each buffer is cheap beside its copy, and inlined code would be most of a kernel. */
	uint64_t all() const { return count_ == 64 ? ~0ull : (1ull << count_) - 1; }

	__attribute__((noinline)) TBuffAddr alloc(unpu::lang::Where where)
	{
		if (count_ == 0)
			unpu::lang::fail(
				where,
				"AllocTensor: InitBuffer has not given this queue (%s) any buffer",
				unpu::lang::position_name(position_));
		if (out_ == all())
			unpu::lang::fail(where,
					 "AllocTensor: all %u buffers of this queue (%s) are in "
					 "use; FreeTensor gives one back",
					 count_, unpu::lang::position_name(position_));
		while (out_ >> next_ & 1)
			next_ = (next_ + 1) % count_;
		const TBuffAddr address =
			unpu::lang::address_at(position_, first_ + next_ * bytes_, bytes_);

		out_ |= 1ull << next_;
		next_ = (next_ + 1) % count_;
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_taken(address, unpu::lang::producers_of(src, memory_));
		return address;
	}

	/* The number of the buffer that a tensor lies in. */
	uint32_t index_of(const TBuffAddr &address, const char *call, unpu::lang::Where where) const
	{
		const uint64_t offset = uint64_t(address.bufferAddr) - first_;

		if (count_ == 0 || address.bufferAddr < first_ ||
		    offset >= uint64_t(count_) * bytes_ ||
		    unpu::lang::memory_of(static_cast<TPosition>(address.logicPos)) !=
			    unpu::lang::memory_of(position_))
			unpu::lang::fail(where,
					 "%s: the tensor at byte %u does not come from this queue "
					 "(%s), which has bytes %u to %u",
					 call, address.bufferAddr,
					 unpu::lang::position_name(position_), first_,
					 first_ + count_ * bytes_);
		const uint32_t index = static_cast<uint32_t>(offset / bytes_);

		if (!(out_ >> index & 1))
			unpu::lang::fail(where, "%s: buffer %u of this queue (%s) is free already",
					 call, index, unpu::lang::position_name(position_));
		return index;
	}

	bool is_queued(uint32_t index) const
	{
		for (uint32_t i = 0; i < queued_; i++)
			if (order_[(head_ + i) % unpu::lang::BUFFERS_MAX] == index)
				return true;
		return false;
	}

	__attribute__((noinline)) void append_buffer(const TBuffAddr &address,
						     unpu::lang::PipeSet from,
						     unpu::lang::Where where)
	{
		const uint32_t index = index_of(address, "EnQue", where);

		if (is_queued(index))
			unpu::lang::fail(
				where,
				"EnQue: buffer %u of this queue (%s) is in the queue already",
				index, unpu::lang::position_name(position_));
		order_[(head_ + queued_++) % unpu::lang::BUFFERS_MAX] = static_cast<uint8_t>(index);
		if (__builtin_expect(unpu::lang::deepest > 2, 0))
			hand_on(0, index, from);
	}

	__attribute__((noinline)) TBuffAddr pop_buffer(unpu::lang::PipeSet to,
						       unpu::lang::Where where)
	{
		if (queued_ == 0)
			unpu::lang::fail(where,
					 "DeQue: the queue (%s) is empty; EnQue has to come first",
					 unpu::lang::position_name(position_));
		const uint32_t index = order_[head_];

		head_ = (head_ + 1) % unpu::lang::BUFFERS_MAX;
		queued_--;
		if (__builtin_expect(unpu::lang::deepest > 2, 0))
			take(0, index, to);
		return unpu::lang::address_at(position_, first_ + index * bytes_, bytes_);
	}

	__attribute__((noinline)) void give_back(const TBuffAddr &address, unpu::lang::Where where)
	{
		const uint32_t index = index_of(address, "FreeTensor", where);

		if (is_queued(index))
			unpu::lang::fail(where,
					 "FreeTensor: buffer %u is still in the queue (%s); DeQue "
					 "has to take it out first",
					 index, unpu::lang::position_name(position_));
		out_ &= ~(1ull << index);
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_given_back(
				unpu::lang::address_at(position_, first_ + index * bytes_, bytes_),
				unpu::lang::consumers_of(dst, memory_));
	}

	void hand_on(uint32_t kind, uint32_t index, unpu::lang::PipeSet from) const
	{
		if (unpu::lang::Shadow *shadow = shadow_of(index))
			shadow->hand_on(kind, first_ + index * bytes_, from);
	}
	void take(uint32_t kind, uint32_t index, unpu::lang::PipeSet to) const
	{
		if (unpu::lang::Shadow *shadow = shadow_of(index))
			shadow->take(kind, first_ + index * bytes_, to);
	}
	unpu::lang::Shadow *shadow_of(uint32_t index) const
	{
		return unpu::lang::shadow_at(unpu::lang::block().local[memory_].base + first_ +
					     index * bytes_);
	}

	uint32_t first_ = 0; /* byte of the memory */
	uint32_t bytes_ = 0; /* of a buffer */
	uint32_t count_ = 0;
	uint32_t next_ = 0;
	uint64_t out_ = 0; /* buffers that AllocTensor has given out */
	uint32_t head_ = 0;
	uint32_t queued_ = 0;
	uint8_t order_[unpu::lang::BUFFERS_MAX] = {};
};

namespace detail {
constexpr TPosition queue_source(TPosition position)
{
	return position == TPosition::VECOUT || position == TPosition::CO1 ||
			       position == TPosition::CO2
		       ? position
		       : TPosition::GM;
}
constexpr TPosition queue_target(TPosition position)
{
	return position == TPosition::VECOUT ? TPosition::GM
	       : position == TPosition::CO1  ? TPosition::CO2
					     : position;
}
} // namespace detail

template <TPosition position, int32_t depth, auto mask = 0>
class TQue : public TQueBind<detail::queue_source(position), detail::queue_target(position), depth,
			     mask> {
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_PIPE_TQUE_H */
