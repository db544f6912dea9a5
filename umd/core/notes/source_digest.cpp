// SPDX-License-Identifier: MIT
/**
 * DOC: hashes of the sources of copies
 *
 * The hashes show what the sources contained at the time of a call. The program may write them at any time.
 * The sanitizer looks for programs that do so while a copy is in flight.
 */
#include "source_digest.h"

#include <bit>
#include <cstring>

#include "base/os/mapped.h"

namespace umd::recorder {

/* The most changed ranges that are recorded one by one; further ones are merged. */
static constexpr size_t MOST_RANGES = 16;

uint64_t parts_of(const Box &box)
{
	return box.depth * box.height * ((box.width + PART_BYTES - 1) / PART_BYTES);
}

/* A change of one word always changes the hash, because each step is a one-to-one mapping. Four independent
 * lanes let the processor multiply while it loads. */
#if defined(__SANITIZE_THREAD__)
[[gnu::no_sanitize("thread")]]
#endif
uint64_t
hash_of(const std::byte *at, uint64_t bytes)
{
	constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15;
	uint64_t lanes[4] = {1, 2, 3, bytes};
	uint64_t words[4];
	while (bytes > 0) {
		const uint64_t now = std::min<uint64_t>(bytes, sizeof(words));
		if (now < sizeof(words))
			memset(words, 0, sizeof(words));
		memcpy(words, at, now);
		for (unsigned i = 0; i < 4; i++)
			lanes[i] = std::rotl((lanes[i] ^ words[i]) * FACTOR, 29);
		at += now;
		bytes -= now;
	}
	uint64_t hash = 0;
	for (const uint64_t lane : lanes)
		hash = std::rotl((hash ^ lane) * FACTOR, 31);
	return hash;
}

bool can_read(const Box &box)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	return reaches_of(box, dst_bytes, src_bytes) == base::Status::OK &&
	       base::is_mapped(number(box.src), src_bytes);
}

void add_part(Operands &changed, const std::byte *at, uint64_t bytes, Role role)
{
	const auto address = reinterpret_cast<uint64_t>(at);
	if (changed.count() > 0) {
		Operand &last = changed.last();
		if (last.address + last.run == address || changed.count() == MOST_RANGES) {
			last.run = address + bytes - last.address;
			return;
		}
	}
	changed.add(address, bytes, san::Access::WRITE, role);
}

void SourceDigest::read(const Box &box)
{
	boxes_.push_back(box);
	hashes_.reserve(hashes_.size() + parts_of(box));
	each_part(box, box.src, box.src_pitch, box.src_slice,
		  [&](const std::byte *from, uint64_t, uint64_t bytes) {
			  hashes_.push_back(hash_of(from, bytes));
		  });
}

void SourceDigest::add_changed(Operands &changed) const
{
	size_t part = 0;
	for (const Box &box : boxes_) {
		if (!can_read(box)) {
			part += parts_of(box);
			continue;
		}
		each_part(box, box.src, box.src_pitch, box.src_slice,
			  [&](const std::byte *from, uint64_t, uint64_t bytes) {
				  if (hash_of(from, bytes) != hashes_[part++])
					  add_part(changed, from, bytes, Role::SOURCE);
			  });
	}
}

} // namespace umd::recorder
