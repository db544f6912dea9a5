/* SPDX-License-Identifier: MIT */
/*
 * DOC: Mathematical functions of the C library
 *
 * <math.h> without the special functions of C++17, as std::beta: they are half of its text, no kernel calls them, and
 * each kernel would take a tenth of a second longer to compile. The GNU library has a macro for them.
 */
#ifndef UNPU_ASCENDC_CORE_MATH_LIBRARY_H
#define UNPU_ASCENDC_CORE_MATH_LIBRARY_H

#include <cstddef> /* the macro */

#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <math.h>
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#else
#include <math.h>
#endif

#endif /* UNPU_ASCENDC_CORE_MATH_LIBRARY_H */
