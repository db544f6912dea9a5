// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: memory plan
 *
 * A buffer of the arena lives from the first launch that writes it to the last one that touches it, or to the first one
 * of the choice that looks at it. Large buffers are placed first, each at the lowest offset where no other buffer is
 * that lives at the same time. Launches of both branches of a choice have a time of their own.
 */
#include <algorithm>
#include <map>
#include <set>

#include "lower.h"

namespace models {

namespace {

constexpr uint64_t ALIGNMENT = 64;
constexpr const char *TOO_LARGE = "the model needs more than 64 GiB for numbers on the way";

/* struct Life - the first and the last launch that use a buffer. */
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
	for (const Choice &choice : program.choices)
		if (const uint32_t at = place[choice.buffer]; at != NEVER)
			lives[at].last = std::max(lives[at].last, choice.first);
	return lives;
}

/* class Heap - the free ranges of the arena, for plan_in_time(). */
class Heap {
public:
	/* take() - takes the smallest free range that is large enough. If there is none, the arena grows. */
	uint64_t take(uint64_t bytes)
	{
		const auto at = by_size_.lower_bound({bytes, 0});
		if (at == by_size_.end()) {
			const uint64_t offset = end_;
			end_ += bytes;
			return offset;
		}
		const auto [size, offset] = *at;
		forget(offset, size);
		if (size > bytes)
			remember(offset + bytes, size - bytes);
		return offset;
	}

	/* give_back() - frees a range and merges it with its free neighbours. */
	void give_back(uint64_t offset, uint64_t bytes)
	{
		const auto behind = by_offset_.lower_bound(offset);
		if (behind != by_offset_.end() && behind->first == offset + bytes) {
			bytes += behind->second;
			forget(behind->first, behind->second);
		}
		const auto next = by_offset_.lower_bound(offset);
		if (next != by_offset_.begin()) {
			const auto before = std::prev(next);
			if (before->first + before->second == offset) {
				offset = before->first;
				bytes += before->second;
				forget(before->first, before->second);
			}
		}
		remember(offset, bytes);
	}

	uint64_t end() const { return end_; }

private:
	void remember(uint64_t offset, uint64_t bytes)
	{
		by_offset_.emplace(offset, bytes);
		by_size_.emplace(bytes, offset);
	}
	void forget(uint64_t offset, uint64_t bytes)
	{
		by_size_.erase({bytes, offset});
		by_offset_.erase(offset);
	}

	std::map<uint64_t, uint64_t> by_offset_;
	std::set<std::pair<uint64_t, uint64_t>> by_size_;
	uint64_t end_ = 0;
};

/* plan_in_time() - plans in the order of launches. It is for more buffers than can be compared in pairs. */
void plan_in_time(Program &program, const std::vector<Life> &lives)
{
	Heap heap;
	std::vector<std::vector<uint32_t>> ends(program.launches.size());
	uint32_t next = 0; /* @lives is sorted by the first launch */
	for (uint32_t k = 0; k < program.launches.size(); k++) {
		for (; next < lives.size() && lives[next].first == k; next++) {
			if (lives[next].bytes == 0)
				continue;
			program.buffers[lives[next].buffer].offset = heap.take(lives[next].bytes);
			ends[lives[next].last].push_back(next);
		}
		for (const uint32_t life : ends[k])
			heap.give_back(program.buffers[lives[life].buffer].offset,
				       lives[life].bytes);
	}
	program.arena_bytes = heap.end();
}

} // namespace

bool plan_memory(Program &program, Problems &problems)
{
	constexpr size_t MOST_COMPARED = 1 << 14;
	std::vector<Life> lives = find_lives(program);
	if (lives.size() > MOST_COMPARED) {
		plan_in_time(program, lives);
		return program.arena_bytes <= static_cast<uint64_t>(ir::MOST_ELEMENTS) ||
		       problems.add(not_supported, TOO_LARGE);
	}
	std::stable_sort(lives.begin(), lives.end(),
			 [](const Life &a, const Life &b) { return a.bytes > b.bytes; });
	/* The buffers that are placed already, by address. */
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
			return problems.add(not_supported, TOO_LARGE);
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
