// SPDX-License-Identifier: MIT
/**
 * DOC: Mapped ranges
 *
 * Reads /proc/self/maps. Only this file shows, on every kernel and without a store to the memory, which
 * access rights memory of the program has.
 *
 * A program may unmap its memory between the check and the access, or in the middle of a copy. In that case
 * the library's handler of SIGSEGV maps zeros at the address, and the thread continues. At the end of its
 * scope, the thread asks whether this has happened. The handler runs at any point of the thread's code: it
 * reads plain words and calls mmap() only.
 */
#include "mapped.h"

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>

#include <sys/mman.h>

#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "shm.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace base {

MappedAccess mapped_access(uint64_t start, uint64_t bytes)
{
	std::ifstream maps("/proc/self/maps");
	std::string line;
	uint64_t end = 0;
	if (!maps || bytes == 0 || __builtin_add_overflow(start, bytes, &end))
		return {};
	MappedAccess access{true, true};
	uint64_t first;
	uint64_t last;
	char rights[5];
	/* The list is sorted by address. */
	while (start < end && std::getline(maps, line) &&
	       sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &first, &last, rights) == 3) {
		if (last <= start)
			continue;
		if (first > start)
			return {};
		access.can_read = access.can_read && rights[0] == 'r';
		access.can_write = access.can_write && rights[1] == 'w';
		start = last;
	}
	return start >= end ? access : MappedAccess{};
}

bool is_mapped(uint64_t start, uint64_t bytes)
{
	/* With MS_ASYNC, msync() only checks the range for gaps. */
	const uint64_t skipped = start % kernel_page_bytes();
	return msync(reinterpret_cast<void *>(start - skipped), bytes + skipped, MS_ASYNC) == 0;
}

static constinit Mutex watched_mutex{"watched ranges"};

/* struct Watched - a slot for a watched range. @start is 0 if the slot is free. Threads read the slot without
 * the lock, so @start is 0 while the other fields change. */
struct Watched {
	uint64_t start = 0;
	uint64_t end = 0;
	uint32_t lost = 0; /* whether a page of the range was missing when a thread accessed it */
};

static constinit std::array<Watched, WATCHED_MOST> watched{};
static constinit uint32_t watched_end = 0; /* the slots from this index on were never used */
static constinit uint32_t patches_made = 0;
static constinit uint32_t patches_live = 0;
static constinit uint64_t page_bytes = 0;
static thread_local constinit UnmapGuard *innermost = nullptr;
static struct sigaction earlier;

static Watched *find_watched(uint64_t address)
{
	const uint32_t end = load_acquire(watched_end);
	for (uint32_t i = 0; i < end; i++) {
		Watched &slot = watched[i];
		const uint64_t start = load_acquire(slot.start);
		const uint64_t last = load_acquire(slot.end);
		if (start != 0 && address >= start && address < last &&
		    load_acquire(slot.start) == start)
			return &slot;
	}
	return nullptr;
}

struct UnmapHandler {
	/* Maps zeros at [@start, @end). Return: false if memory was mapped there already, or if the kernel
	 * refuses. */
	static bool map_zeros(uint64_t start, uint64_t end)
	{
		auto *const wanted = reinterpret_cast<void *>(start);
		void *const got = mmap(
			wanted, end - start, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
		/* A kernel without this flag treats the address as a hint, so it may map the memory
		 * elsewhere. */
		if (got != wanted && got != MAP_FAILED)
			(void)munmap(got, end - start);
		return got == wanted;
	}

	static void keep(UnmapGuard &guard, uint64_t start, uint64_t end)
	{
		for (unsigned i = 0; i < guard.count_; i++) {
			UnmapGuard::Patch &patch = guard.patches_[i];
			if (patch.end == start || patch.start == end) {
				patch.start = patch.end == start ? patch.start : start;
				patch.end = patch.end == start ? end : patch.end;
				return;
			}
		}
		if (guard.count_ == guard.patches_.size())
			return; /* The memory stays mapped: the destructor must not unmap it. */
		guard.patches_[guard.count_++] = {start, end};
		fetch_add(patches_live, uint32_t{1});
	}

	/* Maps everything from the address to the end of the watched range if nothing is mapped there.
	 * Otherwise it maps one page. */
	static bool patch(uint64_t address)
	{
		UnmapGuard *const guard = innermost;
		Watched *const range = guard ? find_watched(address) : nullptr;
		if (!range)
			return false;
		if (guard->lost_at_ == 0)
			guard->lost_at_ = address;
		const uint64_t page = address - address % page_bytes;
		const uint64_t end = round_up(load_relaxed(range->end), page_bytes);
		store_relaxed(range->lost, uint32_t{1});
		fetch_add(patches_made, uint32_t{1});
		if (map_zeros(page, end)) {
			keep(*guard, page, end);
			return true;
		}
		if (map_zeros(page, page + page_bytes)) {
			keep(*guard, page, page + page_bytes);
			return true;
		}
		return errno == EEXIST; /* Another thread has mapped the page already. */
	}

	static void pass_on(int signal, siginfo_t *info, void *context)
	{
		if (earlier.sa_flags & SA_SIGINFO)
			return earlier.sa_sigaction(signal, info, context);
		if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN)
			return earlier.sa_handler(signal);
		/* The earlier action is installed for the signal. After the return the instruction runs
		 * again, or the signal is sent again, and then the earlier action handles it. */
		(void)sigaction(signal, &earlier, nullptr);
		if (info->si_code <= 0)
			(void)raise(signal);
	}

	static void handle(int signal, siginfo_t *info, void *context)
	{
		const int error = errno;
		const bool is_gone = info->si_code == SEGV_MAPERR &&
				     patch(reinterpret_cast<uint64_t>(info->si_addr));
		if (!is_gone)
			pass_on(signal, info, context);
		errno = error;
	}

	static void install()
	{
		static const bool is_installed = [] {
			struct sigaction action {};
			action.sa_sigaction = handle;
			action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
			sigemptyset(&action.sa_mask);
			page_bytes = kernel_page_bytes();
			return sigaction(SIGSEGV, &action, &earlier) == 0;
		}();
		(void)is_installed;
	}
};

/* The slot whose range begins at @start. @start 0: a free slot. */
static Watched *slot_of(uint64_t start) REQUIRES(watched_mutex)
{
	for (Watched &slot : watched)
		if (slot.start == start)
			return &slot;
	return nullptr;
}

void watch_unmaps(uint64_t start, uint64_t bytes)
{
	UnmapHandler::install();
	std::lock_guard lock(watched_mutex);
	Watched *const slot = slot_of(0);
	if (!slot)
		return;
	const auto used = static_cast<uint32_t>(slot - watched.data()) + 1;
	store_relaxed(slot->lost, uint32_t{0});
	store_release(slot->end, start + bytes);
	store_release(slot->start, start);
	if (used > watched_end)
		store_release(watched_end, used);
}

void end_watch(uint64_t start)
{
	std::lock_guard lock(watched_mutex);
	Watched *const slot = slot_of(start);
	if (!slot)
		return;
	store_release(slot->start, uint64_t{0});
	store_release(slot->end, uint64_t{0});
}

UnmapGuard::UnmapGuard()
	: outer_(innermost), seen_(load_acquire(patches_made)),
	  was_patched_(load_acquire(patches_live) != 0)
{
	innermost = this;
}

UnmapGuard::~UnmapGuard()
{
	innermost = outer_;
	for (unsigned i = 0; i < count_; i++) {
		(void)munmap(reinterpret_cast<void *>(patches_[i].start),
			     patches_[i].end - patches_[i].start);
		fetch_add(patches_live, ~uint32_t{0});
	}
}

bool UnmapGuard::has_lost(const void *address) const
{
	if (load_acquire(patches_made) == seen_ && !was_patched_) [[likely]]
		return false;
	const Watched *range = find_watched(reinterpret_cast<uint64_t>(address));
	return range && load_relaxed(range->lost) != 0;
}

} // namespace base
