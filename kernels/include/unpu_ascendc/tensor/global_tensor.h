/* SPDX-License-Identifier: MIT */
/*
 * DOC: GlobalTensor
 *
 * A view of global memory.
 */
#ifndef UNPU_ASCENDC_TENSOR_GLOBAL_TENSOR_H
#define UNPU_ASCENDC_TENSOR_GLOBAL_TENSOR_H

#include "unpu_ascendc/check/overlap.h"
#include "unpu_ascendc/core/qualifiers.h"
#include "unpu_ascendc/tensor/global_memory.h"
#include "unpu_ascendc/tensor/shape.h"

namespace AscendC {

template <typename T> class GlobalTensor {
public:
	using PrimType = T;

	GlobalTensor() = default;

	/* @elements: 0 if unknown. */
	void SetGlobalBuffer(__gm__ T *buffer, uint64_t elements)
	{
		const uint64_t start = reinterpret_cast<uint64_t>(buffer);

		origin_ = {start, unpu::lang::take_home(start), declared(elements)};
		address_ = buffer;
		size_ = elements;
	}
	void SetGlobalBuffer(__gm__ T *buffer) { SetGlobalBuffer(buffer, 0); }

	GlobalTensor operator[](uint64_t offset) const
	{
		GlobalTensor tensor = *this;

		tensor.address_ = reinterpret_cast<T *>(bytes_at(offset));
		tensor.size_ = offset < size_ ? size_ - offset : 0;
		return tensor;
	}

	T GetValue(uint64_t index, UNPU_WHERE) const
	{
		if (note(index, unpu::lang::Access::READ, "GetValue", where) &&
		    unpu::lang::deepest > 2)
			unpu::lang::note_global_read(bytes_at(index), sizeof(T), "GetValue", where);
		unpu::lang::poll(*origin_.home);
		if constexpr (std::is_same_v<T, int4b_t>)
			return int4b_t(unpu::lang::get_int4(
				reinterpret_cast<unsigned char *>(address_), index));
		else
			return address_[index];
	}

	void SetValue(uint64_t index, unpu::lang::Same<T> value, UNPU_WHERE) const
	{
		const bool is_noted = note(index, unpu::lang::Access::WRITE, "SetValue", where);

		if constexpr (std::is_same_v<T, int4b_t>) {
			unpu::lang::set_int4(reinterpret_cast<unsigned char *>(address_), index,
					     int8_t(value));
		} else {
			if (is_noted && unpu::lang::deepest > 2)
				unpu::lang::note_global_write(bytes_at(index), &value, sizeof(T),
							      "SetValue", where);
			address_[index] = value;
		}
	}

	T &operator()(uint64_t index, UNPU_WHERE) const
	{
		note(index, unpu::lang::Access::WRITE, "operator()", where);
		return address_[index];
	}

	__gm__ T *GetPhyAddr() const { return address_; }
	__gm__ T *GetPhyAddr(uint64_t offset) const
	{
		return reinterpret_cast<T *>(bytes_at(offset));
	}
	uint64_t GetSize() const { return size_; }
	template <CacheRwMode mode = CacheRwMode::RW> void SetL2CacheHint(CacheMode) {}
	void SetShapeInfo(const ShapeInfo &shape) { shape_.set(shape); }
	ShapeInfo GetShapeInfo() const { return shape_.get(); }

	/* The start of the whole tensor, and the allocation that it lies in. */
	const unpu::lang::Origin &origin() const { return origin_; }

private:
	static uint64_t declared(uint64_t elements)
	{
		if (elements == 0 || !unpu::lang::services || !unpu::lang::services->block() ||
		    !(unpu::lang::is_exact() || unpu::lang::services->observes))
			return unpu::lang::Origin::ANY;
		return unpu::lang::bytes_of<T>(elements);
	}

	/* Kernels use an offset that wraps around to go to a lower address. */
	uint64_t bytes_at(uint64_t index) const
	{
		const uint64_t start = reinterpret_cast<uint64_t>(address_);

		if constexpr (std::is_same_v<T, int4b_t>)
			return start + index / 2;
		else
			return start + index * sizeof(T);
	}

	/* An access of the scalar unit. Return: false: nothing has to be checked or reported. */
	bool note(uint64_t index, unpu::lang::Access access, const char *call,
		  unpu::lang::Where where) const
	{
		const uint64_t address = bytes_at(index);

		if (unpu::lang::is_quiet(origin_, address, sizeof(T)))
			return false;
		unpu::lang::note_global_scalar(address, sizeof(T), access, call, origin_, where);
		return true;
	}

	T *address_ = nullptr;
	unpu::lang::Origin origin_;
	uint64_t size_ = 0;
	unpu::lang::GivenShape shape_;
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_TENSOR_GLOBAL_TENSOR_H */
