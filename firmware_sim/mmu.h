// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_set>
#include <vector>

#include "base/shm.h"
#include "fw/account.h"
#include "page_guard.h"
#include "reservations.h"

namespace fw {

/** struct Segment - memory the firmware created and mapped for itself, or a part of such memory that
 * another client shares. */
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

	base::Mapping memory; /* of one the client created */
	PageGuard guard;      /* where its pages may go */
	base::Fd fd;	      /* of a shareable one */
	Charge device_memory; /* of the device */
	Charge quota;	      /* of the client's memory */
	Charge entry;	      /* in the client's tables */
	Charge descriptor;    /* @fd */
	base::Fd outgoing;    /* for the client, which has not taken it */
	Charge outgoing_descriptor;
	bool given_out = false;		      /* other processes may keep a descriptor of it */
	std::unordered_set<uint64_t> exports; /* nonces of exports that end with it */
	uint32_t mappings = 0;		      /* that name it, of its client */
	std::shared_ptr<Segment> of;	      /* of an imported one: what it is a part of */
	std::shared_ptr<const void> user; /* of one that files were read into: Storage::user() */
};

/** struct Place - where a piece of a segment is mapped in this process. It stays mapped for as long as
 * something holds this object. Context: any thread may drop the last reference. */
struct Place {
	Place(std::byte *where, uint64_t length, std::shared_ptr<Segment> piece_of)
		: data(where), bytes(length), segment(std::move(piece_of))
	{
	}
	~Place();
	Place(const Place &) = delete;
	Place &operator=(const Place &) = delete;

	std::byte *const data;
	const uint64_t bytes;
	const std::shared_ptr<Segment> segment;
	/* It has a mapping of its own there; nullptr: it is a part of the segment's own mapping. */
	std::shared_ptr<const Reservation> reservation;
	PageGuard guard; /* of a mapping of its own */
	Charge entries;	 /* of the client */
};

/** struct Translation - where a device range lies in this process, or why it does not. Good until the
 * next request of the client: work that takes longer needs a Hold. */
struct Translation {
	std::byte *data = nullptr;
	base::Status status = base::Status::MMU_FAULT;
	uint64_t address = 0; /* the address that faulted */
};

/**
 * class Hold - the memory of a device range, which stays where it is for as long as this lives. Whatever
 * keeps an address of client memory beyond the turn in which it was translated owns a Hold of it: jobs
 * of engines and transfers.
 */
class Hold {
public:
	Hold() = default;

	std::byte *data() const { return data_; }
	/** segment() - the one that the range begins in. */
	const std::shared_ptr<Segment> &segment() const { return first_->segment; }
	/** place() - the one that the range begins in. */
	const std::shared_ptr<const Place> &place() const { return first_; }

	/** drop_shared() - gives up what others hold as well, which frees nothing. */
	void drop_shared();

private:
	friend class Mmu;
	std::byte *data_ = nullptr;
	std::shared_ptr<const Place> first_;
	std::vector<std::shared_ptr<const Place>> others_; /* of a range that goes on from it */
};

/** class Mmu - one context's device addresses. Context: under the step token. */
class Mmu {
public:
	/** map() - [va, va + bytes) becomes @segment from @offset on; with @access 0 nothing may
	 * use it. @entries: what the mapping is charged, see entries()
	 * Return: INVALID_ARGUMENT when the range wraps, overlaps a mapping or leaves the segment, lies
	 * partly in a reservation, or has words that would not be aligned; NO_MEMORY. */
	base::Status map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment,
			 uint64_t offset, uint32_t access, Charge entries = {});

	/** entries() - how many entries a mapping at @va counts for. One in a reservation is a mapping of the
	 * process, and parts what is left of the reservation. */
	uint64_t entries(uint64_t va) const { return reserved(va) ? 2 : 1; }

	/** unmap() - removes a range given to map(). Return: INVALID_ARGUMENT when there is none, IN_USE
	 * when it is in a reservation and something holds it. */
	base::Status unmap(uint64_t va, uint64_t bytes);

	/** protect() - changes what may be done with a range given to map().
	 * Return: INVALID_ARGUMENT when there is none. */
	base::Status protect(uint64_t va, uint64_t bytes, uint32_t access);

	/** reserve(), release() - see Reservations. Return: release() also IN_USE while something is
	 * mapped there. */
	base::Status reserve(uint64_t va, uint64_t bytes, Charge entry = {})
	{
		return reserved_.reserve(va, bytes, std::move(entry));
	}
	base::Status release(uint64_t va, uint64_t bytes);

	/** reserved() - whether @va is in a reservation, where nothing that is held can be unmapped. */
	bool reserved(uint64_t va) const { return reserved_.find(va, 1).reservation != nullptr; }

	/** clear() - unmaps and releases all. What is held stays until it is not any more. */
	void clear();

	/** lost_pages() - whether a page of a mapping in a reservation was gone. */
	bool lost_pages() const;

	/** translate() - checks that the range lies in one mapping that allows @access, or in several
	 * that follow each other in a reservation. */
	Translation translate(uint64_t va, uint64_t bytes, uint32_t access);

	/** hold() - the memory of a range that translate() has just found. */
	Hold hold(uint64_t va, uint64_t bytes) const;

	/** known() - translate() of a range in one of the mappings that were used last; nullptr where it is
	 * not that simple. */
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

	/** epoch() - changes whenever a translation may have changed. */
	uint64_t epoch() const { return epoch_; }

private:
	struct Range {
		uint64_t va = 0;
		uint64_t bytes = 0;
		std::byte *data = nullptr;
		uint32_t access = 0;
		std::shared_ptr<const Place> place = nullptr;
	};

	using Ranges = std::map<uint64_t, Range>; /* by va */

	bool touches(uint64_t va, uint64_t bytes) const;
	const Range *next(const Range &range) const;
	const Range *find(uint64_t va) const;
	const Range *recent(uint64_t va) const;
	Ranges::iterator find_mapped(uint64_t va, uint64_t bytes);
	Translation check_reach(const Range &first, uint64_t reach, uint32_t access) const;

	Reservations reserved_;
	uint64_t epoch_ = 1;
	Ranges ranges_;
	/* The two ranges hit last: a copy's source and target. */
	const Range *last_[2] = {nullptr, nullptr};
};

} // namespace fw
