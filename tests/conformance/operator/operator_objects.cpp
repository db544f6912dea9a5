// SPDX-License-Identifier: MIT
/*
 * DOC: operators - numbers
 *
 * What Add and Mul compute: types, alpha, broadcasting, strided views, results in place.
 */
#include "operator/operator_objects.h"

#include "operator/half.h"

using namespace conformance;

namespace {

using Operators = DeviceTest;

template <typename T> std::vector<T> ramp(size_t count, double begin, double step)
{
	std::vector<T> values(count);

	for (size_t i = 0; i < count; ++i) {
		const double value = begin + step * static_cast<double>(i);

		if constexpr (std::is_integral_v<T>)
			values[i] = static_cast<T>(static_cast<int64_t>(value)); /* wraps */
		else
			values[i] = static_cast<T>(value);
	}
	return values;
}

template <typename T> void expect_integer_add_and_multiply(aclDataType type)
{
	using Unsigned = std::make_unsigned_t<T>;
	const std::vector<T> a = ramp<T>(200, -60, 1);
	const std::vector<T> b = ramp<T>(200, 90, -1);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer device_sum(a.size() * sizeof(T));
	const DeviceBuffer device_product(a.size() * sizeof(T));
	const Dims dims = {200};
	const Scalar alpha(int64_t{3}, ACL_INT64);
	std::vector<T> sum(a.size());
	std::vector<T> product(a.size());

	for (size_t i = 0; i < a.size(); ++i) {
		const uint64_t x = static_cast<uint64_t>(a[i]);
		const uint64_t y = static_cast<uint64_t>(b[i]);

		sum[i] = static_cast<T>(static_cast<Unsigned>(x + 3 * y));
		product[i] = static_cast<T>(static_cast<Unsigned>(x * y));
	}
	add(Tensor(device_a, type, dims), Tensor(device_b, type, dims), alpha,
	    Tensor(device_sum, type, dims), nullptr);
	multiply(Tensor(device_a, type, dims), Tensor(device_b, type, dims),
		 Tensor(device_product, type, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(device_sum.load<T>(), sum);
	EXPECT_EQ(device_product.load<T>(), product);
}

/* Values of a 16-bit type: every exponent, both signs, the extremes. */
std::vector<uint16_t> sample_bits(uint16_t start, uint16_t step)
{
	std::vector<uint16_t> bits(1024);
	uint16_t next = start;

	for (uint16_t &value : bits) {
		value = next;
		next = static_cast<uint16_t>(next + step);
	}
	return bits;
}

void expect_same_half(const std::vector<uint16_t> &got, const std::vector<uint16_t> &expected,
		      float (*to_float)(uint16_t))
{
	for (size_t i = 0; i < got.size(); ++i) {
		if (std::isnan(to_float(expected[i])))
			EXPECT_TRUE(std::isnan(to_float(got[i]))) << i;
		else
			EXPECT_EQ(got[i], expected[i]) << i << ": " << to_float(got[i]) << ", not "
						       << to_float(expected[i]);
	}
}

/* Computed in float and rounded once. */
void expect_half_add_and_multiply(aclDataType type, float (*to_float)(uint16_t),
				  uint16_t (*from_float)(float))
{
	const std::vector<uint16_t> a = sample_bits(1, 61);
	const std::vector<uint16_t> b = sample_bits(0x3c00, 577);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer device_sum(a.size() * 2);
	const DeviceBuffer device_product(a.size() * 2);
	const Dims dims = {32, 32};
	const Scalar alpha(1.0f, ACL_FLOAT);
	std::vector<uint16_t> sum(a.size());
	std::vector<uint16_t> product(a.size());

	for (size_t i = 0; i < a.size(); ++i) {
		sum[i] = from_float(to_float(a[i]) + to_float(b[i]));
		product[i] = from_float(to_float(a[i]) * to_float(b[i]));
	}
	add(Tensor(device_a, type, dims), Tensor(device_b, type, dims), alpha,
	    Tensor(device_sum, type, dims), nullptr);
	multiply(Tensor(device_a, type, dims), Tensor(device_b, type, dims),
		 Tensor(device_product, type, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	expect_same_half(device_sum.load<uint16_t>(), sum, to_float);
	expect_same_half(device_product.load<uint16_t>(), product, to_float);
}

} // namespace

TEST_F(Operators, AddScalesTheOtherOperand)
{
	const std::vector<float> a = ramp<float>(1000, -3, 0.25);
	const std::vector<float> b = ramp<float>(1000, 100, -0.5);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer out(a.size() * sizeof(float));
	const Dims dims = {10, 100};
	const Stream stream;

	for (const float factor : {1.0f, 2.5f, 0.0f, -1.0f}) {
		std::vector<float> expected(a.size());

		for (size_t i = 0; i < a.size(); ++i)
			expected[i] = a[i] + factor * b[i];
		add(Tensor(device_a, ACL_FLOAT, dims), Tensor(device_b, ACL_FLOAT, dims),
		    Scalar(factor, ACL_FLOAT), Tensor(out, ACL_FLOAT, dims), stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(out.load<float>(), expected) << factor;
	}
}

TEST_F(Operators, MultiplyFloats)
{
	const std::vector<float> a = ramp<float>(777, -3, 0.25);
	const std::vector<float> b = ramp<float>(777, 10, -0.5);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer out(a.size() * sizeof(float));
	const Dims dims = {777};
	std::vector<float> expected(a.size());

	for (size_t i = 0; i < a.size(); ++i)
		expected[i] = a[i] * b[i];
	multiply(Tensor(device_a, ACL_FLOAT, dims), Tensor(device_b, ACL_FLOAT, dims),
		 Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), expected);
}

TEST_F(Operators, LargeTensors)
{
	constexpr size_t kCount = size_t{1} << 20;
	const DeviceBuffer a = device_copy(ramp<float>(kCount, 0, 1));
	const DeviceBuffer b = device_copy(ramp<float>(kCount, 1, 0));
	const DeviceBuffer out(kCount * sizeof(float));
	const Dims dims = {static_cast<int64_t>(kCount)};

	add(Tensor(a, ACL_FLOAT, dims), Tensor(b, ACL_FLOAT, dims), Scalar(1.0f, ACL_FLOAT),
	    Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(out.load<float>() == ramp<float>(kCount, 1, 1));
}

TEST_F(Operators, IntegersWrap)
{
	expect_integer_add_and_multiply<int8_t>(ACL_INT8);
	expect_integer_add_and_multiply<int32_t>(ACL_INT32);
	expect_integer_add_and_multiply<int64_t>(ACL_INT64);
}

TEST_F(Operators, HalfIsComputedInFloatAndRoundedOnce)
{
	expect_half_add_and_multiply(ACL_FLOAT16, float_of_f16, f16_of_float);
}

TEST_F(Operators, BrainFloatIsComputedInFloatAndRoundedOnce)
{
	expect_half_add_and_multiply(ACL_BF16, float_of_bf16, bf16_of_float);
}

TEST_F(Operators, IntegerTimesFloatIsFloat)
{
	const std::vector<int32_t> positions = {0, 1, 2, 3, 1000};
	const std::vector<float> theta = {1.0f, 0.5f, 0.125f};
	const DeviceBuffer device_positions = device_copy(positions);
	const DeviceBuffer device_theta = device_copy(theta);
	const DeviceBuffer out(15 * sizeof(float));
	std::vector<float> expected;

	for (const int32_t position : positions) {
		for (const float factor : theta)
			expected.push_back(static_cast<float>(position) * factor);
	}
	multiply(Tensor(device_positions, ACL_INT32, {5, 1}), Tensor(device_theta, ACL_FLOAT, {3}),
		 Tensor(out, ACL_FLOAT, {5, 3}), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), expected);
}

TEST_F(Operators, FloatAddedToHalfIsHalf)
{
	std::vector<uint16_t> a;
	std::vector<uint16_t> expected;
	const std::vector<float> b = ramp<float>(64, 0.001, 0.37);

	for (size_t i = 0; i < b.size(); ++i) {
		a.push_back(f16_of_float(static_cast<float>(i)));
		expected.push_back(f16_of_float(float_of_f16(a[i]) + b[i]));
	}
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer out(a.size() * 2);

	add(Tensor(device_a, ACL_FLOAT16, {64}), Tensor(device_b, ACL_FLOAT, {64}),
	    Scalar(1.0f, ACL_FLOAT), Tensor(out, ACL_FLOAT16, {64}), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<uint16_t>(), expected);
}

TEST_F(Operators, BothOperandsBroadcast)
{
	const std::vector<float> a = ramp<float>(12, 0, 1);
	const std::vector<float> b = ramp<float>(5, 100, 100);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer device_b = device_copy(b);
	const DeviceBuffer out(60 * sizeof(float));
	std::vector<float> expected;

	/* [4, 1, 3] + [5, 1] = [4, 5, 3] */
	for (size_t i = 0; i < 60; ++i)
		expected.push_back(a[i / 15 * 3 + i % 3] + b[i / 3 % 5]);
	add(Tensor(device_a, ACL_FLOAT, {4, 1, 3}), Tensor(device_b, ACL_FLOAT, {5, 1}),
	    Scalar(1.0f, ACL_FLOAT), Tensor(out, ACL_FLOAT, {4, 5, 3}), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), expected);
}

TEST_F(Operators, EightDimensionsAndOneElement)
{
	const DeviceBuffer a = device_copy(ramp<float>(256, 0, 1));
	const DeviceBuffer one = device_copy(std::vector<float>{2.0f});
	const DeviceBuffer out(256 * sizeof(float));
	const Dims dims(8, 2);

	multiply(Tensor(a, ACL_FLOAT, dims), Tensor(one, ACL_FLOAT, {1}),
		 Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), ramp<float>(256, 0, 2));
	multiply(Tensor(a, ACL_FLOAT, dims), Tensor(one, ACL_FLOAT, Dims{}),
		 Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), ramp<float>(256, 0, 2));
}

TEST_F(Operators, StridedViewsOnBothSides)
{
	const std::vector<float> a = ramp<float>(200, 0, 1);
	const DeviceBuffer device_a = device_copy(a);
	const DeviceBuffer out(200 * sizeof(float));
	std::vector<float> expected(200, 0.0f);

	/*
	 * self: a 6 x 7 view with rows 10 apart; other: its transpose at another place, seen as
	 * 6 x 7; out: every other element.
	 */
	for (size_t i = 0; i < 6; ++i) {
		for (size_t j = 0; j < 7; ++j)
			expected[4 + 20 * i + 2 * j] = a[3 + 10 * i + j] + a[50 + i + 8 * j];
	}
	add(Tensor(device_a, ACL_FLOAT, {6, 7}, {10, 1}, 3),
	    Tensor(device_a, ACL_FLOAT, {6, 7}, {1, 8}, 50), Scalar(1.0f, ACL_FLOAT),
	    Tensor(out, ACL_FLOAT, {6, 7}, {20, 2}, 4), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), expected);
}

TEST_F(Operators, StrideZeroRepeatsAndTheStrideOfOneElementDoesNotMatter)
{
	const DeviceBuffer a = device_copy(ramp<float>(4, 1, 1));
	const DeviceBuffer out(12 * sizeof(float));

	multiply(Tensor(a, ACL_FLOAT, {3, 4}, {0, 1}, 0),
		 Tensor(a, ACL_FLOAT, {1, 4}, {123456789, 0}, 1), Tensor(out, ACL_FLOAT, {3, 4}),
		 nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), (std::vector<float>{2, 4, 6, 8, 2, 4, 6, 8, 2, 4, 6, 8}));
}

TEST_F(Operators, ResultMayReplaceAnOperand)
{
	const DeviceBuffer x = device_copy(ramp<float>(100, 0, 1));
	const DeviceBuffer y = device_copy(ramp<float>(100, 1, 0));
	const Tensor tensor_x(x, ACL_FLOAT, {100});
	const Tensor tensor_y(y, ACL_FLOAT, {100});
	const Scalar one(1.0f, ACL_FLOAT);

	add(tensor_x, tensor_y, one, tensor_x, nullptr);
	add(tensor_y, tensor_x, one, tensor_x, nullptr);
	multiply(tensor_x, tensor_x, tensor_x, nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));

	const std::vector<float> result = x.load<float>();

	for (size_t i = 0; i < result.size(); ++i)
		EXPECT_EQ(result[i], float((i + 2) * (i + 2)));
}

TEST_F(Operators, InplaceForms)
{
	const DeviceBuffer x = device_copy(ramp<float>(6, 0, 1));
	const DeviceBuffer y = device_copy(ramp<float>(3, 1, 1));
	const Tensor tensor_x(x, ACL_FLOAT, {2, 3});
	const Tensor tensor_y(y, ACL_FLOAT, {3});
	const Scalar two(2.0f, ACL_FLOAT);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 99;

	EXPECT_OK(aclnnInplaceAddGetWorkspaceSize(tensor_x, tensor_y, two, &bytes, &executor));
	EXPECT_EQ(bytes, 0u);
	EXPECT_OK(aclnnInplaceAdd(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclnnInplaceMulGetWorkspaceSize(tensor_x, tensor_y, &bytes, &executor));
	EXPECT_EQ(bytes, 0u);
	EXPECT_OK(aclnnInplaceMul(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(x.load<float>(), (std::vector<float>{2, 10, 24, 5, 16, 33}));
}
