// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the capture tests
 *
 * A Counter is device memory that counts how often the two copies of its step ran, and in which
 * order, without any operator: each run shifts one more mark into it.
 */
#ifndef UNPU_TESTS_CONFORMANCE_CAPTURE_OBJECTS_H
#define UNPU_TESTS_CONFORMANCE_CAPTURE_OBJECTS_H

#include "support/fixture.h"

#include <algorithm>

namespace conformance {

inline void begin_capture(aclrtStream stream,
			  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)
{
	ASSERT_OK(aclmdlRICaptureBegin(stream, mode));
}

inline aclmdlRICaptureStatus capture_status(aclrtStream stream)
{
	aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
	aclmdlRI model = nullptr;

	EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &model));
	EXPECT_EQ(model == nullptr, status == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
	return status;
}

/* The model a capture gave. */
class Model {
public:
	explicit Model(aclrtStream origin)
	{
		EXPECT_OK(aclmdlRICaptureEnd(origin, &handle_));
		EXPECT_NE(handle_, nullptr);
	}

	~Model()
	{
		if (handle_) {
			EXPECT_OK(aclmdlRIDestroy(handle_));
		}
	}

	Model(const Model &) = delete;
	Model &operator=(const Model &) = delete;

	operator aclmdlRI() const { return handle_; }

	void execute(aclrtStream stream) const { EXPECT_OK(aclmdlRIExecuteAsync(handle_, stream)); }

private:
	aclmdlRI handle_ = nullptr;
};

class Counter {
public:
	Counter() { EXPECT_OK(aclrtMemset(marks_.data(), 1, 1, 1)); }

	/* Count one when the stream gets there. */
	void step(aclrtStream stream) const
	{
		constexpr size_t count = kSize - 1;

		EXPECT_OK(aclrtMemcpyAsync(copy_.data(), count, marks_.data(), count,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(marks_.at(1), count, copy_.data(), count,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	}

	size_t value() const
	{
		const std::vector<uint8_t> marks = marks_.load<uint8_t>();

		return size_t(std::count(marks.begin(), marks.end(), uint8_t{1})) - 1;
	}

private:
	static constexpr size_t kSize = 256;

	DeviceBuffer marks_ = DeviceBuffer(kSize);
	DeviceBuffer copy_ = DeviceBuffer(kSize);
};

/* stream joins the capture, or comes back to it: it waits for what origin has recorded so far. */
inline void follow(aclrtStream stream, aclrtStream leader, aclrtEvent event)
{
	EXPECT_OK(aclrtRecordEvent(event, leader));
	EXPECT_OK(aclrtStreamWaitEvent(stream, event));
}

inline void copy_async(const DeviceBuffer &to, const DeviceBuffer &from, aclrtStream stream)
{
	EXPECT_OK(aclrtMemcpyAsync(to.data(), to.size(), from.data(), from.size(),
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

/* The end fails with this code, there is no model, and the streams are as if nothing had been. */
inline void expect_failed_end(aclError expected, aclrtStream origin,
			      const std::vector<aclrtStream> &members)
{
	aclmdlRI model = origin;

	EXPECT_FAILS(expected, "", aclmdlRICaptureEnd(origin, &model));
	EXPECT_EQ(model, nullptr);
	for (const aclrtStream stream : members) {
		const DeviceBuffer buffer(64);

		EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
		buffer.fill_async(1, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(buffer, 1));
	}
}

} // namespace conformance

#endif
