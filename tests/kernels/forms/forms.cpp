// SPDX-License-Identifier: MIT
/**
 * DOC: Forms of kernels
 *
 * What the compiler of the device takes and a compiler of the host does not at once.
 */
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include <stdexcept>

#define __aicore__ [aicore]

/* A function of the namespace with template arguments, named without it. */
template <typename T> class Sums {
public:
	__aicore__ inline Sums() {}
	__aicore__ inline void run(AscendC::LocalTensor<float> dst, AscendC::LocalTensor<float> src)
	{
		auto length = [](int aicore) __aicore__ { return aicore; };
		const int lengths[] = {length(64)};
		const int aicore = 0;

		ReduceSum<float>(dst, src, src, lengths[aicore]);
	}
};

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR y)
{
	AscendC::TPipe pipe;
	AscendC::TBuf<AscendC::TPosition::VECCALC> in, out;
	AscendC::GlobalTensor<float> from, to;
	Sums<int> sums;

	pipe.InitBuffer(in, 256);
	pipe.InitBuffer(out, 256);
	from.SetGlobalBuffer((__gm__ float *)x);
	to.SetGlobalBuffer((__gm__ float *)y);
	AscendC::LocalTensor<float> a = in.Get<float>(), b = out.Get<float>();
	AscendC::DataCopy(a, from, 64);
	AscendC::PipeBarrier<PIPE_ALL>();
	sums.run(b, a);
	KERNEL_LOG(KERNEL_ERROR, "no error: %d", 1);
	AscendC::PipeBarrier<PIPE_ALL>();
	to.SetValue(0, b.GetValue(0));
	in.FreeTensor(a);
	out.FreeTensor(b);
}

using namespace AscendC;

/* A configuration within a function of a class template. */
template <typename T> class Scan {
public:
	__aicore__ inline void run(LocalTensor<float> dst, LocalTensor<float> src, uint32_t count)
	{
		static constexpr CumSumConfig config{true, false, false};
		const CumSumInfo info{1, count};

		CumSum<float, config>(dst, src, src, info);
	}
};

/* y[0..63]: the sums of x up to each element. y[64..127]: what And makes of the bytes of the sums and of themselves,
 * with Not twice. Nothing of a mask of 0 and of a mask that an instruction before has set reaches y. */
extern "C" __global__ __aicore__ void scan(GM_ADDR x, GM_ADDR y)
{
	TPipe pipe;
	TBuf<TPosition::VECCALC> in, out, rest;
	GlobalTensor<float> from, to;
	Scan<half> scan;

	if (GetTPipePtr() != &pipe || sizeof(tiling::TCubeTiling) != sizeof(TCubeTiling) ||
	    !CFG_MDL.doMultiDataLoad)
		return;
	pipe.InitBuffer(in, 256);
	pipe.InitBuffer(out, 256);
	pipe.InitBuffer(rest, 1024);
	from.SetGlobalBuffer((__gm__ float *)x);
	to.SetGlobalBuffer((__gm__ float *)y);
	LocalTensor<float> a = in.Get<float>(), b = out.Get<float>();
	DataCopy(a, from, 64);
	PipeBarrier<PIPE_ALL>();
	scan.run(b, a, 64);
	PipeBarrier<PIPE_ALL>();
	DataCopy(to, b, 64);
	/* One buffer by another one's address: @rest follows @out. */
	LocalTensor<int8_t> c = b[128].ReinterpretCast<int8_t>();
	LocalTensor<int8_t> bytes = b.ReinterpretCast<int8_t>();
	And(c, bytes, bytes, 256);
	Not(c, c, 256);
	Not(c, c, 256);
	Or(c, c, c, 256);
	Copy(a, b, (uint64_t)0, 1, CopyRepeatParams{1, 1, 8, 8});
	/* The mask of 64 elements reaches behind @eight, and stays in UB. */
	LocalTensor<float> eight = rest.GetWithOffset<float>(8, 512);
	SetVectorMask<float>(0, ~0ull);
	Duplicate<float, false>(eight, 0.0f, (uint64_t)0, 1, 1, 8);
	ResetMask();
	PipeBarrier<PIPE_ALL>();
	DataCopy(to[64], b[128], 64);
}

/* Statements of checks without a semicolon. */
int launch_form(int which, void *stream, void *x, void *y)
{
	switch (which) {
	case 0:
		return sum<<<1, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)y);
	case 1:
		return scan<<<1, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)y);
	default:
		ASCENDC_REPORT_NOT_SUPPORT(false, "the form")
		throw std::runtime_error("no such form");
	}
}
