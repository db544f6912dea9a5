// SPDX-License-Identifier: MIT
/*
 * DOC: The aclnn front end, tested without a device
 *
 * The functions that the front end calls in the runtime are defined here and keep what they were given, so that
 * every descriptor and every sentence can be looked at.
 */
#include <bit>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "tests/unit/support/no_runtime.h"
#include "umd/acl/acl_error.h"
#include "umd/core/process/error.h"

namespace {

struct Launched {
	uint16_t number;
	unpu_operator op;
	void *stream;
	unsigned count;
	base::Status answer;
};

thread_local Launched launched;
thread_local std::shared_ptr<const umd::DumpOperator> watched;
thread_local char sentence[512];

} // namespace

namespace umd {

base::Status launch_operator(void *stream, uint16_t number, const unpu_operator &op)
{
	launched.number = number;
	launched.op = op;
	launched.stream = stream;
	launched.count++;
	return launched.answer;
}

base::Status launch_watched(void *stream, uint16_t number, const unpu_operator &op,
			    const std::shared_ptr<const DumpOperator> &described)
{
	watched = described;
	return launch_operator(stream, number, op);
}

base::Status set_error(base::Status status, std::string text)
{
	sentence[text.copy(sentence, sizeof(sentence) - 1)] = 0;
	return status;
}

int acl_error(base::Status status)
{
	return status == base::Status::OK ? 0 : 500000 + static_cast<int>(status);
}

} // namespace umd

namespace {

using Dims = std::vector<int64_t>;

constexpr aclnnStatus missing = 161001, wrong = 161002;

void *const address = reinterpret_cast<void *>(0x100000);

struct Destroy {
	void operator()(const aclTensor *tensor) const { EXPECT_EQ(aclDestroyTensor(tensor), 0); }
	void operator()(const aclScalar *scalar) const { EXPECT_EQ(aclDestroyScalar(scalar), 0); }
};

using Tensor = std::unique_ptr<aclTensor, Destroy>;
using Scalar = std::unique_ptr<aclScalar, Destroy>;

Tensor make_tensor(const Dims &dims, aclDataType dtype, const Dims &strides = {},
		   int64_t offset = 0, void *data = address)
{
	const int64_t storage = 1000;

	return Tensor(aclCreateTensor(dims.data(), dims.size(), dtype,
				      strides.empty() ? nullptr : strides.data(), offset,
				      ACL_FORMAT_ND, &storage, 1, data));
}

template <class T> Scalar make_scalar(T value, aclDataType dtype)
{
	return Scalar(aclCreateScalar(&value, dtype));
}

class Aclnn : public testing::Test {
protected:
	void SetUp() override
	{
		launched = {};
		sentence[0] = 0;
	}

	aclnnStatus add(const Tensor &self, const Tensor &other, const Scalar &alpha,
			const Tensor &out)
	{
		uint64_t bytes = 77;
		aclOpExecutor *executor = nullptr;
		const aclnnStatus status = aclnnAddGetWorkspaceSize(
			self.get(), other.get(), alpha.get(), out.get(), &bytes, &executor);

		EXPECT_EQ(executor == nullptr, status != 0);
		if (status != 0)
			return status;
		EXPECT_EQ(bytes, 0u);
		return aclnnAdd(nullptr, bytes, executor, stream_);
	}

	aclnnStatus add(const Tensor &self, const Tensor &other, const Tensor &out)
	{
		return add(self, other, make_scalar(1.0f, ACL_FLOAT), out);
	}

	aclnnStatus mul(const Tensor &self, const Tensor &other, const Tensor &out)
	{
		uint64_t bytes = 77;
		aclOpExecutor *executor = nullptr;
		const aclnnStatus status = aclnnMulGetWorkspaceSize(self.get(), other.get(),
								    out.get(), &bytes, &executor);

		if (status != 0)
			return status;
		EXPECT_EQ(bytes, 0u);
		return aclnnMul(nullptr, bytes, executor, stream_);
	}

	/* strides() - those of operand @i that the device will use. */
	static Dims strides(unsigned i)
	{
		const int64_t *first = launched.op.operands[i].strides;

		return Dims(first, first + launched.op.ndim);
	}

	static Dims dims() { return Dims(launched.op.dims, launched.op.dims + launched.op.ndim); }

	void *stream_ = reinterpret_cast<void *>(0x77);
};

TEST_F(Aclnn, AddFillsTheDescriptor)
{
	const auto self = make_tensor({2, 3}, ACL_FLOAT), other = make_tensor({2, 3}, ACL_FLOAT),
		   out = make_tensor({2, 3}, ACL_FLOAT);

	ASSERT_EQ(add(self, other, make_scalar(2.5f, ACL_FLOAT), out), 0);
	EXPECT_EQ(launched.count, 1u);
	EXPECT_EQ(launched.stream, stream_);
	EXPECT_EQ(launched.op.kind, uint32_t(UNPU_OPERATOR_ADD));
	EXPECT_STREQ(umd::operator_name(umd::OperatorNumber(launched.number)), "aclnnAdd");
	EXPECT_EQ(launched.op.compute, uint32_t(UNPU_DTYPE_F32));
	EXPECT_EQ(launched.op.noperands, 3u);
	EXPECT_EQ(std::bit_cast<double>(launched.op.scalar_bits), 2.5);
	EXPECT_EQ(dims(), (Dims{2, 3}));
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(strides(i), (Dims{3, 1}));
		EXPECT_EQ(launched.op.operands[i].address, 0x100000u);
		EXPECT_EQ(launched.op.operands[i].access,
			  i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ);
	}
	EXPECT_EQ(launched.op.operands[3].access, 0u);
}

TEST_F(Aclnn, MulHasNoScalar)
{
	const auto tensor = make_tensor({4}, ACL_INT32);

	ASSERT_EQ(mul(tensor, tensor, tensor), 0);
	EXPECT_EQ(launched.op.kind, uint32_t(UNPU_OPERATOR_MUL));
	EXPECT_EQ(launched.op.scalar_bits, 0u);
	EXPECT_EQ(launched.op.compute, uint32_t(UNPU_DTYPE_I64));
}

TEST_F(Aclnn, ShapesAreBroadcast)
{
	const auto self = make_tensor({4, 1, 3}, ACL_FLOAT), other = make_tensor({5, 1}, ACL_FLOAT),
		   out = make_tensor({4, 5, 3}, ACL_FLOAT);

	ASSERT_EQ(add(self, other, out), 0);
	EXPECT_EQ(dims(), (Dims{4, 5, 3}));
	EXPECT_EQ(strides(0), (Dims{15, 3, 1}));
	EXPECT_EQ(strides(1), (Dims{3, 0, 1}));
	EXPECT_EQ(strides(2), (Dims{0, 1, 0}));
}

TEST_F(Aclnn, EightDims)
{
	const Dims dims8 = {2, 1, 2, 1, 2, 1, 2, 3};
	const auto self = make_tensor(dims8, ACL_FLOAT16), other = make_tensor({}, ACL_FLOAT16),
		   out = make_tensor(dims8, ACL_FLOAT16);

	ASSERT_EQ(mul(self, other, out), 0);
	EXPECT_EQ(dims(), dims8);
	EXPECT_EQ(strides(2), Dims(8, 0));
	EXPECT_EQ(make_tensor(Dims(9, 1), ACL_FLOAT), nullptr);
	EXPECT_NE(std::string(sentence).find("at most 8"), std::string::npos);
}

TEST_F(Aclnn, ZeroDimsAreOneElement)
{
	const auto tensor = make_tensor({}, ACL_FLOAT);

	ASSERT_EQ(add(tensor, tensor, tensor), 0);
	EXPECT_EQ(launched.op.ndim, 0u);
}

TEST_F(Aclnn, ViewsKeepStridesAndOffsets)
{
	const auto self = make_tensor({2, 3}, ACL_FLOAT16, {1, 7}, 5),
		   other = make_tensor({2, 3}, ACL_FLOAT, {-4, 0}, 9),
		   out = make_tensor({2, 3}, ACL_FLOAT, {10, 2}, 1);

	ASSERT_EQ(add(self, other, out), 0);
	EXPECT_EQ(strides(0), (Dims{10, 2}));
	EXPECT_EQ(strides(1), (Dims{1, 7}));
	EXPECT_EQ(strides(2), (Dims{-4, 0}));
	EXPECT_EQ(launched.op.operands[0].address, 0x100000u + 4);
	EXPECT_EQ(launched.op.operands[1].address, 0x100000u + 10);
	EXPECT_EQ(launched.op.operands[2].address, 0x100000u + 36);
}

TEST_F(Aclnn, GarbageStridesOfUnitDimsAreNormalised)
{
	constexpr int64_t garbage = std::numeric_limits<int64_t>::min();
	const auto tensor = make_tensor({1, 3, 1}, ACL_FLOAT, {garbage, 1, -12345});

	ASSERT_EQ(add(tensor, tensor, tensor), 0);
	for (unsigned i = 0; i < 3; i++)
		EXPECT_EQ(strides(i), (Dims{0, 1, 0}));
}

TEST_F(Aclnn, SourcesDecideTheComputeType)
{
	const struct {
		aclDataType self, other, out;
		uint32_t compute;
	} rows[] = {
		{ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, UNPU_DTYPE_F32},
		{ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT16, UNPU_DTYPE_F32},
		{ACL_BF16, ACL_FLOAT16, ACL_FLOAT, UNPU_DTYPE_F32},
		{ACL_INT32, ACL_FLOAT, ACL_FLOAT, UNPU_DTYPE_F32},
		{ACL_INT8, ACL_FLOAT16, ACL_FLOAT, UNPU_DTYPE_F32},
		{ACL_BOOL, ACL_BF16, ACL_BF16, UNPU_DTYPE_F32},
		{ACL_INT64, ACL_INT16, ACL_INT8, UNPU_DTYPE_I64},
		{ACL_UINT8, ACL_BOOL, ACL_FLOAT, UNPU_DTYPE_I64},
		{ACL_BOOL, ACL_BOOL, ACL_BOOL, UNPU_DTYPE_BOOL},
		{ACL_BOOL, ACL_BOOL, ACL_INT32, UNPU_DTYPE_BOOL},
	};

	for (const auto &row : rows) {
		EXPECT_EQ(mul(make_tensor({3}, row.self), make_tensor({3}, row.other),
			      make_tensor({3}, row.out)),
			  0);
		EXPECT_EQ(launched.op.compute, row.compute);
	}
}

TEST_F(Aclnn, ResultsAreNotCastToNarrowerCategories)
{
	const struct {
		aclDataType self, other, out;
	} rows[] = {
		{ACL_FLOAT, ACL_FLOAT, ACL_INT32},  {ACL_INT32, ACL_FLOAT16, ACL_INT64},
		{ACL_INT32, ACL_INT32, ACL_BOOL},   {ACL_FLOAT, ACL_BOOL, ACL_BOOL},
		{ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT}, {ACL_FLOAT, ACL_UINT32, ACL_FLOAT},
		{ACL_FLOAT, ACL_FLOAT, ACL_INT4},   {ACL_DT_UNDEFINED, ACL_FLOAT, ACL_FLOAT},
	};

	for (const auto &row : rows) {
		sentence[0] = 0;
		EXPECT_EQ(mul(make_tensor({3}, row.self), make_tensor({3}, row.other),
			      make_tensor({3}, row.out)),
			  wrong);
		EXPECT_NE(std::string(sentence).find("aclnnMul"), std::string::npos) << sentence;
	}
	EXPECT_EQ(launched.count, 0u);
}

TEST_F(Aclnn, AlphaOfEveryType)
{
	const auto real = make_tensor({3}, ACL_FLOAT16), integer = make_tensor({3}, ACL_INT32),
		   truth = make_tensor({3}, ACL_BOOL);
	Scalar alphas[] = {
		make_scalar(3.0f, ACL_FLOAT),
		make_scalar(3.0, ACL_DOUBLE),
		make_scalar(uint16_t(0x4200), ACL_FLOAT16),
		make_scalar(uint16_t(0x4040), ACL_BF16),
		make_scalar(int8_t(3), ACL_INT8),
		make_scalar(int16_t(3), ACL_INT16),
		make_scalar(int32_t(3), ACL_INT32),
		make_scalar(int64_t(3), ACL_INT64),
		make_scalar(uint8_t(3), ACL_UINT8),
		make_scalar(uint16_t(3), ACL_UINT16),
		make_scalar(uint32_t(3), ACL_UINT32),
		make_scalar(uint64_t(3), ACL_UINT64),
	};

	for (const Scalar &alpha : alphas) {
		ASSERT_EQ(add(real, real, alpha, real), 0);
		EXPECT_EQ(std::bit_cast<double>(launched.op.scalar_bits), 3.0);
		ASSERT_EQ(add(integer, integer, alpha, integer), 0);
		EXPECT_EQ(launched.op.scalar_bits, 3u);
		ASSERT_EQ(add(truth, truth, alpha, truth), 0);
		EXPECT_EQ(launched.op.scalar_bits, 1u);
	}
	ASSERT_EQ(add(integer, integer, make_scalar(uint8_t(200), ACL_BOOL), integer), 0);
	EXPECT_EQ(launched.op.scalar_bits, 1u);
	ASSERT_EQ(add(integer, integer, make_scalar(int8_t(-2), ACL_INT8), integer), 0);
	EXPECT_EQ(int64_t(launched.op.scalar_bits), -2);
	EXPECT_EQ(add(integer, integer, make_scalar(0.5f, ACL_FLOAT), integer), wrong);
	EXPECT_EQ(add(integer, integer, make_scalar(1e30f, ACL_FLOAT), integer), wrong);
	EXPECT_EQ(make_scalar(int64_t(0), ACL_STRING), nullptr);
	EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
}

TEST_F(Aclnn, WrongShapesAreRefusedWithASentence)
{
	const auto a = make_tensor({4, 3}, ACL_FLOAT), b = make_tensor({4, 2}, ACL_FLOAT);

	EXPECT_EQ(add(a, b, a), wrong);
	EXPECT_NE(std::string(sentence).find("[4, 3]"), std::string::npos) << sentence;
	EXPECT_NE(std::string(sentence).find("[4, 2]"), std::string::npos) << sentence;
	EXPECT_EQ(add(a, a, b), wrong);
	EXPECT_EQ(add(a, a, make_tensor({1, 4, 3}, ACL_FLOAT)), wrong);
	EXPECT_EQ(add(make_tensor({3}, ACL_FLOAT), make_tensor({3}, ACL_FLOAT), a), wrong);
	EXPECT_EQ(launched.count, 0u);
}

TEST_F(Aclnn, OutputsThatShareMemoryAreRefused)
{
	const auto a = make_tensor({4, 3}, ACL_FLOAT);

	EXPECT_EQ(add(a, a, make_tensor({4, 3}, ACL_FLOAT, {0, 1})), wrong);
	EXPECT_EQ(add(a, a, make_tensor({4, 3}, ACL_FLOAT, {8, 4})), wrong);
	EXPECT_EQ(add(make_tensor({4, 3}, ACL_FLOAT, {1, 1}), a, a), 0) << "a source may";
}

TEST_F(Aclnn, ViewsOutsideTheAddressSpaceAreRefused)
{
	constexpr int64_t far = std::numeric_limits<int64_t>::max();
	const auto a = make_tensor({4, 3}, ACL_FLOAT);

	EXPECT_EQ(add(make_tensor({4, 3}, ACL_FLOAT, {far, 1}), a, a), wrong);
	EXPECT_EQ(add(a, make_tensor({4, 3}, ACL_FLOAT, {3, 1}, far), a), wrong);
	EXPECT_EQ(add(a, a, make_tensor({4, 3}, ACL_FLOAT, {-3000000, 1})), wrong);
	EXPECT_EQ(mul(make_tensor({far, far}, ACL_INT8), make_tensor({1}, ACL_INT8),
		      make_tensor({far, far}, ACL_INT8)),
		  wrong);
}

TEST_F(Aclnn, EmptyTensorsLaunchNothing)
{
	const auto empty = make_tensor({0, 3}, ACL_FLOAT, {}, 0, nullptr);

	EXPECT_EQ(add(empty, empty, empty), 0);
	EXPECT_EQ(add(empty, make_tensor({1, 3}, ACL_FLOAT), empty), 0);
	EXPECT_EQ(add(empty, make_tensor({2, 3}, ACL_FLOAT), empty), wrong);
	EXPECT_EQ(launched.count, 0u);
}

TEST_F(Aclnn, MissingDataFailsAtLaunch)
{
	const auto a = make_tensor({3}, ACL_FLOAT);
	const auto bare = make_tensor({3}, ACL_FLOAT, {}, 0, nullptr);
	uint64_t bytes;
	aclOpExecutor *executor;

	ASSERT_EQ(aclnnMulGetWorkspaceSize(a.get(), bare.get(), a.get(), &bytes, &executor), 0);
	EXPECT_EQ(aclnnMul(nullptr, 0, executor, nullptr), missing);
	EXPECT_NE(std::string(sentence).find("other"), std::string::npos) << sentence;
	EXPECT_EQ(launched.count, 0u);
}

TEST_F(Aclnn, MissingArguments)
{
	const auto a = make_tensor({3}, ACL_FLOAT);
	const Scalar alpha = make_scalar(1.0f, ACL_FLOAT);
	aclTensor *t = a.get();
	uint64_t bytes;
	aclOpExecutor *executor;

	EXPECT_EQ(aclnnAddGetWorkspaceSize(nullptr, t, alpha.get(), t, &bytes, &executor), missing);
	EXPECT_EQ(aclnnAddGetWorkspaceSize(t, nullptr, alpha.get(), t, &bytes, &executor), missing);
	EXPECT_EQ(aclnnAddGetWorkspaceSize(t, t, nullptr, t, &bytes, &executor), missing);
	EXPECT_STREQ(sentence, "aclnnAdd: alpha is NULL");
	EXPECT_EQ(aclnnAddGetWorkspaceSize(t, t, alpha.get(), nullptr, &bytes, &executor), missing);
	EXPECT_EQ(aclnnAddGetWorkspaceSize(t, t, alpha.get(), t, nullptr, &executor), missing);
	EXPECT_EQ(aclnnAddGetWorkspaceSize(t, t, alpha.get(), t, &bytes, nullptr), missing);
	EXPECT_EQ(aclnnInplaceAddGetWorkspaceSize(nullptr, t, alpha.get(), &bytes, &executor),
		  missing);
	EXPECT_EQ(aclnnInplaceMulGetWorkspaceSize(t, nullptr, &bytes, &executor), missing);
	EXPECT_EQ(aclnnMulGetWorkspaceSize(t, t, nullptr, &bytes, &executor), missing);
	EXPECT_EQ(aclnnAdd(nullptr, 0, nullptr, nullptr), missing);
	EXPECT_EQ(aclnnInplaceMul(nullptr, 0, nullptr, nullptr), missing);
}

TEST_F(Aclnn, InPlaceWritesSelf)
{
	const auto self = make_tensor({4, 3}, ACL_FLOAT), other = make_tensor({3}, ACL_FLOAT16);
	const Scalar alpha = make_scalar(1.0f, ACL_FLOAT);
	uint64_t bytes;
	aclOpExecutor *executor;

	ASSERT_EQ(aclnnInplaceAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), &bytes,
						  &executor),
		  0);
	ASSERT_EQ(aclnnInplaceAdd(nullptr, 0, executor, stream_), 0);
	EXPECT_EQ(launched.op.operands[0].address, launched.op.operands[1].address);
	EXPECT_EQ(strides(0), strides(1));
	EXPECT_EQ(strides(2), (Dims{0, 1}));
	ASSERT_EQ(aclnnInplaceMulGetWorkspaceSize(self.get(), other.get(), &bytes, &executor), 0);
	ASSERT_EQ(aclnnInplaceMul(nullptr, 0, executor, stream_), 0);
	EXPECT_EQ(launched.op.kind, uint32_t(UNPU_OPERATOR_MUL));
	const auto large = make_tensor({2, 4, 3}, ACL_FLOAT);
	EXPECT_EQ(aclnnInplaceMulGetWorkspaceSize(self.get(), large.get(), &bytes, &executor),
		  wrong);
	EXPECT_EQ(executor, nullptr);
}

TEST_F(Aclnn, ExecutorsOutliveTheirOperands)
{
	uint64_t bytes;
	aclOpExecutor *executor;

	{
		const auto a = make_tensor({3}, ACL_FLOAT);
		ASSERT_EQ(aclnnMulGetWorkspaceSize(a.get(), a.get(), a.get(), &bytes, &executor),
			  0);
	}
	ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
	EXPECT_EQ(aclnnMul(nullptr, 0, executor, stream_), 0);
	EXPECT_EQ(aclnnMul(nullptr, 0, executor, nullptr), 0);
	EXPECT_EQ(launched.count, 2u);
	EXPECT_EQ(launched.stream, nullptr);
	EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
	EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), missing);
	EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), missing);
}

TEST_F(Aclnn, ExecutorsBelongToOneOperator)
{
	const auto a = make_tensor({3}, ACL_FLOAT);
	uint64_t bytes;
	aclOpExecutor *executor;

	ASSERT_EQ(aclnnMulGetWorkspaceSize(a.get(), a.get(), a.get(), &bytes, &executor), 0);
	EXPECT_EQ(aclnnAdd(nullptr, 0, executor, nullptr), wrong);
	EXPECT_EQ(launched.count, 0u);
}

TEST_F(Aclnn, LaunchErrorsAreTranslated)
{
	const auto a = make_tensor({3}, ACL_FLOAT);

	launched.answer = base::Status::STREAM_CAPTURED;
	EXPECT_EQ(mul(a, a, a), umd::acl_error(base::Status::STREAM_CAPTURED));
}

TEST_F(Aclnn, TensorsAreDescribedWhileACallbackIsRegistered)
{
	const auto self = make_tensor({2, 3}, ACL_FLOAT, {1, 2}, 4),
		   other = make_tensor({1}, ACL_BF16), out = make_tensor({2, 3}, ACL_FLOAT);
	const auto alpha = make_scalar(2.5f, ACL_FLOAT);

	watched = nullptr;
	ASSERT_EQ(add(self, other, alpha, out), 0);
	EXPECT_EQ(watched, nullptr);
	umd::operators_watched = true;
	ASSERT_EQ(add(self, other, alpha, out), 0);
	umd::operators_watched = false;
	ASSERT_NE(watched, nullptr);
	EXPECT_EQ(watched->type, "Add");
	EXPECT_EQ(watched->name, "aclnnAdd");
	ASSERT_EQ(watched->tensors.size(), 3u);
	EXPECT_EQ(watched->tensors[0].strides, (Dims{1, 2}));
	EXPECT_EQ(watched->tensors[0].address, std::bit_cast<uint64_t>(address) + 16);
	EXPECT_EQ(watched->tensors[1].dims, (Dims{1}));
	EXPECT_EQ(watched->tensors[1].dtype, uint32_t(UNPU_DTYPE_BF16));
	EXPECT_EQ(watched->tensors[2].role, umd::DumpTensor::Role::OUTPUT);
	watched = nullptr;
}

TEST_F(Aclnn, TensorGetters)
{
	const auto tensor = make_tensor({2, 3}, ACL_BF16, {1, 9}, 4);
	int64_t *values, offset;
	uint64_t count;
	aclFormat format;
	aclDataType dtype;

	ASSERT_EQ(aclGetViewShape(tensor.get(), &values, &count), 0);
	EXPECT_EQ(Dims(values, values + count), (Dims{2, 3}));
	delete[] values;
	ASSERT_EQ(aclGetViewStrides(tensor.get(), &values, &count), 0);
	EXPECT_EQ(Dims(values, values + count), (Dims{1, 9}));
	delete[] values;
	ASSERT_EQ(aclGetStorageShape(tensor.get(), &values, &count), 0);
	EXPECT_EQ(Dims(values, values + count), (Dims{1000}));
	delete[] values;
	ASSERT_EQ(aclGetViewOffset(tensor.get(), &offset), 0);
	EXPECT_EQ(offset, 4);
	ASSERT_EQ(aclGetFormat(tensor.get(), &format), 0);
	EXPECT_EQ(format, ACL_FORMAT_ND);
	ASSERT_EQ(aclGetDataType(tensor.get(), &dtype), 0);
	EXPECT_EQ(dtype, ACL_BF16);
	EXPECT_EQ(aclGetViewShape(nullptr, &values, &count), missing);
	EXPECT_EQ(aclGetDataType(tensor.get(), nullptr), missing);
	EXPECT_EQ(make_tensor({-1}, ACL_FLOAT), nullptr);
	EXPECT_EQ(aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0,
				  nullptr),
		  nullptr);
}

TEST_F(Aclnn, ArraysAndLists)
{
	const int64_t integers[] = {1, 2, 3};
	const float floats[] = {1, 2};
	const bool truths[] = {true};
	uint64_t size;

	aclIntArray *ints = aclCreateIntArray(integers, 3);
	EXPECT_EQ(aclGetIntArraySize(ints, &size), 0);
	EXPECT_EQ(size, 3u);
	EXPECT_EQ(aclDestroyIntArray(ints), 0);
	aclFloatArray *reals = aclCreateFloatArray(floats, 2);
	EXPECT_EQ(aclGetFloatArraySize(reals, &size), 0);
	EXPECT_EQ(size, 2u);
	EXPECT_EQ(aclDestroyFloatArray(reals), 0);
	aclBoolArray *bools = aclCreateBoolArray(truths, 1);
	EXPECT_EQ(aclGetBoolArraySize(bools, &size), 0);
	EXPECT_EQ(size, 1u);
	EXPECT_EQ(aclDestroyBoolArray(bools), 0);
	EXPECT_EQ(aclCreateIntArray(nullptr, 1), nullptr);
	EXPECT_EQ(aclCreateIntArray(integers, UINT64_MAX), nullptr);
	EXPECT_EQ(aclGetIntArraySize(nullptr, &size), missing);

	const aclTensor *tensors[] = {make_tensor({1}, ACL_FLOAT).release(),
				      make_tensor({2}, ACL_FLOAT).release()};
	aclTensorList *list = aclCreateTensorList(tensors, 2);
	EXPECT_EQ(aclGetTensorListSize(list, &size), 0);
	EXPECT_EQ(size, 2u);
	EXPECT_EQ(aclDestroyTensorList(list), 0) << "the list owns its tensors";
	const aclScalar *scalars[] = {make_scalar(1.0f, ACL_FLOAT).release()};
	aclScalarList *numbers = aclCreateScalarList(scalars, 1);
	EXPECT_EQ(aclGetScalarListSize(numbers, &size), 0);
	EXPECT_EQ(size, 1u);
	EXPECT_EQ(aclDestroyScalarList(numbers), 0);
	const aclTensor *holes[] = {nullptr};
	EXPECT_EQ(aclCreateTensorList(holes, 1), nullptr);
}

TEST_F(Aclnn, DestroyingNothingIsNoError)
{
	EXPECT_EQ(aclDestroyTensor(nullptr), 0);
	EXPECT_EQ(aclDestroyScalar(nullptr), 0);
	EXPECT_EQ(aclDestroyIntArray(nullptr), 0);
	EXPECT_EQ(aclDestroyFloatArray(nullptr), 0);
	EXPECT_EQ(aclDestroyBoolArray(nullptr), 0);
	EXPECT_EQ(aclDestroyTensorList(nullptr), 0);
	EXPECT_EQ(aclDestroyScalarList(nullptr), 0);
}

TEST_F(Aclnn, StorageDimsAreTakenAsTheyAre)
{
	const int64_t dims[] = {0, 16}, strides[] = {33, 0}, storage = -15;
	int64_t *told = nullptr;
	uint64_t count = 0;
	Tensor empty(aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, &storage, 1,
				     nullptr));

	ASSERT_NE(empty, nullptr);
	EXPECT_EQ(aclGetStorageShape(empty.get(), &told, &count), 0);
	EXPECT_EQ(count, 1u);
	EXPECT_EQ(told[0], -15);
	delete[] told;
}

TEST_F(Aclnn, InitReadsItsFile)
{
	EXPECT_EQ(aclnnInit(nullptr), 0);
	EXPECT_EQ(aclnnInit(""), 0);
	EXPECT_EQ(aclnnInit("/no/such/file"), umd::acl_error(base::Status::BAD_FILE));
	EXPECT_EQ(aclnnFinalize(), 0);
}

} // namespace
