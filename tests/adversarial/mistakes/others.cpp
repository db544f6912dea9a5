// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with the process, devices and operators
 */
#include "mistakes.h"

#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_matmul.h>
#include <aclnnop/aclnn_softmax.h>
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

static void report_without_a_subscription()
{
	begin();
	TELL(aclrtProcessReport(100));
}

static void event_of_the_wrong_kind_in_a_capture()
{
	begin();
	aclrtEvent event = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	TELL(aclrtRecordEvent(event, stream));
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

struct Addition {
	void *memory[3];
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;

	static aclTensor *make(void *memory, int64_t rows, int64_t columns)
	{
		const int64_t dims[] = {rows, columns};
		return aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2,
				       memory);
	}

	/* The first phase of the sum of two tensors of 16 floats into a third. */
	void prepare()
	{
		const float one = 1;
		const int64_t count = 16;
		aclTensor *tensors[3];
		for (size_t i = 0; i < 3; i++)
			tensors[i] = aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0,
						     ACL_FORMAT_ND, &count, 1, memory[i]);
		aclScalar *alpha = aclCreateScalar(const_cast<float *>(&one), ACL_FLOAT);
		TELL(aclnnAddGetWorkspaceSize(tensors[0], tensors[1], alpha, tensors[2], &bytes,
					      &executor));
	}
};

static void operand_freed_between_the_phases()
{
	begin();
	Addition add{{make_memory(64), make_memory(64), make_memory(64)}};
	aclrtStream stream = make_stream();
	add.prepare();
	NEED(aclrtFree(add.memory[2]));
	TELL(aclnnAdd(nullptr, 0, add.executor, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void softmax_freed_between_the_phases()
{
	begin();
	const int64_t count = 16;
	void *memory = make_memory(64);
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclrtStream stream = make_stream();
	aclTensor *tensor =
		aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, memory);
	NEED(aclnnSoftmaxGetWorkspaceSize(tensor, 0, tensor, &bytes, &executor));
	NEED(aclrtFree(memory));
	TELL(aclnnSoftmax(nullptr, 0, executor, stream));
}

static void operand_in_host_memory()
{
	begin();
	static float host[16];
	Addition add{{make_memory(64), host, make_memory(64)}};
	aclrtStream stream = make_stream();
	add.prepare();
	TELL(aclnnAdd(nullptr, 0, add.executor, stream));
	TELL(aclrtSynchronizeStream(stream));
}

static void operand_of_another_device()
{
	begin();
	void *far = make_memory(64);
	NEED(aclrtSetDevice(1));
	Addition add{{make_memory(64), make_memory(64), far}};
	aclrtStream stream = make_stream();
	add.prepare();
	TELL(aclnnAdd(nullptr, 0, add.executor, stream));
	TELL(aclrtSynchronizeStream(stream));
}

static void captured_memory_freed()
{
	begin();
	aclmdlRI model = nullptr;
	aclrtStream stream = make_stream();
	void *memory = make_memory(kBytes);
	NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	NEED(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
	NEED(aclmdlRICaptureEnd(stream, &model));
	NEED(aclmdlRIExecuteAsync(model, stream));
	NEED(aclrtSynchronizeStream(stream));
	NEED(aclrtFree(memory));
	TELL(aclmdlRIExecuteAsync(model, stream));
	NEED(aclrtSynchronizeStream(stream));
}

/* A result over the operand of an operator that reads it again later. */
static void result_over_an_operand()
{
	begin();
	int64_t dims[] = {4, 4};
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	aclTensor *tensor = aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2,
					    make_memory(64));
	TELL(aclnnMatmulGetWorkspaceSize(tensor, tensor, tensor, 0, &bytes, &executor));
}

static void result_beside_an_operand()
{
	begin();
	char *memory = static_cast<char *>(make_memory(kBytes));
	Addition add{{memory, memory + 128, memory + 4}};
	add.prepare();
}

static void operand_at_an_odd_address()
{
	begin();
	char *memory = static_cast<char *>(make_memory(kBytes));
	Addition add{{memory, memory + 1024, memory + 2050}};
	add.prepare();
}

static void capture_that_is_left()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
}

/* These are allowed: the same view, views apart, and columns between each other. */
static void results_that_are_right()
{
	begin();
	int64_t dims[] = {4, 2};
	int64_t strides[] = {4, 1};
	int64_t storage[] = {4, 4};
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	char *memory = static_cast<char *>(make_memory(kBytes));
	auto columns = [&](int64_t first) {
		return aclCreateTensor(dims, 2, ACL_FLOAT, strides, first, ACL_FORMAT_ND, storage,
				       2, memory);
	};
	Addition add{{memory, memory + 64, memory}};
	add.prepare();
	TELL(aclnnSoftmaxGetWorkspaceSize(columns(0), 1, columns(0), &bytes, &executor));
	TELL(aclnnMatmulGetWorkspaceSize(columns(0), add.make(memory + 2048, 2, 2), columns(2), 0,
					 &bytes, &executor));
}

static void tensors_that_are_none()
{
	begin();
	int64_t dims[] = {1000, 1000};
	int64_t storage[] = {16, 16};
	auto make = [&](int type, int format, const int64_t *sizes) {
		if (!aclCreateTensor(dims, 2, static_cast<aclDataType>(type), nullptr, 0,
				     static_cast<aclFormat>(format), sizes, 2, nullptr))
			TELL(161002);
	};
	make(ACL_FLOAT, 555, dims);
	make(777, ACL_FORMAT_ND, dims);
	make(ACL_FLOAT, ACL_FORMAT_ND, storage);
	make(ACL_FLOAT, ACL_FORMAT_ND, dims);
}

static void leak_of_tensors()
{
	begin();
	Addition add{{make_memory(64), make_memory(64), make_memory(64)}};
	add.prepare();
	aclmdlCreateDataset();
	aclmdlAddDatasetBuffer(aclmdlCreateDataset(), aclCreateDataBuffer(add.memory[0], 64));
	NEED(aclFinalize());
}

static void end_without_finalize()
{
	begin();
	make_stream();
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
	{"report-without-a-subscription", report_without_a_subscription},
	{"event-of-the-wrong-kind-in-a-capture", event_of_the_wrong_kind_in_a_capture},
	{"tensor-destroyed-twice", tensor_destroyed_twice},
	{"tensor-used-after-its-end", tensor_used_after_its_end},
	{"executor-used-twice", executor_used_twice},
	{"unknown-cube-math-type", unknown_cube_math_type},
	{"tensors-into-the-slack", tensors_into_the_slack},
	{"operand-freed-between-the-phases", operand_freed_between_the_phases},
	{"softmax-freed-between-the-phases", softmax_freed_between_the_phases},
	{"operand-in-host-memory", operand_in_host_memory},
	{"operand-of-another-device", operand_of_another_device},
	{"captured-memory-freed", captured_memory_freed},
	{"result-over-an-operand", result_over_an_operand},
	{"result-beside-an-operand", result_beside_an_operand},
	{"operand-at-an-odd-address", operand_at_an_odd_address},
	{"capture-that-is-left", capture_that_is_left},
	{"results-that-are-right", results_that_are_right},
	{"tensors-that-are-none", tensors_that_are_none},
	{"leak-of-tensors", leak_of_tensors},
	{"end-without-finalize", end_without_finalize},
	{"model-from-a-file", model_from_a_file},
	{"model-from-a-description", model_from_a_description},
	{"legacy-operator", legacy_operator},
	{nullptr, nullptr},
};
