// SPDX-License-Identifier: MIT
/*
 * DOC: the order of checks at the end of a capture
 *
 * A capture in which several things are wrong at once. The end checks in a fixed order and reports
 * the first failure that it finds. Whichever it reports, the capture is over.
 */
#include "capture/capture_objects.h"

#include <thread>

namespace conformance {

namespace {

/* From the last check to the first: each has those before it wrong too. */
enum Wrong { UNJOINED, GROUP, INNER, INVALID, THREAD };

class CaptureEnd : public DeviceTest, public testing::WithParamInterface<Wrong> {
protected:
	static aclError expected(Wrong wrong)
	{
		constexpr aclError codes[] = {ACL_ERROR_RT_STREAM_UNJOINED,
					      ACL_ERROR_STREAM_TASK_GROUP_STATUS,
					      ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING,
					      ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
					      ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD};

		return codes[wrong];
	}

	/* A capture that is open inside that of @stream. */
	static void open_inner(aclrtStream stream, aclrtStream inner)
	{
		const auto none = raw_enum<aclmdlRICondHandleFlag>(0);
		aclmdlRI model = nullptr;
		aclmdlRI body = nullptr;
		aclmdlRICondHandle handle = nullptr;

		ASSERT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &model));
		ASSERT_OK(aclmdlRICondHandleCreate(model, 0, none, &handle));
		ASSERT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, stream,
					      0));
		ASSERT_OK(aclmdlRICaptureToModelRIBegin(inner, body,
							ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	}

	/* The stream meets an event of another capture. */
	static void invalidate(aclrtStream stream, aclrtStream other)
	{
		const Event event = Event::ex(ACL_EVENT_SYNC);
		aclmdlRI model = nullptr;

		begin_capture(other);
		ASSERT_OK(aclrtRecordEvent(event, other));
		EXPECT_FAILS(ACL_ERROR_STREAM_CAPTURE_CONFLICT, "captur",
			     aclrtStreamWaitEvent(stream, event));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "captur",
			     aclmdlRICaptureEnd(other, &model));
	}
};

} // namespace

TEST_P(CaptureEnd, TellsTheFirstOfTheThingsThatAreWrong)
{
	const Wrong wrong = GetParam();
	const Stream origin;
	const Stream lost;
	const Stream inner;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer buffer(64);

	begin_capture(origin);
	follow(lost, origin, event);
	buffer.fill_async(1, lost);
	if (wrong >= INNER)
		open_inner(origin, inner);
	if (wrong >= GROUP) {
		ASSERT_OK(aclmdlRICaptureTaskGrpBegin(origin));
	}
	if (wrong >= INVALID)
		invalidate(origin, other);
	if (wrong < THREAD) {
		expect_failed_end(expected(wrong), origin, {origin, lost, inner, other});
		return;
	}

	aclrtContext context = nullptr;
	ASSERT_OK(aclrtGetCurrentContext(&context));
	std::thread([&] {
		aclmdlRI model = nullptr;

		EXPECT_OK(aclrtSetCurrentContext(context));
		EXPECT_FAILS(expected(wrong), "thread", aclmdlRICaptureEnd(origin, &model));
	}).join();
	for (const aclrtStream stream :
	     {aclrtStream(origin), aclrtStream(lost), aclrtStream(inner)})
		EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}

INSTANTIATE_TEST_SUITE_P(Order, CaptureEnd,
			 testing::Values(UNJOINED, GROUP, INNER, INVALID, THREAD));

TEST_F(CaptureEnd, Check50_AJoinedStreamIsReportedBeforeOtherErrors)
{
	const Stream origin;
	const Stream joined;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	aclmdlRI model = nullptr;

	begin_capture(origin);
	follow(joined, origin, event);
	invalidate(joined, other);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, "joined",
		     aclmdlRICaptureEnd(joined, &model));
	EXPECT_EQ(capture_status(origin), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
	expect_failed_end(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, origin, {origin, joined, other});
}

} // namespace conformance
