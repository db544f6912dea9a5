// SPDX-License-Identifier: MIT
/**
 * DOC: the trace file and its protocol
 *
 * A thread reserves its record by one atomic addition to the tail, so the records are in the order of their
 * reservations. The thread first stores the length of the record, which makes it a hole. Then it stores the
 * contents, and last the word that has the kind. A reader skips holes: records of calls that failed, and
 * records of threads that were killed before the last store. Published records stay in the kernel's page
 * cache, however the process ends.
 *
 * The mapping is as long as the file may ever become. The file itself grows in steps, and its blocks are
 * allocated before they are written: so a full disk makes a call fail, instead of raising SIGBUS. Only the
 * last 16 MiB of the file are in the memory of the process, however long the file is.
 */
#include "record_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/sync/ordering.h"
#include "san/trace/record.h"

namespace umd::recorder {

using base::Result;
using base::Status;

static constexpr uint64_t MOST_BYTES = uint64_t{64} << 30;
static constexpr uint64_t LEAST_BYTES = uint64_t{64} << 20;
static constexpr uint64_t FIRST_STEP = uint64_t{256} << 10;
static constexpr uint64_t MOST_STEP = uint64_t{1} << 20;
/* How much of the end of the file stays in the memory of the process. */
static constexpr uint64_t KEPT_BYTES = uint64_t{8} << 20;

/* Maps the file. If the address space is limited (RLIMIT_AS), the mapping and so the longest trace are
 * shorter. */
static base::Mapping map_file(const base::Fd &fd)
{
	for (uint64_t bytes = MOST_BYTES; bytes >= LEAST_BYTES; bytes /= 2) {
		void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
		if (memory != MAP_FAILED)
			return {memory, bytes};
	}
	return {};
}

Result<std::unique_ptr<RecordFile>> RecordFile::create(const std::string &path)
{
	base::Fd fd(base::calls::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
	if (!fd.valid())
		return errno == EEXIST ? Status::ALREADY_INITIALISED : Status::BAD_FILE;
	base::Mapping memory = map_file(fd);
	if (!memory.data())
		return Status::NO_MEMORY;
	std::unique_ptr<RecordFile> file(new RecordFile(std::move(fd), std::move(memory)));
	uint64_t *head = file->reserve(san::HEAD_BYTES);
	if (!head)
		return Status::BAD_FILE;
	memcpy(head, "UNPUSAN", sizeof(uint64_t));
	head[1] = uint64_t{san::HEAD_BYTES} << 32 | san::VERSION;
	return file;
}

/* Writing beyond the file size limit of the process would raise SIGXFSZ, so it is checked before. */
static bool is_within_limit(uint64_t end)
{
	rlimit limit{};
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       end <= limit.rlim_cur;
}

bool RecordFile::extend(uint64_t end)
{
	const uint64_t step = std::clamp(ready_, FIRST_STEP, MOST_STEP);
	const uint64_t wanted = base::round_up(std::max(end, ready_ + step), FIRST_STEP);
	if (wanted > memory_.bytes() || !is_within_limit(wanted))
		return false;
	if (base::calls::allocate(fd_.get(), ready_, wanted - ready_) != 0 &&
	    (errno != EOPNOTSUPP || base::calls::resize(fd_.get(), wanted) != 0))
		return false;
	map_pages(wanted);
	base::store_release(ready_, wanted);
	return true;
}

/* Maps the next pages in one step, which is much cheaper than a page fault for each. Old pages are removed
 * from the process, but stay in the page cache. A thread that still has to publish a record there gets its
 * page again by a fault. */
void RecordFile::map_pages(uint64_t end)
{
	(void)madvise(memory_.data() + ready_, end - ready_, MADV_POPULATE_WRITE);
	if (ready_ < mapped_ + 2 * KEPT_BYTES)
		return;
	(void)madvise(memory_.data() + mapped_, ready_ - KEPT_BYTES - mapped_, MADV_DONTNEED);
	mapped_ = ready_ - KEPT_BYTES;
}

bool RecordFile::grow(uint64_t end)
{
	std::lock_guard lock(mutex_);
	if (has_failed_ == 0 && end > ready_ && !extend(end))
		base::store_relaxed(has_failed_, uint32_t{1});
	return has_failed_ == 0;
}

uint64_t *RecordFile::reserve(uint32_t bytes)
{
	const uint64_t at = base::fetch_add(tail_, uint64_t{bytes});
	if (at + bytes > base::load_acquire(ready_) && !grow(at + bytes)) [[unlikely]]
		return nullptr;
	auto *record = reinterpret_cast<uint64_t *>(memory_.data() + at);
	/* T2: the length is in the file before anything else of the record is. A reader that finds the kind
	 * 0 skips that many bytes; without the fence it could take a half-written record for a new one. */
	base::store_relaxed(*record, uint64_t{bytes} << 32);
	base::store_fence();
	return record;
}

void RecordFile::replace_first(const void *record, size_t bytes)
{
	memcpy(memory_.data() + san::HEAD_BYTES, record, bytes);
}

} // namespace umd::recorder
