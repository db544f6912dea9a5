// SPDX-License-Identifier: MIT
/**
 * DOC: Memory and tensors of the decoder
 */
#include "decoder_tensors.h"

#include <cstdio>
#include <cstdlib>

namespace decoder {

void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

Memory::Memory(size_t bytes)
{
	CHECK(aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemset(address_, bytes, 0, bytes));
}

Memory::Memory(size_t bytes, const void *contents) : Memory(bytes)
{
	write(contents, bytes);
}

void Memory::read(void *to, size_t bytes, size_t offset) const
{
	CHECK(aclrtMemcpy(to, bytes, static_cast<const char *>(address_) + offset, bytes,
			  ACL_MEMCPY_DEVICE_TO_HOST));
}

void Memory::write(const void *from, size_t bytes)
{
	CHECK(aclrtMemcpy(address_, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

static aclTensor *create_tensor(const Memory &memory, aclDataType type,
				const std::vector<int64_t> &dims, int64_t offset)
{
	std::vector<int64_t> strides(dims.size());
	int64_t stride = 1;
	for (size_t i = dims.size(); i-- > 0; stride *= dims[i])
		strides[i] = stride;
	const int64_t elements = offset + stride;
	aclTensor *tensor = aclCreateTensor(dims.data(), dims.size(), type, strides.data(), offset,
					    ACL_FORMAT_ND, &elements, 1, memory.address());
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

Tensor::Tensor(const Memory &memory, aclDataType type, std::vector<int64_t> dims, int64_t offset)
	: tensor_(create_tensor(memory, type, dims, offset))
{
}

TensorList::TensorList(const Memory &memory, aclDataType type, std::vector<int64_t> dims)
{
	const aclTensor *member = create_tensor(memory, type, dims, 0);
	list_ = aclCreateTensorList(&member, 1);
	check(list_ ? 0 : -1, "aclCreateTensorList");
}

Scalar::Scalar(int64_t value) : scalar_(aclCreateScalar(&value, ACL_INT64))
{
	check(scalar_ ? 0 : -1, "aclCreateScalar");
}

Scalar::Scalar(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT))
{
	check(scalar_ ? 0 : -1, "aclCreateScalar");
}

} // namespace decoder
