// SPDX-License-Identifier: MIT
/*
 * DOC: Block host
 *
 * Runs the blocks of a kernel inside the test program, as a worker does, on one thread, so that a test runs the same
 * each time.
 */
#ifndef UNPU_TESTS_KERNELS_LANGUAGE_BLOCK_HOST_H
#define UNPU_TESTS_KERNELS_LANGUAGE_BLOCK_HOST_H

#include <functional>
#include <string>
#include <vector>

#include "kernels/abi/block.h"

namespace kernel_test {

struct Failure {
	uint32_t kind = 0; /* enum unpu_kernel_failure, 0: none */
	uint64_t block = 0;
	std::string file;
	uint32_t line = 0;
	std::string sentence;
};

struct Observed {
	uint64_t address;
	uint64_t bytes;
	uint32_t write;
	uint32_t line;
};

class BlockHost {
public:
	explicit BlockHost(uint32_t level = 1);
	~BlockHost();
	BlockHost(const BlockHost &) = delete;
	BlockHost &operator=(const BlockHost &) = delete;

	/* Global memory: zeroed, and known to find_memory(). */
	void *allocate(size_t bytes);
	template <class T> T *make(const std::vector<T> &values)
	{
		T *memory = static_cast<T *>(allocate(values.size() * sizeof(T)));

		std::copy(values.begin(), values.end(), memory);
		return memory;
	}
	template <class T> T *zeros(size_t count)
	{
		return static_cast<T *>(allocate(count * sizeof(T)));
	}

	/* Runs a launch to its end. Returns whether no block failed; failure() tells which did. */
	bool run(uint32_t blocks, const std::function<void()> &kernel);

	const Failure &failure() const { return failure_; }
	const std::string &output() const { return output_; }
	/* Whether the blocks tell of their accesses. */
	void observe(bool does);
	const std::vector<Observed> &observed() const { return observed_; }

	/* What the blocks of the next launches are told. */
	uint32_t type = 0; /* KERNEL_TYPE_AIV_ONLY */
	uint32_t saturate = 0;
	uint64_t tiling_key = 0;
	uint64_t workspace = 0;

private:
	friend struct HostServices;

	uint32_t level_;
	std::vector<unpu_kernel_memory_range> ranges_;
	const std::function<void()> *kernel_ = nullptr;
	Failure failure_;
	std::string output_;
	std::vector<Observed> observed_;
};

} // namespace kernel_test

#endif /* UNPU_TESTS_KERNELS_LANGUAGE_BLOCK_HOST_H */
