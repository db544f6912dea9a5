// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_base_mdl.h"
#include "umd/core/process/plain_object.h"

/** struct aclTensorDesc - a description of a tensor. */
struct aclTensorDesc : umd::PlainObject<umd::Kind::TENSOR_DESC> {
	static constexpr const char *NAME = "description of a tensor";

	/* The shape with which the program created it. */
	aclDataType type;
	aclFormat format;
	std::vector<int64_t> shape;
	/* The least and greatest length of each dimension; empty without ranges. */
	std::vector<std::pair<int64_t, int64_t>> ranges;
	std::string name;

	/* The shape in memory. */
	aclFormat storage_format;
	std::vector<int64_t> storage_shape;
	aclMemType place = ACL_MEMTYPE_DEVICE;

	/* The shape before a conversion. */
	aclFormat origin_format;
	std::vector<int64_t> origin_shape;

	std::string group; /* constant data of an input */
	std::vector<std::pair<int64_t, int64_t>> value_ranges;
	const void *constant = nullptr;
	size_t constant_bytes = 0;

	/* Of an operand of a failed node: its memory, and of the first one the descriptions behind it. */
	void *address = nullptr;
	std::vector<aclTensorDesc *> others;
};

namespace umd {

/* The value for a dimension of unknown length, and for the greatest length of a range without a limit. */
inline constexpr int64_t UNKNOWN_LENGTH = -1;

/* A shape with an unknown number of dimensions has one dimension with this value. */
inline constexpr auto UNKNOWN_RANK = static_cast<int64_t>(ACL_UNKNOWN_RANK);

} // namespace umd
