// SPDX-License-Identifier: MIT
/*
 * DOC: barriers of cache operations
 *
 * In a built model a stream can wait for a cache operation of another one.
 */
#include "capture/capture_objects.h"
#include "model/model_build.h"

namespace conformance {

namespace {

using CacheBarriers = DeviceTest;

/* The barrier that taskInfo of aclrtCmoWaitBarrier names. */
aclrtBarrierTaskInfo barriers_of(const std::vector<uint32_t> &ids)
{
	aclrtBarrierTaskInfo info = {};

	for (const uint32_t id : ids) {
		info.cmoInfo[info.barrierNum].cmoType = ACL_RT_CMO_TYPE_INVALID;
		info.cmoInfo[info.barrierNum++].barrierId = id;
	}
	return info;
}

} // namespace

TEST_F(CacheBarriers, AStreamWaitsForCacheOperationsOfOthers)
{
	const Kept first;
	const Kept second;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	const Built model;

	model.bind(first);
	model.bind(second);
	for (int i = 0; i < 20; ++i)
		a.fill_async(uint8_t(i), first);
	a.fill_async(7, first);
	EXPECT_OK(aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_WRITEBACK, 0, first));
	EXPECT_OK(aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_INVALID, 5, first));
	EXPECT_OK(aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_INVALID, 6, first));
	aclrtBarrierTaskInfo both = barriers_of({5, 6});
	EXPECT_OK(aclrtCmoWaitBarrier(&both, second, 0));
	copy_async(b, a, second);
	EXPECT_OK(aclmdlRIEndTask(model, first));
	model.finish(second);
	for (int i = 0; i < 5; ++i) {
		b.fill_async(0, nullptr);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		model.execute();
		EXPECT_TRUE(holds(b, 7));
	}
}

TEST_F(CacheBarriers, BarriersThatWouldNeverOpenAreRefused)
{
	const Stream ordinary;
	const Kept unbound;
	const Kept stream;
	const DeviceBuffer a(64);
	const Built model;
	aclrtBarrierTaskInfo one = barriers_of({1});
	aclrtBarrierTaskInfo none = barriers_of({});
	aclrtBarrierTaskInfo zero = barriers_of({0});

	model.bind(stream);
	for (const aclrtStream other : {aclrtStream(ordinary), aclrtStream(unbound)}) {
		EXPECT_FAILS(
			ACL_ERROR_RT_STREAM_MODEL, "model",
			aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_INVALID, 1, other));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "model",
			     aclrtCmoWaitBarrier(&one, other, 0));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "barrierId",
		     aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_FLUSH, 1, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "src",
		     aclrtCmoAsyncWithBarrier(nullptr, 64, ACL_RT_CMO_TYPE_INVALID, 1, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "taskInfo", aclrtCmoWaitBarrier(nullptr, stream, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag", aclrtCmoWaitBarrier(&one, stream, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "barrierNum",
		     aclrtCmoWaitBarrier(&none, stream, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "barrierId",
		     aclrtCmoWaitBarrier(&zero, stream, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "no cache operation",
		     aclrtCmoWaitBarrier(&one, stream, 0));
	EXPECT_OK(aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_INVALID, 1, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "already",
		     aclrtCmoAsyncWithBarrier(a.data(), 64, ACL_RT_CMO_TYPE_INVALID, 1, stream));
	aclrtBarrierTaskInfo twice = barriers_of({1, 1});
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "one wait",
		     aclrtCmoWaitBarrier(&twice, stream, 0));
	EXPECT_OK(aclrtCmoWaitBarrier(&one, stream, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "already", aclrtCmoWaitBarrier(&one, stream, 0));
	model.finish(stream);
	model.execute();
}

} // namespace conformance
