// SPDX-License-Identifier: MIT
/*
 * DOC: element-wise operators
 *
 * Each entry point of the element-wise family: that its arguments reach the kernel in their places. What the
 * kernels compute for random shapes, types and values is tested in tests/unit/operators.
 */
#include <cmath>
#include <functional>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using ElementwiseOperators = DeviceTest;
using Function = std::function<float(float)>;

const std::vector<float> VALUES = {-3, -1.5f, -0.5f, 0, 0.25f, 1, 2.5f, 5};
const Dims DIMS = {2, 4};

float sigmoid(float x)
{
	return 1 / (1 + std::exp(-x));
}

float hardsigmoid(float x)
{
	return std::min(std::max(x / 6 + 0.5f, 0.0f), 1.0f);
}

float gelu(float x)
{
	return 0.5f * x * std::erfc(-x * std::sqrt(0.5f));
}

float gelu_tanh(float x)
{
	return 0.5f * x * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * (x + 0.044715f * x * x * x)));
}

void expect_results(const DeviceBuffer &results, const Function &expected)
{
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	const std::vector<float> got = results.load<float>();
	for (size_t i = 0; i < VALUES.size(); ++i) {
		const float wanted = expected(VALUES[i]);
		if (std::isnan(wanted))
			EXPECT_TRUE(std::isnan(got[i])) << VALUES[i];
		else if (std::isinf(wanted))
			EXPECT_EQ(got[i], wanted) << VALUES[i];
		else
			EXPECT_NEAR(got[i], wanted, 1e-6f + 2e-6f * std::fabs(wanted)) << VALUES[i];
	}
}

/* test() - an operator with a result of its own; @arguments come between the operand and the result. */
template <auto FIRST, auto SECOND, class... Arguments>
void test(const Function &expected, const Arguments &...arguments)
{
	const DeviceBuffer operand = device_copy(VALUES), result(sizeof(float) * VALUES.size());
	launch<FIRST, SECOND>(Tensor(operand, ACL_FLOAT, DIMS), arguments...,
			      Tensor(result, ACL_FLOAT, DIMS));
	expect_results(result, expected);
}

/* test_in_place() - the same for an operator that changes its operand. */
template <auto FIRST, auto SECOND, class... Arguments>
void test_in_place(const Function &expected, const Arguments &...arguments)
{
	const DeviceBuffer operand = device_copy(VALUES);
	launch<FIRST, SECOND>(Tensor(operand, ACL_FLOAT, DIMS), arguments...);
	expect_results(operand, expected);
}

TEST_F(ElementwiseOperators, OfOneOperand)
{
	test<BOTH(Abs)>([](float x) { return std::fabs(x); });
	test<BOTH(Neg)>([](float x) { return -x; });
	test<BOTH(Gelu)>(gelu_tanh);
	test<BOTH(Silu)>([](float x) { return x * sigmoid(x); });
	test<BOTH(Tanh)>([](float x) { return std::tanh(x); });
	test<BOTH(Relu)>([](float x) { return std::max(x, 0.0f); });
	test<BOTH(Sigmoid)>(sigmoid);
	test<BOTH(Hardsigmoid)>(hardsigmoid);
	test<BOTH(Hardswish)>([](float x) { return x * hardsigmoid(x); });
	test<BOTH(Exp)>([](float x) { return std::exp(x); });
	test<BOTH(Sign)>([](float x) { return float(x > 0) - float(x < 0); });
	test<BOTH(Sqrt)>([](float x) { return std::sqrt(x); });
	test<BOTH(Log)>([](float x) { return std::log(x); });
	test<BOTH(Sin)>([](float x) { return std::sin(x); });
	test<BOTH(Cos)>([](float x) { return std::cos(x); });
	test_in_place<BOTH(InplaceExp)>([](float x) { return std::exp(x); });
	test_in_place<BOTH(InplaceSin)>([](float x) { return std::sin(x); });
	test_in_place<BOTH(InplaceCos)>([](float x) { return std::cos(x); });
	test_in_place<BOTH(InplaceZero)>([](float) { return 0.0f; });
}

TEST_F(ElementwiseOperators, WithAttributes)
{
	const Scalar half(0.5f, ACL_FLOAT), two(2.0f, ACL_FLOAT), three(3.0f, ACL_FLOAT);
	test<BOTH(GeluV2)>(gelu, int64_t{0});
	test<BOTH(GeluV2)>(gelu_tanh, int64_t{1});
	test<BOTH(Elu)>([](float x) { return x > 0 ? 3 * x : 2 * 3 * std::expm1(0.5f * x); }, two,
			three, half);
	test<BOTH(Softplus)>(
		[](float x) { return 2 * x > 3 ? x : std::log1p(std::exp(2 * x)) / 2; }, two,
		three);
	test<BOTH(LeakyRelu)>([](float x) { return x > 0 ? x : 0.5f * x; }, half);
	test<BOTH(GtScalar)>([](float x) { return float(x > 0.5f); }, half);
	test<BOTH(Clamp)>([](float x) { return std::clamp(x, 0.5f, 2.0f); }, half, two);
	test<BOTH(ClampMin)>([](float x) { return std::max(x, 0.5f); }, half);
	test<BOTH(Muls)>([](float x) { return 3 * x; }, three);
	test_in_place<BOTH(InplaceClampMax)>([](float x) { return std::min(x, 2.0f); }, two);
	test_in_place<BOTH(InplaceThreshold)>([](float x) { return x > 0.5f ? x : 3; }, half,
					      three);
	test_in_place<BOTH(InplaceMuls)>([](float x) { return 3 * x; }, three);
	test_in_place<BOTH(InplaceAdds)>([](float x) { return x + 6; }, three, two);
	test_in_place<BOTH(InplaceSubs)>([](float x) { return x - 6; }, three, two);
	test_in_place<BOTH(InplaceDivs)>([](float x) { return x / 3; }, three);
	test_in_place<BOTH(InplaceFillScalar)>([](float) { return 3.0f; }, three);
}

TEST_F(ElementwiseOperators, OfTwoOperands)
{
	const DeviceBuffer memory = device_copy(std::vector<float>{2, 3, -0.5f, 1});
	const Tensor other(memory, ACL_FLOAT, {4});
	const Scalar two(2.0f, ACL_FLOAT);
	const auto second = [](float x) {
		const size_t i = std::find(VALUES.begin(), VALUES.end(), x) - VALUES.begin();
		return std::vector<float>{2, 3, -0.5f, 1}[i % 4];
	};
	test<BOTH(Div)>([&](float x) { return x / second(x); }, other);
	test<BOTH(Sub)>([&](float x) { return x - 2 * second(x); }, other, two);
	test<BOTH(EqTensor)>([&](float x) { return float(x == second(x)); }, other);
	test_in_place<BOTH(InplaceDiv)>([&](float x) { return x / second(x); }, other);
	test_in_place<BOTH(InplaceSub)>([&](float x) { return x - 2 * second(x); }, other, two);
	test_in_place<BOTH(InplacePowTensorTensor)>([&](float x) { return std::pow(x, second(x)); },
						    other);
}

TEST_F(ElementwiseOperators, PowersOfAScalar)
{
	const DeviceBuffer operand = device_copy(VALUES), result(sizeof(float) * VALUES.size());
	launch<BOTH(PowScalarTensor)>(Scalar(2.0f, ACL_FLOAT), Tensor(operand, ACL_FLOAT, DIMS),
				      Tensor(result, ACL_FLOAT, DIMS));
	expect_results(result, [](float x) { return std::exp2(x); });
}

TEST_F(ElementwiseOperators, CompareIntegersIntoIntegers)
{
	const DeviceBuffer left = device_copy(std::vector<int32_t>{1, 2, 3, INT32_MIN});
	const DeviceBuffer right = device_copy(std::vector<int32_t>{1, -2, 3, INT32_MAX});
	const DeviceBuffer result(4 * sizeof(int32_t));
	launch<BOTH(EqTensor)>(Tensor(left, ACL_INT32, {4}), Tensor(right, ACL_INT32, {4}),
			       Tensor(result, ACL_INT32, {4}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(result.load<int32_t>(), (std::vector<int32_t>{1, 0, 1, 0}));
}

TEST_F(ElementwiseOperators, ClampWithOneBoundOrNone)
{
	const aclScalar *none = nullptr;
	test<BOTH(Clamp)>([](float x) { return x; }, none, none);
	const Scalar two(2.0f, ACL_FLOAT);
	test<BOTH(Clamp)>([](float x) { return std::min(x, 2.0f); }, none, two);
	test<BOTH(Clamp)>([](float x) { return std::max(x, 2.0f); }, two, none);
}

TEST_F(ElementwiseOperators, RefuseAnotherApproximation)
{
	const DeviceBuffer memory(64);
	const Tensor tensor(memory, ACL_FLOAT, DIMS);
	refuse<aclnnGeluV2GetWorkspaceSize>("approximate is 2; allowed are 0 and 1", tensor, 2,
					    tensor);
}

TEST_F(ElementwiseOperators, SumsAndProductsOfSeveralTensors)
{
	const DeviceBuffer one = device_copy(std::vector<float>{1, 2, 3}), out(6 * sizeof(float));
	const DeviceBuffer two = device_copy(std::vector<float>{4, 8});
	const Tensor matrix(out, ACL_FLOAT, {2, 3});
	run<BOTH(Sum)>(
		TensorList({new_tensor(one, ACL_FLOAT, {3}), new_tensor(two, ACL_FLOAT, {2, 1}),
			    new_tensor(one, ACL_FLOAT, {1, 3})}),
		matrix);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{6, 8, 10, 10, 12, 14}));
	run<BOTH(Ger)>(Tensor(two, ACL_FLOAT, {2}), Tensor(one, ACL_FLOAT, {3}), matrix);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{4, 8, 12, 8, 16, 24}));
	run<BOTH(InplaceAddcdiv)>(matrix, Tensor(one, ACL_FLOAT, {3}),
				  Tensor(two, ACL_FLOAT, {2, 1}), Scalar(8.0f, ACL_FLOAT));
	EXPECT_EQ(out.load<float>(), (std::vector<float>{6, 12, 18, 9, 18, 27}));
	run<BOTH(InplaceLogicalNot)>(Tensor(one, ACL_FLOAT, {3}));
	EXPECT_EQ(one.load<float>(), (std::vector<float>{0, 0, 0}));
	std::vector<const aclTensor *> many;
	for (int i = 0; i < 16; ++i)
		many.push_back(new_tensor(one, ACL_FLOAT, {3}));
	refuse<aclnnSumGetWorkspaceSize>("tensors has 16 members; allowed are 1 to 15",
					 TensorList(many), Tensor(out, ACL_FLOAT, {3}));
}

TEST_F(ElementwiseOperators, ClampWithABoundThatIsNanGivesNan)
{
	const DeviceBuffer self = device_copy(std::vector<float>{-1, 0, 5}), out(3 * sizeof(float));
	const Tensor from(self, ACL_FLOAT, {3}), to(out, ACL_FLOAT, {3});
	const Scalar nan(NAN, ACL_FLOAT), one(1.0f, ACL_FLOAT);
	const auto expect_nan = [](const DeviceBuffer &memory) {
		for (const float x : memory.load<float>())
			EXPECT_TRUE(std::isnan(x)) << x;
	};
	run<BOTH(Clamp)>(from, nan, one, to);
	expect_nan(out);
	run<BOTH(Clamp)>(from, one, nan, to);
	expect_nan(out);
	run<BOTH(ClampMin)>(from, nan, to);
	expect_nan(out);
	run<BOTH(InplaceClampMax)>(from, nan);
	expect_nan(self);
}

/* Rows of three numbers that are 4 apart overlap where rows are 8 apart, but not where they are 1, 12 or 17 apart. */
TEST_F(ElementwiseOperators, RefuseResultsThatOverlapThemselves)
{
	const DeviceBuffer memory = device_copy(std::vector<float>(128, 1));
	const Tensor self(memory, ACL_FLOAT, {4, 3});
	for (const int64_t apart : {8, 4, 0})
		refuse<aclnnExpGetWorkspaceSize>("its elements share memory", self,
						 Tensor(memory, ACL_FLOAT, {4, 3}, {apart, 4}, 16));
	for (const int64_t apart : {1, 17, 12})
		run<BOTH(Exp)>(self, Tensor(memory, ACL_FLOAT, {4, 3}, {apart, 4}, 12));
	refuse<aclnnInplaceIndexFillTensorGetWorkspaceSize>(
		"its elements share memory", Tensor(memory, ACL_FLOAT, {4, 3}, {8, 4}, 0), 0,
		IntArray({0}), Scalar(1.0f, ACL_FLOAT));
}

} // namespace
