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

#define UNPU_MISSING(Name, instead) \
	template <typename... T, typename... A> void Name(const A &...) \
	{ \
		static_assert(unpu::lang::never<A...>, \
			      "unpu: " #Name " is not supported: " instead); \
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

} // namespace AscendC

#endif /* UNPU_ASCENDC_CORE_MISSING_H */
