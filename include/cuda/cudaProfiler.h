/* SPDX-License-Identifier: MIT */
/*
 * DOC: Where a program wants to be profiled
 */
#ifndef CUDA_PROFILER_H
#define CUDA_PROFILER_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuProfilerStart() - marks the moment in the trace, if one is being recorded
 *
 * Context: any thread; never blocks.
 * Return: CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuProfilerStart(void);

/**
 * cuProfilerStop() - the same for the end of what the program wants to be profiled
 *
 * Context: any thread; never blocks.
 * Return: CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_PROFILER_H */
