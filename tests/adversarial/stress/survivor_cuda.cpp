// SPDX-License-Identifier: MIT
/*
 * DOC: clients that stay, with the CUDA driver interface
 */
#include <cuda.h>

#include "clients.h"
#include "survivor.h"

namespace stress {

namespace {

struct Objects {
	CUcontext context = nullptr;
	CUstream a = nullptr;
	CUstream b = nullptr;
	CUevent event = nullptr;
	CUgraphExec graph = nullptr;
	CUdeviceptr x = 0;
	CUdeviceptr y = 0;
};

class CudaSurvivor final : public Survivor {
public:
	using Survivor::Survivor;

private:
	bool init() override { return cuInit(0) == CUDA_SUCCESS; }
	bool open() override
	{
		own_ = {};
		/* Perhaps no firmware listens yet. */
		return cuDevicePrimaryCtxRetain(&own_.context, 0) == CUDA_SUCCESS &&
		       make() == End::GOOD;
	}
	End work(unsigned char value) override;
	End replay(unsigned char value) override;
	End rebuild() override;
	int synchronise() override { return cuCtxSynchronize(); }
	std::vector<int> after_death() override;
	int lost() const override { return CUDA_ERROR_DEVICE_UNAVAILABLE; }
	const char *why() override { return ""; }
	void drop() override;
	bool reset() override { return cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS; }
	void finish() override { (void)cuDevicePrimaryCtxReset(0); }

	End make();
	End load(int value);

	Objects own_;
};

End CudaSurvivor::make()
{
	CUgraph graph = nullptr;

	STRESS_CALL(cuCtxSetCurrent(own_.context));
	STRESS_CALL(cuStreamCreate(&own_.a, CU_STREAM_NON_BLOCKING));
	STRESS_CALL(cuStreamCreate(&own_.b, CU_STREAM_NON_BLOCKING));
	STRESS_CALL(cuEventCreate(&own_.event, CU_EVENT_DISABLE_TIMING));
	STRESS_CALL(cuMemAlloc(&own_.x, kBytes));
	STRESS_CALL(cuMemAlloc(&own_.y, kBytes));
	STRESS_CALL(cuStreamBeginCapture(own_.a, CU_STREAM_CAPTURE_MODE_RELAXED));
	/* Past here the capture has to end, whatever comes. */
	const CUresult copied = cuMemcpyDtoDAsync(own_.y, own_.x, kBytes, own_.a);
	const CUresult ended = cuStreamEndCapture(own_.a, &graph);
	const CUresult made =
		ended == CUDA_SUCCESS ? cuGraphInstantiate(&own_.graph, graph, 0) : CUDA_SUCCESS;

	if (graph)
		(void)cuGraphDestroy(graph);
	STRESS_CALL(copied);
	STRESS_CALL(ended);
	STRESS_CALL(made);
	return End::GOOD;
}

End CudaSurvivor::load(int value)
{
	STRESS_CALL(cuMemcpyDtoH(host_.data(), own_.y, kBytes));
	return look(value);
}

End CudaSurvivor::work(unsigned char value)
{
	STRESS_CALL(cuMemsetD8Async(own_.x, value, kBytes, own_.a));
	STRESS_CALL(cuEventRecord(own_.event, own_.a));
	STRESS_CALL(cuStreamWaitEvent(own_.b, own_.event, 0));
	STRESS_CALL(cuMemcpyDtoDAsync(own_.y, own_.x, kBytes, own_.b));
	STRESS_CALL(cuStreamSynchronize(own_.b));
	return load(value);
}

End CudaSurvivor::replay(unsigned char value)
{
	STRESS_CALL(cuMemsetD8Async(own_.x, value, kBytes, own_.a));
	STRESS_CALL(cuGraphLaunch(own_.graph, own_.a));
	STRESS_CALL(cuCtxSynchronize());
	return load(value);
}

End CudaSurvivor::rebuild()
{
	CUdeviceptr more = 0;
	CUstream stream = nullptr;

	STRESS_CALL(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
	STRESS_CALL(cuMemAlloc(&more, size_t{8} << 20));
	STRESS_CALL(cuMemFree(more));
	STRESS_CALL(cuStreamDestroy(stream));
	return End::GOOD;
}

std::vector<int> CudaSurvivor::after_death()
{
	std::vector<int> codes = {cuCtxSynchronize()};

	if (own_.a)
		codes.push_back(cuStreamSynchronize(own_.a));
	if (own_.a && own_.x)
		codes.push_back(cuMemsetD8Async(own_.x, 1, kBytes, own_.a));
	return codes;
}

void CudaSurvivor::drop()
{
	if (own_.graph)
		(void)cuGraphExecDestroy(own_.graph);
	own_.graph = nullptr;
}

} // namespace

int stay_with_cuda(Board &board, unsigned number, unsigned seed)
{
	return CudaSurvivor(board, board.seats[number], seed).run();
}

} // namespace stress
