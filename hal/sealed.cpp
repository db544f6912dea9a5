// SPDX-License-Identifier: MIT
/**
 * DOC: Segments of another process
 *
 * Checks a descriptor from a socket before it is mapped: the peer may have sent any file.
 */
#include "sealed.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace hal {

using base::Status;

static bool is_of_pool(const base::Fd &fd)
{
	struct statfs system {};
	return fstatfs(fd.get(), &system) != 0 || system.f_type == HUGETLBFS_MAGIC;
}

Status check_sealed(const base::Fd &fd, uint64_t bytes, unpu_page_kind pages)
{
	struct stat file {};
	int seals = fcntl(fd.get(), F_GET_SEALS);
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd.get(), &file) != 0)
		return Status::BAD_MESSAGE;
	if (pages != UNPU_PAGE_HUGETLB && is_of_pool(fd))
		return Status::BAD_MESSAGE;
	return static_cast<uint64_t>(file.st_size) >= bytes ? Status::OK : Status::BAD_MESSAGE;
}

} // namespace hal
