// SPDX-License-Identifier: MIT
/**
 * DOC: Memory and tensors of the decoder
 *
 * Owners of what the program creates, and one function that calls an operator in its two phases.
 */
#pragma once

#include <acl/acl.h>
#include <aclnn/aclnn_base.h>

#include <cstdint>
#include <vector>

namespace decoder {

/** CHECK() - ends the program with the sentence of a call that failed. */
#define CHECK(call) decoder::check((call), #call)
void check(int status, const char *call);

/** class Memory - device memory. */
class Memory {
public:
	explicit Memory(size_t bytes);
	Memory(size_t bytes, const void *contents);
	~Memory() { CHECK(aclrtFree(address_)); }
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;

	void *address() const { return address_; }
	/** read() - copies @bytes at @offset to @to, which the host reads. */
	void read(void *to, size_t bytes, size_t offset = 0) const;
	void write(const void *from, size_t bytes);

private:
	void *address_ = nullptr;
};

/** class Tensor - a view of device memory, whose elements follow each other from @offset on. */
class Tensor {
public:
	Tensor(const Memory &memory, aclDataType type, std::vector<int64_t> dims,
	       int64_t offset = 0);
	~Tensor() { CHECK(aclDestroyTensor(tensor_)); }
	Tensor(const Tensor &) = delete;
	Tensor &operator=(const Tensor &) = delete;

	const aclTensor *get() const { return tensor_; }
	aclTensor *get() { return tensor_; }

private:
	aclTensor *tensor_ = nullptr;
};

/** class TensorList - a list with one tensor, as attention takes its keys and values. The list owns its
 * tensor: the end of the list destroys both. */
class TensorList {
public:
	TensorList(const Memory &memory, aclDataType type, std::vector<int64_t> dims);
	~TensorList() { CHECK(aclDestroyTensorList(list_)); }
	TensorList(const TensorList &) = delete;
	TensorList &operator=(const TensorList &) = delete;

	const aclTensorList *get() const { return list_; }

private:
	aclTensorList *list_ = nullptr;
};

/** class Scalar - a number of the host. */
class Scalar {
public:
	explicit Scalar(int64_t value);
	explicit Scalar(float value);
	~Scalar() { CHECK(aclDestroyScalar(scalar_)); }
	Scalar(const Scalar &) = delete;
	Scalar &operator=(const Scalar &) = delete;

	const aclScalar *get() const { return scalar_; }

private:
	aclScalar *scalar_ = nullptr;
};

/** struct Prepared - the result of an operator's first phase. */
struct Prepared {
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
};

/** RUN() - calls an operator on @stream: aclnnNAMEGetWorkspaceSize(arguments), then aclnnNAME(). None of the
 * operators here needs a workspace. */
#define RUN(name, stream, ...) \
	do { \
		decoder::Prepared prepared; \
		CHECK(aclnn##name##GetWorkspaceSize(__VA_ARGS__, &prepared.workspace_bytes, \
						    &prepared.executor)); \
		decoder::check(prepared.workspace_bytes == 0 ? 0 : -1, "workspace of " #name); \
		CHECK(aclnn##name(nullptr, 0, prepared.executor, stream)); \
	} while (0)

} // namespace decoder
