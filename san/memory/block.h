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

/** struct Block - a block of physical memory. Several addresses, also of several clients, may refer to it. */
struct Block {
	explicit Block(size_t *cells) : shadow(cells) {}

	uint64_t number = 0;
	uint64_t generation = 0; /* differs for each allocation */
	uint64_t address = 0;	 /* first address at which it was mapped, for reports */
	uint64_t bytes = 0;
	uint64_t slack = 0; /* how many of the last bytes the program did not ask for */
	uint32_t label = 0;
	uint32_t site = 0; /* call site of the allocation */
	bool is_host = false;
	uint64_t ended = 0;   /* number of the free in class Memory */
	CommandPointer freed; /* the command that freed it; nullptr while it is allocated */
	bool is_freed_in_stream = false;
	Shadow shadow;

	uint64_t asked_bytes() const { return bytes - slack; }
};

using BlockPointer = std::shared_ptr<Block>;

/** struct Piece - the part of an operand that lies in one mapping. */
struct Piece {
	BlockPointer block; /* nullptr: memory that the trace does not know */
	Range addresses;
	uint64_t to_offset = 0;	 /* add it to an address to get the offset in the block */
	CommandPointer unmapped; /* the command that unmapped the address; nullptr: it is mapped */
	Range offsets() const { return {addresses.begin + to_offset, addresses.end + to_offset}; }
};

/**
 * class Memory - the blocks of a trace, and the address spaces of its clients.
 *
 * The addresses of a freed block stay known until they are mapped again, or until MAX_FREED other ranges were
 * freed after it.
 */
class Memory {
public:
	explicit Memory(const Bounds &bounds) : bounds_(bounds) {}

	/** allocate() - makes a new block, which replaces one of the same number. Return: nullptr beyond the
	 * bound on memory. */
	BlockPointer allocate(uint64_t number, uint64_t bytes);

	/** block() - the block of this number; nullptr if there is none. */
	BlockPointer block(uint64_t number) const;

	/**
	 * map() - from now on the addresses refer to the bytes of the block from @offset on. Return: false
	 * beyond the bound on memory.
	 */
	bool map(uint32_t client, Range addresses, const BlockPointer &block, uint64_t offset);

	/** unmap() - @command unmaps the addresses. Return: as map(). */
	bool unmap(uint32_t client, Range addresses, const CommandPointer &command);

	/** free() - marks the block as freed by @command; its addresses stay known for reports. */
	void free(const BlockPointer &block, const CommandPointer &command, bool in_stream);

	/** pieces() - divides a range of addresses at the borders of mappings; in ascending order. */
	std::vector<Piece> pieces(uint32_t client, Range addresses) const;

	/** reset_history() - forgets all accesses. @seen: the clock that all actors have now. */
	void reset_history(const std::shared_ptr<const Clock> &seen);

	/** cells() - the size of all shadows, including those made with cells_sum(). */
	size_t cells() const { return cells_; }
	size_t *cells_sum() { return &cells_; }
	bool is_full() const { return cells_ > bounds_.cells; }

	/** counters() - the sum of the counters of all shadows, including those of freed blocks. */
	Shadow::Counters counters() const;

	static constexpr size_t MAX_FREED = 4096;

private:
	struct Mapping {
		uint64_t end = 0;
		BlockPointer block;
		uint64_t to_offset = 0;
		CommandPointer unmapped;
		uint64_t ended = 0; /* number of the unmap in class Memory */
		bool is_over() const { return unmapped || (block && block->freed); }
		uint64_t end_number() const { return unmapped ? ended : block->ended; }
	};
	/* first address -> mapping; mappings do not overlap */
	using Space = std::map<uint64_t, Mapping>;

	/* struct Past - addresses that were unmapped, or whose block was freed. @number: the number of that
	 * free or unmap. */
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
	size_t cells_ = 0; /* must outlive all blocks */
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
