// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "acl/acl_base.h"
#include "umd/core/process/plain_object.h"

/** struct aclDataBuffer - an address and a size. It does not own the memory. */
struct aclDataBuffer : umd::PlainObject<umd::Kind::DATA_BUFFER> {
	static constexpr const char *NAME = "data buffer";

	void *data;
	size_t size;
};
