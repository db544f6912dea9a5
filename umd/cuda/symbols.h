// SPDX-License-Identifier: MIT
/**
 * DOC: Symbols
 *
 * In libunpu.so each function has the prefix unpu_: a program that links it and the library of a real
 * device must not get our functions by accident. libcuda.so.1, in a folder of its own, has the names
 * themselves and jumps. The build includes this file at the head of each source of the front end.
 */
#pragma once

#include "entry_points.h"

#define CUDA_PRAGMA(text) _Pragma(#text)
#define CUDA_RENAME(name, version, stream, symbol) \
	CUDA_PRAGMA(redefine_extname symbol unpu_##symbol)
CUDA_ENTRY_POINTS(CUDA_RENAME)
#undef CUDA_RENAME

#define CUDAAPI __attribute__((visibility("default")))
