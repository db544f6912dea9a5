// SPDX-License-Identifier: MIT
/*
 * DOC: operands that are not what they should be
 *
 * Tensors, scalars, arrays and lists that were destroyed, or that are none. The answer is 161002 and a sentence with
 * the function, the argument and what it got, never a crash.
 */
#include <array>

#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_relu.h"
#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using BadOperands = DeviceTest;

std::array<uint64_t, 64> zeros = {};

template <typename T> std::vector<T *> impostors(T *stale, void *of_another_type)
{
	std::vector<T *> all = {stale};

	for (void *other :
	     {static_cast<void *>(&zeros), of_another_type, reinterpret_cast<void *>(uintptr_t{1}),
	      reinterpret_cast<void *>(uintptr_t{0xdeadbeef}),
	      reinterpret_cast<void *>(~uintptr_t{0})})
		all.push_back(static_cast<T *>(other));
	return all;
}

aclTensor *make_tensor(const DeviceBuffer &memory)
{
	const int64_t dims[] = {2, 3};

	return aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2,
			       memory.data());
}

aclScalar *make_scalar()
{
	float one = 1;

	return aclCreateScalar(&one, ACL_FLOAT);
}

/* The call is refused, and its sentence has the function and the argument. */
#define EXPECT_REFUSED(function, argument, ...) \
	EXPECT_FAILS(kInvalidParameter, function ": " argument " ", __VA_ARGS__)

} // namespace

TEST_F(BadOperands, TensorsAreRefusedByTheirFunctions)
{
	const DeviceBuffer memory(64);
	aclTensor *stale = make_tensor(memory);
	aclScalar *scalar = make_scalar();
	int64_t *dims = nullptr;
	int64_t offset = 0;
	uint64_t count = 0;
	aclFormat format = ACL_FORMAT_UNDEFINED;
	aclDataType type = ACL_DT_UNDEFINED;
	void *address = nullptr;

	EXPECT_EQ(aclDestroyTensor(stale), 0);
	for (aclTensor *tensor : impostors(stale, scalar)) {
		EXPECT_REFUSED("aclGetViewShape", "tensor", aclGetViewShape(tensor, &dims, &count));
		EXPECT_REFUSED("aclGetStorageShape", "tensor",
			       aclGetStorageShape(tensor, &dims, &count));
		EXPECT_REFUSED("aclGetViewStrides", "tensor",
			       aclGetViewStrides(tensor, &dims, &count));
		EXPECT_REFUSED("aclGetViewOffset", "tensor", aclGetViewOffset(tensor, &offset));
		EXPECT_REFUSED("aclGetFormat", "tensor", aclGetFormat(tensor, &format));
		EXPECT_REFUSED("aclGetDataType", "tensor", aclGetDataType(tensor, &type));
		EXPECT_REFUSED("aclSetRawTensorAddr", "tensor",
			       aclSetRawTensorAddr(tensor, &zeros));
		EXPECT_REFUSED("aclGetRawTensorAddr", "tensor",
			       aclGetRawTensorAddr(tensor, &address));
		EXPECT_REFUSED("aclDestroyTensor", "tensor", aclDestroyTensor(tensor));
	}
	EXPECT_EQ(dims, nullptr);
	EXPECT_EQ(aclDestroyScalar(scalar), 0);
	EXPECT_REFUSED("aclDestroyScalar", "scalar", aclDestroyScalar(scalar));
}

TEST_F(BadOperands, ArraysAreRefusedByTheirFunctions)
{
	const int64_t numbers[] = {1, 2};
	const float reals[] = {1, 2};
	const bool truths[] = {true, false};
	uint64_t size = 0;
	aclIntArray *integers = aclCreateIntArray(numbers, 2);
	aclFloatArray *floats = aclCreateFloatArray(reals, 2);
	aclBoolArray *bools = aclCreateBoolArray(truths, 2);

	EXPECT_REFUSED("aclGetFloatArraySize", "array",
		       aclGetFloatArraySize(reinterpret_cast<aclFloatArray *>(integers), &size));
	EXPECT_EQ(aclDestroyIntArray(integers), 0);
	EXPECT_EQ(aclDestroyFloatArray(floats), 0);
	EXPECT_EQ(aclDestroyBoolArray(bools), 0);
	EXPECT_REFUSED("aclGetIntArraySize", "array", aclGetIntArraySize(integers, &size));
	EXPECT_REFUSED("aclGetFloatArraySize", "array", aclGetFloatArraySize(floats, &size));
	EXPECT_REFUSED("aclGetBoolArraySize", "array", aclGetBoolArraySize(bools, &size));
	EXPECT_REFUSED("aclDestroyIntArray", "array", aclDestroyIntArray(integers));
	EXPECT_REFUSED("aclDestroyFloatArray", "array", aclDestroyFloatArray(floats));
	EXPECT_REFUSED("aclDestroyBoolArray", "array", aclDestroyBoolArray(bools));
}

TEST_F(BadOperands, ListsTellOfMembersThatAreGone)
{
	const DeviceBuffer memory(64);
	aclTensor *members[] = {make_tensor(memory), make_tensor(memory)};
	aclTensor *gone = make_tensor(memory);
	const aclTensor *with_gone[] = {members[0], gone};

	EXPECT_EQ(aclDestroyTensor(gone), 0);
	EXPECT_FAILS(0, "aclCreateTensorList: a member of value ",
		     aclCreateTensorList(with_gone, 2) ? -1 : 0);
	aclTensorList *list = aclCreateTensorList(members, 2);
	ASSERT_NE(list, nullptr);
	EXPECT_EQ(aclDestroyTensor(members[0]), 0);

	aclTensor *out = make_tensor(memory);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;
	EXPECT_REFUSED("aclnnCat", "tensors[0]",
		       aclnnCatGetWorkspaceSize(list, 0, out, &bytes, &executor));
	EXPECT_EQ(aclDestroyTensor(out), 0);
	EXPECT_REFUSED("aclDestroyTensorList", "a member of list", aclDestroyTensorList(list));
	EXPECT_REFUSED("aclDestroyTensor", "tensor", aclDestroyTensor(members[1]))
		<< "the list destroys the members that are left";
	EXPECT_REFUSED("aclDestroyTensorList", "list", aclDestroyTensorList(list));
	EXPECT_REFUSED("aclGetTensorListSize", "list", aclGetTensorListSize(list, &bytes));

	const aclScalar *scalars[] = {make_scalar()};
	aclScalarList *numbers = aclCreateScalarList(scalars, 1);
	EXPECT_EQ(aclDestroyScalarList(numbers), 0);
	EXPECT_REFUSED("aclDestroyScalarList", "list", aclDestroyScalarList(numbers));
	EXPECT_REFUSED("aclDestroyScalar", "scalar", aclDestroyScalar(scalars[0]));
	EXPECT_REFUSED("aclGetScalarListSize", "list", aclGetScalarListSize(numbers, &bytes));
}

TEST_F(BadOperands, OperatorsRefuseThem)
{
	const DeviceBuffer memory(64);
	aclTensor *good = make_tensor(memory);
	aclTensor *stale = make_tensor(memory);
	aclScalar *alpha = make_scalar();
	aclScalar *no_alpha = make_scalar();
	const int64_t order[] = {1, 0};
	aclIntArray *dims = aclCreateIntArray(order, 2);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	EXPECT_EQ(aclDestroyTensor(stale), 0);
	EXPECT_EQ(aclDestroyScalar(no_alpha), 0);
	for (aclTensor *bad : impostors(stale, alpha)) {
		EXPECT_REFUSED("aclnnAdd", "self",
			       aclnnAddGetWorkspaceSize(bad, good, alpha, good, &bytes, &executor));
		EXPECT_REFUSED("aclnnAdd", "other",
			       aclnnAddGetWorkspaceSize(good, bad, alpha, good, &bytes, &executor));
		EXPECT_REFUSED("aclnnAdd", "out",
			       aclnnAddGetWorkspaceSize(good, good, alpha, bad, &bytes, &executor));
		EXPECT_REFUSED("aclnnInplaceMul", "selfRef",
			       aclnnInplaceMulGetWorkspaceSize(bad, good, &bytes, &executor));
		EXPECT_REFUSED("aclnnRelu", "self",
			       aclnnReluGetWorkspaceSize(bad, good, &bytes, &executor));
		EXPECT_REFUSED("aclnnRelu", "out",
			       aclnnReluGetWorkspaceSize(good, bad, &bytes, &executor));
	}
	EXPECT_REFUSED("aclnnAdd", "alpha",
		       aclnnAddGetWorkspaceSize(good, good, no_alpha, good, &bytes, &executor));
	EXPECT_EQ(aclDestroyIntArray(dims), 0);
	EXPECT_REFUSED("aclnnPermute", "dims",
		       aclnnPermuteGetWorkspaceSize(good, dims, good, &bytes, &executor));
	EXPECT_REFUSED("aclnnCat", "tensors",
		       aclnnCatGetWorkspaceSize(reinterpret_cast<const aclTensorList *>(good), 0,
						good, &bytes, &executor));
	EXPECT_EQ(executor, nullptr);
	EXPECT_EQ(aclDestroyTensor(good), 0);
	EXPECT_EQ(aclDestroyScalar(alpha), 0);
}

TEST_F(BadOperands, AnAddressIsNotSetOfATensorThatIsGone)
{
	const DeviceBuffer memory(64);
	aclTensor *tensor = make_tensor(memory);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	EXPECT_EQ(aclnnReluGetWorkspaceSize(tensor, tensor, &bytes, &executor), 0);
	EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
	EXPECT_EQ(aclDestroyTensor(tensor), 0);
	EXPECT_REFUSED("aclSetInputTensorAddr", "tensor",
		       aclSetInputTensorAddr(executor, 0, tensor, memory.data()));
	EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}
