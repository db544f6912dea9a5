/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tiling data
 *
 * Kernels get their tiling as bytes in global memory and read a struct from there. What REGISTER_TILING_DEFAULT names
 * is the struct of GET_TILING_DATA; an operator may name a struct for each tiling key.
 */
#ifndef UNPU_ASCENDC_TILING_MACROS_H
#define UNPU_ASCENDC_TILING_MACROS_H

#include <string.h>

#include "unpu_ascendc/core/services.h"
#include "unpu_ascendc/tensor/global_memory.h"

namespace unpu::lang {

/* Reads a struct of global memory. */
template <class T> inline T read_tiling(const void *from, Where where)
{
	T data;

	if (level() > 0) {
		require_global("GET_TILING_DATA", reinterpret_cast<uint64_t>(from), sizeof(T),
			       Access::READ, {}, where);
		tell(reinterpret_cast<uint64_t>(from), sizeof(T), Access::READ, where);
	}
	memcpy(static_cast<void *>(&data), from, sizeof(T));
	return data;
}

inline bool is_tiling_key(uint64_t key)
{
	return block().tiling_key == key;
}

} // namespace unpu::lang

#define UNPU_HERE (::unpu::lang::Where{__FILE__, __LINE__})

#define GET_TILING_DATA_WITH_STRUCT(Struct, name, tiling) \
	Struct name = ::unpu::lang::read_tiling<Struct>((const void *)(tiling), UNPU_HERE)
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, name, tiling) \
	Struct name##Copy_ = ::unpu::lang::read_tiling<Struct>((const void *)(tiling), UNPU_HERE); \
	const Struct *name = &name##Copy_
#define GET_TILING_DATA_MEMBER(Struct, member, name, tiling) \
	const auto name = \
		::unpu::lang::read_tiling<Struct>((const void *)(tiling), UNPU_HERE).member
#define COPY_TILING_WITH_STRUCT(Struct, from, name) \
	const Struct name##Copy_ = \
		::unpu::lang::read_tiling<Struct>((const void *)(from), UNPU_HERE); \
	const Struct *name = &name##Copy_
/* An alias of this name is the default struct, unless a client's own header defines the macro. */
#define REGISTER_TILING_DEFAULT(Struct) using UnpuDefaultTiling = Struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, Struct) \
	static_assert(sizeof(Struct) > 0, "REGISTER_TILING_FOR_TILINGKEY needs a complete struct")
#define GET_TILING_DATA(name, tiling) GET_TILING_DATA_WITH_STRUCT(UnpuDefaultTiling, name, tiling)
#define TILING_KEY_IS(key) (::unpu::lang::is_tiling_key(key))
#define REGISTER_NONE_TILING

#endif /* UNPU_ASCENDC_TILING_MACROS_H */
