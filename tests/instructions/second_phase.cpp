// SPDX-License-Identifier: MIT
/**
 * DOC: Allocations of a second phase
 *
 * Counts the calls of malloc() in the second phase of operators, on a stepped device, where no thread but this one
 * runs. There must be none: a program that calls thousands of operators in a row pays for each.
 */
#include "check.h"

#include <cstdio>

#include <acl/acl.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_softmax.h>

static unsigned allocations;

extern "C" void *__libc_malloc(size_t bytes);

/* The libraries' own calls arrive here, too. */
extern "C" void *malloc(size_t bytes)
{
	allocations++;
	return __libc_malloc(bytes);
}

static constexpr unsigned CALLS = 64;

/* Counts in all but the first of a few rounds, which touches what is touched once only. */
template <class First, class Second>
static unsigned count(const char *name, aclrtStream stream, First first, Second second)
{
	unsigned counted = 0;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < CALLS; i++) {
			aclOpExecutor *executor = nullptr;
			uint64_t bytes = 0;
			CHECK(first(&bytes, &executor));
			const unsigned before = allocations;
			CHECK(second(nullptr, 0, executor, stream));
			counted += round > 0 ? allocations - before : 0;
		}
		CHECK(aclrtSynchronizeStream(stream));
	}
	std::printf("%s: %u allocations in %u second phases\n", name, counted, 2 * CALLS);
	return counted;
}

int main()
{
	static constexpr int64_t dims[] = {16};
	aclrtStream stream;
	void *memory;
	float one = 1;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtMalloc(&memory, dims[0] * sizeof(float), ACL_MEM_MALLOC_NORMAL_ONLY));
	const unsigned before = allocations;
	aclTensor *tensor =
		aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory);
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	check(tensor && alpha ? 0 : -1, "aclCreateTensor and aclCreateScalar");
	check(allocations > before ? 0 : -1, "the libraries call this program's malloc()");
	unsigned counted = count(
		"aclnnAdd", stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, bytes,
							executor);
		},
		aclnnAdd);
	counted += count(
		"aclnnSoftmax", stream,
		[&](uint64_t *bytes, aclOpExecutor **executor) {
			return aclnnSoftmaxGetWorkspaceSize(tensor, 0, tensor, bytes, executor);
		},
		aclnnSoftmax);
	CHECK(aclDestroyScalar(alpha));
	CHECK(aclDestroyTensor(tensor));
	CHECK(aclrtFree(memory));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return counted == 0 ? 0 : 1;
}
