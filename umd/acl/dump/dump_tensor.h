// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "dump.h"

namespace umd {

/** class TensorReader - reads the elements of a tensor in row-major order, as the host sees them. */
class TensorReader {
public:
	explicit TensorReader(const DumpTensor &tensor);

	size_t element_bytes() const { return element_bytes_; }
	/** left() - number of bytes that were not read yet. */
	uint64_t left() const { return (count_ - position_) * element_bytes_; }

	/** read() - reads the next elements. @bytes: a multiple of the element size, at most left()
	 * Return: INVALID_ARGUMENT if the memory does not belong to the device any more, DEVICE_LOST. */
	base::Status read(std::byte *to, size_t bytes);

private:
	int64_t offset_of(uint64_t element) const;

	const DumpTensor &tensor_;
	size_t element_bytes_;
	uint64_t count_ = 1;
	uint64_t run_ = 1; /* number of elements that are contiguous in memory */
	size_t outer_;	   /* number of dims in front of those */
	uint64_t position_ = 0;
	int64_t low_ = 0;  /* offset from the first element to the lowest byte; never above 0 */
	int64_t high_ = 0; /* offset from the first element to the highest byte */
};

/** class TensorStatistics - statistics of the elements of a tensor. */
class TensorStatistics {
public:
	explicit TensorStatistics(const DumpTensor &tensor) : tensor_(tensor) {}

	void add(const std::byte *elements, size_t bytes, size_t element_bytes);

	static const char *head();
	/** line() - a line of a table. head() - its first line. */
	std::string line() const;

private:
	const DumpTensor &tensor_;
	uint64_t count_ = 0;
	uint64_t finite_ = 0;
	uint64_t nans_ = 0;
	uint64_t lowest_infinities_ = 0;
	uint64_t highest_infinities_ = 0;
	uint64_t bytes_ = 0;
	double least_ = 0;
	double most_ = 0;
	double sum_ = 0;
	double squares_ = 0;
};

} // namespace umd
