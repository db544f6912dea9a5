/* SPDX-License-Identifier: MIT */
/* DOC: Marks  Marks by which code says which cores it needs. unpu-ascendcc reads them. In CPU mode, where a kernel
 * is a function of the program, they mean nothing. */
#ifndef UNPU_ASCENDC_CORE_MARKS_H
#define UNPU_ASCENDC_CORE_MARKS_H

#if __has_include("unpu_marks.h")
#include "unpu_marks.h"
#define UNPU_MARK_CUBE() ::unpu::mark_cube()
#define UNPU_MARK_CUBE_ONLY() ::unpu::declare_type<1>()
#define UNPU_MARK_CUBE_UNIT() ::unpu::mark_cube_unit()
#define UNPU_MARK_VECTOR() ::unpu::mark_vector()
#define UNPU_MARK_RATIO() ::unpu::mark_ratio()
#else
#define UNPU_MARK_CUBE() ((void)0)
#define UNPU_MARK_CUBE_ONLY() ((void)0)
#define UNPU_MARK_CUBE_UNIT() ((void)0)
#define UNPU_MARK_VECTOR() ((void)0)
#define UNPU_MARK_RATIO() ((void)0)
#endif

#endif /* UNPU_ASCENDC_CORE_MARKS_H */
