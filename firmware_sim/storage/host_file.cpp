// SPDX-License-Identifier: MIT
/**
 * DOC: Files of clients
 *
 * The firmware opens no file by itself: it uses descriptors that the client opened, so a client cannot
 * reach a file that it could not open. Pipes and sockets are refused, because an operation on them may
 * never end.
 */
#include "host_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "base/sync/ordering.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

namespace fw {

using base::Result;
using base::Status;

/* Alignment of direct I/O that fits every disk; used if the kernel does not report one. */
static constexpr uint64_t USUAL_UNIT = base::PAGE_BYTES;
static constexpr uint64_t USUAL_MEMORY_UNIT = 512;

/* Structures of cachestat(), which Linux has since 6.5; the headers of Debian 12 lack them. */
struct CacheRange {
	uint64_t offset;
	uint64_t bytes;
};
struct CacheState {
	uint64_t cached;
	uint64_t dirty;
	uint64_t writeback;
	uint64_t evicted;
	uint64_t recently_evicted;
};

/* Reads attributes that the kernel has cached (AT_STATX_DONT_SYNC), so that a hanging file system does
 * not block the thread. */
static bool look(const base::Fd &fd, struct statx &known)
{
	return statx(fd.get(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO,
		     &known) == 0;
}

static bool same_file(const struct statx &left, const struct statx &right)
{
	return left.stx_dev_major == right.stx_dev_major &&
	       left.stx_dev_minor == right.stx_dev_minor && left.stx_ino == right.stx_ino;
}

static bool plain_file(const struct statx &file)
{
	return S_ISREG(file.stx_mode) || S_ISBLK(file.stx_mode);
}

void HostFile::close(base::Fd &which)
{
	if (closer)
		closer->close(std::move(which));
	which = base::Fd();
}

HostFile::~HostFile()
{
	close(fd);
	close(direct);
}

static void find_units(HostFile &file, bool &is_supported)
{
	file.unit = USUAL_UNIT;
	file.memory_unit = USUAL_MEMORY_UNIT;
	is_supported = true;
#ifdef STATX_DIOALIGN
	struct statx known {};
	if (statx(file.direct.get(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_DIOALIGN,
		  &known) != 0 ||
	    !(known.stx_mask & STATX_DIOALIGN))
		return;
	is_supported = known.stx_dio_offset_align != 0;
	/* Use at least a page, so that direct and cached operations never share a page. */
	file.unit = std::max<uint64_t>(known.stx_dio_offset_align, USUAL_UNIT);
	file.memory_unit = std::max<uint64_t>(known.stx_dio_mem_align, 1);
#endif
}

bool HostFile::check()
{
	struct statx known {};
	int flags = fcntl(fd.get(), F_GETFL);
	if (flags < 0 || flags & O_PATH || !look(fd, known) || !plain_file(known))
		return false;
	reads = (flags & O_ACCMODE) != O_WRONLY;
	/* With O_APPEND the kernel ignores the offset, so such a descriptor cannot be written. */
	writes = (flags & O_ACCMODE) != O_RDONLY && !(flags & O_APPEND);
	return true;
}

bool HostFile::check_direct()
{
	struct statx known {
	}, other{};
	const int flags = fcntl(fd.get(), F_GETFL), other_flags = fcntl(direct.get(), F_GETFL);
	if (other_flags < 0 || (other_flags & O_ACCMODE) != (flags & O_ACCMODE) ||
	    other_flags & (O_PATH | O_APPEND) || !look(fd, known) || !look(direct, other) ||
	    !same_file(known, other))
		return false;
	bool is_supported = false;
	find_units(*this, is_supported);
	if (!is_supported)
		close(direct);
	return true;
}

Result<std::shared_ptr<HostFile>> HostFile::take(base::Fd fd, base::Fd direct, bool always_direct,
						 std::shared_ptr<Closer> closer)
{
	auto file = std::make_shared<HostFile>();
	file->closer = std::move(closer);
	file->fd = std::move(fd);
	file->direct = std::move(direct);
	file->always_direct = always_direct;
	if (!file->check() || (file->direct.valid() && !file->check_direct()))
		return Status::BAD_FILE;
	return file;
}

Result<std::shared_ptr<HostFile>> HostFile::stuck(bool write)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return Status::NO_RESOURCE;
	auto file = std::make_shared<HostFile>();
	file->fd = base::Fd(ends[write ? 1 : 0]);
	file->other_end = base::Fd(ends[write ? 0 : 1]);
	file->reads = file->writes = true;
	file->known_data = 1;
	const char full[base::PAGE_BYTES] = {};
	while (write && base::calls::write(file->fd.get(), full, sizeof(full)) > 0)
		continue;
	(void)fcntl(file->fd.get(), F_SETFL, 0);
	return file;
}

bool HostFile::cached(uint64_t offset, uint64_t bytes) const
{
	CacheRange range{offset, bytes};
	CacheState state{};
	if (syscall(SYS_cachestat, fd.get(), &range, &state, 0) != 0)
		return false;
	const uint64_t page = base::kernel_page_bytes();
	const uint64_t first = offset / page;
	const uint64_t end = base::round_up(offset + bytes, page) / page;
	return state.cached >= end - first;
}

/* Whether a file system keeps data. The kernel's own file systems (such as /proc) have no blocks, and their
 * statfs() succeeds. Some real file systems have no blocks either: tmpfs without a limit, overlays over it,
 * and network file systems. The latter know which user asks. */
static bool keeps_data(const struct statfs &system)
{
	switch (static_cast<uint32_t>(system.f_type)) {
	case TMPFS_MAGIC:
	case RAMFS_MAGIC:
	case HUGETLBFS_MAGIC:
	case OVERLAYFS_SUPER_MAGIC:
	case FUSE_SUPER_MAGIC:
		return true;
	case EFIVARFS_MAGIC:
		return false;
	default:
		return system.f_blocks != 0;
	}
}

bool HostFile::holds_data()
{
	if (base::load_relaxed(known_data) != 0)
		return true;
	struct statfs system {};
	while (fstatfs(fd.get(), &system) != 0) {
		if (errno != EINTR)
			return true;
	}
	if (!keeps_data(system))
		return false;
	base::store_relaxed(known_data, uint32_t{1});
	return true;
}

bool HostFile::ends_before(uint64_t position) const
{
	struct stat known {};
	return fstat(fd.get(), &known) != 0 ||
	       (S_ISREG(known.st_mode) && static_cast<uint64_t>(known.st_size) < position);
}

} // namespace fw
