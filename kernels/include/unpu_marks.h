/* SPDX-License-Identifier: MIT */
/*
 * DOC: Marks for unpu-ascendcc
 *
 * Empty functions that the driver looks for in the code that a kernel can reach, to find out which cores the
 * kernel needs. mark_cube(): the code needs a cube core with its vector cores. mark_cube_unit(): it drives the cube
 * unit by itself. mark_vector(): it has local memory of a vector core. mark_ratio(): it asks how many vector cores
 * a cube core has. declare_type<T>(): what the driver makes of KERNEL_TASK_TYPE_DEFAULT(T); T is enum
 * unpu_kernel_type.
 */
#ifndef UNPU_MARKS_H
#define UNPU_MARKS_H

#include <type_traits>

/* The compiler must keep calls of an empty function. */
#if defined(__clang__)
#define UNPU_MARK __attribute__((noinline, optnone, visibility("hidden")))
#else
#define UNPU_MARK __attribute__((noipa, visibility("hidden")))
#endif

namespace unpu {

UNPU_MARK inline void mark_cube() {}
UNPU_MARK inline void mark_cube_unit() {}
UNPU_MARK inline void mark_vector() {}
UNPU_MARK inline void mark_ratio() {}

template <unsigned int T> UNPU_MARK void declare_type() {}

/* True for a class that is a number of the device, as half: it travels as a scalar. */
template <typename T> struct IsNumber : std::false_type {
};

} /* namespace unpu */

#endif /* UNPU_MARKS_H */
