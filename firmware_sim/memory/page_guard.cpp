// SPDX-License-Identifier: MIT
/**
 * DOC: Guards of pages
 *
 * The SIGBUS handler runs in the thread that accessed the hole, at any point of its code. So it must be
 * async-signal-safe: it reads a table of plain words and calls mmap() only.
 */
#include "page_guard.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>

#include <sys/mman.h>

#include "base/hot_path.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"

namespace fw {

static constexpr uint32_t SLOTS = 4096;
static constexpr uint64_t NOWHERE = UINT64_MAX;

static constinit base::Mutex slots_mutex{"slots of page guards"};

/* struct Slot - a guarded range; start is NOWHERE if the slot is free. The signal handler reads all fields
 * except @taken. */
struct Slot {
	uint64_t start = NOWHERE;
	uint64_t end = 0;
	uint64_t page_bytes = 0;
	uint32_t lost = 0;
	uint32_t taken GUARDED_BY(slots_mutex) = 0;
};

static constinit std::array<Slot, SLOTS> slots{};
static constinit uint32_t all_lost = 0;
static constinit uint32_t is_installed = 0;
static struct sigaction before;

/* Lock-free: a slot whose range changes has the start NOWHERE meanwhile, so a start that is equal
 * before and after reading the end makes a consistent pair. */
static Slot *find(uint64_t address)
{
	for (Slot &slot : slots) {
		const uint64_t start = base::load_acquire(slot.start);
		const uint64_t end = base::load_acquire(slot.end);
		if (address >= start && address < end && base::load_acquire(slot.start) == start)
			return &slot;
	}
	return nullptr;
}

/* Return: whether @address is mapped to memory now. */
static bool replace(uint64_t address)
{
	Slot *slot = find(address);
	if (!slot)
		return false;
	const uint64_t bytes = base::load_relaxed(slot->page_bytes);
	auto *page = reinterpret_cast<void *>(address - address % bytes);
	void *got = mmap(page, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	if (got != page)
		return false;
	base::store_relaxed(slot->lost, uint32_t{1});
	base::fetch_add(all_lost, uint32_t{1});
	return true;
}

/* SIGBUS handler: maps zero pages over the hole; the faulting access then runs again and succeeds.
 * Otherwise it restores the previous action, which the repeated access or raise() triggers. */
static void handle(int signal, siginfo_t *info, void *)
{
	const int error = errno;
	const bool fault = info->si_code == BUS_ADRERR;
	if (!fault || !replace(reinterpret_cast<uint64_t>(info->si_addr))) {
		(void)sigaction(signal, &before, nullptr);
		if (!fault)
			(void)raise(signal);
	}
	errno = error;
}

void PageGuard::install()
{
	struct sigaction action {};
	action.sa_sigaction = handle;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGBUS, &action, &before) == 0)
		base::store_release(is_installed, uint32_t{1});
}

bool PageGuard::installed()
{
	return base::load_acquire(is_installed) != 0;
}

PageGuard PageGuard::take()
{
	if (!installed())
		return {};
	std::lock_guard lock(slots_mutex);
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (slots[i].taken != 0)
			continue;
		slots[i].taken = 1;
		return PageGuard(i + 1);
	}
	return {};
}

PageGuard::~PageGuard()
{
	if (slot_ == 0)
		return;
	std::lock_guard lock(slots_mutex);
	Slot &slot = slots[slot_ - 1];
	base::store_release(slot.start, NOWHERE);
	base::store_release(slot.end, uint64_t{0});
	base::store_relaxed(slot.lost, uint32_t{0});
	slot.taken = 0;
}

void PageGuard::watch(const std::byte *data, uint64_t bytes, uint64_t page_bytes)
{
	Slot &slot = slots[slot_ - 1];
	const auto start = reinterpret_cast<uint64_t>(data);
	base::store_relaxed(slot.page_bytes, page_bytes);
	base::store_release(slot.end, start + bytes);
	base::store_release(slot.start, start);
}

bool PageGuard::is_lost() const
{
	return slot_ != 0 && base::load_relaxed(slots[slot_ - 1].lost) != 0;
}

HOT_PATH uint32_t PageGuard::lost_count()
{
	return base::load_relaxed(all_lost);
}

} // namespace fw
