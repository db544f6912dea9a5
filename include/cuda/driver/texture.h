/* SPDX-License-Identifier: MIT */
/*
 * DOC: Textures and surfaces
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_TEXTURE_H
#define CUDA_DRIVER_TEXTURE_H

#include "array_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuTexObjectCreate() - creates a texture
 * @pTexObject: receives the texture
 * @pResDesc: the memory
 * @pTexDesc: how it is sampled
 * @pResViewDesc: another view of the memory, or NULL
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
				   const CUDA_TEXTURE_DESC *pTexDesc,
				   const CUDA_RESOURCE_VIEW_DESC *pResViewDesc);

/**
 * cuTexObjectDestroy() - destroys a texture
 * @texObject: a texture
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexObjectDestroy(CUtexObject texObject);

/**
 * cuTexObjectGetResourceDesc() - the memory of a texture
 * @pResDesc: receives the memory
 * @texObject: a texture
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject);

/**
 * cuTexObjectGetResourceViewDesc() - the view of a texture
 * @pResViewDesc: receives the view
 * @texObject: a texture
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc,
						CUtexObject texObject);

/**
 * cuTexObjectGetTextureDesc() - how a texture is sampled
 * @pTexDesc: receives how it is sampled
 * @texObject: a texture
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject);

/**
 * cuSurfObjectCreate() - creates a surface
 * @pSurfObject: receives the surface
 * @pResDesc: the memory
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc);

/**
 * cuSurfObjectDestroy() - destroys a surface
 * @surfObject: a surface
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject surfObject);

/**
 * cuSurfObjectGetResourceDesc() - the memory of a surface
 * @pResDesc: receives the memory
 * @surfObject: a surface
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject);

/**
 * cuTexRefSetAddress() - gives it device memory
 * @ByteOffset: receives the offset
 * @hTexRef: a texture reference
 * @dptr: device memory
 * @bytes: its size
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr,
				    size_t bytes);

/**
 * cuTexRefSetAddress2D() - gives it rows of device memory
 * @hTexRef: a texture reference
 * @desc: sizes and format
 * @dptr: device memory
 * @Pitch: bytes from row to row
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc,
				      CUdeviceptr dptr, size_t Pitch);

/**
 * cuTexRefSetAddressMode() - sets what is outside
 * @hTexRef: a texture reference
 * @dim: the dimension, from 0
 * @am: the mode
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);

/**
 * cuTexRefSetArray() - gives it an array
 * @hTexRef: a texture reference
 * @hArray: an array
 * @Flags: flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);

/**
 * cuTexRefSetBorderColor() - sets the colour outside
 * @hTexRef: a texture reference
 * @pBorderColor: four numbers
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor);

/**
 * cuTexRefSetFilterMode() - sets how it is sampled
 * @hTexRef: a texture reference
 * @fm: the mode
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);

/**
 * cuTexRefSetFlags() - sets its flags
 * @hTexRef: a texture reference
 * @Flags: flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);

/**
 * cuTexRefSetFormat() - sets the format of elements
 * @hTexRef: a texture reference
 * @fmt: the format
 * @NumPackedComponents: numbers of an element
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);

/**
 * cuTexRefSetMaxAnisotropy() - bounds the samples
 * @hTexRef: a texture reference
 * @maxAniso: the most samples
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);

/**
 * cuTexRefSetMipmapFilterMode() - sets how levels are sampled
 * @hTexRef: a texture reference
 * @fm: the mode
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);

/**
 * cuTexRefSetMipmapLevelBias() - moves the level
 * @hTexRef: a texture reference
 * @bias: the bias
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);

/**
 * cuTexRefSetMipmapLevelClamp() - bounds the level
 * @hTexRef: a texture reference
 * @minMipmapLevelClamp: the lowest level
 * @maxMipmapLevelClamp: the highest level
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp,
					     float maxMipmapLevelClamp);

/**
 * cuTexRefSetMipmappedArray() - gives it a mipmapped array
 * @hTexRef: a texture reference
 * @hMipmappedArray: a mipmapped array
 * @Flags: flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray,
					   unsigned int Flags);

/**
 * cuTexRefGetAddress() - its device memory
 * @pdptr: receives the address
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef);

/**
 * cuTexRefGetAddressMode() - what is outside
 * @pam: receives the mode
 * @hTexRef: a texture reference
 * @dim: the dimension, from 0
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);

/**
 * cuTexRefGetArray() - its array
 * @phArray: receives the array
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);

/**
 * cuTexRefGetBorderColor() - the colour outside
 * @pBorderColor: receives four numbers
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef);

/**
 * cuTexRefGetFilterMode() - how it is sampled
 * @pfm: receives the mode
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);

/**
 * cuTexRefGetFlags() - its flags
 * @pFlags: receives the flags
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);

/**
 * cuTexRefGetFormat() - the format of elements
 * @pFormat: receives the format
 * @pNumChannels: receives how many numbers an element has
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef);

/**
 * cuTexRefGetMaxAnisotropy() - the bound of the samples
 * @pmaxAniso: receives it
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef);

/**
 * cuTexRefGetMipmapFilterMode() - how levels are sampled
 * @pfm: receives the mode
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);

/**
 * cuTexRefGetMipmapLevelBias() - how far the level is moved
 * @pbias: receives it
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef);

/**
 * cuTexRefGetMipmapLevelClamp() - the bounds of the level
 * @pminMipmapLevelClamp: receives the lowest level
 * @pmaxMipmapLevelClamp: receives the highest level
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp,
					     float *pmaxMipmapLevelClamp, CUtexref hTexRef);

/**
 * cuTexRefGetMipmappedArray() - its mipmapped array
 * @phMipmappedArray: receives the array
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef);

/**
 * cuTexRefCreate() - creates a texture reference
 * @pTexRef: receives the reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefCreate(CUtexref *pTexRef);

/**
 * cuTexRefDestroy() - destroys it
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuTexRefDestroy(CUtexref hTexRef);

/**
 * cuSurfRefGetArray() - its array
 * @phArray: receives the array
 * @hSurfRef: a surface reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);

/**
 * cuSurfRefSetArray() - gives a surface reference an array
 * @hSurfRef: a surface reference
 * @hArray: an array
 * @Flags: flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_TEXTURE_H */
