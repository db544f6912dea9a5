// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/shm.h"

namespace fw {

/** struct Segment - memory the firmware created and mapped for itself. */
struct Segment {
	uint64_t id = 0;
	unpu_segment_kind kind = UNPU_SEGMENT_DEVICE;
	unpu_page_kind pages = UNPU_PAGE_4K;
	base::Mapping memory;
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
	/** map() - [va, va + bytes) becomes @segment from @offset on.
	 * Return: INVALID_ARGUMENT when the range wraps, overlaps a mapping or leaves the segment. */
	base::Status map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment,
			 uint64_t offset, uint32_t access);

	/** unmap() - removes a range given to map(). Return: INVALID_ARGUMENT when there is none. */
	base::Status unmap(uint64_t va, uint64_t bytes);

	/** translate() - checks that the range lies in one mapping that allows @access. */
	Translation translate(uint64_t va, uint64_t bytes, uint32_t access);

	/** epoch() - changes whenever a translation may have changed. */
	uint64_t epoch() const { return epoch_; }

	/** uses() - whether any mapping names @segment. */
	bool uses(const Segment &segment) const;

private:
	struct Range {
		uint64_t va;
		uint64_t bytes;
		std::byte *data;
		uint32_t access;
		std::shared_ptr<Segment> segment;
	};

	const Range *find(uint64_t va) const;

	uint64_t epoch_ = 1;
	std::vector<Range> ranges_; /* sorted by va */
	size_t last_[2] = {0, 0};   /* the two ranges hit last: a copy's source and target */
};

} // namespace fw
