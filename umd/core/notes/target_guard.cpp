// SPDX-License-Identifier: MIT
/**
 * DOC: detecting a host that reads a target too early
 *
 * The SIGSEGV handler runs in the thread that touches a page, at any point of its code. So it only reads a
 * table of plain words and calls mprotect(). Another thread may have opened the pages in the meantime; then
 * the access is repeated, and succeeds. If the same access faults again, the fault has another cause, and the
 * earlier action of the signal is taken.
 *
 * A program that has a handler of its own for the signal is left alone.
 */
#include "target_guard.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "drv/device.h"
#include "umd/core/memory/side.h"
#include "umd/core/recorder/operands.h"
#include "umd/core/recorder/recorder.h"
#include "umd/core/task/task.h"
#include "umd/core/watch/ready.h"

namespace umd::recorder {

/* The most guards at one time. The first copies of a process are all guarded, and after that a random sample,
 * as for the comparison of sources. */
static constexpr size_t SLOTS = 64;
static constexpr uint64_t FIRST_TARGETS = 256;
static constexpr uint64_t LATER_TARGETS = 4;

static constexpr uint64_t NOWHERE = UINT64_MAX;

static constinit base::Mutex slots_mutex{"slots of target guards"};

/* struct Slot - guarded pages; start is NOWHERE if the pages are open. The handler reads start and end, and
 * writes hit. hit is 0, or twice the address that was touched, plus 1 for a write. */
struct Slot {
	uint64_t start = NOWHERE;
	uint64_t end = 0;
	uint64_t hit = 0;
	uint64_t number GUARDED_BY(slots_mutex) = 0; /* 0: the slot is free */
};

static constinit std::array<Slot, SLOTS> slots{};
static constinit uint64_t retried = 0;
static constinit uint64_t targets = 0;
static constinit uint32_t is_installed = 0;
static struct sigaction earlier;

static bool give_access(uint64_t start, uint64_t end)
{
	return mprotect(reinterpret_cast<void *>(start), end - start, PROT_READ | PROT_WRITE) == 0;
}

/* Whether a store caused the fault. On an unknown processor, every fault counts as a load. */
static bool is_write([[maybe_unused]] const void *context)
{
#ifdef __x86_64__
	constexpr greg_t IS_WRITE = 2;
	return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & IS_WRITE;
#else
	return false;
#endif
}

/* Return: whether the access may succeed when it is repeated. */
static bool note_touch(uint64_t address, bool is_write)
{
	for (Slot &slot : slots) {
		const uint64_t start = base::load_acquire(slot.start);
		const uint64_t end = base::load_acquire(slot.end);
		if (address < start || address >= end || base::load_acquire(slot.start) != start)
			continue;
		(void)base::compare_exchange(slot.hit, uint64_t{0}, 2 * address + is_write);
		return give_access(start, end);
	}
	return base::exchange(retried, address) != address;
}

static void handle(int signal, siginfo_t *info, void *context)
{
	const int error = errno;
	if (info->si_code != SEGV_ACCERR ||
	    !note_touch(reinterpret_cast<uint64_t>(info->si_addr), is_write(context))) {
		(void)sigaction(signal, &earlier, nullptr);
		if (info->si_code <= 0)
			(void)raise(signal);
	}
	errno = error;
}

/* Return: whether the signal handler is handle(). */
static bool is_ours() REQUIRES(slots_mutex)
{
	struct sigaction now {};
	if (sigaction(SIGSEGV, nullptr, &now) != 0)
		return false;
	if (is_installed)
		return now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle;
	struct sigaction wanted {};
	wanted.sa_sigaction = handle;
	wanted.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&wanted.sa_mask);
	is_installed = sigaction(SIGSEGV, &wanted, &earlier) == 0;
	return is_installed != 0;
}

/* The target of a copy, if the target is one contiguous row. */
static bool row_of(const unpu_packet &packet, uint64_t &target, uint64_t &bytes)
{
	Box box{};
	if (packet.opcode != UNPU_OP_COPY || !copied_box(graph_task(packet, nullptr), box))
		return false;
	target = reinterpret_cast<uint64_t>(box.dst);
	bytes = box.width * box.height * box.depth;
	return bytes == box.width;
}

uint64_t TargetGuard::number_for(Stream &stream, const unpu_packet &packet)
{
	Recorder *recorder = Recorder::get();
	uint64_t target = 0;
	uint64_t bytes = 0;
	if (!recorder || recorder->host_checks() != HOST_DIGEST || !row_of(packet, target, bytes) ||
	    bytes < base::kernel_page_bytes())
		return 0;
	const drv::Bo bo = stream.context->device().memory().lookup(target);
	/* Registered memory belongs to the program, which may have changed its page protection. So it is not
	 * guarded. */
	if (!bo.chunk || bo.place() != drv::Place::PINNED || bo.use != drv::Use::PLAIN ||
	    bo.access != UNPU_ACCESS_MASK || target < bo.va || target - bo.va > bo.bytes ||
	    bytes > bo.bytes - (target - bo.va))
		return 0;
	const uint64_t count = base::fetch_add(targets, uint64_t{1});
	return count < FIRST_TARGETS || mix(count) % LATER_TARGETS == 0 ? recorder->next_number()
									: 0;
}

void TargetGuard::hold(uint64_t number, Stream &stream, const unpu_packet &packet,
		       const drv::Fence &fence)
{
	uint64_t target = 0;
	uint64_t bytes = 0;
	if (number == 0 || !row_of(packet, target, bytes))
		return;
	if (await_ready(*stream.context->open, {&fence, 1}, base::now_ns(), 0) != base::Status::OK)
		return;
	const uint64_t unit = base::kernel_page_bytes();
	const uint64_t start = base::round_up(target, unit);
	const uint64_t end = (target + bytes) / unit * unit;
	if (start >= end)
		return;
	std::lock_guard lock(slots_mutex);
	Slot *place = nullptr;
	for (Slot &slot : slots) {
		const bool is_open = base::load_acquire(slot.start) == NOWHERE;
		if (!is_open && start < slot.end && slot.start < end)
			return;
		if (slot.number == 0)
			place = &slot;
	}
	if (!place || !is_ours())
		return;
	base::store_release(place->hit, uint64_t{0});
	base::store_release(place->end, end);
	base::store_release(place->start, start);
	if (mprotect(reinterpret_cast<void *>(start), end - start, PROT_NONE) != 0) {
		base::store_release(place->start, NOWHERE);
		return;
	}
	place->number = number;
	base::fetch_add(held_, uint32_t{1});
}

/* Whether a packet may tell the host something. Long copies and fills of device memory write nothing that a
 * host polls. Other packets may. */
bool TargetGuard::may_tell(const unpu_packet &packet)
{
	constexpr uint64_t POLLED_BYTES = 64;
	if (packet.opcode == UNPU_OP_COPY)
		return packet.copy.bytes <= POLLED_BYTES;
	if (packet.opcode == UNPU_OP_FILL)
		return side_of(reinterpret_cast<const void *>(packet.fill.dst)) != Side::DEVICE;
	/* Packets that signal other processes are handled by begin_event() and begin_signal(). */
	return packet.opcode != UNPU_OP_SEM_WAIT && packet.opcode != UNPU_OP_SEM_SIGNAL &&
	       packet.opcode != UNPU_OP_TIMESTAMP;
}

/* Opens the pages before it frees the slot, so that a thread that faults in between can continue. */
static void open_slot(Slot &slot) REQUIRES(slots_mutex)
{
	if (slot.number == 0 || base::load_acquire(slot.start) == NOWHERE)
		return;
	(void)give_access(slot.start, slot.end);
	base::store_release(slot.start, NOWHERE);
}

void TargetGuard::open_all()
{
	std::lock_guard lock(slots_mutex);
	for (Slot &slot : slots) {
		open_slot(slot);
		if (slot.number == 0 || base::load_acquire(slot.hit) != 0)
			continue;
		slot.number = 0;
		base::fetch_add(held_, UINT32_MAX);
	}
}

void TargetGuard::tell_all()
{
	struct Touched {
		uint64_t number;
		uint64_t hit;
	};
	std::vector<Touched> all;
	{
		std::lock_guard lock(slots_mutex);
		for (Slot &slot : slots) {
			open_slot(slot);
			if (slot.number == 0)
				continue;
			if (const uint64_t hit = base::load_acquire(slot.hit))
				all.push_back({slot.number, hit});
			slot.number = 0;
			base::fetch_add(held_, UINT32_MAX);
		}
	}
	Recorder *recorder = Recorder::get();
	for (const Touched &one : all) {
		Operands operands;
		operands.add(one.hit / 2, 1, one.hit % 2 ? san::Access::WRITE : san::Access::READ,
			     Role::DESTINATION);
		if (recorder)
			recorder->write({.kind = san::Kind::COMPARED,
					 .flags = san::COMPARED_TARGET | san::COMPARED_AFTER,
					 .object = one.number,
					 .site = NO_SITE},
					&operands);
	}
}

} // namespace umd::recorder
