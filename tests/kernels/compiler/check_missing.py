#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_missing.py ASCENDCC COMPILER INCLUDE FOLDER: code that uses what the language or the tilings of the host lack
does not compile; the error names the feature, says what to use instead, and has the user's line."""
import os
import re
import subprocess
import sys
import tempfile


def no(name, instead=""):
    """What the error says of a name that is not there."""
    return f"unpu has no {name} yet (see kernel-names): {instead}"


# What a kernel may say, and words of the error.
KERNEL = [
    ("LoadDataWithSparse(l0a, l1, 0);", no("LoadDataWithSparse", "multiply with a Matmul object")),
    ("SetFixpipePreQuantFlag(0);", no("SetFixpipePreQuantFlag")),
    ("Conv2D(l0a, l1);", no("Conv2D", "there are no convolutions in kernels")),
    ("Gemm(l0a, l1);", no("Gemm", "multiply with a Matmul object")),
    ("VectorPadding(ub, ub);", no("VectorPadding", "pad with DataCopyPad")),
    ("BilinearInterpolation(ub, ub);", no("BilinearInterpolation")),
    ("ProposalConcat(ub, ub);", no("ProposalConcat", "sort with Sort32")),
    ("ProposalExtract(ub, ub);", no("ProposalExtract", "sort with Sort32")),
    ("RpSort16(ub, ub);", no("RpSort16", "sort with Sort32")),
    ("MrgSort4(ub, ub);", no("MrgSort4", "sort with Sort32")),
    ("BatchNorm(ub, ub);", no("BatchNorm", "compute with ReduceSum")),
    ("DeepNorm(ub, ub);", no("DeepNorm", "compute with ReduceSum")),
    ("GroupNorm(ub, ub);", no("GroupNorm", "compute with ReduceSum")),
    ("ConfusionTranspose(ub, ub);", no("ConfusionTranspose", "gather the elements")),
    ("DropOut(ub, ub);", no("DropOut", "select with Select")),
    ("FusedMulAdd(ub, ub);", no("FusedMulAdd", "compute with Mul and Add")),
    ("FusedMulAddRelu(ub, ub);", no("FusedMulAddRelu", "compute with Mul, Add and Relu")),
    ("AddReluCast(ub, ub);", no("AddReluCast", "compute with AddRelu and Cast")),
    ("SubReluCast(ub, ub);", no("SubReluCast", "compute with SubRelu and Cast")),
    ("MulCast(ub, ub);", no("MulCast", "compute with Mul and Cast")),
    ("AddDeqRelu(ub, ub);", no("AddDeqRelu", "compute with Add, Cast after SetDeqScale, and Relu")),
    ("CastDequant(ub, ub);", no("CastDequant", "compute with Cast and Muls")),
    ("Mean(ub, ub);", no("Mean", "compute with Sum and Muls")),
    ("LogSoftMax(ub, ub);", no("LogSoftMax", "compute with SoftMax and Ln")),
    ("AdjustSoftMaxRes(ub, ub);", no("AdjustSoftMaxRes", "compare the maxima, and set the rows with Duplicate")),
    ("SoftmaxFlashV3(ub, ub);", no("SoftmaxFlashV3", "use SoftmaxFlashV2")),
    ("SoftmaxGradFront(ub, ub);", no("SoftmaxGradFront", "call SoftmaxGrad with isFront")),
    ("GeGLU(ub, ub);", no("GeGLU", "compute with Gelu and Mul")),
    ("ReGlu(ub, ub);", no("ReGlu", "compute with Relu and Mul")),
    ("FasterGeluV2(ub, ub);", no("FasterGeluV2", "use FasterGelu")),
    ("Lgamma(ub, ub);", no("Lgamma", "compute it in the program")),
    ("Digamma(ub, ub);", no("Digamma", "compute it in the program")),
    ("SelectWithBytesMask(ub, ub);",
     no("SelectWithBytesMask", "make bits of the bytes with Cast and CompareScalar, and call Select")),
    ("ReduceXorSum(ub, ub);", no("ReduceXorSum", "compute with Xor and Sum")),
    ("WelfordUpdate(ub, ub);", no("WelfordUpdate", "compute with ReduceSum, Adds and Mul")),
    ("WelfordFinalize(ub, ub);", no("WelfordFinalize", "compute with ReduceSum, Adds and Mul")),
    ("Normalize(ub, ub);", no("Normalize", "compute with Adds, Muls and Mul")),
    ("LayerNormGrad(ub, ub);", no("LayerNormGrad", "compute with ReduceSum, Adds, Mul and Sqrt")),
    ("LayerNormGradBeta(ub, ub);", no("LayerNormGradBeta", "compute with ReduceSum")),
    ("GroupBarrier(ub, ub);", no("GroupBarrier", "use SyncAll or IBSet and IBWait")),
    ("NotifyNextBlock(ub, ub);", no("NotifyNextBlock", "use IBSet")),
    ("WaitPreBlock(ub, ub);", no("WaitPreBlock", "use IBWait")),
    ("LoadImageToLocal(ub, ub);", no("LoadImageToLocal", "copy with DataCopy")),
    ("SetFmatrix(ub, ub);", no("SetFmatrix", "there are no convolutions in kernels; use the operators of the host")),
    ("SetAtomicType(1);", no("SetAtomicType", "call SetAtomicAdd, SetAtomicMax or SetAtomicMin with the type")),
    ("GetUBSizeInBytes();", no("GetUBSizeInBytes", "use TOTAL_UB_SIZE")),
    ("GetRuntimeUBSize();", no("GetRuntimeUBSize", "use TOTAL_UB_SIZE")),
    ("GetProgramCounter();", no("GetProgramCounter", "use GetSystemCycle")),
    ("ICachePreLoad(1);", no("ICachePreLoad", "leave it out, there is no such cache")),
    ("GetICachePreloadStatus();", no("GetICachePreloadStatus", "leave it out, there is no such cache")),
    ("SetHF32Mode(1);", no("SetHF32Mode", "leave it out, products are computed in float")),
    ("SetHF32TransMode(1);", no("SetHF32TransMode", "leave it out, products are computed in float")),
    ("SetMMLayoutTransform(1);", no("SetMMLayoutTransform", "leave it out, it changes no result")),
    ("SetStoreAtomicConfig(1);", no("SetStoreAtomicConfig", "call SetAtomicAdd, SetAtomicMax or SetAtomicMin")),
    ("GetStoreAtomicConfig();", no("GetStoreAtomicConfig", "call SetAtomicAdd, SetAtomicMax or SetAtomicMin")),
    ("CheckLocalMemoryIA(1);", no("CheckLocalMemoryIA", "use UNPU_KERNEL_CHECK")),
    ("MetricsProfStart();", no("MetricsProfStart", "measure in the program")),
    ("MetricsProfStop();", no("MetricsProfStop", "measure in the program")),
    ("Scatter(ub, ub);", "unpu has no Scatter (see kernel-names): the vector unit"),
    ("Fixpipe(small, sums, FixpipeParamsV220());", no("Fixpipe to 8 bits", "copy half or float")),
    ("Fixpipe(ub, sums, FixpipeParamsV220());", "Fixpipe to L1 makes half or bfloat16_t"),
    ("product.SetQuantScalar(0);", no("Matmul::SetQuantScalar", "compute in int32_t")),
    ("product.SetQuantVector(0);", no("Matmul::SetQuantVector", "compute in int32_t")),
    ("product.IterateBatch(0);", no("Matmul::IterateBatch", "call IterateAll for each matrix")),
    ("Hccl<> hccl;", no("Hccl", "kernels cannot communicate between devices")),
    ("Add(bytes, bytes, bytes, 32);", "Add: the vector unit of this chip has it for"),
]
HOST = [
    ("AscendC::GetLayerNormNDTilingInfo(shape, 1024u, 4u, false, norm);",
     no("GetLayerNormNDTilingInfo", "set bLength, sLength, hLength and originalHLength of the tiling")),
    ("AscendC::GetRmsNormTilingInfo(shape, shape, 1024u, 4u, norm, false);", no("GetRmsNormTilingInfo", "set bLength")),
    ("AscendC::PadTilingFunc(shape, shape, 1024u, 4u, norm);",
     no("PadTilingFunc", "set srcHeight, srcWidth and srcOriWidth of the tiling")),
    ("AscendC::UnPadTilingFunc(shape, 1024u, 4u, norm);", no("UnPadTilingFunc", "set srcHeight")),
    ("AscendC::SoftMaxTilingFunc(shape, 4u, 1024u, norm);", no("SoftMaxTilingFunc", "leave the tiling")),
    ("AscendC::SoftMaxFlashTilingFunc(shape, 4u, 1024u, norm);", no("SoftMaxFlashTilingFunc")),
    ("AscendC::SoftMaxFlashV2TilingFunc(shape, 4u, 4u, 1024u, false, norm);", no("SoftMaxFlashV2TilingFunc")),
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


def check_folders(ascendcc):
    """A folder that can't be made is a sentence, and leaves no other behind."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cpp")
        nowhere = os.path.join(path, "below-a-file")
        temporary = os.path.join(folder, "tmp")
        os.mkdir(temporary)
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR) {}\n')
        for option, place in ((f"--keep={nowhere}", temporary), (f"--headers={nowhere}", temporary), ("-O2", nowhere)):
            done = subprocess.run([ascendcc, option, "-c", path, "-o", os.path.join(folder, "a.o")], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False, env=dict(os.environ, TMPDIR=place))
            if done.returncode != 1 or not done.stdout.startswith("unpu-ascendcc: ") or os.listdir(temporary):
                sys.exit(f"{option} with TMPDIR={place}: {done.returncode}: {done.stdout}{os.listdir(temporary)}")


def compiled(ascendcc, text):
    """Return: the exit status, and what is said about kernel.cpp with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "kernel_operator.h"\n' + text)
        done = subprocess.run([ascendcc, "-c", "kernel.cpp", "-o", "a.o"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, cwd=folder)
    return done.returncode, done.stdout


def check_slips(ascendcc):
    """What is easily mistyped: the language's own name is proposed, and what is no error is said."""
    head = 'extern "C" __global__ __aicore__ void k(GM_ADDR memory)\n{\n\tAscendC::TQue<AscendC::TPosition::VECIN, 1> queue;\n'
    for call, name in (("queue.EnQueue(queue.AllocTensor<half>());", "EnQue"), ("queue.DeQueue<half>();", "DeQue")):
        code, said = compiled(ascendcc, f"{head}\t{call}\n}}\n")
        if code == 0 or re.findall("did you mean '(?:class )?(\\w+)'", said.replace("\u2018", "'").replace("\u2019", "'")) not in ([name], []):
            sys.exit(f"{call}: {code}: {said}")
    code, said = compiled(ascendcc, 'extern "C" __aicore__ void k(GM_ADDR memory) {}\n')
    if code != 0 or "kernel.cpp: warning: there is no kernel, although __aicore__ is used" not in said:
        sys.exit(f"no kernel: {code}: {said}")
    code, said = compiled(ascendcc, "int host() { return 0; }\n")
    if code != 0 or said:
        sys.exit(f"a source of the host: {code}: {said}")
    code, said = compiled(ascendcc, 'extern "C" __global__ __aicore__ void k(GM_ADDR memory)\n{\n\tprintf("%d", 1.5f);\n}\n')
    if code != 0 or "kernel.cpp:4:" not in said or "-Wformat" not in said:
        sys.exit(f"a format: {code}: {said}")


def check_help(ascendcc):
    """--help shows a whole command, and the chips."""
    said = subprocess.run([ascendcc, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for words in ("-c add.cpp -o add.o", "--npu-arch=CHIP for dav-2201 (Ascend910B) and dav-2002 (Ascend310P)"):
        if words not in said:
            sys.exit(f"--help does not say {words!r}: {said}")


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
    check_slips(ascendcc)
    check_help(ascendcc)
    check_folders(ascendcc)
    check([compiler, "-std=c++17", f"-I{kernels}/host/include", f"-I{kernels}/include", f"-I{include}"], "host.cpp",
          HOST_HEAD, HOST)


if __name__ == "__main__":
    main()
