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
	/** left() - bytes that were not read yet. */
	uint64_t left() const { return (count_ - position_) * element_bytes_; }

	/** read() - the next elements. @bytes: whole elements, no more than left()
	 * Return: INVALID_ARGUMENT when the memory is not the device's any more, DEVICE_LOST. */
	base::Status read(std::byte *to, size_t bytes);

private:
	int64_t offset_of(uint64_t element) const;

	const DumpTensor &tensor_;
	size_t element_bytes_;
	uint64_t count_ = 1;
	uint64_t run_ = 1; /* elements that follow each other in memory */
	size_t outer_;	   /* dims in front of those */
	uint64_t position_ = 0;
	int64_t low_ = 0;  /* bytes from the first element to the lowest one, never above 0 */
	int64_t high_ = 0; /* and to the highest one */
};

/** class TensorStatistics - what a tensor is like. */
class TensorStatistics {
public:
	explicit TensorStatistics(const DumpTensor &tensor) : tensor_(tensor) {}

	void add(const std::byte *elements, size_t bytes, size_t element_bytes);

	static const char *head();
	/** line() - of a table in which head() is the first one. */
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
