/* SPDX-License-Identifier: MIT */
/*
 * DOC: Operands of functions
 *
 * The checks of functions that read the first elements of some tensors and write those of others.
 */
#ifndef UNPU_ASCENDC_TENSOR_OPERAND_H
#define UNPU_ASCENDC_TENSOR_OPERAND_H

#include "unpu_ascendc/tensor/local_tensor.h"

namespace unpu::lang {

using AscendC::LocalTensor;

/* Rows of a matrix in local memory. */
struct Rows {
	uint64_t count;
	uint64_t pitch;	  /* from row to row */
	uint64_t columns; /* that count */
};

/* The call reads the first @elements of the tensor. */
template <class T>
inline void note_source(const Actor &actor, const char *name, const LocalTensor<T> &tensor,
			uint64_t elements)
{
	require_local(actor.call, name, tensor.address_, bytes_of<T>(elements), 32, actor.where);
	if (__builtin_expect(deepest > 1, 0))
		note_use(actor, name, tensor.address_.absAddr, bytes_of<T>(elements));
}

/* The call writes the first @elements of the tensor. */
template <class T>
inline void note_target(const Actor &actor, const char *name, const LocalTensor<T> &tensor,
			uint64_t elements)
{
	require_local(actor.call, name, tensor.address_, bytes_of<T>(elements), 32, actor.where);
	if (__builtin_expect(deepest > 1, 0))
		note_result(actor, name, tensor.address_.absAddr, bytes_of<T>(elements));
}

/* Fails unless @least <= @value <= @most. */
inline void require_number(const Actor &actor, const char *name, uint64_t value, uint64_t least,
			   uint64_t most)
{
	if (__builtin_expect(value < least || value > most, 0) && level() > 0)
		fail(actor.where, "%s: %s is %llu; it has to be %llu to %llu", actor.call, name,
		     static_cast<unsigned long long>(value), static_cast<unsigned long long>(least),
		     static_cast<unsigned long long>(most));
}

/* Elements up to the next multiple of 32 bytes. */
template <class T> constexpr uint64_t padded(uint64_t elements)
{
	return (elements + per_block<T> - 1) / per_block<T> * per_block<T>;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TENSOR_OPERAND_H */
