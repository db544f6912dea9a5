/* SPDX-License-Identifier: MIT */
/*
 * DOC: LocalMemAllocator
 *
 * Gives out a local memory from byte 0 upwards, without a pipe and without queues. Nothing is ever given back.
 */
#ifndef UNPU_ASCENDC_PIPE_ALLOCATOR_H
#define UNPU_ASCENDC_PIPE_ALLOCATOR_H

#include "unpu_ascendc/core/marks.h"
#include "unpu_ascendc/tensor/local_tensor.h"

namespace unpu::lang {

constexpr uint32_t memory_of(AscendC::Hardware hardware)
{
	switch (hardware) {
	case AscendC::Hardware::L1:
		return UNPU_KERNEL_L1;
	case AscendC::Hardware::L0A:
		return UNPU_KERNEL_L0A;
	case AscendC::Hardware::L0B:
		return UNPU_KERNEL_L0B;
	case AscendC::Hardware::L0C:
		return UNPU_KERNEL_L0C;
	default:
		return UNPU_KERNEL_UB;
	}
}

constexpr AscendC::TPosition first_position_of(AscendC::Hardware hardware)
{
	switch (hardware) {
	case AscendC::Hardware::L1:
		return AscendC::TPosition::A1;
	case AscendC::Hardware::L0A:
		return AscendC::TPosition::A2;
	case AscendC::Hardware::L0B:
		return AscendC::TPosition::B2;
	case AscendC::Hardware::L0C:
		return AscendC::TPosition::CO1;
	default:
		return AscendC::TPosition::VECCALC;
	}
}

} // namespace unpu::lang

namespace AscendC {

template <Hardware hardware = Hardware::UB> class LocalMemAllocator {
	static_assert(hardware == Hardware::UB || hardware == Hardware::L1 ||
			      hardware == Hardware::L0A || hardware == Hardware::L0B ||
			      hardware == Hardware::L0C,
		      "unpu: LocalMemAllocator gives out UB, L1, L0A, L0B and L0C only");

public:
	template <TPosition position, class T, uint32_t elements> LocalTensor<T> Alloc(UNPU_WHERE)
	{
		return take<T>(position, elements, where);
	}
	template <TPosition position, class T> LocalTensor<T> Alloc(uint32_t elements, UNPU_WHERE)
	{
		return take<T>(position, elements, where);
	}
	template <class T, uint32_t elements> LocalTensor<T> Alloc(UNPU_WHERE)
	{
		return take<T>(unpu::lang::first_position_of(hardware), elements, where);
	}
	template <class T> LocalTensor<T> Alloc(uint32_t elements, UNPU_WHERE)
	{
		return take<T>(unpu::lang::first_position_of(hardware), elements, where);
	}

	/* The byte at which the next tensor begins. */
	uint32_t GetCurAddr() const { return next_; }

private:
	template <class T>
	LocalTensor<T> take(TPosition position, uint32_t elements, unpu::lang::Where where)
	{
		constexpr uint32_t memory = unpu::lang::memory_of(hardware);
		const uint64_t bytes = (unpu::lang::bytes_of<T>(elements) + 31) / 32 * 32;

		if constexpr (hardware == Hardware::UB)
			UNPU_MARK_VECTOR();
		if (unpu::lang::memory_of(position) != memory && unpu::lang::level() > 0)
			unpu::lang::fail(where, "Alloc: %s lies in %s, but this allocator has %s",
					 unpu::lang::position_name(position),
					 unpu::lang::memory_name(unpu::lang::memory_of(position)),
					 unpu::lang::memory_name(memory));
		if (next_ + bytes > unpu::lang::usable_bytes(memory))
			unpu::lang::fail(
				where, "Alloc: %s overflow: needs %llu of %llu bytes",
				unpu::lang::memory_name(memory),
				static_cast<unsigned long long>(next_ + bytes),
				static_cast<unsigned long long>(unpu::lang::usable_bytes(memory)));
		LocalTensor<T> tensor(position, next_, elements, where);

		next_ += static_cast<uint32_t>(bytes);
		return tensor;
	}

	uint32_t next_ = 0;
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_PIPE_ALLOCATOR_H */
