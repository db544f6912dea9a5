// SPDX-License-Identifier: MIT
/*
 * DOC: the functions that the library has and refuses
 */
#ifndef UNPU_TESTS_CUDA_REFUSED_H
#define UNPU_TESTS_CUDA_REFUSED_H

#include <string>
#include <vector>

namespace cuda_test {

struct RefusedFunction {
	std::string name; /* that programs look up */
	int version;
	bool of_thread; /* the form for a thread's own stream */
	std::string symbol;
};

/* As the library's list of them has it. */
std::vector<RefusedFunction> refused_functions();

} // namespace cuda_test

#endif
