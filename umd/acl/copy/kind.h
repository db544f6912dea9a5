// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "base/status.h"
#include "umd/core/check/check.h"

namespace umd {

/** compare_kind() - compares the kind of a copy with the memory at both ends.
 * Return: OK; with UNPU_CHECK=error INVALID_ARGUMENT if they differ, with the sentence set. */
[[gnu::noinline]] base::Status compare_kind(const char *call, const void *dst, const void *src,
					    aclrtMemcpyKind kind);

/** check_kind_of_memory() - compare_kind() with UNPU_CHECK; else OK. */
inline base::Status check_kind_of_memory(const char *call, const void *dst, const void *src,
					 aclrtMemcpyKind kind)
{
	if (!check::is_on()) [[likely]]
		return base::Status::OK;
	return compare_kind(call, dst, src, kind);
}

} // namespace umd
