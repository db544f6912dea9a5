/* SPDX-License-Identifier: MIT */
/*
 * DOC: Constants
 *
 * Enumerations and numbers of the language. The order of enumerators is part of the language where kernels compute
 * with it.
 */
#ifndef UNPU_ASCENDC_CORE_CONSTANTS_H
#define UNPU_ASCENDC_CORE_CONSTANTS_H

#include <stdint.h>

/* Pipes and events, as the raw intrinsics name them. */
enum pipe_t {
	PIPE_S = 0,
	PIPE_V = 1,
	PIPE_M = 2,
	PIPE_MTE1 = 3,
	PIPE_MTE2 = 4,
	PIPE_MTE3 = 5,
	PIPE_ALL = 6,
	PIPE_MTE4 = 7,
	PIPE_MTE5 = 8,
	PIPE_V2 = 9,
	PIPE_FIX = 10,
};

enum event_t {
	EVENT_ID0 = 0,
	EVENT_ID1,
	EVENT_ID2,
	EVENT_ID3,
	EVENT_ID4,
	EVENT_ID5,
	EVENT_ID6,
	EVENT_ID7
};

namespace AscendC {

enum class TPosition : uint8_t {
	GM,
	A1,
	A2,
	B1,
	B2,
	C1,
	C2,
	CO1,
	CO2,
	VECIN,
	VECOUT,
	VECCALC,
	LCM = VECCALC,
	SPM,
	SHM = SPM,
	TSCM,
	C2PIPE2GM,
	C2PIPE2LOCAL,
	MAX,
};
using QuePosition = TPosition;

enum class HardEvent : uint8_t {
	MTE2_MTE1,
	MTE1_MTE2,
	MTE1_M,
	M_MTE1,
	MTE2_V,
	V_MTE2,
	MTE3_V,
	V_MTE3,
	M_V,
	V_M,
	V_V,
	MTE3_MTE1,
	MTE1_MTE3,
	MTE1_V,
	MTE2_M,
	M_MTE2,
	V_MTE1,
	M_FIX,
	FIX_M,
	MTE3_MTE2,
	MTE2_MTE3,
	S_V,
	V_S,
	S_MTE2,
	MTE2_S,
	S_MTE3,
	MTE3_S,
	MTE2_FIX,
	FIX_MTE2,
	FIX_S,
	M_S,
	FIX_MTE3,
	MAX,
};

enum class RoundMode {
	CAST_NONE = 0,
	CAST_RINT,
	CAST_FLOOR,
	CAST_CEIL,
	CAST_ROUND,
	CAST_TRUNC,
	CAST_ODD,
};

enum class CMPMODE { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class ReduceOrder {
	ORDER_VALUE_INDEX = 0,
	ORDER_INDEX_VALUE,
	ORDER_ONLY_VALUE,
	ORDER_ONLY_INDEX
};
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };
enum class CacheMode {
	CACHE_MODE_DISABLE = 0,
	CACHE_MODE_NORMAL,
	CACHE_MODE_LAST,
	CACHE_MODE_PERSISTENT
};
enum class CacheRwMode { READ = 1, WRITE, RW };
enum class Hardware : uint8_t { GM = 0, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

/* The same numbers as enum unpu_kernel_type. */
enum KernelMetaType : uint8_t {
	KERNEL_TYPE_AIV_ONLY = 0,
	KERNEL_TYPE_AIC_ONLY,
	KERNEL_TYPE_MIX_AIV_1_0,
	KERNEL_TYPE_MIX_AIC_1_0,
	KERNEL_TYPE_MIX_AIC_1_1,
	KERNEL_TYPE_MIX_AIC_1_2,
	KERNEL_TYPE_AICORE,
	KERNEL_TYPE_VECTORCORE,
	KERNEL_TYPE_MIX_AICORE,
	KERNEL_TYPE_MIX_VECTOR_CORE,
	KERNEL_TYPE_MAX,
};

constexpr int MIX = 0;
constexpr int AIC = 1;
constexpr int AIV = 2;

constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint32_t DEFAULT_BLOCK_SIZE = 256;
constexpr uint32_t B16_DATA_NUM_PER_BLOCK = 16;
constexpr uint32_t B32_DATA_NUM_PER_BLOCK = 8;
constexpr uint32_t B16_DATA_NUM_PER_REPEAT = 128;
constexpr uint32_t B32_DATA_NUM_PER_REPEAT = 64;
constexpr uint32_t ONE_REPEAT_FLOAT_SIZE = 64;
constexpr uint32_t ONE_REPEAT_HALF_SIZE = 128;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr uint32_t ONE_BLK_HALF_NUM = 16;
constexpr uint32_t BLOCK_CUBE = 16;
constexpr uint32_t CUBE_MAX_SIZE = 256;
constexpr uint32_t CACHE_LINE_SIZE = 64;
constexpr uint32_t MAX_REPEAT_TIMES = 255;
constexpr uint64_t FULL_MASK = 0xffffffffffffffffull;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint8_t DEFAULT_BLK_NUM = 8;
constexpr uint8_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr uint32_t DEFAULT_DATA_COPY_NBURST = 1;
constexpr uint32_t DEFAULT_DATA_COPY_STRIDE = 0;
#if defined(UNPU_ASCEND310P)
constexpr uint32_t TOTAL_UB_SIZE = 262144;
#else
constexpr uint32_t TOTAL_UB_SIZE = 196608;
#endif
/* What kernels hand to SetLocalWorkspace() for layouts of matrices. */
constexpr uint32_t TOTAL_VEC_LOCAL_SIZE = 188416;
constexpr uint32_t TOTAL_L1_SIZE = 524288;
constexpr uint32_t TOTAL_L0A_SIZE = 65536;
constexpr uint32_t TOTAL_L0B_SIZE = 65536;
constexpr uint32_t TOTAL_L0C_SIZE = 131072;

} // namespace AscendC

#endif /* UNPU_ASCENDC_CORE_CONSTANTS_H */
