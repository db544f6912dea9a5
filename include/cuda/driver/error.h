/* SPDX-License-Identifier: MIT */
/*
 * DOC: Results
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_ERROR_H
#define CUDA_DRIVER_ERROR_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGetErrorString() - the description of a result
 * @error: a result
 * @pStr: receives a text that is never freed; NULL for a number that is no result
 *
 * Context: any thread, at any time.
 * Return: CUDA_ERROR_INVALID_VALUE for a number that is no result, or when @pStr is NULL.
 */
CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr);

/**
 * cuGetErrorName() - the name of a result, for example "CUDA_ERROR_INVALID_VALUE"
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
