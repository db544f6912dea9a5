// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/status.h"
#include "umd/core/process/error.h"
#include "unpu/unpu.h"

namespace umd {

/** to_result() - converts a status to the result type of the C interface. */
inline unpu_result to_result(base::Status status)
{
	return static_cast<unpu_result>(status);
}

/* Limit for the sizes of structs in all versions. A larger value means that the program did not set
 * size. */
constexpr uint64_t MAX_STRUCT_BYTES = 4096;

/** check_size() - checks that @out has room for a T. Return: NULL_POINTER, INVALID_ARGUMENT. */
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

/** give() - fills the caller's struct. If it is a larger struct of a later version, sets its unknown
 * fields to 0. */
template <class T> void give(T *out, const T &value)
{
	uint64_t size = out->size;
	*out = value;
	out->size = size;
	memset(reinterpret_cast<char *>(out) + sizeof(T), 0, size - sizeof(T));
}

} // namespace umd
