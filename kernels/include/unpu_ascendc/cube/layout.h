/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memories of the cube unit
 *
 * The cube unit multiplies fractals: 512 bytes that are 16 rows of 32 bytes. In L1 a matrix is a row of columns of
 * fractals (NZ), in L0A a column of rows of fractals (ZZ), in L0B the same with each fractal turned (ZN), and in L0C
 * columns of fractals of 16 x 16 sums.
 */
#ifndef UNPU_ASCENDC_CUBE_LAYOUT_H
#define UNPU_ASCENDC_CUBE_LAYOUT_H

#include "unpu_ascendc/core/identity.h"
#include "unpu_ascendc/core/marks.h"
#include "unpu_ascendc/tensor/operand.h"
#include "unpu_ascendc/vector/params.h"

namespace unpu::lang {

inline constexpr uint64_t FRACTAL = 512;
inline constexpr uint64_t FRACTAL_ROWS = 16;

constexpr uint64_t fractals_of(uint64_t elements, uint64_t width)
{
	return (elements + width - 1) / width;
}

/* A vector core has no cube unit. */
inline void require_cube_core(const Actor &actor)
{
	if (__builtin_expect(core_kind() != AscendC::AIC, 0) && level() > 0)
		fail(actor.where,
		     "%s: this block runs on a vector core, which has no cube unit; declare "
		     "KERNEL_TYPE_AIC_ONLY, or call it behind ASCEND_IS_AIC",
		     actor.call);
}

inline void require_memory(const Actor &actor, const char *name, const TBuffAddr &address,
			   uint32_t memory)
{
	const uint32_t found = memory_of(static_cast<TPosition>(address.logicPos));

	if (__builtin_expect(found != memory, 0) && level() > 0)
		fail(actor.where, "%s: %s lies in %s (%s); it has to lie in %s", actor.call, name,
		     memory_name(found), position_name(static_cast<TPosition>(address.logicPos)),
		     memory_name(memory));
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CUBE_LAYOUT_H */
