/* SPDX-License-Identifier: MIT */
/*
 * DOC: kernel_operator.h
 *
 * The language of kernels: everything in it. A kernel is ordinary C++17 that includes this header; unpu-ascendcc
 * compiles it with the system's compiler.
 */
#ifndef UNPU_KERNEL_OPERATOR_H
#define UNPU_KERNEL_OPERATOR_H

#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/core/identity.h"
#include "unpu_ascendc/core/missing.h"
#include "unpu_ascendc/core/qualifiers.h"
#include "unpu_ascendc/core/run.h"
#include "unpu_ascendc/core/scalar.h"
#include "unpu_ascendc/core/services.h"
#include "unpu_ascendc/core/state.h"

#include "unpu_ascendc/types/convert.h"
#include "unpu_ascendc/types/rounding.h"
#include "unpu_ascendc/types/traits.h"

#include "unpu_ascendc/tensor/expression.h"
#include "unpu_ascendc/tensor/global_tensor.h"
#include "unpu_ascendc/tensor/local_tensor.h"

#include "unpu_ascendc/pipe/allocator.h"
#include "unpu_ascendc/pipe/tbuf.h"
#include "unpu_ascendc/pipe/tpipe.h"
#include "unpu_ascendc/pipe/tque.h"

#include "unpu_ascendc/copy/atomic.h"
#include "unpu_ascendc/copy/data_copy.h"
#include "unpu_ascendc/copy/data_copy_pad.h"
#include "unpu_ascendc/copy/fill.h"
#include "unpu_ascendc/copy/slice.h"

#include "unpu_ascendc/vector/binary.h"
#include "unpu_ascendc/vector/cast.h"
#include "unpu_ascendc/vector/compare.h"
#include "unpu_ascendc/vector/fill.h"
#include "unpu_ascendc/vector/gather.h"
#include "unpu_ascendc/vector/mask.h"
#include "unpu_ascendc/vector/scalar.h"
#include "unpu_ascendc/vector/select.h"
#include "unpu_ascendc/vector/transpose.h"
#include "unpu_ascendc/vector/unary.h"

#include "unpu_ascendc/reduce/axis.h"
#include "unpu_ascendc/reduce/reduce.h"
#include "unpu_ascendc/reduce/repeat.h"

#include "unpu_ascendc/sort/sort.h"
#include "unpu_ascendc/sort/top_k.h"

#include "unpu_ascendc/sync/barrier.h"
#include "unpu_ascendc/sync/cores.h"
#include "unpu_ascendc/sync/intrinsics.h"

#include "unpu_ascendc/math/elementwise.h"
#include "unpu_ascendc/math/norm.h"
#include "unpu_ascendc/math/pad.h"
#include "unpu_ascendc/math/quant.h"
#include "unpu_ascendc/math/rows.h"
#include "unpu_ascendc/math/softmax_flash.h"

#include "unpu_ascendc/matmul/matmul.h"
#include "unpu_ascendc/matmul/regist.h"

#include "unpu_ascendc/cube/fixpipe.h"
#include "unpu_ascendc/cube/init.h"
#include "unpu_ascendc/cube/load.h"
#include "unpu_ascendc/cube/mmad.h"

#include "unpu_ascendc/tiling/macros.h"
#include "unpu_ascendc/tiling/workspace.h"

#include "unpu_ascendc/print/assertion.h"
#include "unpu_ascendc/print/dump.h"
#include "unpu_ascendc/print/print.h"

#endif /* UNPU_KERNEL_OPERATOR_H */
