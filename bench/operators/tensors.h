// SPDX-License-Identifier: MIT
/**
 * DOC: Operands
 *
 * Memory of the device and of the host with equal numbers, and calls of operators.
 */
#pragma once

#include <acl/acl.h>
#include <aclnn/acl_meta.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "process/client.h"

namespace bench {

/** open_device(), close_device() - around all that follows. */
void open_device();
void close_device();

/** operator_stream() - the one that all operators here are appended to. */
aclrtStream operator_stream();

/** class Operand - a tensor whose elements follow each other, and host memory with the same numbers: small ones,
 * with both signs. */
class Operand {
public:
	Operand(aclDataType type, std::vector<int64_t> dims);
	~Operand();
	Operand(const Operand &) = delete;
	Operand &operator=(const Operand &) = delete;

	aclTensor *get() const { return tensor_; }
	operator aclTensor *() const { return tensor_; }
	/** made_of() - another tensor of the same memory. The caller destroys it. */
	aclTensor *made_of(std::vector<int64_t> dims) const;

	void *memory() const { return memory_; }
	template <class T> T *host() const { return static_cast<T *>(host_); }
	size_t count() const { return count_; }
	size_t bytes() const { return bytes_; }

private:
	aclDataType type_;
	size_t count_, bytes_;
	void *memory_ = nullptr;
	void *host_ = nullptr;
	aclTensor *tensor_ = nullptr;
};

/** CALL() - both phases of an operator. */
#define CALL(name, ...) \
	do { \
		uint64_t workspace_bytes = 0; \
		aclOpExecutor *executor = nullptr; \
		CHECK(aclnn##name##GetWorkspaceSize(__VA_ARGS__, &workspace_bytes, &executor)); \
		CHECK(aclnn##name(nullptr, 0, executor, ::bench::operator_stream())); \
	} while (0)

} // namespace bench
