/* SPDX-License-Identifier: MIT */
/*
 * DOC: Results
 *
 * Part of cuda.h, which states what holds for every function.
 */
#ifndef CUDA_DRIVER_ERROR_H
#define CUDA_DRIVER_ERROR_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGetErrorString() - what a result means, as a sentence
 * @error: a result
 * @pStr: receives a text that is never freed; NULL for a number that is no result
 *
 * Context: any thread, at any time.
 * Return: CUDA_ERROR_INVALID_VALUE for a number that is no result, or when @pStr is NULL.
 */
CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr);

/**
 * cuGetErrorName() - the name of a result, as "CUDA_ERROR_INVALID_VALUE"
 * @error: a result
 * @pStr: receives a text that is never freed; NULL for a number that is no result
 *
 * Context: any thread, at any time.
 * Return: CUDA_ERROR_INVALID_VALUE for a number that is no result, or when @pStr is NULL.
 */
CUresult CUDAAPI cuGetErrorName(CUresult error, const char **pStr);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_ERROR_H */
