// SPDX-License-Identifier: MIT
/**
 * DOC: Operands
 */
#include "tensors.h"

#include <cmath>
#include <cstring>

#include <sys/mman.h>

namespace bench {

static Client device;

void open_device()
{
	device.open();
}

void close_device()
{
	device.close();
}

aclrtStream operator_stream()
{
	return device.first;
}

static size_t product(const std::vector<int64_t> &dims)
{
	size_t count = 1;
	for (const int64_t dim : dims)
		count *= static_cast<size_t>(dim);
	return count;
}

static void fill(aclDataType type, void *to, size_t count)
{
	uint32_t state = 1;
	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		const float value = static_cast<float>(state >> 20) / 2048 - 1;
		uint32_t bits;
		std::memcpy(&bits, &value, sizeof(bits));
		if (type == ACL_FLOAT)
			static_cast<float *>(to)[i] = value;
		else if (type == ACL_FLOAT16)
			static_cast<aclFloat16 *>(to)[i] = aclFloatToFloat16(value);
		else if (type == ACL_BF16)
			static_cast<uint16_t *>(to)[i] = static_cast<uint16_t>(bits >> 16);
		else
			static_cast<int8_t *>(to)[i] = static_cast<int8_t>(value * 127);
	}
}

Operand::Operand(aclDataType type, std::vector<int64_t> dims)
	: type_(type), count_(product(dims)), bytes_(count_ * aclDataTypeSize(type))
{
	/* Shared memory, like that of the device: both have large pages, or both have none. */
	host_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(host_ == MAP_FAILED ? -1 : 0, "mmap");
	(void)madvise(host_, bytes_, MADV_HUGEPAGE);
	fill(type, host_, count_);
	CHECK(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemcpy(memory_, bytes_, host_, bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
	tensor_ = made_of(dims);
}

Operand::~Operand()
{
	CHECK(aclDestroyTensor(tensor_));
	CHECK(aclrtFree(memory_));
	(void)munmap(host_, bytes_);
}

aclTensor *Operand::made_of(std::vector<int64_t> dims) const
{
	aclTensor *tensor = aclCreateTensor(dims.data(), dims.size(), type_, nullptr, 0,
					    ACL_FORMAT_ND, dims.data(), dims.size(), memory_);
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

} // namespace bench
