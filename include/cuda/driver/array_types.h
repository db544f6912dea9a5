/* SPDX-License-Identifier: MIT */
/*
 * DOC: Types of arrays, textures and surfaces
 *
 * Part of cuda.h. Programs name them; no function of the device takes them.
 */
#ifndef CUDA_DRIVER_ARRAY_TYPES_H
#define CUDA_DRIVER_ARRAY_TYPES_H

#include "kernel_types.h"
#include "vmm.h"

typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef unsigned long long CUtexObject_v1;
typedef CUtexObject_v1 CUtexObject;
typedef unsigned long long CUsurfObject_v1;
typedef CUsurfObject_v1 CUsurfObject;

/** enum CUarray_format - what an element of an array consists of. */
typedef enum CUarray_format_enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 0x1,
	CU_AD_FORMAT_UNSIGNED_INT16 = 0x2,
	CU_AD_FORMAT_UNSIGNED_INT32 = 0x3,
	CU_AD_FORMAT_SIGNED_INT8 = 0x8,
	CU_AD_FORMAT_SIGNED_INT16 = 0x9,
	CU_AD_FORMAT_SIGNED_INT32 = 0xa,
	CU_AD_FORMAT_HALF = 0x10,
	CU_AD_FORMAT_FLOAT = 0x20,
	CU_AD_FORMAT_NV12 = 0xb0,
	CU_AD_FORMAT_UNORM_INT8X1 = 0xc0,
	CU_AD_FORMAT_UNORM_INT8X2 = 0xc1,
	CU_AD_FORMAT_UNORM_INT8X4 = 0xc2,
	CU_AD_FORMAT_UNORM_INT16X1 = 0xc3,
	CU_AD_FORMAT_UNORM_INT16X2 = 0xc4,
	CU_AD_FORMAT_UNORM_INT16X4 = 0xc5,
	CU_AD_FORMAT_SNORM_INT8X1 = 0xc6,
	CU_AD_FORMAT_SNORM_INT8X2 = 0xc7,
	CU_AD_FORMAT_SNORM_INT8X4 = 0xc8,
	CU_AD_FORMAT_SNORM_INT16X1 = 0xc9,
	CU_AD_FORMAT_SNORM_INT16X2 = 0xca,
	CU_AD_FORMAT_SNORM_INT16X4 = 0xcb,
	CU_AD_FORMAT_BC1_UNORM = 0x91,
	CU_AD_FORMAT_BC1_UNORM_SRGB = 0x92,
	CU_AD_FORMAT_BC2_UNORM = 0x93,
	CU_AD_FORMAT_BC2_UNORM_SRGB = 0x94,
	CU_AD_FORMAT_BC3_UNORM = 0x95,
	CU_AD_FORMAT_BC3_UNORM_SRGB = 0x96,
	CU_AD_FORMAT_BC4_UNORM = 0x97,
	CU_AD_FORMAT_BC4_SNORM = 0x98,
	CU_AD_FORMAT_BC5_UNORM = 0x99,
	CU_AD_FORMAT_BC5_SNORM = 0x9a,
	CU_AD_FORMAT_BC6H_UF16 = 0x9b,
	CU_AD_FORMAT_BC6H_SF16 = 0x9c,
	CU_AD_FORMAT_BC7_UNORM = 0x9d,
	CU_AD_FORMAT_BC7_UNORM_SRGB = 0x9e,
	CU_AD_FORMAT_P010 = 0x9f,
	CU_AD_FORMAT_P016 = 0xa1,
	CU_AD_FORMAT_NV16 = 0xa2,
	CU_AD_FORMAT_P210 = 0xa3,
	CU_AD_FORMAT_P216 = 0xa4,
	CU_AD_FORMAT_YUY2 = 0xa5,
	CU_AD_FORMAT_Y210 = 0xa6,
	CU_AD_FORMAT_Y216 = 0xa7,
	CU_AD_FORMAT_AYUV = 0xa8,
	CU_AD_FORMAT_Y410 = 0xa9,
	CU_AD_FORMAT_Y416 = 0xb1,
	CU_AD_FORMAT_Y444_PLANAR8 = 0xb2,
	CU_AD_FORMAT_Y444_PLANAR10 = 0xb3,
	CU_AD_FORMAT_YUV444_8bit_SemiPlanar = 0xb4,
	CU_AD_FORMAT_YUV444_16bit_SemiPlanar = 0xb5,
	CU_AD_FORMAT_UNORM_INT_101010_2 = 0x50,
	CU_AD_FORMAT_MAX = 0x7fffffff,
} CUarray_format;

/** enum CUarray_cubemap_face - sides of a cube. */
typedef enum CUarray_cubemap_face_enum {
	CU_CUBEMAP_FACE_POSITIVE_X = 0x0,
	CU_CUBEMAP_FACE_NEGATIVE_X = 0x1,
	CU_CUBEMAP_FACE_POSITIVE_Y = 0x2,
	CU_CUBEMAP_FACE_NEGATIVE_Y = 0x3,
	CU_CUBEMAP_FACE_POSITIVE_Z = 0x4,
	CU_CUBEMAP_FACE_NEGATIVE_Z = 0x5,
} CUarray_cubemap_face;

/** enum CUaddress_mode - what is outside of a texture. */
typedef enum CUaddress_mode_enum {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3,
} CUaddress_mode;

/** enum CUfilter_mode - what is between two elements. */
typedef enum CUfilter_mode_enum {
	CU_TR_FILTER_MODE_POINT = 0,
	CU_TR_FILTER_MODE_LINEAR = 1,
} CUfilter_mode;

/** enum CUresourcetype - the memory of a texture. */
typedef enum CUresourcetype_enum {
	CU_RESOURCE_TYPE_ARRAY = 0x0,
	CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x1,
	CU_RESOURCE_TYPE_LINEAR = 0x2,
	CU_RESOURCE_TYPE_PITCH2D = 0x3,
} CUresourcetype;

/** enum CUresourceViewFormat - what an element is taken for. */
typedef enum CUresourceViewFormat_enum {
	CU_RES_VIEW_FORMAT_NONE = 0x0,
	CU_RES_VIEW_FORMAT_UINT_1X8 = 0x1,
	CU_RES_VIEW_FORMAT_UINT_2X8 = 0x2,
	CU_RES_VIEW_FORMAT_UINT_4X8 = 0x3,
	CU_RES_VIEW_FORMAT_SINT_1X8 = 0x4,
	CU_RES_VIEW_FORMAT_SINT_2X8 = 0x5,
	CU_RES_VIEW_FORMAT_SINT_4X8 = 0x6,
	CU_RES_VIEW_FORMAT_UINT_1X16 = 0x7,
	CU_RES_VIEW_FORMAT_UINT_2X16 = 0x8,
	CU_RES_VIEW_FORMAT_UINT_4X16 = 0x9,
	CU_RES_VIEW_FORMAT_SINT_1X16 = 0xa,
	CU_RES_VIEW_FORMAT_SINT_2X16 = 0xb,
	CU_RES_VIEW_FORMAT_SINT_4X16 = 0xc,
	CU_RES_VIEW_FORMAT_UINT_1X32 = 0xd,
	CU_RES_VIEW_FORMAT_UINT_2X32 = 0xe,
	CU_RES_VIEW_FORMAT_UINT_4X32 = 0xf,
	CU_RES_VIEW_FORMAT_SINT_1X32 = 0x10,
	CU_RES_VIEW_FORMAT_SINT_2X32 = 0x11,
	CU_RES_VIEW_FORMAT_SINT_4X32 = 0x12,
	CU_RES_VIEW_FORMAT_FLOAT_1X16 = 0x13,
	CU_RES_VIEW_FORMAT_FLOAT_2X16 = 0x14,
	CU_RES_VIEW_FORMAT_FLOAT_4X16 = 0x15,
	CU_RES_VIEW_FORMAT_FLOAT_1X32 = 0x16,
	CU_RES_VIEW_FORMAT_FLOAT_2X32 = 0x17,
	CU_RES_VIEW_FORMAT_FLOAT_4X32 = 0x18,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC1 = 0x19,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC2 = 0x1a,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC3 = 0x1b,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC4 = 0x1c,
	CU_RES_VIEW_FORMAT_SIGNED_BC4 = 0x1d,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC5 = 0x1e,
	CU_RES_VIEW_FORMAT_SIGNED_BC5 = 0x1f,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC6H = 0x20,
	CU_RES_VIEW_FORMAT_SIGNED_BC6H = 0x21,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22,
} CUresourceViewFormat;

/* Flags of arrays. */
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_2DARRAY 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CUDA_ARRAY3D_DEPTH_TEXTURE 0x10
#define CUDA_ARRAY3D_COLOR_ATTACHMENT 0x20
#define CUDA_ARRAY3D_SPARSE 0x40
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80
#define CUDA_ARRAY3D_VIDEO_ENCODE_DECODE 0x100
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL 0x1

/* Flags of textures. */
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40

/** struct CUDA_ARRAY_DESCRIPTOR - sizes and format of an array of up to two dimensions. */
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
	size_t Width;
	size_t Height;
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR_v2;
typedef CUDA_ARRAY_DESCRIPTOR_v2 CUDA_ARRAY_DESCRIPTOR;

/** struct CUDA_ARRAY3D_DESCRIPTOR - the same of up to three dimensions. */
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
	size_t Width;
	size_t Height;
	size_t Depth;
	CUarray_format Format;
	unsigned int NumChannels;
	unsigned int Flags;
} CUDA_ARRAY3D_DESCRIPTOR_v2;
typedef CUDA_ARRAY3D_DESCRIPTOR_v2 CUDA_ARRAY3D_DESCRIPTOR;

/** struct CUDA_ARRAY_SPARSE_PROPERTIES - the tiles of an array that has no memory of its own. */
typedef struct CUDA_ARRAY_SPARSE_PROPERTIES_st {
	struct {
		unsigned int width;
		unsigned int height;
		unsigned int depth;
	} tileExtent;
	unsigned int miptailFirstLevel;
	unsigned long long miptailSize;
	unsigned int flags;
	unsigned int reserved[4];
} CUDA_ARRAY_SPARSE_PROPERTIES_v1;
typedef CUDA_ARRAY_SPARSE_PROPERTIES_v1 CUDA_ARRAY_SPARSE_PROPERTIES;

/** struct CUDA_ARRAY_MEMORY_REQUIREMENTS - the memory that an array needs. */
typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
	size_t size;
	size_t alignment;
	unsigned int reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;
typedef CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 CUDA_ARRAY_MEMORY_REQUIREMENTS;

/** struct CUDA_RESOURCE_DESC - the memory of a texture or a surface. */
typedef struct CUDA_RESOURCE_DESC_st {
	CUresourcetype resType;
	union {
		struct {
			CUarray hArray;
		} array;
		struct {
			CUmipmappedArray hMipmappedArray;
		} mipmap;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t width;
			size_t height;
			size_t pitchInBytes;
		} pitch2D;
		struct {
			int reserved[32];
		} reserved;
	} res;
	unsigned int flags;
} CUDA_RESOURCE_DESC_v1;
typedef CUDA_RESOURCE_DESC_v1 CUDA_RESOURCE_DESC;

/** struct CUDA_TEXTURE_DESC - how a texture is sampled. */
typedef struct CUDA_TEXTURE_DESC_st {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned int flags;
	unsigned int maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	float borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC_v1;
typedef CUDA_TEXTURE_DESC_v1 CUDA_TEXTURE_DESC;

/** struct CUDA_RESOURCE_VIEW_DESC - another view of the memory of a texture. */
typedef struct CUDA_RESOURCE_VIEW_DESC_st {
	CUresourceViewFormat format;
	size_t width;
	size_t height;
	size_t depth;
	unsigned int firstMipmapLevel;
	unsigned int lastMipmapLevel;
	unsigned int firstLayer;
	unsigned int lastLayer;
	unsigned int reserved[16];
} CUDA_RESOURCE_VIEW_DESC_v1;
typedef CUDA_RESOURCE_VIEW_DESC_v1 CUDA_RESOURCE_VIEW_DESC;

/** enum CUarraySparseSubresourceType - what of an array gets memory. */
typedef enum CUarraySparseSubresourceType_enum {
	CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
	CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1,
} CUarraySparseSubresourceType;

/** enum CUmemOperationType - whether it gets it or loses it. */
typedef enum CUmemOperationType_enum {
	CU_MEM_OPERATION_TYPE_MAP = 1,
	CU_MEM_OPERATION_TYPE_UNMAP = 2,
} CUmemOperationType;

/** enum CUmemHandleType - by what the memory is named. */
typedef enum CUmemHandleType_enum {
	CU_MEM_HANDLE_TYPE_GENERIC = 0,
} CUmemHandleType;

/** struct CUarrayMapInfo - memory for tiles of an array. */
typedef struct CUarrayMapInfo_st {
	CUresourcetype resourceType;
	union {
		CUmipmappedArray mipmap;
		CUarray array;
	} resource;
	CUarraySparseSubresourceType subresourceType;
	union {
		struct {
			unsigned int level;
			unsigned int layer;
			unsigned int offsetX;
			unsigned int offsetY;
			unsigned int offsetZ;
			unsigned int extentWidth;
			unsigned int extentHeight;
			unsigned int extentDepth;
		} sparseLevel;
		struct {
			unsigned int layer;
			unsigned long long offset;
			unsigned long long size;
		} miptail;
	} subresource;
	CUmemOperationType memOperationType;
	CUmemHandleType memHandleType;
	union {
		CUmemGenericAllocationHandle memHandle;
	} memHandle;
	unsigned long long offset;
	unsigned int deviceBitMask;
	unsigned int flags;
	unsigned int reserved[2];
} CUarrayMapInfo_v1;
typedef CUarrayMapInfo_v1 CUarrayMapInfo;

#define CU_TENSOR_MAP_NUM_QWORDS 16

/** struct CUtensorMap - a tensor in device memory, by tiles. */
typedef struct CUtensorMap_st {
	cuuint64_t opaque[CU_TENSOR_MAP_NUM_QWORDS] __attribute__((aligned(64)));

} CUtensorMap;

/** enum CUtensorMapDataType - the elements. */
typedef enum CUtensorMapDataType_enum {
	CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
	CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
	CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2,
	CU_TENSOR_MAP_DATA_TYPE_INT32 = 3,
	CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4,
	CU_TENSOR_MAP_DATA_TYPE_INT64 = 5,
	CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
	CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
	CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8,
	CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
	CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10,
	CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11,
	CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12,
	CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13,
	CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14,
	CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15,
} CUtensorMapDataType;

/** enum CUtensorMapInterleave - how channels lie. */
typedef enum CUtensorMapInterleave_enum {
	CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
	CU_TENSOR_MAP_INTERLEAVE_16B = 1,
	CU_TENSOR_MAP_INTERLEAVE_32B = 2,
} CUtensorMapInterleave;

/** enum CUtensorMapSwizzle - how a tile lies in shared memory. */
typedef enum CUtensorMapSwizzle_enum {
	CU_TENSOR_MAP_SWIZZLE_NONE = 0,
	CU_TENSOR_MAP_SWIZZLE_32B = 1,
	CU_TENSOR_MAP_SWIZZLE_64B = 2,
	CU_TENSOR_MAP_SWIZZLE_128B = 3,
	CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4,
	CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5,
	CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6,
} CUtensorMapSwizzle;

/** enum CUtensorMapL2promotion - what is fetched at once. */
typedef enum CUtensorMapL2promotion_enum {
	CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
	CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1,
	CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2,
	CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3,
} CUtensorMapL2promotion;

/** enum CUtensorMapFloatOOBfill - what is read outside. */
typedef enum CUtensorMapFloatOOBfill_enum {
	CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
	CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1,
} CUtensorMapFloatOOBfill;

/** enum CUtensorMapIm2ColWideMode - how columns run along the width. */
typedef enum CUtensorMapIm2ColWideMode_enum {
	CU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0,
	CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 = 1,
} CUtensorMapIm2ColWideMode;

#endif /* CUDA_DRIVER_ARRAY_TYPES_H */
