// SPDX-License-Identifier: MIT
/**
 * DOC: Segments of another process
 *
 * Checks a descriptor from a socket before it is mapped: the peer may have sent any file.
 */
#include "sealed.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace hal {

using base::Status;

Status check_sealed(const base::Fd &fd, uint64_t bytes)
{
	struct stat file {};
	int seals = fcntl(fd.get(), F_GET_SEALS);
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd.get(), &file) != 0)
		return Status::BAD_MESSAGE;
	return static_cast<uint64_t>(file.st_size) >= bytes ? Status::OK : Status::BAD_MESSAGE;
}

} // namespace hal
