// SPDX-License-Identifier: MIT
/**
 * DOC: Initialisation, versions and addresses of functions
 */
#include "umd/cuda/front.h"

#include <cstdlib>
#include <mutex>

#include <pthread.h>
#include <unistd.h>

#include "base/sync/mutex.h"
#include "cuda/cuda.h"
#include "hal/options.h"
#include "proc_table.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/recorder/recorder.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/cuda_words.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/object/allocations.h"

namespace umd::cuda {

constinit uint64_t attention = NOT_INITIALISED;

/* Uses an atomic addition, because other threads may change the other bits at the same time. */
static void set_reason(uint64_t reason)
{
	uint64_t old = base::load_relaxed(attention);
	base::fetch_add(attention, reason - (old & REASON));
}

CUresult enter_slowly(const char *call)
{
	uint64_t reason = base::load_acquire(attention) & REASON; /* acquire: as in enter() */
	if (keeps_history())
		begin_call(call);
	if (reason == 0 && !ThreadState::mine().is_in_host_function)
		return CUDA_SUCCESS;
	switch (reason) {
	case NOT_INITIALISED:
		return refuse(CUDA_ERROR_NOT_INITIALIZED, "call cuInit(0) first");
	case EXITED:
		return refuse(CUDA_ERROR_DEINITIALIZED,
			      "the process is exiting: its exit handlers have run, and the devices "
			      "are closed; end work before exit");
	case FORKED:
		return refuse(CUDA_ERROR_NOT_INITIALIZED,
			      "this process is a fork of one that had called cuInit; the device "
			      "belongs to its parent. Start programs that need a device with exec");
	}
	return refuse(CUDA_ERROR_NOT_PERMITTED,
		      "a function that a stream or a graph calls can't call the driver: it would "
		      "wait for itself");
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static CUresult check_real_driver()
{
	const char *node = exists("/dev/nvidia0")     ? "/dev/nvidia0"
			   : exists("/dev/nvidiactl") ? "/dev/nvidiactl"
						      : nullptr;
	if (!node || !hal::environment("UNPU_CUDA_BESIDE_NVIDIA").empty())
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
		      fmt::format("this libcuda is a simulated device's, and {} says that the "
				  "machine has a real one. Take this library's folder off "
				  "LD_LIBRARY_PATH, or set UNPU_CUDA_BESIDE_NVIDIA=1 if the "
				  "simulated device is what you want",
				  node));
}

static CUresult initialise()
{
	static constinit base::Mutex mutex{
		"cuda::initialise()"}; /* one thread initialises, and others wait */
	std::lock_guard lock(mutex);
	if ((base::load_relaxed(attention) & REASON) != NOT_INITIALISED)
		return CUDA_SUCCESS;
	set_words(cuda_words);
	name_calls();
	TRY(check_real_driver());
	TRY(Process::begin_use());
	TRY(read_visible_devices());
	static bool registered;
	if (!registered) {
		atexit([] { set_reason(EXITED); });
		pthread_atfork(nullptr, nullptr, [] { set_reason(FORKED); });
		registered = true;
	}
	Contexts::get().on_end(free_allocations);
	if (explains_errors())
		base::fetch_add(attention, KEEPS_HISTORY);
	if (recorder::Recorder *recorder = recorder::Recorder::get()) {
		recorder->set_contract(san::Profile::CUDA, true);
		base::fetch_add(attention, RECORDS_CALLS);
	}
	set_reason(0);
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuInit(unsigned int Flags)
{
	if (Flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be 0", Flags));
	/* Acquire: as in enter(). */
	if ((base::load_acquire(attention) & REASON) == NOT_INITIALISED)
		TRY(initialise());
	return enter();
}

CUresult cuDriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return null_argument("driverVersion");
	*driverVersion = CUDA_VERSION;
	return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	TRY(enter());
	if (!mode)
		return null_argument("mode");
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
			  CUdriverProcAddressQueryResult *symbolStatus)
{
	if (!symbol || !pfn)
		return null_argument(symbol ? "pfn" : "symbol");
	if (flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0, LEGACY_STREAM (1) or "
					  "PER_THREAD_DEFAULT_STREAM (2)",
					  flags));
	if (cudaVersion > CUDA_VERSION)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("cudaVersion is {}, but the driver's version is {}",
					  cudaVersion, CUDA_VERSION));
	EntryPoint found = find_entry_point(symbol, cudaVersion,
					    flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	*pfn = reinterpret_cast<void *>(found.function);
	if (symbolStatus)
		*symbolStatus = found.function	 ? CU_GET_PROC_ADDRESS_SUCCESS
				: found.is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
						 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return CUDA_SUCCESS;
}
