/* SPDX-License-Identifier: MIT */
/*
 * DOC: LocalTensor
 *
 * A view of local memory: copies of it mean the same bytes.
 */
#ifndef UNPU_ASCENDC_TENSOR_LOCAL_TENSOR_H
#define UNPU_ASCENDC_TENSOR_LOCAL_TENSOR_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/tensor/shape.h"

namespace AscendC {

template <typename T> class LocalTensor {
public:
	using PrimType = T;

	TBuffAddr address_ = {static_cast<uint8_t>(TPosition::VECCALC), nullptr, 0, 0, nullptr};

	LocalTensor() = default;
	explicit LocalTensor(const TBuffAddr &address) : address_(address) {}
	/* A tensor at a byte of its memory, without a pipe. */
	LocalTensor(TPosition position, uint32_t byte, uint32_t elements, UNPU_WHERE)
	{
		const uint32_t memory = unpu::lang::memory_of(position);
		const uint64_t bytes = unpu::lang::bytes_of<T>(elements);

		if (unpu::lang::level() > 0 &&
		    byte + bytes > unpu::lang::block().local[memory].bytes)
			unpu::lang::fail(
				where,
				"LocalTensor: %llu bytes from byte %u of %s, which has %llu bytes",
				static_cast<unsigned long long>(bytes), byte,
				unpu::lang::memory_name(memory),
				static_cast<unsigned long long>(
					unpu::lang::block().local[memory].bytes));
		address_ = {static_cast<uint8_t>(position), nullptr, static_cast<uint32_t>(bytes),
			    byte, unpu::lang::block().local[memory].base + byte};
	}

	/* dst = a + b and the like, as tensor/expression.h makes them. */
	template <class Expression, class = typename Expression::IsTensorExpression>
	LocalTensor &operator=(const Expression &expression)
	{
		expression.assign(*this);
		return *this;
	}

	LocalTensor operator[](uint32_t offset) const
	{
		const uint64_t bytes = uint64_t(offset) * unpu::lang::bits_per_element<T> / 8;
		const uint32_t at = address_.bufferAddr + static_cast<uint32_t>(bytes);
		const uint32_t left = __builtin_expect(bytes <= address_.dataLen, 1)
					      ? address_.dataLen - static_cast<uint32_t>(bytes)
					      : unpu::lang::bytes_outside(address_.logicPos, at);
		/* Made of its fields: a copy would be stored as a whole, then loaded and stored by field. */
		LocalTensor tensor(TBuffAddr{address_.logicPos, address_.bufferHandle, left, at,
					     address_.absAddr + bytes});

		tensor.tag_ = tag_;
		tensor.shape_ = shape_;
		return tensor;
	}

	T GetValue(uint32_t index, UNPU_WHERE) const
	{
		unpu::lang::require_local("GetValue", "the tensor", address_,
					  unpu::lang::bytes_of<T>(uint64_t(index) + 1), 1, where);
		if constexpr (std::is_same_v<T, int4b_t>) {
			return int4b_t(unpu::lang::get_int4(address_.absAddr, index));
		} else {
			if (__builtin_expect(unpu::lang::deepest > 1, 0))
				unpu::lang::note_scalar(data() + index, sizeof(T), false,
							"GetValue", where);
			return data()[index];
		}
	}

	void SetValue(uint32_t index, unpu::lang::Same<T> value, UNPU_WHERE) const
	{
		unpu::lang::require_local("SetValue", "the tensor", address_,
					  unpu::lang::bytes_of<T>(uint64_t(index) + 1), 1, where);
		if constexpr (std::is_same_v<T, int4b_t>) {
			unpu::lang::set_int4(address_.absAddr, index, int8_t(value));
		} else {
			if (__builtin_expect(unpu::lang::deepest > 1, 0))
				unpu::lang::note_scalar(data() + index, sizeof(T), true, "SetValue",
							where);
			data()[index] = value;
		}
	}

	/* A reference to the element. The checks cannot know whether it is read or written. */
	T &operator()(uint32_t index, UNPU_WHERE) const
	{
		unpu::lang::require_local("operator()", "the tensor", address_,
					  unpu::lang::bytes_of<T>(uint64_t(index) + 1), 1, where);
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_scalar(data() + index, sizeof(T), true, "operator()",
						where);
		return data()[index];
	}

	uint32_t GetSize() const
	{
		return static_cast<uint32_t>(unpu::lang::elements_in<T>(address_.dataLen));
	}
	uint32_t GetLength() const { return address_.dataLen; }

	void SetSize(uint32_t elements, UNPU_WHERE)
	{
		const uint64_t bytes = unpu::lang::bytes_of<T>(elements);
		const uint32_t memory =
			unpu::lang::memory_of(static_cast<TPosition>(address_.logicPos));

		if (unpu::lang::level() > 0 &&
		    address_.bufferAddr + bytes > unpu::lang::block().local[memory].bytes)
			unpu::lang::fail(
				where, "SetSize: a tensor of %llu bytes at byte %u would leave %s",
				static_cast<unsigned long long>(bytes), address_.bufferAddr,
				unpu::lang::memory_name(memory));
		address_.dataLen = static_cast<uint32_t>(bytes);
	}

	template <typename U> LocalTensor<U> ReinterpretCast() const
	{
		return LocalTensor<U>(address_);
	}

	uint64_t GetPhyAddr() const
	{
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_escape(address_);
		return reinterpret_cast<uint64_t>(address_.absAddr);
	}
	uint64_t GetPhyAddr(uint32_t offset) const { return (*this)[offset].GetPhyAddr(); }
	TPosition GetPosition() const { return static_cast<TPosition>(address_.logicPos); }
	TBufHandle GetBufferHandle() const { return address_.bufferHandle; }

	template <typename U> void SetAddrWithOffset(LocalTensor<U> &source, uint32_t offset)
	{
		address_ = source.address_;
		*this = (*this)[offset];
	}

	void SetUserTag(uint32_t tag) { tag_ = tag; }
	uint32_t GetUserTag() const { return tag_; }
	void SetShapeInfo(const ShapeInfo &shape) { shape_.set(shape); }
	ShapeInfo GetShapeInfo() const { return shape_.get(); }
	void SetBufferLen(uint32_t bytes) { address_.dataLen = bytes; }

	/* The elements, for the functions of the language. */
	T *data() const { return reinterpret_cast<T *>(address_.absAddr); }

private:
	uint32_t tag_ = 0;
	unpu::lang::GivenShape shape_;
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_TENSOR_LOCAL_TENSOR_H */
