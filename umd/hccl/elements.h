// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "hccl/hccl_types.h"
#include "uapi/operator.h"
#include "umd/core/process/collective.h"

namespace umd {

/** element_bytes() - size of an element; 0 for a number that is no type, and for INT128. */
uint64_t element_bytes(HcclDataType type);

/** type_name(), op_name() - names for error messages. */
const char *type_name(HcclDataType type);
const char *op_name(HcclReduceOp op);

/** takes_op(), takes_root() - whether a collective call has an operation or a root as an argument. */
constexpr bool takes_op(Collective call)
{
	return call == Collective::ALL_REDUCE || call == Collective::REDUCE ||
	       call == Collective::REDUCE_SCATTER || call == Collective::REDUCE_SCATTER_V;
}
constexpr bool takes_root(Collective call)
{
	return call == Collective::REDUCE || call == Collective::BROADCAST ||
	       call == Collective::SCATTER;
}

/** struct Combine - how the device combines two elements: the operator, the type of the elements, and the
 * type in which it computes. */
struct Combine {
	unpu_operator_kind kind;
	uint32_t type; /* type of the operands; see uapi/operator.h and uapi/unsigned.h */
	uint32_t compute;
};

/** find_combine() - finds how to combine elements of this type. Return: HCCL_E_PARA if @op is no operation,
 * HCCL_E_NOT_SUPPORT if the device does not reduce this type; sets the error message. */
HcclResult find_combine(HcclDataType type, HcclReduceOp op, Combine &combine);

} // namespace umd
