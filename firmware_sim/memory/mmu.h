// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "account.h"
#include "base/os/shm.h"
#include "export_link.h"
#include "page_guard.h"
#include "reservations.h"
#include "wake_event.h"

namespace fw {

/** struct Segment - memory that the firmware created and mapped, or a part of such memory that another
 * client exports. */
struct Segment {
	Segment() = default;
	~Segment();
	Segment(const Segment &) = delete;
	Segment &operator=(const Segment &) = delete;

	uint64_t id = 0;
	unpu_segment_kind kind = UNPU_SEGMENT_DEVICE;
	unpu_page_kind pages = UNPU_PAGE_4K;
	std::byte *data = nullptr;
	uint64_t bytes = 0;

	base::Mapping memory; /* mapping of a segment that the client created */
	PageGuard guard;      /* handles SIGBUS for @memory if its pages can disappear */
	base::Fd fd;	      /* descriptor of a shareable segment */
	/* Descriptor of device or pinned memory, for the worker of the client; empty: too many descriptors
	 * are open. */
	std::shared_ptr<const base::Fd> file;
	Charge file_descriptor;
	/* charge for memory that the device will get back soon; ends after @device_memory */
	Charge returning;
	Charge device_memory; /* charge for the device's memory */
	Charge quota;	      /* charge for the client's memory */
	Charge entry;	      /* charge for the entry in the client's tables */
	Charge descriptor;    /* charge for @fd */
	base::Fd outgoing;    /* descriptor for the client's take_segment() */
	Charge outgoing_descriptor;
	bool is_clients = false;   /* memory of the client's own process, mapped in place */
	bool is_given_out = false; /* other processes may have a descriptor of it */
	bool is_imported = false;  /* a client has imported the segment or a part of it */
	ExportLink exports; /* exports that end with the segment; under the lock of the exchange */
	bool are_exports_ended = false; /* under the lock of the exchange */
	uint32_t mappings = 0;		/* number of its client's mappings that refer to it */
	/* Of an imported segment: the exported segment that it is part of. */
	std::shared_ptr<Segment> of;
	bool is_own_process = false; /* the exporter is another client of the same process */
	PokesAtEnd registrations;    /* registrations with the queues of transfers to or from it */
};

/** struct MappedPart - a piece of a segment as it is mapped in this process. It stays mapped while this
 * object lives. Context: any thread may drop the last reference. */
struct MappedPart {
	MappedPart(std::byte *where, uint64_t length, std::shared_ptr<Segment> piece_of)
		: data(where), bytes(length), segment(std::move(piece_of))
	{
	}
	~MappedPart();
	MappedPart(const MappedPart &) = delete;
	MappedPart &operator=(const MappedPart &) = delete;

	std::byte *const data;
	const uint64_t bytes;
	const std::shared_ptr<Segment> segment;
	uint64_t offset = 0; /* offset in the segment */
	/* The reservation in which the piece has its own mapping; nullptr: it is part of the segment's
	 * mapping. */
	std::shared_ptr<const Reservation> reservation;
	PageGuard guard; /* guard of a mapping of its own */
	Charge entries;	 /* charge of the client */
};

/** struct Translation - the address of a device range in this process, or the fault. Valid until the
 * next mailbox request of the client: longer work needs a Hold. */
struct Translation {
	std::byte *data = nullptr;
	base::Status status = base::Status::MMU_FAULT;
	uint64_t address = 0; /* the address that faulted */
};

/**
 * class Hold - keeps the memory of a device range mapped while it lives. Every object that keeps an
 * address of client memory longer than the turn in which it was translated owns a Hold: engine jobs and
 * transfers.
 */
class Hold {
public:
	Hold() = default;

	std::byte *data() const { return data_; }
	/** segment() - the segment in which the range begins. */
	const std::shared_ptr<Segment> &segment() const { return first_->segment; }
	/** place() - the MappedPart in which the range begins. */
	const std::shared_ptr<const MappedPart> &place() const { return first_; }

	/** drop_shared() - drops all references that are not the last one of their object, so that no memory
	 * is freed here. */
	void drop_shared();

private:
	friend class Mmu;
	std::byte *data_ = nullptr;
	std::shared_ptr<const MappedPart> first_;
	/* The following Places of a longer range. */
	std::vector<std::shared_ptr<const MappedPart>> others_;
};

/** class Mmu - one context's device addresses. Context: under the step token. */
class Mmu {
public:
	/** map() - maps [va, va + bytes) to @segment from @offset on; @access 0 allows no access.
	 * @entries: the charge for the mapping, see entries()
	 * Return: INVALID_ARGUMENT when the range wraps, overlaps a mapping or leaves the segment, lies
	 * partly in a reservation, or has words that would not be aligned; NO_MEMORY. */
	base::Status map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment,
			 uint64_t offset, uint32_t access, Charge entries = {});

	/** entries() - number of entries that a mapping at @va is charged. A mapping in a reservation is
	 * a mapping of the process and splits the rest of the reservation in two. */
	uint64_t entries(uint64_t va) const { return reserved(va) ? 2 : 1; }

	/** unmap() - removes a range given to map(). Return: INVALID_ARGUMENT when it is not mapped,
	 * IN_USE when it is in a reservation or the client's own memory, and a Hold exists. */
	base::Status unmap(uint64_t va, uint64_t bytes);

	/** has() - whether a range given to map() is mapped. */
	bool has(uint64_t va, uint64_t bytes) const
	{
		const auto found = ranges_.find(va);
		return found != ranges_.end() && found->second.bytes == bytes;
	}

	/** protect() - changes the access rights of a range given to map().
	 * Return: INVALID_ARGUMENT when it is not mapped. */
	base::Status protect(uint64_t va, uint64_t bytes, uint32_t access);

	/** reserve(), release() - see Reservations. Return: release() also IN_USE while memory is mapped
	 * there. */
	base::Status reserve(uint64_t va, uint64_t bytes, Charge entry = {})
	{
		return reserved_.reserve(va, bytes, std::move(entry));
	}
	base::Status release(uint64_t va, uint64_t bytes);

	/** reserved() - whether @va is in a reservation; memory there cannot be unmapped while a Hold
	 * exists. */
	bool reserved(uint64_t va) const { return reserved_.find(va, 1).reservation != nullptr; }

	/** size() - number of mappings and reservations. */
	size_t size() const { return ranges_.size() + reserved_.size(); }

	/** clear() - unmaps and releases all ranges, after their segments are not used any more. Memory with
	 * a Hold stays mapped until the Hold ends. Context: any thread. */
	void clear();

	/** lost_pages() - whether a page of a mapping in a reservation was lost. */
	bool lost_pages() const;

	/** for_some() - calls @found with @left mappings from @next on: address, bytes, access, place.
	 * Return: where the next one is; UINT64_MAX: there is none. */
	template <class Found> uint64_t for_some(uint64_t next, uint64_t left, Found found) const
	{
		auto at = ranges_.lower_bound(next);
		for (; at != ranges_.end() && left != 0; ++at, left--)
			found(at->first, at->second.bytes, at->second.access, *at->second.place);
		return at == ranges_.end() ? UINT64_MAX : at->first;
	}

	/** translate() - checks that the range lies in one mapping that allows @access, or in several
	 * that follow each other in a reservation. */
	Translation translate(uint64_t va, uint64_t bytes, uint32_t access);

	/** hold() - a Hold of a range that translate() has just translated. */
	Hold hold(uint64_t va, uint64_t bytes) const;

	/** known() - fast translate(): looks only at the two mappings used last; nullptr if the range is
	 * not in them. */
	std::byte *known(uint64_t va, uint64_t bytes, uint32_t access) const
	{
		for (const Range *range : last_) {
			if (!range)
				continue;
			uint64_t offset = va - range->va;
			if (offset < range->bytes && bytes <= range->bytes - offset &&
			    (range->access & access) == access)
				return range->data + offset;
		}
		return nullptr;
	}

	/** epoch() - changes whenever a translation may have changed, and with each translation of the client's
	 * own memory, which the client may unmap at any time. */
	uint64_t epoch() const { return epoch_; }

private:
	struct Range {
		uint64_t va = 0;
		uint64_t bytes = 0;
		std::byte *data = nullptr;
		uint32_t access = 0;
		std::shared_ptr<const MappedPart> place = nullptr;
	};

	using Ranges = std::map<uint64_t, Range>; /* indexed by device address */

	bool touches(uint64_t va, uint64_t bytes) const;
	Ranges::const_iterator next(Ranges::const_iterator range) const;
	Ranges::const_iterator at(const Range &range) const { return ranges_.find(range.va); }
	const Range *find(uint64_t va) const;
	const Range *recent(uint64_t va) const;
	Ranges::iterator find_mapped(uint64_t va, uint64_t bytes);
	Translation check_reach(const Range &first, uint64_t reach, uint32_t access) const;
	Translation look_at_clients(const Range &range, uint64_t va, uint64_t bytes);

	Reservations reserved_;
	uint64_t epoch_ = 1;
	Ranges ranges_;
	/* The two ranges hit last: a copy's source and target. */
	const Range *last_[2] = {nullptr, nullptr};
};

} // namespace fw
