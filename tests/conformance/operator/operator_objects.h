// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the operator tests
 *
 * Owners of tensors and scalars, and the two phases of an operator as one call.
 */
#ifndef UNPU_TESTS_CONFORMANCE_OPERATOR_OBJECTS_H
#define UNPU_TESTS_CONFORMANCE_OPERATOR_OBJECTS_H

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "support/fixture.h"

namespace conformance {

using Dims = std::vector<int64_t>;

constexpr aclnnStatus kNullPointer = 161001;
constexpr aclnnStatus kInvalidParameter = 161002;

inline Dims contiguous_strides(const Dims &dims)
{
	Dims strides(dims.size());
	int64_t step = 1;

	for (size_t i = dims.size(); i-- > 0;) {
		strides[i] = step;
		step *= dims[i];
	}
	return strides;
}

class Tensor {
public:
	Tensor(const DeviceBuffer &memory, aclDataType type, const Dims &dims)
		: Tensor(memory, type, dims, contiguous_strides(dims), 0)
	{
	}

	Tensor(const DeviceBuffer &memory, aclDataType type, const Dims &dims, const Dims &strides,
	       int64_t offset)
	{
		const int64_t storage = static_cast<int64_t>(memory.size() / aclDataTypeSize(type));

		handle_ = aclCreateTensor(dims.data(), dims.size(), type, strides.data(), offset,
					  ACL_FORMAT_ND, &storage, 1, memory.data());
		EXPECT_NE(handle_, nullptr);
	}

	~Tensor() { EXPECT_EQ(aclDestroyTensor(handle_), 0); }

	Tensor(const Tensor &) = delete;
	Tensor &operator=(const Tensor &) = delete;

	operator aclTensor *() const { return handle_; }

private:
	aclTensor *handle_ = nullptr;
};

/* new_tensor() - a tensor for a list, which will own it. */
inline const aclTensor *new_tensor(const DeviceBuffer &memory, aclDataType type, const Dims &dims,
				   const Dims &strides, int64_t offset = 0)
{
	const int64_t storage = static_cast<int64_t>(memory.size() / aclDataTypeSize(type));

	return aclCreateTensor(dims.data(), dims.size(), type, strides.data(), offset,
			       ACL_FORMAT_ND, &storage, 1, memory.data());
}

inline const aclTensor *new_tensor(const DeviceBuffer &memory, aclDataType type, const Dims &dims)
{
	return new_tensor(memory, type, dims, contiguous_strides(dims));
}

/* class TensorList - a list, and the tensors that it was created with. */
class TensorList {
public:
	TensorList(const std::vector<const aclTensor *> &members)
		: handle_(aclCreateTensorList(members.data(), members.size()))
	{
		EXPECT_NE(handle_, nullptr);
	}

	~TensorList() { EXPECT_EQ(aclDestroyTensorList(handle_), 0); }

	TensorList(const TensorList &) = delete;
	TensorList &operator=(const TensorList &) = delete;

	operator aclTensorList *() const { return handle_; }

private:
	aclTensorList *handle_ = nullptr;
};

class Scalar {
public:
	template <typename T>
	Scalar(T value, aclDataType type) : handle_(aclCreateScalar(&value, type))
	{
		EXPECT_NE(handle_, nullptr);
	}

	~Scalar() { EXPECT_EQ(aclDestroyScalar(handle_), 0); }

	Scalar(const Scalar &) = delete;
	Scalar &operator=(const Scalar &) = delete;

	operator aclScalar *() const { return handle_; }

private:
	aclScalar *handle_ = nullptr;
};

class IntArray {
public:
	IntArray(const Dims &values) : handle_(aclCreateIntArray(values.data(), values.size()))
	{
		EXPECT_NE(handle_, nullptr);
	}

	~IntArray() { EXPECT_EQ(aclDestroyIntArray(handle_), 0); }

	IntArray(const IntArray &) = delete;
	IntArray &operator=(const IntArray &) = delete;

	operator const aclIntArray *() const { return handle_; }

private:
	aclIntArray *handle_ = nullptr;
};

/* out = self + alpha * other */
inline void add(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
		aclTensor *out, aclrtStream stream)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnAddGetWorkspaceSize(self, other, alpha, out, &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	EXPECT_OK(aclnnAdd(nullptr, 0, executor, stream));
}

inline void multiply(const aclTensor *self, const aclTensor *other, aclTensor *out,
		     aclrtStream stream)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnMulGetWorkspaceSize(self, other, out, &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	EXPECT_OK(aclnnMul(nullptr, 0, executor, stream));
}

template <typename T> DeviceBuffer device_copy(const std::vector<T> &values)
{
	DeviceBuffer buffer(values.size() * sizeof(T));

	buffer.store(values);
	return buffer;
}

} // namespace conformance

#endif
