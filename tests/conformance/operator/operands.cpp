// SPDX-License-Identifier: MIT
/*
 * DOC: operands - tensors, scalars, arrays and executors as objects
 *
 * They copy what they are made from and give it back; a list owns what is put into it; an executor
 * serves one call unless it is set to repeat.
 */
#include <memory>

#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using Operands = DeviceTest;

using Getter = aclnnStatus (*)(const aclTensor *, int64_t **, uint64_t *);

Dims dims_of(Getter getter, const aclTensor *tensor)
{
	int64_t *values = nullptr;
	uint64_t count = 0;

	EXPECT_EQ(getter(tensor, &values, &count), 0);

	const std::unique_ptr<int64_t[]> owner(values);

	return Dims(values, values + count);
}

aclTensor *make_tensor()
{
	const Dims dims = {2, 3};
	const Dims strides = {7, 2};
	const Dims storage = {40};

	return aclCreateTensor(dims.data(), dims.size(), ACL_INT16, strides.data(), 5,
			       ACL_FORMAT_NCHW, storage.data(), storage.size(), nullptr);
}

} // namespace

TEST_F(Operands, TensorGivesBackCopiesOfWhatItWasMadeFrom)
{
	aclTensor *tensor = make_tensor();
	int64_t offset = 0;
	aclFormat format = ACL_FORMAT_UNDEFINED;
	aclDataType type = ACL_DT_UNDEFINED;

	ASSERT_NE(tensor, nullptr);
	EXPECT_EQ(dims_of(aclGetViewShape, tensor), (Dims{2, 3}));
	EXPECT_EQ(dims_of(aclGetViewStrides, tensor), (Dims{7, 2}));
	EXPECT_EQ(dims_of(aclGetStorageShape, tensor), (Dims{40}));
	EXPECT_EQ(aclGetViewOffset(tensor, &offset), 0);
	EXPECT_EQ(offset, 5);
	EXPECT_EQ(aclGetFormat(tensor, &format), 0);
	EXPECT_EQ(format, ACL_FORMAT_NCHW);
	EXPECT_EQ(aclGetDataType(tensor, &type), 0);
	EXPECT_EQ(type, ACL_INT16);
	EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST_F(Operands, TensorWithoutStridesIsDense)
{
	const auto strides_of = [](const Dims &dims) {
		aclTensor *tensor =
			aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, nullptr, 0,
					ACL_FORMAT_ND, dims.data(), dims.size(), nullptr);
		const Dims strides = dims_of(aclGetViewStrides, tensor);

		EXPECT_EQ(aclDestroyTensor(tensor), 0);
		return strides;
	};

	EXPECT_EQ(strides_of({7}), (Dims{1}));
	EXPECT_EQ(strides_of({2, 3}), (Dims{3, 1}));
	EXPECT_EQ(strides_of({5, 1, 2, 3}), (Dims{6, 6, 3, 1}));
}

TEST_F(Operands, NullIsRefused)
{
	aclDataType type = ACL_DT_UNDEFINED;
	aclTensor *tensor = make_tensor();

	EXPECT_FAILS(kNullPointer, "tensor|null", aclGetDataType(nullptr, &type));
	EXPECT_FAILS(kNullPointer, "dataType|null", aclGetDataType(tensor, nullptr));
	EXPECT_EQ(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0,
				  nullptr),
		  nullptr);
	EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
	EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST_F(Operands, ArraysKnowTheirSize)
{
	const int64_t integers[] = {1, 2, 3};
	const float floats[] = {1, 2};
	const bool bools[] = {true};
	aclIntArray *int_array = aclCreateIntArray(integers, 3);
	aclFloatArray *float_array = aclCreateFloatArray(floats, 2);
	aclBoolArray *bool_array = aclCreateBoolArray(bools, 1);
	uint64_t size = 0;

	EXPECT_EQ(aclGetIntArraySize(int_array, &size), 0);
	EXPECT_EQ(size, 3u);
	EXPECT_EQ(aclGetFloatArraySize(float_array, &size), 0);
	EXPECT_EQ(size, 2u);
	EXPECT_EQ(aclGetBoolArraySize(bool_array, &size), 0);
	EXPECT_EQ(size, 1u);
	EXPECT_EQ(aclDestroyIntArray(int_array), 0);
	EXPECT_EQ(aclDestroyFloatArray(float_array), 0);
	EXPECT_EQ(aclDestroyBoolArray(bool_array), 0);
}

TEST_F(Operands, ListOwnsItsMembers)
{
	const aclTensor *tensors[] = {make_tensor(), make_tensor()};
	float value = 1;
	const aclScalar *scalars[] = {aclCreateScalar(&value, ACL_FLOAT)};
	aclTensorList *tensor_list = aclCreateTensorList(tensors, 2);
	aclScalarList *scalar_list = aclCreateScalarList(scalars, 1);
	uint64_t size = 0;

	EXPECT_EQ(aclGetTensorListSize(tensor_list, &size), 0);
	EXPECT_EQ(size, 2u);
	EXPECT_EQ(aclGetScalarListSize(scalar_list, &size), 0);
	EXPECT_EQ(size, 1u);
	EXPECT_EQ(aclDestroyTensorList(tensor_list), 0);
	EXPECT_EQ(aclDestroyScalarList(scalar_list), 0);
}

TEST_F(Operands, RepeatableExecutorServesManyCalls)
{
	const DeviceBuffer x = device_copy(std::vector<float>{1, 2, 3});
	const Tensor tensor(x, ACL_FLOAT, {3});
	const Scalar one(1.0f, ACL_FLOAT);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	EXPECT_OK(aclnnAddGetWorkspaceSize(tensor, tensor, one, tensor, &bytes, &executor));
	EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
	for (int i = 0; i < 4; ++i)
		EXPECT_OK(aclnnAdd(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(x.load<float>(), (std::vector<float>{16, 32, 48}));
	EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(Operands, InitAndFinalizeOfTheOperatorsAreHarmless)
{
	EXPECT_EQ(aclnnInit(nullptr), 0);
	EXPECT_EQ(aclnnFinalize(), 0);
}
