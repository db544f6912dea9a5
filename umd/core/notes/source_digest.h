// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "umd/core/recorder/operands.h"
#include "umd/core/task/box.h"

namespace umd::recorder {

/* Rows are compared in parts of this size. */
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

/** hash_of() - a hash of some bytes. The program may write them at the same time: the hash is there to detect
 * that. */
uint64_t hash_of(const std::byte *at, uint64_t bytes);

/** can_read() - whether all parts are mapped. The program may have unmapped memory that it had registered. */
bool can_read(const Box &box);

/** add_part() - adds a part that differs to @changed. If it touches the last one there, the two are
 * merged. */
void add_part(Operands &changed, const std::byte *at, uint64_t bytes, Role role);

/** class SourceDigest - hashes of the sources of copies at the time of a call. */
class SourceDigest {
public:
	/** read() - hashes the source of one more copy. */
	void read(const Box &box);

	/** hashes() - the hashes of the parts of all copies. */
	const std::vector<uint64_t> &hashes() const { return hashes_; }

	/** add_changed() - adds the parts that differ now. A source that can't be read any more counts as
	 * unchanged. */
	void add_changed(Operands &changed) const;

private:
	std::vector<Box> boxes_;
	std::vector<uint64_t> hashes_;
};

} // namespace umd::recorder
