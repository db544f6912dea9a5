// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with the process, devices and operators
 */
#include "mistakes.h"

#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_matmul.h>
#include <cstdint>
#include <sys/wait.h>
#include <unistd.h>

static constexpr size_t kBytes = 4096;

static void no_init()
{
	TELL(aclrtSetDevice(0));
}

static void no_device()
{
	void *memory = nullptr;
	NEED(aclInit(nullptr));
	TELL(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
}

static void device_that_is_not_there()
{
	NEED(aclInit(nullptr));
	TELL(aclrtSetDevice(15));
}

static void child_of_a_fork()
{
	begin();
	const pid_t child = fork();
	if (child == 0) {
		void *memory = nullptr;
		TELL(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
		_exit(0);
	}
	waitpid(child, nullptr, 0);
}

static void callback_without_a_thread()
{
	begin();
	aclrtStream stream = make_stream();
	TELL(aclrtLaunchCallback([](void *) {}, nullptr, ACL_CALLBACK_BLOCK, stream));
}

static aclTensor *make_tensor()
{
	const int64_t count = 16;
	return aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1,
			       make_memory(kBytes));
}

static void tensor_destroyed_twice()
{
	begin();
	aclTensor *tensor = make_tensor();
	NEED(aclDestroyTensor(tensor));
	TELL(aclDestroyTensor(tensor));
}

/* The first phase of an operator gets a tensor that is gone. */
static void tensor_used_after_its_end()
{
	begin();
	const float one = 1;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclTensor *tensor = make_tensor();
	aclTensor *ended = make_tensor();
	aclScalar *alpha = aclCreateScalar(const_cast<float *>(&one), ACL_FLOAT);
	NEED(aclDestroyTensor(ended));
	TELL(aclnnAddGetWorkspaceSize(tensor, ended, alpha, tensor, &bytes, &executor));
}

static void executor_used_twice()
{
	begin();
	const float one = 1;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclrtStream stream = make_stream();
	aclTensor *tensor = make_tensor();
	aclScalar *alpha = aclCreateScalar(const_cast<float *>(&one), ACL_FLOAT);
	NEED(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &bytes, &executor));
	NEED(aclnnAdd(nullptr, 0, executor, stream));
	TELL(aclnnAdd(nullptr, 0, executor, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void unknown_cube_math_type()
{
	begin();
	int64_t dims[] = {2, 2};
	int64_t strides[] = {2, 1};
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclTensor *tensors[3];
	for (aclTensor *&tensor : tensors)
		tensor = aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 2,
					 make_memory(kBytes));
	TELL(aclnnMatmulGetWorkspaceSize(tensors[0], tensors[1], tensors[2], 9, &bytes, &executor));
}

/* A tensor of 17 elements in memory for 16. */
static void tensors_into_the_slack()
{
	begin();
	int64_t dims[] = {17}, square[] = {4, 4}, wide[] = {4, 5};
	int64_t stride[] = {1}, rows[] = {4, 1}, wide_rows[] = {5, 1};
	const float one = 1;
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclScalar *alpha = aclCreateScalar(const_cast<float *>(&one), ACL_FLOAT);
	auto make = [](int64_t *shape, uint64_t count, int64_t *strides, size_t room) {
		return aclCreateTensor(shape, count, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape,
				       count, make_memory(room));
	};
	TELL(aclnnAddGetWorkspaceSize(make(dims, 1, stride, 68), make(dims, 1, stride, 68), alpha,
				      make(dims, 1, stride, 64), &bytes, &executor));
	TELL(aclnnMatmulGetWorkspaceSize(make(square, 2, rows, 64), make(wide, 2, wide_rows, 80),
					 make(wide, 2, wide_rows, 64), 0, &bytes, &executor));
}

static void model_from_a_file()
{
	uint32_t model = 0;
	begin();
	TELL(aclmdlLoadFromFile("model.om", &model));
}

static void model_from_a_description()
{
	uint32_t model = 0;
	begin();
	TELL(aclmdlLoadWithConfig(aclmdlCreateConfigHandle(), &model));
}

static void legacy_operator()
{
	begin();
	TELL(aclopSetModelDir("operators"));
}

const Mistake other_mistakes[] = {
	{"no-init", no_init},
	{"no-device", no_device},
	{"device-that-is-not-there", device_that_is_not_there},
	{"child-of-a-fork", child_of_a_fork},
	{"callback-without-a-thread", callback_without_a_thread},
	{"tensor-destroyed-twice", tensor_destroyed_twice},
	{"tensor-used-after-its-end", tensor_used_after_its_end},
	{"executor-used-twice", executor_used_twice},
	{"unknown-cube-math-type", unknown_cube_math_type},
	{"tensors-into-the-slack", tensors_into_the_slack},
	{"model-from-a-file", model_from_a_file},
	{"model-from-a-description", model_from_a_description},
	{"legacy-operator", legacy_operator},
	{nullptr, nullptr},
};
