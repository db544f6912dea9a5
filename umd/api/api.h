// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/status.h"
#include "umd/error.h"
#include "unpu/unpu.h"

namespace umd {

/** to_result() - a status as the C interface returns it. */
inline unpu_result to_result(base::Status status)
{
	return static_cast<unpu_result>(status);
}

/* No version's struct is larger; a larger size was never set. */
constexpr uint64_t MAX_STRUCT_BYTES = 4096;

/** check_size() - whether @out can take a T. Return: NULL_POINTER, INVALID_ARGUMENT. */
template <class T> base::Status check_size(const T *out, const char *name)
{
	if (!out)
		return set_error(base::Status::NULL_POINTER, "out is NULL");
	if (out->size >= sizeof(T) && out->size <= MAX_STRUCT_BYTES)
		return base::Status::OK;
	return set_error(base::Status::INVALID_ARGUMENT,
			 fmt::format("out->size is {}; set it to sizeof(struct {}), which is {}",
				     out->size, name, sizeof(T)));
}

/** give() - fills the caller's struct, which may be a later version's: what we don't know is 0. */
template <class T> void give(T *out, const T &value)
{
	uint64_t size = out->size;
	*out = value;
	out->size = size;
	memset(reinterpret_cast<char *>(out) + sizeof(T), 0, size - sizeof(T));
}

} // namespace umd
