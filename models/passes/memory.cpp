// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: memory plan
 *
 * A buffer of the arena lives from the first launch that writes it to the last one that touches it. Large ones are
 * placed first, each as low as those allow that live at the same time.
 */
#include <algorithm>

#include "lower.h"

namespace models {

namespace {

constexpr uint64_t ALIGNMENT = 64;

/* struct Life - of a buffer, in launches. */
struct Life {
	uint32_t buffer;
	uint32_t first, last;
	uint64_t bytes;
};

std::vector<Life> find_lives(const Program &program)
{
	constexpr uint32_t NEVER = UINT32_MAX;
	std::vector<uint32_t> place(program.buffers.size(), NEVER);
	std::vector<Life> lives;
	for (uint32_t k = 0; k < program.launches.size(); k++)
		for (const Relocation &address : program.launches[k].addresses) {
			const Buffer &buffer = program.buffers[address.buffer];
			if (buffer.space != Space::ARENA)
				continue;
			uint32_t &at = place[address.buffer];
			if (at == NEVER) {
				at = static_cast<uint32_t>(lives.size());
				lives.push_back(
					{address.buffer, k, k,
					 (buffer.bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT});
			}
			lives[at].last = k;
		}
	return lives;
}

} // namespace

bool plan_memory(Program &program, Problems &problems)
{
	std::vector<Life> lives = find_lives(program);
	std::stable_sort(lives.begin(), lives.end(),
			 [](const Life &a, const Life &b) { return a.bytes > b.bytes; });
	/* Those that have a place, by their address. */
	std::vector<const Life *> placed;
	program.arena_bytes = 0;
	for (const Life &life : lives) {
		uint64_t offset = 0;
		for (const Life *other : placed) {
			const uint64_t begin = program.buffers[other->buffer].offset;
			if (other->last < life.first || life.last < other->first)
				continue;
			if (begin >= offset && begin - offset >= life.bytes)
				break;
			offset = std::max(offset, begin + other->bytes);
		}
		program.buffers[life.buffer].offset = offset;
		program.arena_bytes = std::max(program.arena_bytes, offset + life.bytes);
		placed.insert(std::upper_bound(placed.begin(), placed.end(), offset,
					       [&](uint64_t at, const Life *each) {
						       return at <
							      program.buffers[each->buffer].offset;
					       }),
			      &life);
		if (program.arena_bytes > static_cast<uint64_t>(ir::MOST_ELEMENTS))
			return problems.add(
				not_supported,
				"the model needs more than 2^36 bytes for numbers on the way");
	}
	return true;
}

uint64_t bound_of(const Program &program)
{
	std::vector<uint64_t> starts(program.launches.size() + 1),
		ends(program.launches.size() + 1);
	for (const Life &life : find_lives(program)) {
		starts[life.first] += life.bytes;
		ends[life.last + 1] += life.bytes;
	}
	uint64_t live = 0, most = 0;
	for (size_t k = 0; k < starts.size(); k++) {
		live += starts[k] - ends[k];
		most = std::max(most, live);
	}
	return most;
}

} // namespace models
