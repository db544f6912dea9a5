/* SPDX-License-Identifier: MIT */
/*
 * DOC: Order of the blocks
 *
 * Level 3: blocks that access the same bytes of global memory, one to write, depend on luck unless a wait orders
 * them. Each 32 bytes that a launch accesses remember their last write, atomic copy and read: the block, the time, the
 * bytes, and the call. Times are those of one counter of the launch. A block remembers up to which time it is ordered
 * behind each other block, which is its vector clock; SyncAll, flags between cores and IBSet hand clocks on.
 *
 * Two blocks that write the same value are no mistake: kernels let the last block begin earlier, so that it is whole.
 * Atomic copies are in any order among themselves. A block that reads the same bytes by the same call again polls them,
 * and is ordered behind what it finds; a read of the scalar unit may be a look at a flag that is not set: a write may
 * follow. 32 MiB of each launch are watched.
 */
#ifndef UNPU_ASCENDC_CHECK_OVERLAP_H
#define UNPU_ASCENDC_CHECK_OVERLAP_H

#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/core/spin_lock.h"
#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

/* The calls by which a block passes its vector clock to other blocks. */
enum class Over : uint32_t {
	BARRIER, /* @a: the kind of core, or 2 */
	KIND,	 /* CrossCoreSetFlag of mode 0. @a: the kind of core, @b: the flag */
	GROUP, /* CrossCoreSetFlag of the other modes. @a: the group and the kind of core that sets it, @b: the flag */
	BLOCK, /* IBSet. @a: the block, @b: the event */
};

/* @turn: blocks that are there early for the next barrier or flag do not hand their clock to those of this one. */
struct Place {
	Over over;
	uint32_t a;
	uint32_t b;
	uint32_t turn;
};

/* Kinds of accesses of a block to global memory. */
enum class Doing : uint32_t { READ, WRITE, ATOMIC };

struct GlobalOrder {
	static constexpr uint32_t GRANULE = 32;
	static constexpr uint32_t PAGE = 4096;
	static constexpr uint32_t PAGES = 8192;
	static constexpr uint32_t SITES = 4096;

	struct Touch {
		uint32_t who; /* instance + 1; 0: nobody */
		uint32_t time;
		uint32_t bytes; /* a bit for each */
		uint32_t site;
	};
	struct Granule {
		Touch last[3]; /* by what was done */
	};
	struct Page {
		uint64_t number;
		Granule granules[PAGE / GRANULE];
	};
	struct Site {
		const char *call;
		Where where;
		bool is_look; /* a read of the scalar unit */
	};
	struct HandOver {
		Place place;
		uint32_t *clock;
		HandOver *next;
	};

	uint64_t launch;
	uint32_t time;
	uint32_t instances; /* the most that the launch can have */
	uint32_t **seen;    /* by instance: its clock; NULL: it has not waited */
	HandOver *hand_overs;
	uint32_t page_count;
	Page *pages[2 * PAGES]; /* hash table by number, with linear probing */
	Site sites[SITES];	/* hash table; a site for which there is no room has number 0 */

	static uint32_t me() { return static_cast<uint32_t>(block().index * 2 + block().core); }

	void clear(const unpu_kernel_block &of)
	{
		for (Page *&page : pages) {
			free(page);
			page = nullptr;
		}
		for (uint32_t i = 0; seen && i < instances; i++)
			free(seen[i]);
		free(seen);
		while (HandOver *first = hand_overs) {
			hand_overs = first->next;
			free(first->clock);
			free(first);
		}
		memset(sites, 0, sizeof(sites));
		launch = of.launch;
		instances = static_cast<uint32_t>(of.count) * 4;
		seen = static_cast<uint32_t **>(calloc(instances, sizeof(*seen)));
		time = page_count = 0;
	}
	/* Whether the launch of the block is checked. Only the newest launch is. */
	bool begin()
	{
		if (launch < block().launch)
			clear(block());
		return launch == block().launch && seen;
	}

	Granule *find(uint64_t address)
	{
		const uint64_t number = address / PAGE;

		for (uint64_t i = number * 0x9e3779b97f4a7c15ull >> 50;; i++) {
			Page *&page = pages[i % (2 * PAGES)];

			if (!page && page_count < PAGES) {
				page = static_cast<Page *>(calloc(1, sizeof(Page)));
				if (page) {
					page->number = number;
					page_count++;
				}
			}
			if (!page)
				return nullptr;
			if (page->number == number)
				return &page->granules[address % PAGE / GRANULE];
		}
	}
	uint32_t site_of(const Site &site)
	{
		const uint64_t hash =
			reinterpret_cast<uint64_t>(site.where.file) * 31 + site.where.line;

		for (uint32_t i = 0; i < SITES - 1; i++) {
			const uint32_t at = static_cast<uint32_t>((hash + i) % (SITES - 1)) + 1;
			Site &known = sites[at];

			if (!known.call)
				known = site;
			if (known.where.file == site.where.file &&
			    known.where.line == site.where.line && known.call == site.call)
				return at;
		}
		return 0;
	}

	bool is_ordered(const Touch &touch) const
	{
		const uint32_t *clock = seen[me()];

		return touch.who == 0 || touch.who - 1 == me() || touch.time <= state().last_wait ||
		       (clock && touch.time <= clock[touch.who - 1]);
	}

	/* A flag can be set at most 15 times before a wait for it. So a turn that is further back has ended. */
	HandOver *hand_over(const Place &place)
	{
		constexpr uint32_t TURNS = 17;

		for (HandOver *known = hand_overs; known; known = known->next) {
			const Place &other = known->place;

			if (other.over != place.over || other.a != place.a || other.b != place.b)
				continue;
			if (other.turn + TURNS <= place.turn) {
				known->place = place;
				memset(known->clock, 0, instances * sizeof(uint32_t));
			}
			if (known->place.turn == place.turn)
				return known;
		}
		HandOver *made = static_cast<HandOver *>(calloc(1, sizeof(HandOver)));
		uint32_t *clock = static_cast<uint32_t *>(calloc(instances, sizeof(uint32_t)));

		if (!made || !clock) {
			free(made);
			free(clock);
			return nullptr;
		}
		*made = {place, clock, hand_overs};
		hand_overs = made;
		return made;
	}
	void join(uint32_t *to, const uint32_t *from) const
	{
		for (uint32_t i = 0; from && i < instances; i++)
			to[i] = to[i] < from[i] ? from[i] : to[i];
	}
	void give(const Place &place)
	{
		HandOver *to = hand_over(place);

		if (!to)
			return;
		join(to->clock, seen[me()]);
		to->clock[me()] = ++time;
	}
	void take(const Place &place)
	{
		const HandOver *from = hand_over(place);
		uint32_t *&clock = seen[me()];

		if (from && !clock)
			clock = static_cast<uint32_t *>(calloc(instances, sizeof(uint32_t)));
		if (from && clock)
			join(clock, from->clock);
	}
};

inline GlobalOrder *global_order = nullptr;
inline SpinLock global_order_lock = {false};

/* An access of the running block. @data: the bytes that it writes */
struct GlobalAccess {
	Doing doing;
	uint64_t address;
	const unsigned char *data;
	uint64_t bytes;
	const char *call;
	Where where;
};

/* An earlier access of another block to the same bytes, with no order between the two. */
struct Clash {
	uint64_t address;
	uint32_t who;
	Doing doing;
	GlobalOrder::Site site;
};

/* Whether the access changes a byte of the granule that has its bit in @bits. @first: receives the address of the
 * first such byte */
inline bool changes(const GlobalAccess &access, uint64_t granule, uint32_t bits, uint64_t *first)
{
	for (; bits; bits &= bits - 1) {
		*first = granule + static_cast<uint32_t>(__builtin_ctz(bits));
		if (!access.data || *reinterpret_cast<const unsigned char *>(*first) !=
					    access.data[*first - access.address])
			return true;
	}
	return false;
}

/* Two reads do not conflict, two atomic copies do not conflict, and a write that changes no byte conflicts with
 * nothing. */
inline bool clashes(const GlobalOrder &order, const GlobalAccess &access, uint64_t at,
		    const GlobalOrder::Granule &granule, uint32_t bits, Clash *clash)
{
	for (const Doing before : {Doing::WRITE, Doing::ATOMIC, Doing::READ}) {
		const GlobalOrder::Touch &touch = granule.last[static_cast<uint32_t>(before)];
		const uint32_t both = bits & touch.bytes;

		if (!both || order.is_ordered(touch) ||
		    (before == access.doing && before != Doing::WRITE) ||
		    (before == Doing::READ && order.sites[touch.site].is_look))
			continue;
		clash->address = at + static_cast<uint32_t>(__builtin_ctz(both));
		if (access.doing == Doing::WRITE && before != Doing::ATOMIC &&
		    !changes(access, at, both, &clash->address))
			continue;
		clash->who = touch.who - 1;
		clash->doing = before;
		clash->site = order.sites[touch.site];
		return true;
	}
	return false;
}

/* Records an access. Return: whether it conflicts with an access of another block. */
inline bool record_access(GlobalOrder &order, const GlobalAccess &access, Clash *clash)
{
	constexpr uint64_t GRANULE = GlobalOrder::GRANULE;
	const uint32_t site = order.site_of(
		{access.call, access.where, access.doing == Doing::READ && access.bytes <= 8});
	const uint32_t who = GlobalOrder::me() + 1, time = ++order.time;
	const uint64_t end = access.address + access.bytes;

	for (uint64_t at = access.address / GRANULE * GRANULE; at < end; at += GRANULE) {
		const uint64_t low = at < access.address ? access.address - at : 0;
		const uint64_t high = end - at < GRANULE ? end - at : GRANULE;
		const uint32_t bits = static_cast<uint32_t>((1ull << high) - (1ull << low));
		GlobalOrder::Granule *granule = order.find(at);

		if (!granule)
			return false;
		GlobalOrder::Touch &own = granule->last[static_cast<uint32_t>(access.doing)];
		const GlobalOrder::Touch &write =
			granule->last[static_cast<uint32_t>(Doing::WRITE)];

		if (access.doing == Doing::READ && own.who == who && own.site == site &&
		    !order.is_ordered(write))
			state().last_wait = time;
		if (clashes(order, access, at, *granule, bits, clash))
			return true;
		own = {who, time, own.who == who ? own.bytes | bits : bits, site};
	}
	return false;
}

[[noreturn]] __attribute__((noinline, cold)) inline void explain_clash(const GlobalAccess &access,
								       const Clash &clash)
{
	const bool is_vector = (clash.who & 1) == UNPU_KERNEL_CORE_AIV;

	fail(access.where,
	     "%s: %s byte 0x%llx of global memory, which the %s block %u has %s by %s at %s:%u%s, "
	     "and "
	     "nothing orders the two blocks: SyncAll, CrossCoreSetFlag and CrossCoreWaitFlag, or "
	     "IBSet "
	     "and IBWait are missing",
	     access.call, access.doing == Doing::READ ? "reads" : "writes",
	     static_cast<unsigned long long>(clash.address), is_vector ? "vector" : "cube",
	     clash.who / 2, clash.doing == Doing::READ ? "read" : "written",
	     clash.site.call ? clash.site.call : "a call",
	     clash.site.where.file ? clash.site.where.file : "?", unsigned(clash.site.where.line),
	     access.doing == Doing::WRITE && clash.doing == Doing::WRITE ? " with another value"
									 : "");
}

inline GlobalOrder *locked_order()
{
	global_order_lock.lock();
	if (!global_order)
		global_order = static_cast<GlobalOrder *>(calloc(1, sizeof(GlobalOrder)));
	return global_order && global_order->begin() ? global_order : nullptr;
}

__attribute__((noinline)) inline void note_global(const GlobalAccess &access)
{
	Clash clash = {};

	if (level() < 3)
		return;
	GlobalOrder *order = locked_order();
	const bool is_found = order && record_access(*order, access, &clash);

	global_order_lock.unlock();
	if (is_found)
		explain_clash(access, clash);
}

/* Bytes that the block is about to write to global memory. */
inline void note_global_write(uint64_t address, const void *data, uint64_t bytes, const char *call,
			      Where where)
{
	note_global({Doing::WRITE, address, static_cast<const unsigned char *>(data), bytes, call,
		     where});
}
inline void note_global_atomic(uint64_t address, uint64_t bytes, const char *call, Where where)
{
	note_global({Doing::ATOMIC, address, nullptr, bytes, call, where});
}
inline void note_global_read(uint64_t address, uint64_t bytes, const char *call, Where where)
{
	note_global({Doing::READ, address, nullptr, bytes, call, where});
}

/* All that the block has done so far is ordered before the work of each block that receives this clock. */
inline void give_order(const Place &place)
{
	if (__builtin_expect(deepest < 3, 1) || level() < 3)
		return;
	if (GlobalOrder *order = locked_order())
		order->give(place);
	global_order_lock.unlock();
}
inline void take_order(const Place &place)
{
	if (__builtin_expect(deepest < 3, 1) || level() < 3)
		return;
	if (GlobalOrder *order = locked_order())
		order->take(place);
	global_order_lock.unlock();
}

/* The block reads memory that others write, without its cache: their writes are ordered before its next accesses. */
inline void note_wait()
{
	if (__builtin_expect(level() > 2 && global_order != nullptr, 0))
		state().last_wait = global_order->time;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_OVERLAP_H */
