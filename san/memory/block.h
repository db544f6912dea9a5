// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "san/memory/bounds.h"
#include "san/memory/shadow.h"

namespace san {

/** struct Block - physical memory: what addresses of several clients, or several addresses, may mean. */
struct Block {
	explicit Block(size_t *cells) : shadow(cells) {}

	uint64_t number = 0;
	uint64_t generation = 0; /* a new one for each allocation */
	uint64_t address = 0;	 /* where it was first mapped, for reports */
	uint64_t bytes = 0;
	uint64_t slack = 0; /* so many of the last ones the program did not ask for */
	uint32_t label = 0;
	uint32_t site = 0; /* of the allocation */
	bool is_host = false;
	uint64_t ended = 0;   /* number of the free in Memory */
	CommandPointer freed; /* who freed it; nullptr while it is allocated */
	bool is_freed_in_stream = false;
	Shadow shadow;

	uint64_t asked_bytes() const { return bytes - slack; }
};

using BlockPointer = std::shared_ptr<Block>;

/** struct Piece - a part of an operand inside of one mapping. */
struct Piece {
	BlockPointer block; /* nullptr: memory that the trace does not know */
	Range addresses;
	uint64_t to_offset = 0;	 /* what is added to an address to get the offset in the block */
	CommandPointer unmapped; /* who unmapped the address; nullptr where it is mapped */
	Range offsets() const { return {addresses.begin + to_offset, addresses.end + to_offset}; }
};

/**
 * class Memory - the blocks of a trace, and what the addresses of its clients mean.
 *
 * The addresses of freed blocks stay known until they are used again, or MAX_FREED others were freed since.
 */
class Memory {
public:
	explicit Memory(const Bounds &bounds) : bounds_(bounds) {}

	/** allocate() - a new block in place of one of the same number. Return: nullptr beyond the bound. */
	BlockPointer allocate(uint64_t number, uint64_t bytes);

	/** block() - nullptr: no such block. */
	BlockPointer block(uint64_t number) const;

	/**
	 * map() - from now on the addresses mean the block's bytes from @offset on. Return: false beyond the
	 * bound.
	 */
	bool map(uint32_t client, Range addresses, const BlockPointer &block, uint64_t offset);

	/** unmap() - from now on the addresses mean nothing, because of @command. Return: as map(). */
	bool unmap(uint32_t client, Range addresses, const CommandPointer &command);

	/** free() - marks the block as freed by @command; its addresses stay known for reports. */
	void free(const BlockPointer &block, const CommandPointer &command, bool in_stream);

	/** pieces() - what a range of addresses means, mapping by mapping, in order. */
	std::vector<Piece> pieces(uint32_t client, Range addresses) const;

	/** forget_past() - forgets all accesses. @seen: the clock that everyone has now. */
	void forget_past(const std::shared_ptr<const Clock> &seen);

	/** cells() - of all shadows, also those made with cells_sum(). */
	size_t cells() const { return cells_; }
	size_t *cells_sum() { return &cells_; }
	bool is_full() const { return cells_ > bounds_.cells; }

	/** counters() - of the shadows of all blocks, also of those that are gone. */
	Shadow::Counters counters() const;

	static constexpr size_t MAX_FREED = 4096;

private:
	struct Mapping {
		uint64_t end = 0;
		BlockPointer block;
		uint64_t to_offset = 0;
		CommandPointer unmapped;
		uint64_t ended = 0; /* number of the unmap */
		bool is_over() const { return unmapped || (block && block->freed); }
		uint64_t end_number() const { return unmapped ? ended : block->ended; }
	};
	/* begin -> mapping; they do not overlap */
	using Space = std::map<uint64_t, Mapping>;

	/* struct Past - addresses whose block was freed, or that were unmapped, by the end @number. */
	struct Past {
		uint32_t client;
		Range addresses;
		uint64_t number;
	};

	bool has_room() const { return mappings_ < bounds_.mappings; }
	void cut(Space &space, Range addresses);
	void retire(uint32_t client, Range addresses, uint64_t number);
	void count(const Block &block);

	const Bounds &bounds_;
	size_t cells_ = 0; /* outlives all blocks */
	size_t mappings_ = 0;
	uint64_t ends_ = 0;
	std::unordered_map<uint64_t, BlockPointer> blocks_;
	std::unordered_map<uint32_t, Space> spaces_;
	std::deque<Past> past_;
	std::deque<uint64_t> freed_;
	uint64_t generations_ = 0;
	Shadow::Counters gone_;
};

} // namespace san
