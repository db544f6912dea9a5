// SPDX-License-Identifier: MIT
/**
 * DOC: detecting a host that uses memory of a copy in flight
 *
 * The judge decides by the trace whether an access is a mistake. The guards only have to end in time: a guard that ends
 * too early misses a mistake, and one that ends too late costs a fault.
 */
#include "host_guard.h"

#include <array>
#include <mutex>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "check_budget.h"
#include "drv/device.h"
#include "drv/memory/pages_apart.h"
#include "host_pages.h"
#include "notes.h"
#include "umd/core/memory/side.h"
#include "umd/core/recorder/operands.h"
#include "umd/core/recorder/recorder.h"
#include "umd/core/task/task.h"
#include "umd/core/watch/ready.h"

namespace umd::recorder {

/* The most guards at one time. */
static constexpr uint32_t SLOTS = 64;

static constinit base::Mutex guards_mutex{"guards of host memory"};
static constinit std::array<HostPages, SLOTS> closed_pages{};

namespace {

/* class Followers - some streams or events that are ordered behind a copy. */
template <class Number> class Followers {
public:
	void clear() { count_ = 0; }
	/* Return: false if there is no room. */
	bool add(Number number)
	{
		if (has(number))
			return true;
		if (count_ == numbers_.size())
			return false;
		numbers_[count_++] = number;
		return true;
	}
	bool has(Number number) const
	{
		for (uint32_t i = 0; i < count_; i++) {
			if (numbers_[i] == number)
				return true;
		}
		return false;
	}

private:
	static constexpr size_t MOST = 24;
	std::array<Number, MOST> numbers_{};
	uint32_t count_ = 0;
};

/* struct Guard - what the runtime knows of a guard; its pages have the same index. */
struct Guard {
	uint64_t number = 0; /* 0: the slot is free */
	uint64_t begin = 0;  /* the memory */
	uint64_t end = 0;
	uint64_t pages_begin = 0;
	uint64_t pages_end = 0;
	bool is_source = false;
	bool may_wait = false;	/* earlier work of the stream may wait for the program */
	bool is_spread = false; /* any stream may be ordered behind the copy */
	bool is_open = false;	/* the host may know of the end */
	Followers<uint32_t> streams{};
	Followers<uint64_t> events{};
};

} // namespace

static constinit std::array<Guard, SLOTS> guards GUARDED_BY(guards_mutex){};

/* The contiguous range of pinned memory that a copy uses, if it has one. */
static bool find_range(const unpu_packet &packet, drv::Memory &memory, Guard &guard)
{
	Box box{};
	if (packet.opcode != UNPU_OP_COPY || !copied_box(graph_task(packet, nullptr), box))
		return false;
	const uint64_t bytes = box.width * box.height * box.depth;
	if (bytes != box.width)
		return false;
	for (const bool is_source : {false, true}) {
		const uint64_t begin = is_source ? number(box.src) : number(box.dst);
		const drv::Bo bo = memory.lookup(begin);
		/* Registered memory belongs to the program, which may have changed its page protection, and the
		 * device has no other mapping of it. */
		if (bo.place != drv::Place::PINNED || bo.use != drv::Use::PLAIN ||
		    bo.access != UNPU_ACCESS_MASK || begin < bo.va || begin - bo.va > bo.bytes ||
		    bytes > bo.bytes - (begin - bo.va))
			continue;
		const uint64_t unit = base::kernel_page_bytes();
		guard.begin = begin;
		guard.end = begin + bytes;
		guard.is_source = is_source;
		guard.pages_begin = base::round_up(begin, unit);
		/* Behind the end of an object, its last page belongs to nobody (drv::PagesApart). */
		const bool is_last =
			drv::PagesApart::is_on() && begin + bytes >= bo.va + bo.asked_bytes();
		guard.pages_end =
			is_last ? base::round_up(guard.end, unit) : guard.end / unit * unit;
		return guard.pages_begin < guard.pages_end;
	}
	return false;
}

static bool is_spread(const Recorder &recorder, const Stream &stream)
{
	return recorder.orders_default() && stream.is_default;
}

/* Return: a free slot, or SLOTS. */
static uint32_t find_slot(const Guard &wanted) REQUIRES(guards_mutex)
{
	uint32_t place = SLOTS;
	for (uint32_t i = 0; i < SLOTS; i++) {
		const Guard &guard = guards[i];
		if (guard.number == 0)
			place = i;
		else if (!guard.is_open && wanted.pages_begin < guard.pages_end &&
			 guard.pages_begin < wanted.pages_end)
			return SLOTS;
	}
	return place;
}

uint64_t HostGuard::claim(Stream &stream, const unpu_packet &packet, uint64_t number)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || recorder->host_checks() != HOST_DIGEST)
		return 0;
	Guard guard;
	if (!find_range(packet, stream.context->device().memory(), guard))
		return 0;
	/* A source has a guard if it is compared, too. */
	if (guard.is_source ? number == 0 : !CheckBudget::allows(guard.end - guard.begin))
		return 0;
	guard.number = number != 0 ? number : recorder->next_number();
	guard.may_wait = stream.channel->may_wait();
	guard.is_spread = is_spread(*recorder, stream);
	(void)guard.streams.add(stream_number(stream));
	std::lock_guard lock(guards_mutex);
	const uint32_t place = find_slot(guard);
	if (place == SLOTS)
		return 0;
	guards[place] = guard;
	base::fetch_add(held_, uint32_t{1});
	return guard.number;
}

static Guard *guard_of(uint64_t number, HostPages *&found) REQUIRES(guards_mutex)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (guards[i].number == number) {
			found = &closed_pages[i];
			return &guards[i];
		}
	}
	return nullptr;
}

void HostGuard::drop(uint64_t number)
{
	HostPages *closed = nullptr;
	std::lock_guard lock(guards_mutex);
	Guard *guard = number == 0 ? nullptr : guard_of(number, closed);
	if (!guard)
		return;
	guard->number = 0;
	base::fetch_add(held_, UINT32_MAX);
}

void HostGuard::hold(uint64_t number, Stream &stream, const drv::Fence &fence)
{
	HostPages *closed = nullptr;
	bool may_wait = false;
	if (number == 0)
		return;
	{
		std::lock_guard lock(guards_mutex);
		const Guard *guard = guard_of(number, closed);
		may_wait = guard && guard->may_wait;
	}
	const bool is_free = !may_wait || await_ready(*stream.context->open, {&fence, 1},
						      base::now_ns(), 0) == base::Status::OK;
	{
		std::lock_guard lock(guards_mutex);
		const Guard *guard = guard_of(number, closed);
		if (!guard)
			return;
		if (is_free && !guard->is_open && HostPages::prepare(closed_pages.data(), SLOTS) &&
		    closed->close(guard->pages_begin, guard->pages_end, guard->begin, guard->end,
				  guard->is_source))
			return;
	}
	drop(number);
}

/* Ends a guard. If the host has touched its pages, the slot is kept for tell_all(). */
static void end_guard(uint32_t i, uint32_t &held) REQUIRES(guards_mutex)
{
	if (guards[i].number == 0)
		return;
	guards[i].is_open = true;
	if (!closed_pages[i].is_closed())
		return; /* hold() is still to come, or tell_all() */
	const uint64_t now_ns = base::now_ns();
	closed_pages[i].open();
	CheckBudget::spend(now_ns);
	if (closed_pages[i].is_touched())
		return;
	guards[i].number = 0;
	base::fetch_add(held, UINT32_MAX);
}

void HostGuard::open_all()
{
	std::lock_guard lock(guards_mutex);
	for (uint32_t i = 0; i < SLOTS; i++)
		end_guard(i, held_);
}

void HostGuard::open_ranges(const Box &box)
{
	const auto ends = [&](const void *start, uint64_t pitch, uint64_t slice) {
		return number(start) + (box.depth - 1) * slice + (box.height - 1) * pitch +
		       box.width;
	};
	const uint64_t dst_end = ends(box.dst, box.dst_pitch, box.dst_slice);
	const uint64_t src_end = ends(box.src, box.src_pitch, box.src_slice);
	std::lock_guard lock(guards_mutex);
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (closed_pages[i].meets(number(box.dst), dst_end) ||
		    closed_pages[i].meets(number(box.src), src_end))
			end_guard(i, held_);
	}
}

/* Whether a packet may tell the host something. Long copies and fills of device memory write nothing that a
 * host polls. Other packets may. */
static bool may_tell(const unpu_packet &packet)
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

/* Whether the work that a stream gets now is ordered behind the copy. */
static bool is_behind(const Guard &guard, uint32_t stream)
{
	return guard.is_spread || guard.streams.has(stream);
}

void HostGuard::open_behind(Stream &stream)
{
	const uint32_t number = stream_number(stream);
	std::lock_guard lock(guards_mutex);
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (is_behind(guards[i], number))
			end_guard(i, held_);
	}
}

/* A legacy default stream orders all others before and after its work, without a call. */
static void spread(const Stream &stream)
{
	const Recorder *recorder = Recorder::get();
	if (!recorder || !is_spread(*recorder, stream))
		return;
	std::lock_guard lock(guards_mutex);
	for (Guard &guard : guards)
		guard.is_spread = guard.is_spread || guard.number != 0;
}

void HostGuard::note_packet(Stream &stream, const unpu_packet &packet)
{
	spread(stream);
	if (may_tell(packet))
		open_behind(stream);
}

void HostGuard::follow_stream(san::Kind kind, uint64_t event, Stream &stream)
{
	spread(stream);
	follow_all(kind, event, stream_number(stream));
}

void HostGuard::follow_all(san::Kind kind, uint64_t event, uint32_t stream)
{
	std::lock_guard lock(guards_mutex);
	for (Guard &guard : guards) {
		if (guard.number == 0)
			continue;
		if (kind == san::Kind::EVENT_RECORD && is_behind(guard, stream))
			guard.is_spread |= !guard.events.add(event);
		if (kind == san::Kind::EVENT_WAIT && guard.events.has(event))
			guard.is_spread |= !guard.streams.add(stream);
	}
}

void HostGuard::know(Stream *stream, uint64_t event)
{
	const uint32_t number = stream ? stream_number(*stream) : 0;
	const Recorder *recorder = Recorder::get();
	const bool is_all = stream && recorder && is_spread(*recorder, *stream);
	{
		std::lock_guard lock(guards_mutex);
		for (uint32_t i = 0; i < SLOTS; i++) {
			const Guard &guard = guards[i];
			if (is_all || guard.is_spread ||
			    (stream ? guard.streams.has(number) : guard.events.has(event)))
				end_guard(i, held_);
		}
	}
	tell_all();
}

void HostGuard::tell_all()
{
	Recorder *recorder = Recorder::get();
	std::lock_guard lock(guards_mutex);
	for (uint32_t i = 0; i < SLOTS; i++) {
		const HostTouch *touch = guards[i].number == 0 ? nullptr : closed_pages[i].touch();
		if (!touch)
			continue;
		Operands operands;
		operands.add(touch->address, 1,
			     touch->is_write ? san::Access::WRITE : san::Access::READ,
			     guards[i].is_source ? Role::SOURCE : Role::DESTINATION);
		if (recorder)
			recorder->write({.kind = san::Kind::COMPARED,
					 .flags = san::COMPARED_TARGET | san::COMPARED_AFTER,
					 .object = guards[i].number,
					 .site = recorder->site_of(touch->stack)},
					&operands);
		closed_pages[i].open();
		closed_pages[i].forget();
		guards[i].number = 0;
		base::fetch_add(held_, UINT32_MAX);
	}
}

} // namespace umd::recorder
