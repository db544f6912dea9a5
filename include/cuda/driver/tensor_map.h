/* SPDX-License-Identifier: MIT */
/*
 * DOC: Maps of tensors
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_TENSOR_MAP_H
#define CUDA_DRIVER_TENSOR_MAP_H

#include "array_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuTensorMapEncodeIm2col() - describes a tensor that kernels copy by columns of pixels
 * @tensorMap: receives the map, aligned to 64 bytes
 * @tensorDataType: of the elements
 * @tensorRank: dimensions
 * @globalAddress: device memory
 * @globalDim: elements of each dimension
 * @globalStrides: bytes from one to the next
 * @pixelBoxLowerCorner: where boxes begin
 * @pixelBoxUpperCorner: where they end
 * @channelsPerPixel: channels
 * @pixelsPerColumn: pixels
 * @elementStrides: which elements a tile takes
 * @interleave: how channels lie
 * @swizzle: how a tile lies in shared memory
 * @l2Promotion: what is fetched at once
 * @oobFill: what is read outside
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTensorMapEncodeIm2col(
	CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
	void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
	const int *pixelBoxLowerCorner, const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
	cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
	CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
	CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);

/**
 * cuTensorMapEncodeIm2colWide() - describes one whose columns run along the width
 * @tensorMap: receives the map, aligned to 64 bytes
 * @tensorDataType: of the elements
 * @tensorRank: dimensions
 * @globalAddress: device memory
 * @globalDim: elements of each dimension
 * @globalStrides: bytes from one to the next
 * @pixelBoxLowerCornerWidth: where boxes begin
 * @pixelBoxUpperCornerWidth: where they end
 * @channelsPerPixel: channels
 * @pixelsPerColumn: pixels
 * @elementStrides: which elements a tile takes
 * @interleave: how channels lie
 * @mode: which way
 * @swizzle: how a tile lies in shared memory
 * @l2Promotion: what is fetched at once
 * @oobFill: what is read outside
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTensorMapEncodeIm2colWide(
	CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
	void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
	int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel,
	cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
	CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
	CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
	CUtensorMapFloatOOBfill oobFill);

/**
 * cuTensorMapEncodeTiled() - describes a tensor that kernels copy by tiles
 * @tensorMap: receives the map, aligned to 64 bytes
 * @tensorDataType: of the elements
 * @tensorRank: dimensions
 * @globalAddress: device memory
 * @globalDim: elements of each dimension
 * @globalStrides: bytes from one to the next
 * @boxDim: elements of a tile
 * @elementStrides: which elements a tile takes
 * @interleave: how channels lie
 * @swizzle: how a tile lies in shared memory
 * @l2Promotion: what is fetched at once
 * @oobFill: what is read outside
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTensorMapEncodeTiled(
	CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
	void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
	const cuuint32_t *boxDim, const cuuint32_t *elementStrides,
	CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
	CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);

/**
 * cuTensorMapReplaceAddress() - moves the tensor of a map
 * @tensorMap: a map, aligned to 64 bytes
 * @globalAddress: device memory
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_TENSOR_MAP_H */
