// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 *
 * Limits, the environment and what the library remembers belong to a process. A test that changes
 * them begins with
 *
 *	if (!alone("memory=64M"))
 *		return;
 *
 * and what follows runs in a new process, where the library was not called before.
 */
#ifndef UNPU_TESTS_CONFORMANCE_CHILD_H
#define UNPU_TESTS_CONFORMANCE_CHILD_H

#include "fixture.h"

#include <functional>

namespace conformance {

/*
 * Starts the current test again, with these words at the end of the device string, and waits for it.
 * True in the new process; false in the old one, where its failure is a failure of the test.
 */
bool alone(const std::string &words = "");

/* The body runs in a fork of this process, and went well if it had no failures. */
testing::AssertionResult in_fork(const std::function<void()> &body);

/* aclInit and device 0; and back. */
void open_device();
void close_device();

/* Memory can be had, and work on it is done right. */
void expect_device_works();

} // namespace conformance

#endif
