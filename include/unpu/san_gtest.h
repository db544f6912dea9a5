/* SPDX-License-Identifier: MIT */
/*
 * DOC: Names of tests in findings
 *
 * A program of GoogleTest that is run under unpu-san adds a listener, and each finding then names the test that made
 * its later call. This header is C++, and needs the headers of GoogleTest.
 */
#ifndef UNPU_SAN_GTEST_H
#define UNPU_SAN_GTEST_H

#include <string>

#include <gtest/gtest.h>

#include "unpu/sanitizer.h"

namespace unpu {

/**
 * class SanTestListener - tells the sanitizer which test runs
 *
 *	testing::InitGoogleTest(&argc, argv);
 *	testing::UnitTest::GetInstance()->listeners().Append(new unpu::SanTestListener);
 *	return RUN_ALL_TESTS();
 *
 * A test begins before its fixture is made, and ends after that is gone. A name is SUITE.TEST; calls between two tests,
 * as in an environment of GoogleTest, have none. Context: the thread that runs the tests.
 */
class SanTestListener : public testing::EmptyTestEventListener {
public:
	void OnTestStart(const testing::TestInfo &test) override
	{
		const std::string name = std::string(test.test_suite_name()) + "." + test.name();
		unpu_san_mark(name.c_str());
	}
	void OnTestEnd(const testing::TestInfo &) override { unpu_san_mark(""); }
};

} /* namespace unpu */

#endif /* UNPU_SAN_GTEST_H */
