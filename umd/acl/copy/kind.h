// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "base/status.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/process/check.h"

namespace umd {

/** compare_kind() - compares the kind of a copy with the memory at both ends.
 * Return: OK; with UNPU_CHECK=error INVALID_ARGUMENT if they differ, sets the error message. */
[[gnu::noinline]] base::Status compare_kind(const char *call, const void *dst, const void *src,
					    aclrtMemcpyKind kind);

/** check_overlap() - whether the two ends of a copy share bytes, and are not the same.
 * Return: OK; with UNPU_CHECK=error INVALID_ARGUMENT if they do, sets the error message. */
[[gnu::noinline]] base::Status check_overlap(const char *call, const void *dst, const void *src,
					     uint64_t bytes);

/** check_memory_of_copy() - with UNPU_CHECK, calls compare_kind(), and checks that both ends lie in memory
 * that the program asked for. Without it returns OK. */
inline base::Status check_memory_of_copy(const char *call, const void *dst, uint64_t dst_bytes,
					 const void *src, uint64_t src_bytes, aclrtMemcpyKind kind)
{
	if (!check::is_on()) [[likely]]
		return base::Status::OK;
	TRY(compare_kind(call, dst, src, kind));
	TRY(check::check_end(call, "dst", dst, dst_bytes));
	return check::check_end(call, "src", src, src_bytes);
}

/** check_memory_of_fill() - with UNPU_CHECK: whether a fill is of device memory, or of host memory that a call has
 * pinned or registered, and ends where the program's does. Context: check::is_on()
 * Return: OK; with `error` INVALID_ARGUMENT. */
base::Status check_memory_of_fill(const char *call, const void *address, uint64_t bytes);

} // namespace umd
