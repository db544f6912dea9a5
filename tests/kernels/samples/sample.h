// SPDX-License-Identifier: MIT
/*
 * DOC: Sample
 *
 * Runs a sample kernel with all checks, and fails the test if one of them finds anything.
 */
#ifndef UNPU_TESTS_KERNELS_SAMPLES_SAMPLE_H
#define UNPU_TESTS_KERNELS_SAMPLES_SAMPLE_H

#include "tests/kernels/language/ub.h"

namespace kernel_test {

class Sample {
public:
	template <class T> T *make(const std::vector<T> &values) { return host_.make(values); }
	template <class T> T *zeros(size_t count) { return host_.zeros<T>(count); }
	void launch(uint32_t blocks, const std::function<void()> &kernel)
	{
		EXPECT_TRUE(host_.run(blocks, kernel))
			<< host_.failure().sentence << " at line " << host_.failure().line;
	}
	BlockHost &host() { return host_; }

private:
	BlockHost host_{3};
};

template <class T> GM_ADDR gm(T *pointer)
{
	return reinterpret_cast<GM_ADDR>(pointer);
}

} // namespace kernel_test

#endif /* UNPU_TESTS_KERNELS_SAMPLES_SAMPLE_H */
