#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_missing.py ASCENDCC COMPILER INCLUDE FOLDER: code that uses what the language or the tilings of the host lack
does not compile; the error names the feature, says what to use instead, and has the user's line."""
import os
import re
import subprocess
import sys
import tempfile

# What a kernel may say, and words of the error.
KERNEL = [
    ("LoadDataWithSparse(l0a, l1, 0);", "LoadDataWithSparse is not supported: multiply with a Matmul object"),
    ("SetFixpipePreQuantFlag(0);", "SetFixpipePreQuantFlag is not supported"),
    ("Conv2D(l0a, l1);", "Conv2D is not supported: there are no convolutions in kernels"),
    ("Gemm(l0a, l1);", "Gemm is not supported: multiply with a Matmul object"),
    ("VectorPadding(ub, ub);", "VectorPadding is not supported: pad with DataCopyPad"),
    ("BilinearInterpolation(ub, ub);", "BilinearInterpolation is not supported"),
    ("ProposalConcat(ub, ub);", "ProposalConcat is not supported: sort with Sort32"),
    ("ProposalExtract(ub, ub);", "ProposalExtract is not supported: sort with Sort32"),
    ("RpSort16(ub, ub);", "RpSort16 is not supported: sort with Sort32"),
    ("MrgSort4(ub, ub);", "MrgSort4 is not supported: sort with Sort32"),
    ("BatchNorm(ub, ub);", "BatchNorm is not supported: compute with ReduceSum"),
    ("DeepNorm(ub, ub);", "DeepNorm is not supported: compute with ReduceSum"),
    ("GroupNorm(ub, ub);", "GroupNorm is not supported: compute with ReduceSum"),
    ("ConfusionTranspose(ub, ub);", "ConfusionTranspose is not supported: gather the elements"),
    ("DropOut(ub, ub);", "DropOut is not supported: select with Select"),
    ("FusedMulAdd(ub, ub);", "FusedMulAdd is not supported: compute with Mul and Add"),
    ("FusedMulAddRelu(ub, ub);", "FusedMulAddRelu is not supported: compute with Mul, Add and Relu"),
    ("AddReluCast(ub, ub);", "AddReluCast is not supported: compute with AddRelu and Cast"),
    ("SubReluCast(ub, ub);", "SubReluCast is not supported: compute with SubRelu and Cast"),
    ("MulCast(ub, ub);", "MulCast is not supported: compute with Mul and Cast"),
    ("AddDeqRelu(ub, ub);", "AddDeqRelu is not supported: compute with Add, Cast after SetDeqScale, and Relu"),
    ("CastDequant(ub, ub);", "CastDequant is not supported: compute with Cast and Muls"),
    ("Mean(ub, ub);", "Mean is not supported: compute with Sum and Muls"),
    ("LogSoftMax(ub, ub);", "LogSoftMax is not supported: compute with SoftMax and Ln"),
    ("AdjustSoftMaxRes(ub, ub);",
     "AdjustSoftMaxRes is not supported: compare the maxima, and set the rows with Duplicate"),
    ("SoftmaxFlashV3(ub, ub);", "SoftmaxFlashV3 is not supported: use SoftmaxFlashV2"),
    ("SoftmaxGradFront(ub, ub);", "SoftmaxGradFront is not supported: call SoftmaxGrad with isFront"),
    ("GeGLU(ub, ub);", "GeGLU is not supported: compute with Gelu and Mul"),
    ("ReGlu(ub, ub);", "ReGlu is not supported: compute with Relu and Mul"),
    ("FasterGeluV2(ub, ub);", "FasterGeluV2 is not supported: use FasterGelu"),
    ("Lgamma(ub, ub);", "Lgamma is not supported: compute it in the program"),
    ("Digamma(ub, ub);", "Digamma is not supported: compute it in the program"),
    ("SelectWithBytesMask(ub, ub);",
     "SelectWithBytesMask is not supported: make bits of the bytes with Cast and CompareScalar, and call Select"),
    ("ReduceXorSum(ub, ub);", "ReduceXorSum is not supported: compute with Xor and Sum"),
    ("WelfordUpdate(ub, ub);", "WelfordUpdate is not supported: compute with ReduceSum, Adds and Mul"),
    ("WelfordFinalize(ub, ub);", "WelfordFinalize is not supported: compute with ReduceSum, Adds and Mul"),
    ("Normalize(ub, ub);", "Normalize is not supported: compute with Adds, Muls and Mul"),
    ("LayerNormGrad(ub, ub);", "LayerNormGrad is not supported: compute with ReduceSum, Adds, Mul and Sqrt"),
    ("LayerNormGradBeta(ub, ub);", "LayerNormGradBeta is not supported: compute with ReduceSum"),
    ("GroupBarrier(ub, ub);", "GroupBarrier is not supported: use SyncAll or IBSet and IBWait"),
    ("NotifyNextBlock(ub, ub);", "NotifyNextBlock is not supported: use IBSet"),
    ("WaitPreBlock(ub, ub);", "WaitPreBlock is not supported: use IBWait"),
    ("LoadImageToLocal(ub, ub);", "LoadImageToLocal is not supported: copy with DataCopy"),
    ("SetFmatrix(ub, ub);",
     "SetFmatrix is not supported: there are no convolutions in kernels; use the operators of the host"),
    ("SetAtomicType(1);",
     "SetAtomicType is not supported: call SetAtomicAdd, SetAtomicMax or SetAtomicMin with the type"),
    ("GetUBSizeInBytes();", "GetUBSizeInBytes is not supported: use TOTAL_UB_SIZE"),
    ("GetRuntimeUBSize();", "GetRuntimeUBSize is not supported: use TOTAL_UB_SIZE"),
    ("GetProgramCounter();", "GetProgramCounter is not supported: use GetSystemCycle"),
    ("ICachePreLoad(1);", "ICachePreLoad is not supported: leave it out, there is no such cache"),
    ("GetICachePreloadStatus();", "GetICachePreloadStatus is not supported: leave it out, there is no such cache"),
    ("SetHF32Mode(1);", "SetHF32Mode is not supported: leave it out, products are computed in float"),
    ("SetHF32TransMode(1);", "SetHF32TransMode is not supported: leave it out, products are computed in float"),
    ("SetMMLayoutTransform(1);", "SetMMLayoutTransform is not supported: leave it out, it changes no result"),
    ("SetStoreAtomicConfig(1);",
     "SetStoreAtomicConfig is not supported: call SetAtomicAdd, SetAtomicMax or SetAtomicMin"),
    ("GetStoreAtomicConfig();",
     "GetStoreAtomicConfig is not supported: call SetAtomicAdd, SetAtomicMax or SetAtomicMin"),
    ("CheckLocalMemoryIA(1);", "CheckLocalMemoryIA is not supported: use UNPU_KERNEL_CHECK"),
    ("MetricsProfStart();", "MetricsProfStart is not supported: measure in the program"),
    ("MetricsProfStop();", "MetricsProfStop is not supported: measure in the program"),
    ("Scatter(ub, ub);", "Scatter is not supported: the vector unit"),
    ("Fixpipe(small, sums, FixpipeParamsV220());", "Fixpipe to 8 bits is not supported: copy half or float"),
    ("Fixpipe(ub, sums, FixpipeParamsV220());", "Fixpipe to L1 makes half or bfloat16_t"),
    ("product.SetQuantScalar(0);", "Matmul::SetQuantScalar is not supported: compute in int32_t"),
    ("product.SetQuantVector(0);", "Matmul::SetQuantVector is not supported: compute in int32_t"),
    ("product.IterateBatch(0);", "Matmul::IterateBatch is not supported: call IterateAll for each matrix"),
    ("Hccl<> hccl;", "Hccl is not supported: kernels cannot communicate between devices"),
    ("Add(bytes, bytes, bytes, 32);", "Add: the vector unit of this chip has it for"),
]
HOST = [
    ("AscendC::GetLayerNormNDTilingInfo(shape, 1024u, 4u, false, norm);",
     "GetLayerNormNDTilingInfo is not supported: set bLength, sLength, hLength and originalHLength of the tiling"),
    ("AscendC::GetRmsNormTilingInfo(shape, shape, 1024u, 4u, norm, false);",
     "GetRmsNormTilingInfo is not supported: set bLength"),
    ("AscendC::PadTilingFunc(shape, shape, 1024u, 4u, norm);",
     "PadTilingFunc is not supported: set srcHeight, srcWidth and srcOriWidth of the tiling"),
    ("AscendC::UnPadTilingFunc(shape, 1024u, 4u, norm);", "UnPadTilingFunc is not supported: set srcHeight"),
    ("AscendC::SoftMaxTilingFunc(shape, 4u, 1024u, norm);", "SoftMaxTilingFunc is not supported: leave the tiling"),
    ("AscendC::SoftMaxFlashTilingFunc(shape, 4u, 1024u, norm);", "SoftMaxFlashTilingFunc is not supported"),
    ("AscendC::SoftMaxFlashV2TilingFunc(shape, 4u, 4u, 1024u, false, norm);", "SoftMaxFlashV2TilingFunc is not"),
]
KERNEL_HEAD = """#include "kernel_operator.h"
#include "lib/hccl/hccl.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using F = MatmulType<TPosition::GM, CubeFormat::ND, float>;
extern "C" __global__ __aicore__ void lacks(GM_ADDR memory)
{
\tLocalTensor<half> l0a, l1;
\tLocalTensor<float> ub, sums;
\tLocalTensor<int8_t> bytes;
\tGlobalTensor<int8_t> small;
\tMatmul<F, F, F> product;
"""
HOST_HEAD = """#include "tiling/tiling_api.h"
int main()
{
\tint shape = 0, norm = 0;
"""


def check(command, name, head, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(head + "".join(f"\t{line}\n" for line, _ in rows) + "}\n")
        done = subprocess.run([*command, "-c", path, "-o", os.path.join(folder, "a.o")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        sys.exit(f"{name} compiles")
    # Each error. The line of the file that it comes from stands before it by gcc, after it by clang.
    found = re.split(r"(?=error: )", done.stdout)
    if len(found) - 1 != len(rows):
        sys.exit(f"{len(found) - 1} errors instead of {len(rows)}:\n{done.stdout}")
    first = head.count("\n") + 1
    for number, (line, words) in enumerate(rows, first):
        at = [i for i, text in enumerate(found) if i > 0 and words in text]
        if len(at) != 1:
            sys.exit(f"{len(at)} errors have the words {words!r}:\n{done.stdout}")
        if f"{name}:{number}:" not in found[at[0] - 1] + found[at[0]]:
            sys.exit(f"the error of {line!r} is not at line {number}:\n{done.stdout}")


def check_length(ascendcc):
    """A mistake in a call of the language is told in ten lines at most, with the line of the call."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR memory)\n{\n'
                       '\tAscendC::LocalTensor<int8_t> bytes;\n\tAscendC::Add(bytes, bytes, bytes, 32);\n'
                       '\tAscendC::Add(memory, 1, 2, 3, 4, 5, 6);\n}\n')
        done = subprocess.run([ascendcc, "-c", path, "-o", os.path.join(folder, "a.o")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode == 0 or len(lines) > 10 or any(f"{path}:{line}:" not in done.stdout for line in (5, 6)):
        sys.exit(f"kernel.cpp: {done.returncode}, {len(lines)} lines: {done.stdout}")


def check_chips(ascendcc):
    """--npu-arch has the chips of whose language there is one."""
    for chip, is_good in (("dav-2201", True), ("dav-2002", True), ("dav-3510", False)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR) {}\n')
            done = subprocess.run([ascendcc, f"--npu-arch={chip}", "-c", path, "-o", os.path.join(folder, "a.o")],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        has_names = "dav-2201 (Ascend910B) and dav-2002 (Ascend310P)" in done.stdout
        if (done.returncode == 0) != is_good or has_names == is_good:
            sys.exit(f"{chip}: {done.returncode}: {done.stdout}")


def main():
    ascendcc, compiler, include, kernels = sys.argv[1:]
    check([ascendcc, "--verbose"], "kernel.cpp", KERNEL_HEAD, KERNEL)
    check_length(ascendcc)
    check_chips(ascendcc)
    check([compiler, "-std=c++17", f"-I{kernels}/host/include", f"-I{kernels}/include", f"-I{include}"], "host.cpp",
          HOST_HEAD, HOST)


if __name__ == "__main__":
    main()
