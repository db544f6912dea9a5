/* SPDX-License-Identifier: MIT */
/*
 * DOC: What is missing
 *
 * Functions of the device's language that this implementation does not have. A kernel that calls one of them does not
 * compile, and the compiler says why.
 */
#ifndef UNPU_ASCENDC_CORE_MISSING_H
#define UNPU_ASCENDC_CORE_MISSING_H

#include "unpu_ascendc/types/traits.h"

namespace unpu::lang {

/* Any argument converts to it. So if a kernel defines a function of the same name, overload resolution prefers that
 * one. */
struct Anything {
	template <typename T> Anything(const T &) {}
};

} // namespace unpu::lang

#define UNPU_ANY_FOUR \
	unpu::lang::Anything = 0, unpu::lang::Anything = 0, unpu::lang::Anything = 0, \
	unpu::lang::Anything = 0
#define UNPU_MISSING(Name, instead) \
	template <typename... T> void Name(UNPU_ANY_FOUR, UNPU_ANY_FOUR, UNPU_ANY_FOUR) \
	{ \
		static_assert(unpu::lang::never<T...>, \
			      "unpu has no " #Name " yet (see kernel-names): " instead); \
	}

namespace AscendC {

UNPU_MISSING(LoadDataWithSparse, "multiply with a Matmul object")
UNPU_MISSING(SetFixpipePreQuantFlag, "multiply with a Matmul object")
UNPU_MISSING(Conv2D, "there are no convolutions in kernels; use the operators of the host")
UNPU_MISSING(Gemm, "multiply with a Matmul object")
UNPU_MISSING(VectorPadding, "pad with DataCopyPad")
UNPU_MISSING(BilinearInterpolation, "compute with Mul and Add")
UNPU_MISSING(ProposalConcat, "sort with Sort32 and MrgSort")
UNPU_MISSING(ProposalExtract, "sort with Sort32 and MrgSort")
UNPU_MISSING(RpSort16, "sort with Sort32 and MrgSort")
UNPU_MISSING(MrgSort4, "sort with Sort32 and MrgSort")
UNPU_MISSING(BatchNorm, "compute with ReduceSum, Adds, Mul and Sqrt")
UNPU_MISSING(DeepNorm, "compute with ReduceSum, Adds, Mul and Sqrt")
UNPU_MISSING(GroupNorm, "compute with ReduceSum, Adds, Mul and Sqrt")
UNPU_MISSING(ConfusionTranspose, "gather the elements with Gather")
UNPU_MISSING(DropOut, "select with Select")
UNPU_MISSING(FusedMulAdd, "compute with Mul and Add")
UNPU_MISSING(FusedMulAddRelu, "compute with Mul, Add and Relu")
UNPU_MISSING(AddReluCast, "compute with AddRelu and Cast")
UNPU_MISSING(SubReluCast, "compute with SubRelu and Cast")
UNPU_MISSING(MulCast, "compute with Mul and Cast")
UNPU_MISSING(AddDeqRelu, "compute with Add, Cast after SetDeqScale, and Relu")
UNPU_MISSING(CastDequant, "compute with Cast and Muls")
UNPU_MISSING(Mean, "compute with Sum and Muls")
UNPU_MISSING(LogSoftMax, "compute with SoftMax and Ln")
UNPU_MISSING(AdjustSoftMaxRes, "compare the maxima, and set the rows with Duplicate")
UNPU_MISSING(SoftmaxFlashV3, "use SoftmaxFlashV2")
UNPU_MISSING(SoftmaxGradFront, "call SoftmaxGrad with isFront")
UNPU_MISSING(GeGLU, "compute with Gelu and Mul")
UNPU_MISSING(ReGlu, "compute with Relu and Mul")
UNPU_MISSING(FasterGeluV2, "use FasterGelu")
UNPU_MISSING(Lgamma, "compute it in the program")
UNPU_MISSING(Digamma, "compute it in the program")
UNPU_MISSING(SelectWithBytesMask,
	     "make bits of the bytes with Cast and CompareScalar, and call Select")
UNPU_MISSING(ReduceXorSum, "compute with Xor and Sum")
UNPU_MISSING(WelfordUpdate, "compute with ReduceSum, Adds and Mul")
UNPU_MISSING(WelfordFinalize, "compute with ReduceSum, Adds and Mul")
UNPU_MISSING(Normalize, "compute with Adds, Muls and Mul")
UNPU_MISSING(LayerNormGrad, "compute with ReduceSum, Adds, Mul and Sqrt")
UNPU_MISSING(LayerNormGradBeta, "compute with ReduceSum")
UNPU_MISSING(GroupBarrier, "use SyncAll or IBSet and IBWait")
UNPU_MISSING(NotifyNextBlock, "use IBSet")
UNPU_MISSING(WaitPreBlock, "use IBWait")
UNPU_MISSING(LoadImageToLocal, "copy with DataCopy")
UNPU_MISSING(SetAtomicType, "call SetAtomicAdd, SetAtomicMax or SetAtomicMin with the type")
UNPU_MISSING(GetUBSizeInBytes, "use TOTAL_UB_SIZE")
UNPU_MISSING(GetRuntimeUBSize, "use TOTAL_UB_SIZE")
UNPU_MISSING(GetProgramCounter, "use GetSystemCycle")
UNPU_MISSING(ICachePreLoad, "leave it out, there is no such cache")
UNPU_MISSING(GetICachePreloadStatus, "leave it out, there is no such cache")
UNPU_MISSING(SetHF32Mode, "leave it out, products are computed in float")
UNPU_MISSING(SetHF32TransMode, "leave it out, products are computed in float")
UNPU_MISSING(SetMMLayoutTransform, "leave it out, it changes no result")
UNPU_MISSING(SetStoreAtomicConfig, "call SetAtomicAdd, SetAtomicMax or SetAtomicMin")
UNPU_MISSING(GetStoreAtomicConfig, "call SetAtomicAdd, SetAtomicMax or SetAtomicMin")
UNPU_MISSING(CheckLocalMemoryIA, "use UNPU_KERNEL_CHECK")
UNPU_MISSING(MetricsProfStart, "measure in the program")
UNPU_MISSING(MetricsProfStop, "measure in the program")
UNPU_MISSING(SetFmatrix, "there are no convolutions in kernels; use the operators of the host")

} // namespace AscendC

#endif /* UNPU_ASCENDC_CORE_MISSING_H */
