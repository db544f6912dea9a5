// SPDX-License-Identifier: MIT
/*
 * DOC: what tests of built models share
 */
#ifndef UNPU_TESTS_CONFORMANCE_MODEL_BUILD_H
#define UNPU_TESTS_CONFORMANCE_MODEL_BUILD_H

#include "support/fixture.h"

namespace conformance {

constexpr uint32_t kHead = ACL_MODEL_STREAM_FLAG_HEAD;
constexpr uint32_t kLater = ACL_MODEL_STREAM_FLAG_DEFAULT;

/* A stream that keeps its tasks. */
class Kept : public Stream {
public:
	Kept() : Stream(0, ACL_STREAM_PERSISTENT) {}
};

class Built {
public:
	Built() { EXPECT_OK(aclmdlRIBuildBegin(&handle_, 0)); }

	/* Before its streams go: a bound stream can't be destroyed. */
	~Built() { EXPECT_OK(aclmdlRIDestroy(handle_)); }

	Built(const Built &) = delete;
	Built &operator=(const Built &) = delete;

	operator aclmdlRI() const { return handle_; }

	void bind(aclrtStream stream, uint32_t flag = kHead) const
	{
		ASSERT_OK(aclmdlRIBindStream(handle_, stream, flag));
	}

	/* @last is where the model ends. */
	void finish(aclrtStream last) const
	{
		ASSERT_OK(aclmdlRIEndTask(handle_, last));
		ASSERT_OK(aclmdlRIBuildEnd(handle_, nullptr));
	}

	void execute() const { EXPECT_OK(aclmdlRIExecute(handle_, -1)); }

private:
	aclmdlRI handle_ = nullptr;
};

} // namespace conformance

#endif
