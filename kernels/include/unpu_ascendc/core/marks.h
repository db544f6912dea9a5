/* SPDX-License-Identifier: MIT */
/*
 * DOC: Marks
 *
 * Marks by which code says which cores it needs. unpu-ascendcc reads those of each kernel. In CPU mode, where kernels
 * are functions of the program, the marks of all its kernels count together; the program has them before main().
 */
#ifndef UNPU_ASCENDC_CORE_MARKS_H
#define UNPU_ASCENDC_CORE_MARKS_H

#ifdef UNPU_ASCENDCC
#include "unpu_marks.h"
#define UNPU_MARK_CUBE() ::unpu::mark_cube()
#define UNPU_MARK_CUBE_ONLY() ::unpu::declare_type<1>()
#define UNPU_MARK_CUBE_UNIT() ::unpu::mark_cube_unit()
#define UNPU_MARK_VECTOR() ::unpu::mark_vector()
#define UNPU_MARK_RATIO() ::unpu::mark_ratio()
#else
#include <stdint.h>

namespace unpu {

enum CpuPart : uint32_t { CPU_CUBE_UNIT = 1, CPU_VECTOR = 2, CPU_MIX = 4 };

inline uint32_t cpu_parts = 0;

struct CpuMark {
	explicit CpuMark(CpuPart part) { cpu_parts |= part; }
};
template <CpuPart part> inline const CpuMark cpu_mark{part};

/* enum unpu_kernel_type of kernels that declare nothing. */
inline uint32_t cpu_type_of_code()
{
	const uint32_t both = CPU_CUBE_UNIT | CPU_VECTOR;

	if (cpu_parts & CPU_MIX || (cpu_parts & both) == both)
		return 5;
	return cpu_parts & CPU_CUBE_UNIT ? 1 : 0;
}

} // namespace unpu

#define UNPU_MARK_CUBE() ((void)&::unpu::cpu_mark<::unpu::CPU_MIX>)
#define UNPU_MARK_CUBE_ONLY() ((void)&::unpu::cpu_mark<::unpu::CPU_CUBE_UNIT>)
#define UNPU_MARK_CUBE_UNIT() ((void)&::unpu::cpu_mark<::unpu::CPU_CUBE_UNIT>)
#define UNPU_MARK_VECTOR() ((void)&::unpu::cpu_mark<::unpu::CPU_VECTOR>)
#define UNPU_MARK_RATIO() ((void)0)
#endif

#endif /* UNPU_ASCENDC_CORE_MARKS_H */
