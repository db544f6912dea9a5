// SPDX-License-Identifier: MIT
/**
 * DOC: Shared segments
 *
 * Host and firmware share memory only through memfds. A memfd has no path, so none is left behind. It is
 * sealed before another process gets its descriptor: a peer that could shrink the file could kill this
 * process with SIGBUS.
 */
#include "reserve.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "calls/files.h"

namespace base {

Fd &Fd::operator=(Fd &&other) noexcept
{
	if (this != &other) {
		if (fd_ >= 0)
			calls::close(fd_);
		fd_ = other.release();
	}
	return *this;
}

Fd::~Fd()
{
	if (fd_ >= 0)
		calls::close(fd_);
}

Fd Fd::duplicate() const
{
	return Fd(fcntl(fd_, F_DUPFD_CLOEXEC, 0));
}

Mapping &Mapping::operator=(Mapping &&other) noexcept
{
	if (this != &other) {
		if (data_)
			munmap(data_, bytes_);
		data_ = std::exchange(other.data_, nullptr);
		bytes_ = std::exchange(other.bytes_, 0);
	}
	return *this;
}

Mapping::~Mapping()
{
	if (data_)
		munmap(data_, bytes_);
}

size_t kernel_page_bytes()
{
	return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

uint64_t segment_unit(unpu_page_kind pages)
{
	return pages == UNPU_PAGE_4K ? std::max(PAGE_BYTES, kernel_page_bytes()) : HUGE_PAGE_BYTES;
}

static constexpr int SIZE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW;

/* The kernel sends SIGXFSZ to a process that makes a file larger than RLIMIT_FSIZE, so callers check this
 * limit first. */
static uint64_t most_file_bytes()
{
	rlimit limit{};
	getrlimit(RLIMIT_FSIZE, &limit);
	return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

static Result<SealedFile> create_unsealed(const char *name, uint64_t bytes, unpu_page_kind pages)
{
	bool huge = pages == UNPU_PAGE_HUGETLB;
	bytes = round_up(bytes, segment_unit(pages));
	Fd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | (huge ? MFD_HUGETLB : 0)));
	if (!fd.valid() || bytes > most_file_bytes())
		return Status::NO_MEMORY;
	if (calls::resize(fd.get(), bytes) != 0)
		return Status::NO_MEMORY;
	/* Allocate the huge pages now: a later page fault with an empty pool raises SIGBUS. */
	if (huge && calls::allocate(fd.get(), 0, bytes) != 0)
		return Status::NO_MEMORY;
	return SealedFile{std::move(fd), bytes, pages};
}

static Result<SealedFile> try_create(const char *name, uint64_t bytes, unpu_page_kind pages)
{
	auto file = create_unsealed(name, bytes, pages);
	if (file && fcntl(file->fd.get(), F_ADD_SEALS, SIZE_SEALS | F_SEAL_SEAL) != 0)
		return Status::NO_MEMORY;
	return file;
}

Result<SealedFile> create_sealed(const char *name, uint64_t bytes, unpu_page_kind wish)
{
	constexpr uint64_t LIMIT = uint64_t{1} << 46;
	if (bytes == 0 || bytes > LIMIT)
		return Status::NO_MEMORY;
	if (wish == UNPU_PAGE_HUGETLB) {
		auto file = try_create(name, bytes, UNPU_PAGE_HUGETLB);
		if (file)
			return file;
		wish = UNPU_PAGE_THP;
	}
	return try_create(name, bytes, wish);
}

Result<SealedFile> create_single_writer(const char *name, uint64_t bytes, Mapping &writer)
{
	auto file = create_unsealed(name, bytes, UNPU_PAGE_4K);
	if (!file)
		return file;
	auto map = TRY(map_shared(file->fd, file->bytes, true, UNPU_PAGE_4K));
	/* The existing mapping stays writable; the seal forbids new writable mappings and write(). */
	if (fcntl(file->fd.get(), F_ADD_SEALS, SIZE_SEALS | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0)
		return Status::NOT_SUPPORTED;
	writer = std::move(map);
	return file;
}

Result<Mapping> map_shared(const Fd &fd, uint64_t bytes, bool writable, unpu_page_kind pages,
			   void *where, uint64_t offset)
{
	int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	int flags = MAP_SHARED | (where ? MAP_FIXED : 0);
	void *data = mmap(where, bytes, protection, flags, fd.get(), static_cast<off_t>(offset));
	if (data == MAP_FAILED)
		return Status::NO_MEMORY;
	if (pages == UNPU_PAGE_THP)
		madvise(data, bytes, MADV_HUGEPAGE);
	return Mapping(data, bytes);
}

void unmap_in_place(void *where, uint64_t bytes)
{
	mmap(where, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
	     0);
	/* Same flags as in reserve_range(), so that the kernel merges both ranges into one VMA. */
	madvise(where, bytes, MADV_DONTDUMP);
}

Result<Mapping> reserve_range(uint64_t bytes, uint64_t alignment)
{
	void *data = mmap(nullptr, bytes + alignment, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (data == MAP_FAILED)
		return Status::NO_MEMORY;
	auto start = reinterpret_cast<uint64_t>(data);
	uint64_t aligned = round_up(start, alignment);
	if (aligned > start)
		munmap(data, aligned - start);
	uint64_t tail = start + alignment - aligned;
	if (tail > 0)
		munmap(reinterpret_cast<void *>(aligned + bytes), tail);
	/* Core dumpers would otherwise write the whole range. */
	madvise(reinterpret_cast<void *>(aligned), bytes, MADV_DONTDUMP);
	return Mapping(reinterpret_cast<void *>(aligned), bytes);
}

Result<Mapping> reserve_up_to(uint64_t bytes, uint64_t alignment)
{
	auto range = reserve_range(bytes, alignment);
	if (range)
		return range;
	uint64_t room = bytes;
	while (!range && room / 2 >= alignment) {
		room = room / 2 / alignment * alignment;
		range = reserve_range(room, alignment);
	}
	const uint64_t part = room / 4 / alignment * alignment;
	if (!range || part == 0)
		return Status::NO_MEMORY;
	range = Mapping();
	return reserve_range(part, alignment);
}

/* The end of the addresses that the kernel uses without a hint. The kernel maps memory above it only if the
 * hint is above it. */
#if defined(__aarch64__)
static constexpr uint64_t ADDRESSES_END = uint64_t{1} << 48;
#else
static constexpr uint64_t ADDRESSES_END = uint64_t{1} << 47;
#endif

Result<Mapping> reserve_range_at(uint64_t start, uint64_t bytes)
{
	if (start >= ADDRESSES_END || bytes > ADDRESSES_END - start)
		return Status::NO_MEMORY;
	auto *where = reinterpret_cast<void *>(start);
	void *data = mmap(where, bytes, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (data == MAP_FAILED)
		return Status::NO_MEMORY;
	Mapping range(data, bytes);
	/* A kernel without MAP_FIXED_NOREPLACE treats the address as a hint. */
	if (data != where)
		return Status::NO_MEMORY;
	return range;
}

Result<Mapping> map_private_zeroed(uint64_t bytes)
{
	void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (data == MAP_FAILED)
		return Status::NO_MEMORY;
	return Mapping(data, bytes);
}

} // namespace base
