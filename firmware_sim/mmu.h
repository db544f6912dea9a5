// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "base/shm.h"
#include "page_guard.h"
#include "reservations.h"

namespace fw {

/** class Charge - so much of a device's memory is taken for as long as this lives. It may outlive
 * the device, with a client of another one. */
class Charge {
public:
	using Counter = std::shared_ptr<std::atomic<uint64_t>>;

	Charge() = default;
	Charge(Counter used, uint64_t bytes) : used_(std::move(used)), bytes_(bytes)
	{
		*used_ += bytes_;
	}
	Charge(const Charge &) = delete;
	Charge &operator=(const Charge &) = delete;
	Charge(Charge &&other) noexcept = default;
	Charge &operator=(Charge &&other) noexcept
	{
		Charge taken(std::move(other));
		std::swap(used_, taken.used_);
		std::swap(bytes_, taken.bytes_);
		return *this;
	}
	~Charge()
	{
		if (used_)
			*used_ -= bytes_;
	}

private:
	Counter used_;
	uint64_t bytes_ = 0;
};

/** struct Segment - memory the firmware created and mapped for itself, or a part of such memory that
 * another client shares. */
struct Segment {
	uint64_t id = 0;
	unpu_segment_kind kind = UNPU_SEGMENT_DEVICE;
	unpu_page_kind pages = UNPU_PAGE_4K;
	std::byte *data = nullptr;
	uint64_t bytes = 0;

	base::Mapping memory;		  /* of one the client created */
	PageGuard guard;		  /* where its pages may go */
	base::Fd fd;			  /* of a shareable one */
	Charge charge;			  /* of device memory */
	Charge quota;			  /* of the client's memory */
	bool exported = false;		  /* its end is the end of exports */
	uint32_t mappings = 0;		  /* that name it, of its client */
	std::shared_ptr<Segment> of;	  /* of an imported one: what it is a part of */
	std::shared_ptr<const void> user; /* of one that files were read into: Storage::user() */
};

/** struct Translation - where a device range lies in this process, or why it does not. */
struct Translation {
	std::byte *data = nullptr;
	base::Status status = base::Status::MMU_FAULT;
	uint64_t address = 0; /* the address that faulted */
	const std::shared_ptr<Segment> *segment =
		nullptr; /* valid until the next map() or unmap() */
};

/** class Mmu - one context's device addresses. Context: under the step token. */
class Mmu {
public:
	/** map() - [va, va + bytes) becomes @segment from @offset on; with @access 0 nothing may
	 * use it.
	 * Return: INVALID_ARGUMENT when the range wraps, overlaps a mapping or leaves the segment, or
	 * lies partly in a reservation; NO_MEMORY. */
	base::Status map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment,
			 uint64_t offset, uint32_t access);

	/** unmap() - removes a range given to map(). Return: INVALID_ARGUMENT when there is none. */
	base::Status unmap(uint64_t va, uint64_t bytes);

	/** protect() - changes what may be done with a range given to map().
	 * Return: INVALID_ARGUMENT when there is none. */
	base::Status protect(uint64_t va, uint64_t bytes, uint32_t access);

	/** reserve(), release() - see Reservations. Return: release() also IN_USE while something is
	 * mapped there. */
	base::Status reserve(uint64_t va, uint64_t bytes) { return reserved_.reserve(va, bytes); }
	base::Status release(uint64_t va, uint64_t bytes);

	/** reserved() - whether an unmap there takes addresses of this process away at once, so that no
	 * engine may be at work on them. */
	bool reserved(uint64_t va) const { return reserved_.place(va, 1) != nullptr; }

	/** lost_pages() - whether a page of a mapping in a reservation was gone. */
	bool lost_pages() const;

	/** reserves() - whether there is any reservation. */
	bool reserves() const { return !reserved_.empty(); }

	/** translate() - checks that the range lies in one mapping that allows @access, or in several
	 * that follow each other in a reservation. */
	Translation translate(uint64_t va, uint64_t bytes, uint32_t access);

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
		bool reserved = false; /* part of a reservation */
		std::shared_ptr<Segment> segment = nullptr;
		PageGuard guard = {}; /* of a place of its own in a reservation */
	};

	using Ranges = std::map<uint64_t, Range>; /* by va */

	bool touches(uint64_t va, uint64_t bytes) const;
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
