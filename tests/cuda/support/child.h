// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 *
 * A test that needs a process where the library has no past, or another device string, begins with
 *
 *	if (!alone("devices=2"))
 *		return;
 *
 * and what follows runs in a new process, which a hang ends by its alarm.
 */
#ifndef UNPU_TESTS_CUDA_CHILD_H
#define UNPU_TESTS_CUDA_CHILD_H

#include "support/fixture.h"

#include <functional>
#include <string>
#include <vector>

namespace cuda_test {

/* True in the new process; false in the old one, where its failure is a failure of the test and its
 * skip a skip, with the same reason.
 * environment: NAME=value each, for the new process. */
bool alone(const std::string &words = "", const std::vector<std::string> &environment = {});

/* The body runs in a fork of this process, and went well if it had no failures. */
testing::AssertionResult in_fork(const std::function<void()> &body);

} // namespace cuda_test

#endif
