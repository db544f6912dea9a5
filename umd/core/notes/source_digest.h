// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "umd/core/record/operands.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/* A row is compared in parts of so many bytes. */
constexpr uint64_t PART_BYTES = 4096;

/** each_part() - calls @visit(address, offset in the slot, bytes) for each part of one side of a copy. */
template <class Visit>
void each_part(const Box &box, const void *start, uint64_t pitch, uint64_t slice, Visit &&visit)
{
	uint64_t offset = 0;
	for (uint64_t row = 0; row < box.depth * box.height; row++) {
		const std::byte *from = static_cast<const std::byte *>(start) +
					row / box.height * slice + row % box.height * pitch;
		for (uint64_t at = 0; at < box.width; at += PART_BYTES) {
			const uint64_t bytes = std::min(PART_BYTES, box.width - at);
			visit(from + at, offset, bytes);
			offset += bytes;
		}
	}
}

/** parts_of() - how many parts a copy has. */
uint64_t parts_of(const Box &box);

/** hash_of() - the program may write the bytes meanwhile; that is what is looked for. */
uint64_t hash_of(const std::byte *at, uint64_t bytes);

/** can_read() - the program may have unmapped memory that it registered. */
bool can_read(const Box &box);

/** add_part() - adds a part that differs to @changed, to the last one if they meet. */
void add_part(Operands &changed, const std::byte *at, uint64_t bytes, Role role);

/** class SourceDigest - what the sources of copies were like at a call. */
class SourceDigest {
public:
	/** read() - the source of one more copy. */
	void read(const Box &box);

	/** hashes() - of the parts of all copies. */
	const std::vector<uint64_t> &hashes() const { return hashes_; }

	/** add_changed() - adds what is different now. Sources that can't be read any more are the same. */
	void add_changed(Operands &changed) const;

private:
	std::vector<Box> boxes_;
	std::vector<uint64_t> hashes_;
};

} // namespace umd::recorder
