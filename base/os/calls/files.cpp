// SPDX-License-Identifier: MIT
/**
 * DOC: System calls of files
 *
 * On Linux, close() has closed the file even if it fails with EINTR. A second close() would close a file that
 * another thread has opened since. If a signal interrupts fallocate() of a memfd, the kernel frees what it
 * has allocated. So with a fast timer, the call for a long range would never end. allocate() then uses
 * shorter ranges.
 */
#include "files.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "repeat.h"

namespace base::calls {

int open(const char *path, int flags, mode_t mode)
{
	return repeat([&] { return ::open(path, flags, mode); });
}

int close(int fd)
{
	const int result = ::close(fd);
	return result != 0 && errno == EINTR ? 0 : result;
}

int replace(int fd, int number)
{
	for (;;) {
		const int result = ::dup2(fd, number);
		/* EBUSY: another thread is opening a file just now, and the kernel has given it this
		 * number. */
		if (result >= 0 || (errno != EINTR && errno != EBUSY))
			return result;
	}
}

int lock(int fd, int operation)
{
	return repeat([&] { return ::flock(fd, operation); });
}

int resize(int fd, uint64_t bytes)
{
	return repeat([&] { return ::ftruncate(fd, static_cast<off_t>(bytes)); });
}

int allocate(int fd, uint64_t from, uint64_t bytes)
{
	constexpr uint64_t LEAST = 4096;
	uint64_t part = bytes;
	while (bytes > 0) {
		part = std::min(part, bytes);
		if (::fallocate(fd, 0, static_cast<off_t>(from), static_cast<off_t>(part)) == 0) {
			from += part;
			bytes -= part;
		} else if (errno != EINTR) {
			return -1;
		} else {
			part = std::max(part / 2, LEAST);
		}
	}
	return 0;
}

} // namespace base::calls
