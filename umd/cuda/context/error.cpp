// SPDX-License-Identifier: MIT
/**
 * DOC: Results
 *
 * The table that translates statuses of the runtime to results, and the descriptions of the results.
 */
#include "umd/cuda/front.h"

#include "cuda/cuda.h"
#include "umd/core/process/error.h"

using base::Status;

namespace umd::cuda {

/* X(result, description): one line for each result. */
#define CUDA_RESULT_TABLE(X) \
	X(CUDA_SUCCESS, "no error") \
	X(CUDA_ERROR_INVALID_VALUE, "an argument is not one of the values that are allowed") \
	X(CUDA_ERROR_OUT_OF_MEMORY, "there is not enough memory") \
	X(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called in this process") \
	X(CUDA_ERROR_DEINITIALIZED, "the process is exiting and the driver is shut down") \
	X(CUDA_ERROR_PROFILER_DISABLED, "there is no profiler in this run") \
	X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, "the profiler was not initialised") \
	X(CUDA_ERROR_PROFILER_ALREADY_STARTED, "the profiler runs already") \
	X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, "the profiler does not run") \
	X(CUDA_ERROR_STUB_LIBRARY, "the loaded library is a stub for linking") \
	X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "the call needs a newer driver") \
	X(CUDA_ERROR_DEVICE_UNAVAILABLE, "the device is in use or not available") \
	X(CUDA_ERROR_NO_DEVICE, "there is no device") \
	X(CUDA_ERROR_INVALID_DEVICE, "there is no device with this number") \
	X(CUDA_ERROR_DEVICE_NOT_LICENSED, "the device may not be used without a licence") \
	X(CUDA_ERROR_INVALID_IMAGE, "the program image can't be read") \
	X(CUDA_ERROR_INVALID_CONTEXT, "there is no such context, or the thread has none") \
	X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "the context is current already") \
	X(CUDA_ERROR_MAP_FAILED, "memory can't be mapped") \
	X(CUDA_ERROR_UNMAP_FAILED, "memory can't be unmapped") \
	X(CUDA_ERROR_ARRAY_IS_MAPPED, "the array is mapped and can't be destroyed") \
	X(CUDA_ERROR_ALREADY_MAPPED, "the resource is mapped already") \
	X(CUDA_ERROR_NO_BINARY_FOR_GPU, "the program has no code for this device") \
	X(CUDA_ERROR_ALREADY_ACQUIRED, "the resource is taken already") \
	X(CUDA_ERROR_NOT_MAPPED, "the resource is not mapped") \
	X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, "the resource is not mapped as an array") \
	X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, "the resource is not mapped as memory") \
	X(CUDA_ERROR_ECC_UNCORRECTABLE, "memory of the device lost its contents") \
	X(CUDA_ERROR_UNSUPPORTED_LIMIT, "the device has no such limit") \
	X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "another thread uses the context") \
	X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "the devices can't reach each other's memory") \
	X(CUDA_ERROR_INVALID_PTX, "the program can't be compiled") \
	X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, "the graphics context is not usable") \
	X(CUDA_ERROR_NVLINK_UNCORRECTABLE, "the link between devices failed") \
	X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "there is no compiler for programs") \
	X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the program is too new for the compiler") \
	X(CUDA_ERROR_JIT_COMPILATION_DISABLED, "compiling programs is switched off") \
	X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "the device can't be divided in this way") \
	X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, "the program waits on the device in an old way") \
	X(CUDA_ERROR_CONTAINED, "a task was ended before it could harm others") \
	X(CUDA_ERROR_INVALID_SOURCE, "the source of the program can't be read") \
	X(CUDA_ERROR_FILE_NOT_FOUND, "the file is not there") \
	X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "a shared library lacks a symbol") \
	X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "a shared library can't be initialised") \
	X(CUDA_ERROR_OPERATING_SYSTEM, "a call of the operating system failed") \
	X(CUDA_ERROR_INVALID_HANDLE, "the handle is not one of a live object of this kind") \
	X(CUDA_ERROR_ILLEGAL_STATE, "the object is not in a state that allows the call") \
	X(CUDA_ERROR_LOSSY_QUERY, "the result would be incomplete") \
	X(CUDA_ERROR_NOT_FOUND, "nothing has that name or address") \
	X(CUDA_ERROR_NOT_READY, "the work is not done") \
	X(CUDA_ERROR_ILLEGAL_ADDRESS, "a task used an address that is not mapped") \
	X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "a task needs more than the device has") \
	X(CUDA_ERROR_LAUNCH_TIMEOUT, "a task ran into its time limit") \
	X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "a task uses textures in another way") \
	X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "access to the peer is on already") \
	X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "access to the peer is not on") \
	X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context exists already") \
	X(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context or stream was destroyed") \
	X(CUDA_ERROR_ASSERT, "an assertion on the device does not hold") \
	X(CUDA_ERROR_TOO_MANY_PEERS, "no further peer can be reached") \
	X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the memory is registered already") \
	X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "the memory is not registered") \
	X(CUDA_ERROR_HARDWARE_STACK_ERROR, "the stack of a task was corrupted") \
	X(CUDA_ERROR_ILLEGAL_INSTRUCTION, "a task contains an unknown instruction") \
	X(CUDA_ERROR_MISALIGNED_ADDRESS, "a task used an address that is not aligned") \
	X(CUDA_ERROR_INVALID_ADDRESS_SPACE, "a task used an address of another space") \
	X(CUDA_ERROR_INVALID_PC, "a task left its code") \
	X(CUDA_ERROR_LAUNCH_FAILED, "a task failed on the device") \
	X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "a cooperative task does not fit") \
	X(CUDA_ERROR_TENSOR_MEMORY_LEAK, "a task left memory of the tensor unit taken") \
	X(CUDA_ERROR_NOT_PERMITTED, "the call is not allowed here") \
	X(CUDA_ERROR_NOT_SUPPORTED, "this device does not support the call") \
	X(CUDA_ERROR_SYSTEM_NOT_READY, "the machine is not ready for the device") \
	X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "another driver owns this machine's devices") \
	X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "the device needs its own driver") \
	X(CUDA_ERROR_MPS_CONNECTION_FAILED, "the sharing service can't be reached") \
	X(CUDA_ERROR_MPS_RPC_FAILURE, "the sharing service did not answer") \
	X(CUDA_ERROR_MPS_SERVER_NOT_READY, "the sharing service is not ready") \
	X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, \
	  "the sharing service has reached its limit of clients") \
	X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, \
	  "the device has reached its limit of connections") \
	X(CUDA_ERROR_MPS_CLIENT_TERMINATED, "the sharing service ended this client") \
	X(CUDA_ERROR_CDP_NOT_SUPPORTED, "tasks can't start tasks here") \
	X(CUDA_ERROR_CDP_VERSION_MISMATCH, "tasks start tasks in different versions") \
	X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a capture forbids the call") \
	X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "an earlier call made the capture invalid") \
	X(CUDA_ERROR_STREAM_CAPTURE_MERGE, "the call would join two captures") \
	X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture did not begin in this stream") \
	X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "a stream did not lead back to the capture's first") \
	X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "captured work can't depend on other work") \
	X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream can't wait for captured work") \
	X(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture") \
	X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "another thread began the capture") \
	X(CUDA_ERROR_TIMEOUT, "the time limit passed") \
	X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the graphs differ in more than parameters") \
	X(CUDA_ERROR_EXTERNAL_DEVICE, "a device outside failed") \
	X(CUDA_ERROR_INVALID_CLUSTER_SIZE, "the cluster has no such size") \
	X(CUDA_ERROR_FUNCTION_NOT_LOADED, "the function is not loaded") \
	X(CUDA_ERROR_INVALID_RESOURCE_TYPE, "the resource is of another type") \
	X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "the resource can't be divided in this way") \
	X(CUDA_ERROR_KEY_ROTATION, "the channel's key is about to change") \
	X(CUDA_ERROR_UNKNOWN, "an internal error")

const char *error_name(CUresult code)
{
	switch (static_cast<int>(code)) {
#define CUDA_RESULT_NAME(name, sentence) \
	case name: \
		return #name;
		CUDA_RESULT_TABLE(CUDA_RESULT_NAME)
#undef CUDA_RESULT_NAME
	}
	return nullptr;
}

static const char *error_sentence(CUresult code)
{
	switch (static_cast<int>(code)) {
#define CUDA_RESULT_SENTENCE(name, sentence) \
	case name: \
		return sentence;
		CUDA_RESULT_TABLE(CUDA_RESULT_SENTENCE)
#undef CUDA_RESULT_SENTENCE
	}
	return nullptr;
}

CUresult refuse(CUresult code, const std::string &sentence)
{
	const char *name = error_name(code);
	std::string told = keeps_history() ? story(code) : "";
	note_error(name ? name : "?", told.empty() ? sentence : sentence + "; " + told,
		   code == CUDA_ERROR_NOT_READY);
	return code;
}

/* X(status, result): one line for each status of uapi/status.h. */
#define CUDA_STATUS_TABLE(X) \
	X(OK, CUDA_SUCCESS) \
	X(INVALID_ARGUMENT, CUDA_ERROR_INVALID_VALUE) \
	X(INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE) \
	X(NULL_POINTER, CUDA_ERROR_INVALID_VALUE) \
	X(NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED) \
	X(NO_MEMORY, CUDA_ERROR_OUT_OF_MEMORY) \
	X(NO_RESOURCE, CUDA_ERROR_OUT_OF_MEMORY) \
	X(NO_CONTEXT, CUDA_ERROR_INVALID_CONTEXT) \
	X(WRONG_CONTEXT, CUDA_ERROR_INVALID_HANDLE) \
	X(INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE) \
	X(NOT_INITIALISED, CUDA_ERROR_NOT_INITIALIZED) \
	X(ALREADY_INITIALISED, CUDA_SUCCESS) \
	X(ALREADY_FINALISED, CUDA_ERROR_DEINITIALIZED) \
	X(TIMEOUT, CUDA_ERROR_TIMEOUT) \
	X(NOT_READY, CUDA_ERROR_NOT_READY) \
	X(NO_PERMISSION, CUDA_ERROR_NOT_PERMITTED) \
	X(IN_USE, CUDA_ERROR_ILLEGAL_STATE) \
	X(INTERNAL, CUDA_ERROR_UNKNOWN) \
	X(DEVICE_SET_MISSING, CUDA_ERROR_INVALID_CONTEXT) \
	X(BAD_FILE, CUDA_ERROR_FILE_NOT_FOUND) \
	X(FILE_SHORT, CUDA_ERROR_FILE_NOT_FOUND) \
	X(BAD_PATH, CUDA_ERROR_FILE_NOT_FOUND) \
	X(NO_SYMBOL, CUDA_ERROR_NOT_FOUND) \
	X(NO_FUNCTION, CUDA_ERROR_NOT_FOUND) \
	X(BAD_CONFIG, CUDA_ERROR_INVALID_VALUE) \
	X(CONFIG_CHANGED, CUDA_ERROR_INVALID_VALUE) \
	X(INVALID_ENUM, CUDA_ERROR_INVALID_VALUE) \
	X(CONTEXT_DYING, CUDA_ERROR_CONTEXT_IS_DESTROYED) \
	X(QUOTA, CUDA_ERROR_OUT_OF_MEMORY) \
	X(NOT_SHARED, CUDA_ERROR_MAP_FAILED) \
	X(SAME_PROCESS, CUDA_ERROR_INVALID_CONTEXT) \
	X(NOT_ALLOWED, CUDA_ERROR_MAP_FAILED) \
	X(BAD_PACKET, CUDA_ERROR_LAUNCH_FAILED) \
	X(BAD_OPCODE, CUDA_ERROR_LAUNCH_FAILED) \
	X(MMU_FAULT, CUDA_ERROR_ILLEGAL_ADDRESS) \
	X(ACCESS_FAULT, CUDA_ERROR_ILLEGAL_ADDRESS) \
	X(BAD_OPERATOR, CUDA_ERROR_LAUNCH_FAILED) \
	X(BAD_SEMAPHORE, CUDA_ERROR_LAUNCH_FAILED) \
	X(BAD_GRAPH, CUDA_ERROR_LAUNCH_FAILED) \
	X(RING_BROKEN, CUDA_ERROR_LAUNCH_FAILED) \
	X(VERSION_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) \
	X(BAD_MESSAGE, CUDA_ERROR_UNKNOWN) \
	X(DEVICE_LOST, CUDA_ERROR_DEVICE_UNAVAILABLE) \
	X(WAIT_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT) \
	X(CHANNEL_STOPPED, CUDA_ERROR_LAUNCH_FAILED) \
	X(SKIPPED, CUDA_ERROR_LAUNCH_FAILED) \
	X(PEER_LOST, CUDA_ERROR_INVALID_HANDLE) \
	X(HUNG, CUDA_ERROR_LAUNCH_TIMEOUT) \
	X(EVENT_NEVER_RECORDED, CUDA_ERROR_INVALID_HANDLE) \
	X(EVENT_NO_TIMESTAMP, CUDA_ERROR_INVALID_HANDLE) \
	X(EVENT_TIMEOUT, CUDA_ERROR_TIMEOUT) \
	X(STREAM_TIMEOUT, CUDA_ERROR_TIMEOUT) \
	X(EVENT_NO_ID, CUDA_ERROR_INVALID_HANDLE) \
	X(STREAM_CAPTURED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
	X(EVENT_CAPTURED, CUDA_ERROR_CAPTURED_EVENT) \
	X(MODEL_CAPTURED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
	X(NOT_CAPTURING, CUDA_ERROR_ILLEGAL_STATE) \
	X(CAPTURE_MODE, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
	X(CAPTURE_IMPLICIT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) \
	X(CAPTURE_CONFLICT, CUDA_ERROR_STREAM_CAPTURE_MERGE) \
	X(CAPTURE_UNMATCHED, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED) \
	X(CAPTURE_WRONG_THREAD, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) \
	X(CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) \
	X(CAPTURE_UNJOINED, CUDA_ERROR_STREAM_CAPTURE_UNJOINED) \
	X(CAPTURE_DEPENDENCY, CUDA_ERROR_STREAM_CAPTURE_ISOLATION) \
	X(CAPTURE_PAGEABLE, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
	X(CAPTURE_BLOCK_ASYNC, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
	X(MODEL_CONTEXT, CUDA_ERROR_INVALID_VALUE) \
	X(MODEL_NOT_READY, CUDA_ERROR_INVALID_VALUE) \
	X(MODEL_RUNNING, CUDA_ERROR_ILLEGAL_STATE) \
	X(GRAPH_TOO_LARGE, CUDA_ERROR_INVALID_VALUE) \
	X(ALREADY_REGISTERED, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) \
	X(NOT_REGISTERED, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) \
	X(NO_STREAM, CUDA_ERROR_OUT_OF_MEMORY) \
	X(NO_EVENT, CUDA_ERROR_OUT_OF_MEMORY) \
	X(DEVICE_ABORTED, CUDA_ERROR_LAUNCH_FAILED) \
	X(KERNEL_TRAP, CUDA_ERROR_LAUNCH_FAILED) \
	X(BAD_INDEX, CUDA_ERROR_LAUNCH_FAILED) \
	X(BAD_KERNEL, CUDA_ERROR_INVALID_IMAGE) \
	X(KERNEL_FAULT_VECTOR, CUDA_ERROR_LAUNCH_FAILED) \
	X(KERNEL_FAULT_CORE, CUDA_ERROR_LAUNCH_FAILED) \
	X(KERNEL_TIMEOUT_VECTOR, CUDA_ERROR_LAUNCH_TIMEOUT) \
	X(KERNEL_TIMEOUT_CORE, CUDA_ERROR_LAUNCH_TIMEOUT) \
	X(NO_OPERATORS, CUDA_ERROR_LAUNCH_FAILED) \
	X(STREAM_MODEL, CUDA_ERROR_INVALID_VALUE) \
	X(OVERFLOW, CUDA_ERROR_LAUNCH_FAILED) \
	X(STREAM_SUBSCRIBED, CUDA_ERROR_INVALID_VALUE) \
	X(THREAD_SUBSCRIBED, CUDA_ERROR_INVALID_VALUE) \
	X(NO_SUBSCRIBER, CUDA_ERROR_INVALID_VALUE) \
	X(REPORT_TIMEOUT, CUDA_ERROR_TIMEOUT) \
	X(OPTION_NOT_SET, CUDA_ERROR_INVALID_VALUE) \
	X(CALLBACK_FAILED, CUDA_ERROR_UNKNOWN) \
	X(BAD_QUEUE_LENGTH, CUDA_ERROR_INVALID_VALUE) \
	X(NO_NOTIFY, CUDA_ERROR_OUT_OF_MEMORY) \
	X(LINK_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED) \
	X(RESERVED_FLAG, CUDA_ERROR_INVALID_VALUE) \
	X(NO_QUEUE, CUDA_ERROR_INVALID_HANDLE) \
	X(QUEUE_FULL, CUDA_ERROR_NOT_READY) \
	X(QUEUE_EMPTY, CUDA_ERROR_NOT_READY) \
	X(QUEUE_STOPPED, CUDA_ERROR_INVALID_HANDLE) \
	X(PROFILING_OFF, CUDA_ERROR_PROFILER_ALREADY_STOPPED) \
	X(PROFILING_ON, CUDA_ERROR_PROFILER_ALREADY_STARTED) \
	X(PROFILING_CONFLICT, CUDA_ERROR_PROFILER_ALREADY_STARTED) \
	X(NO_MODEL, CUDA_ERROR_INVALID_HANDLE) \
	X(MODEL_SUBSCRIBED, CUDA_ERROR_INVALID_VALUE) \
	X(TASK_GROUP, CUDA_ERROR_INVALID_VALUE) \
	X(TASK_GROUP_BROKEN, CUDA_ERROR_INVALID_VALUE) \
	X(TASK_KIND, CUDA_ERROR_NOT_SUPPORTED) \
	X(UPDATE_KIND, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) \
	X(MODEL_UPDATE, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) \
	X(ARRAY_TOO_SMALL, CUDA_ERROR_INVALID_VALUE) \
	X(SUB_CAPTURING, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)

static CUresult code_of(Status status)
{
	/* No default: a status without a line in the table does not compile. */
	switch (status) {
#define CUDA_STATUS_CASE(name, code) \
	case Status::name: \
		return code;
		CUDA_STATUS_TABLE(CUDA_STATUS_CASE)
#undef CUDA_STATUS_CASE
	}
	return CUDA_ERROR_UNKNOWN;
}

const char *status_name(Status status)
{
	return error_name(code_of(status));
}

CUresult result(Status status)
{
	if (status == Status::OK) [[likely]]
		return CUDA_SUCCESS;
	CUresult code = code_of(status);
	std::string told = keeps_history() ? story(code) : "";
	/* Replaces the error message of the runtime, which does not know the program's API calls. */
	if (!told.empty())
		note_error(error_name(code), told, code == CUDA_ERROR_NOT_READY);
	return code;
}

static CUresult describe(CUresult error, const char *text, const char **out)
{
	if (!out)
		return null_argument("pStr");
	*out = text;
	if (text)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("error is {}, which is no result of cudaError_enum in cuda.h",
				  static_cast<int>(error)));
}

} // namespace umd::cuda

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
	return umd::cuda::describe(error, umd::cuda::error_sentence(error), pStr);
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
	return umd::cuda::describe(error, umd::cuda::error_name(error), pStr);
}
