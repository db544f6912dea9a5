# SPDX-License-Identifier: MIT
"""Directives that draw the tables of the tensor operators from umd/aclnn/operators.json.

    .. unpu-operators::          each operator with its result, its types and its error
    .. unpu-refused-operators::  those that are declared and always fail
    .. unpu-operator-limits::    what is refused because it is too large, with the limits of uapi/tensor_limits.h
"""
import re

from unpu_tables import TableDirective, tree

TYPES = {"sum": "FLOAT, FLOAT16, BF16, integers, BOOL", "floating": "FLOAT, FLOAT16, BF16", "number": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL",
         "quotient": "FLOAT, FLOAT16, BF16, DOUBLE; the operands also integers, BOOL",
         "index": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL; the result INT32, INT64",
         "integer": "integers, BOOL",
         "truth": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL"}

# What a limit of uapi/tensor_limits.h counts, or a number that stands here.
LIMITS = [
    ("any", "ELEMENTS", "elements of a view, where dims that are broadcast count"),
    ("``aclnnReduceSum``, ``aclnnMean``, ``aclnnMeanV2``, ``aclnnGlobalAveragePool``, ``aclnnNorm``, ``aclnnLinalgVectorNorm``, ``aclnnCumsum``, ``aclnnArgMax``, ``aclnnArgMin``, ``aclnnAmax``, "
     "``aclnnAmin``, ``aclnnMax``, ``aclnnMin``, ``aclnnMaxDim``, ``aclnnMinDim``, ``aclnnProd``, ``aclnnProdDim``, "
     "``aclnnAll``, ``aclnnAny``", "ROW",
     "elements that one result depends on"),
    ("``aclnnVar``, ``aclnnVarCorrection``, ``aclnnStd``, ``aclnnLogSumExp``", "FOLDED",
     "elements that one result depends on"),
    ("``aclnnRmsNorm``, ``aclnnAddRmsNorm``, ``aclnnLayerNorm``, ``aclnnGroupNorm``, ``aclnnBatchNorm``", "NORMALIZED",
     "elements that are normalised together"),
    ("``aclnnArgsort``, ``aclnnSort``, ``aclnnTopk``", "SORTED", "elements along dim"),
    ("``aclnnSoftmax``", "SOFTMAX", "elements along dim"),
    ("``aclnnLogSoftmax``, ``aclnnSoftmaxCrossEntropyWithLogits``", "CLASSES", "elements along dim, or of a row"),
    ("``aclnnRotaryPositionEmbedding``", "ROTARY", "elements of the last dim"),
    ("``aclnnInplaceIndexCopy``", "INDICES", "indices"),
    ("``aclnnInplaceIndexFillTensor``", "126", "indices"),
    ("``aclnnScatter``, ``aclnnScatterAdd``, ``aclnnScatterValue`` and their in-place forms", "SCATTERED",
     "elements of self, and of index, along dim"),
    ("``aclnnCat``, ``aclnnStack``, ``aclnnSplitTensor``, ``aclnnSplitWithSize``", "15", "tensors with elements"),
    ("``aclnnSum``", "15", "tensors"),
    ("``aclnnMm``, ``aclnnMatmul``, ``aclnnBatchMatMul``, ``aclnnMv``, ``aclnnDot``, ``aclnnGemm``, ``aclnnAddmm``, ``aclnnBaddbmm``, ``aclnnWeightQuantBatchMatmulV2``", "DEPTH",
     "products that are added up"),
    ("``aclnnConvolution``", "TAPS", "products that are added up"),
    ("``aclnnTriangularSolve``", "TRIANGLE", "rows of A"),
    ("``aclnnFusedInferAttentionScoreV2``", "HEAD", "numbers of a query, a key or a value"),
    ("", "KEYS", "keys"),
    ("", "KEY_NUMBERS", "keys times the numbers of a key and a value"),
    ("``aclnnConvolution``, ``aclnnIm2col``, ``aclnnAvgPool2d``, ``aclnnMaxPool``", "WINDOW",
     "any number of a window, and of a dim that it moves along"),
    ("``aclnnUpsampleLinear1d``, ``aclnnUpsampleBilinear2d``, ``aclnnUpsampleBicubic2d``, ``aclnnUpsampleTrilinear3d``",
     "WINDOW", "elements of a dim"),
    ("``aclnnAvgPool2d``, ``aclnnMaxPool``", "POOLED", "elements that a window covers"),
    ("``aclnnRepeat``, ``aclnnRepeatInterleaveIntWithDim``", "8",
     "dims of self and repeats together, where those that lie behind each other in self and in the result are one"),
]

# The greatest error of floating results: the limits in tests/operators/oracle. Those of EXACT have none: they move
# elements, compare, or choose one.
BOUNDS = {"matrix": "5e-4", "attention": "5e-4"}
EXACT_FAMILIES = ("layout", "join")
EXACT = {"Abs", "Neg", "Relu", "Sign", "GtScalar", "Clamp", "ClampMin", "InplaceClampMax", "InplaceThreshold",
         "InplaceFillScalar", "InplaceZero", "EqTensor", "ArgMax", "Argsort", "Tril", "Triu", "InplaceTriu",
         "UpsampleNearest2d", "GatherV2", "IndexSelect", "InplaceIndexCopy", "InplaceIndexFillTensor", "Im2col",
         "MaxPool", "TransMatmulWeight", "LogicalNot", "InplaceLogicalNot", "Embedding", "InplaceMaskedFillScalar",
         "Floor", "Ceil", "Round", "Trunc", "IsInf", "IsFinite", "BitwiseNot", "NeTensor", "LtTensor", "LeTensor",
         "GtTensor", "GeTensor", "EqScalar", "NeScalar", "LtScalar", "LeScalar", "GeScalar", "LogicalAnd", "LogicalOr",
         "LogicalXor", "BitwiseAndTensor", "BitwiseOrTensor", "BitwiseXorTensor", "Maximum", "Minimum", "SWhere", "Amax", "Amin", "Max", "Min", "MaxDim",
         "MinDim", "ArgMin", "All", "Any", "Topk", "Sort", "Gather", "OneHot", "ReflectionPad2d", "ReflectionPad3d",
         "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d"}


def error_bound(row):
    if row["family"] in EXACT_FAMILIES or row["name"] in EXACT:
        return "exact"
    return BOUNDS.get(row["family"], "1e-7")


def limit_values(header):
    """The limits of uapi/tensor_limits.h as numbers."""
    values = {}
    for name, text in re.findall(r"^#define (UNPU_TENSOR_MAX_\w+) (.+)$", header, re.M):
        text = re.sub(r"INT64_C\((\w+)\)", r"\1", text).replace("/", "//")
        values[name] = eval(text, {"__builtins__": {}}, values)  # pylint: disable=eval-used
    return {name.removeprefix("UNPU_TENSOR_MAX_"): value for name, value in values.items()}


def print_limit(value):
    for text, rest in (("", 0), (" - 1", 1)):
        bits = (value + rest).bit_length() - 1
        if value + rest == 1 << bits and bits > 8:
            return f"2^{bits}{text}"
    return str(value)


class OperatorTable(TableDirective):
    def operators(self):
        """The operators that work, and those that are refused."""
        self.read(tree.generate.TABLE)
        return tree.generate.operators_of(tree.generate.table())


class Operators(OperatorTable):
    def run(self):
        rows = [[f"``aclnn{each.name}``", each.row["text"].replace("*", "\\*"), TYPES[each.row["types"]], error_bound(each.row)]
                for each in self.operators()[0]]
        return self.table(["operator", "result", "types", "error"], [28, 36, 24, 12], rows)


class RefusedOperators(OperatorTable):
    def run(self):
        rows = [[f"``aclnn{each.name}``", each.text, each.why] for each in self.operators()[1]]
        return self.table(["operator", "what it would be", "why"], [30, 35, 35], rows)


class OperatorLimits(TableDirective):
    def run(self):
        values = limit_values(self.read("include/uapi/tensor_limits.h"))
        rows = [[operators, name if name.isdigit() else print_limit(values[name]), what] for operators, name, what in LIMITS]
        return self.table(["operator", "at most", "of what"], [45, 15, 40], rows)


def setup(app):
    app.add_directive("unpu-operators", Operators)
    app.add_directive("unpu-refused-operators", RefusedOperators)
    app.add_directive("unpu-operator-limits", OperatorLimits)
    return {"parallel_read_safe": True}
