// SPDX-License-Identifier: MIT
/**
 * DOC: Symbols
 *
 * In libunpu.so each function has the prefix unpu_, so that a program that links it together with the
 * library of a real device does not get our functions by accident. libcuda.so.1, in a folder of its
 * own, exports the plain names as trampolines. The build includes this file at the head of each source
 * file of the front end.
 */
#pragma once

#include "entry_points.h"
#include "refused_points.h"

#define CUDA_PRAGMA(text) _Pragma(#text)
#define CUDA_RENAME(name, version, stream, symbol) \
	CUDA_PRAGMA(redefine_extname symbol unpu_##symbol)
CUDA_ENTRY_POINTS(CUDA_RENAME)
#define CUDA_RENAME_REFUSED(name, version, stream, symbol, reason) \
	CUDA_RENAME(name, version, stream, symbol)
CUDA_REFUSED_POINTS(CUDA_RENAME_REFUSED)
#undef CUDA_RENAME_REFUSED
#undef CUDA_RENAME

#define CUDAAPI __attribute__((visibility("default")))
