// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/result.h"
#include "uapi/mailbox.h"

namespace base {

/** class Fd - owns a file descriptor. */
class Fd {
public:
	Fd() = default;
	explicit Fd(int fd) : fd_(fd) {}
	Fd(Fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
	Fd &operator=(Fd &&other) noexcept;
	~Fd();

	int get() const { return fd_; }
	bool valid() const { return fd_ >= 0; }
	int release() { return std::exchange(fd_, -1); }
	/** duplicate() - a second descriptor of the same file; invalid at the process's descriptor limit. */
	Fd duplicate() const;

private:
	int fd_ = -1;
};

/** class Mapping - owns an address range obtained from mmap. */
class Mapping {
public:
	Mapping() = default;
	Mapping(void *data, size_t bytes) : data_(data), bytes_(bytes) {}
	Mapping(Mapping &&other) noexcept
		: data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0))
	{
	}
	Mapping &operator=(Mapping &&other) noexcept;
	~Mapping();

	std::byte *data() const { return static_cast<std::byte *>(data_); }
	size_t bytes() const { return bytes_; }
	/** release() - gives up ownership; the caller unmaps the range. */
	void release() { data_ = nullptr; }
	template <class T> T *as() const { return static_cast<T *>(data_); }

private:
	void *data_ = nullptr;
	size_t bytes_ = 0;
};

/* The page size of the device. The kernel's pages may be larger, see kernel_page_bytes(). */
constexpr size_t PAGE_BYTES = 4096;
constexpr size_t HUGE_PAGE_BYTES = 2u << 20;

/** kernel_page_bytes() - 4, 16 or 64 KiB: what the kernel maps, locks and caches as a whole. */
size_t kernel_page_bytes();

/** segment_unit() - a segment takes a multiple of this from the machine: of the kernel's pages, or of huge pages. */
uint64_t segment_unit(unpu_page_kind pages);

constexpr uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

/** struct SealedFile - a memfd of fixed size, sealed against shrinking and growing. */
struct SealedFile {
	Fd fd;
	uint64_t bytes; /* the size, rounded up to the page size */
	/* the kind of pages that the file has; for THP, the mapping only advises the kernel */
	unpu_page_kind pages;
};

/** create_sealed() - a zeroed, sealed memfd.
 * @name: shown in /proc only; the kernel frees the file with its last user
 * @wish: HUGETLB falls back to THP, THP to 4 KiB.
 * Return: NO_MEMORY when the kernel refuses.
 */
Result<SealedFile> create_sealed(const char *name, uint64_t bytes, unpu_page_kind wish);

/** create_single_writer() - a sealed memfd of 4 KiB pages that can be written only through @writer. A
 * process with a descriptor of it can neither map it writable nor reopen it for writing.
 * @writer: receives the only writable mapping
 * Return: NO_MEMORY; NOT_SUPPORTED before Linux 5.1, which has no such seal.
 */
Result<SealedFile> create_single_writer(const char *name, uint64_t bytes, Mapping &writer);

/** map_shared() - maps a sealed memfd anywhere, or at @where (which must be reserved already).
 * @writable: false maps it read-only.
 * @pages: THP advises huge pages.
 * @offset: where in the file the mapping begins, a multiple of its page size
 */
Result<Mapping> map_shared(const Fd &fd, uint64_t bytes, bool writable, unpu_page_kind pages,
			   void *where = nullptr, uint64_t offset = 0);

/** unmap_in_place() - unmaps memory inside a reservation; the addresses stay reserved. */
void unmap_in_place(void *where, uint64_t bytes);

/** reserve_range() - address space without memory: touching it faults. */
Result<Mapping> reserve_range(uint64_t bytes, uint64_t alignment);

/** reserve_range_at() - reserve_range() at @start, if no mapping overlaps it. Return: NO_MEMORY. */
Result<Mapping> reserve_range_at(uint64_t start, uint64_t bytes);

/** map_private_zeroed() - anonymous memory that costs nothing until it is touched. */
Result<Mapping> map_private_zeroed(uint64_t bytes);

} // namespace base
