// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the tests with faults on purpose
 */
#ifndef UNPU_TESTS_CONFORMANCE_FAILING_TASKS_H
#define UNPU_TESTS_CONFORMANCE_FAILING_TASKS_H

#include "support/child_process.h"

namespace conformance {

constexpr size_t kBytes = 4096;
constexpr size_t kMiB = size_t{1} << 20;
constexpr int32_t kShortMs = 100;

inline aclError finish(aclrtStream stream)
{
	return aclrtSynchronizeStream(stream);
}

/* The memory of a firmware that others use too is not for a program to choose; its own calls are. */
inline std::string words(const std::string &rules)
{
	return (rules.find("call=") == rules.npos ? "memory=2G,faults=" : "faults=") + rules;
}

/* The rest of a test runs with a device that gets these things wrong. */
#define WITH_FAULTS(rules) \
	if (!alone(words(rules))) \
		return; \
	const OpenDevice device

class OpenDevice {
public:
	OpenDevice() { open_device(); }
	~OpenDevice() { close_device(); }
	OpenDevice(const OpenDevice &) = delete;
	OpenDevice &operator=(const OpenDevice &) = delete;
};

inline void copy(const DeviceBuffer &to, const DeviceBuffer &from, aclrtStream stream)
{
	EXPECT_OK(aclrtMemcpyAsync(to.data(), kBytes, from.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

/* A captured graph that sets x to 1, 2 and 3, one after the other. */
class ThreeFills {
public:
	ThreeFills(const DeviceBuffer &x, aclrtStream stream)
	{
		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		for (int value = 1; value <= 3; ++value)
			x.fill_async(value, stream);
		EXPECT_OK(aclmdlRICaptureEnd(stream, &model_));
	}
	~ThreeFills() { EXPECT_OK(aclmdlRIDestroy(model_)); }
	ThreeFills(const ThreeFills &) = delete;
	ThreeFills &operator=(const ThreeFills &) = delete;

	void launch(aclrtStream stream) const { EXPECT_OK(aclmdlRIExecuteAsync(model_, stream)); }

private:
	aclmdlRI model_ = nullptr;
};

} // namespace conformance

#endif
