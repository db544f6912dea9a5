// SPDX-License-Identifier: MIT
/**
 * DOC: Host functions of streams
 *
 * A callback is a host function that runs even if the stream has failed. It gets the failure as an
 * argument.
 */
#include "drv/device.h"
#include "order.h"
#include "umd/core/stream/host_launch.h"
#include "umd/cuda/capture/capture.h"

using namespace umd::cuda;
using base::Status;
using umd::Stream;

namespace {

struct Callback {
	CUstreamCallback function;
	void *user_data;
	CUstream stream; /* the handle that the program passed */
	drv::Device *device;
	uint32_t timeline; /* timeline of the stream; its semaphore has the failure of the stream */
};

void run_callback(void *argument)
{
	auto *callback = static_cast<Callback *>(argument);
	auto status = static_cast<Status>(base::load_acquire(
		callback->device->hal().completion().semaphores[callback->timeline].status));
	callback->function(callback->stream, result(status), callback->user_data);
	delete callback;
}

} // namespace

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
			     unsigned int flags)
{
	TRY(enter());
	if (!callback)
		return null_argument("callback");
	if (flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0", flags));
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuStreamAddCallback"));
	TRY(refuse_capturing(*stream, "cuStreamAddCallback"));
	Turn turn(*stream);
	auto *call = new Callback{callback, userData, hStream, &stream->context->device(),
				  stream->channel->timeline()};
	Status status = umd::launch_host_func(*stream, run_callback, call, true,
					      number_of(CudaCall::ADD_CALLBACK));
	if (status != Status::OK)
		delete call;
	return result(status);
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
	TRY(enter());
	if (!fn)
		return null_argument("fn");
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuLaunchHostFunc"));
	Turn turn(*stream);
	return result(umd::launch_host_func(*stream, fn, userData));
}
