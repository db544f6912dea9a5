// SPDX-License-Identifier: MIT
/**
 * DOC: blocks and address spaces
 *
 * The judge compares accesses by physical byte. So it sees that two addresses of one block are the same
 * memory, also if two clients share the block. After an address is remapped, it refers to another block, and
 * has no history of the old one.
 */
#include "san/memory/block.h"

#include <algorithm>

namespace san {

void Memory::count(const Block &block)
{
	gone_.undecided += block.shadow.counters().undecided;
	gone_.forgotten += block.shadow.counters().forgotten;
}

BlockPointer Memory::allocate(uint64_t number, uint64_t bytes)
{
	if (blocks_.size() >= bounds_.blocks && !blocks_.contains(number))
		return nullptr;
	BlockPointer &block = blocks_[number];
	if (block)
		count(*block);
	block = std::make_shared<Block>(&cells_);
	block->number = number;
	block->generation = ++generations_;
	block->bytes = bytes;
	return block;
}

BlockPointer Memory::block(uint64_t number) const
{
	auto found = blocks_.find(number);
	return found == blocks_.end() ? nullptr : found->second;
}

/* Removes a range from an address space. Mappings at its borders become shorter. */
void Memory::cut(Space &space, Range addresses)
{
	auto next = space.upper_bound(addresses.begin);
	if (next != space.begin())
		--next;
	while (next != space.end() && next->first < addresses.end) {
		const uint64_t begin = next->first;
		const Mapping old = next->second;
		if (old.end <= addresses.begin) {
			++next;
			continue;
		}
		next = space.erase(next);
		mappings_--;
		if (begin < addresses.begin) {
			Mapping head = old;
			head.end = addresses.begin;
			mappings_ += space.emplace(begin, std::move(head)).second;
		}
		if (old.end > addresses.end) {
			next = space.emplace(addresses.end, old).first;
			mappings_++;
		}
	}
}

bool Memory::map(uint32_t client, Range addresses, const BlockPointer &block, uint64_t offset)
{
	if (addresses.empty())
		return true;
	if (!has_room())
		return false;
	Space &space = spaces_[client];
	cut(space, addresses);
	space[addresses.begin] = {addresses.end, block, offset - addresses.begin, nullptr};
	mappings_++;
	if (block->address == 0)
		block->address = addresses.begin;
	return true;
}

/* Forgets the oldest addresses without a block when there are too many. */
void Memory::retire(uint32_t client, Range addresses, uint64_t number)
{
	past_.push_back({client, addresses, number});
	if (past_.size() <= MAX_FREED)
		return;
	const Past oldest = past_.front();
	past_.pop_front();
	auto space = spaces_.find(oldest.client);
	if (space == spaces_.end())
		return;
	/* Only a part of the range may be left: other parts may be mapped again, or were freed again
	 * later. */
	auto next = space->second.lower_bound(oldest.addresses.begin);
	while (next != space->second.end() && next->first < oldest.addresses.end) {
		const Mapping &mapping = next->second;
		const bool ended = mapping.is_over() && mapping.end_number() <= oldest.number;
		next = ended ? space->second.erase(next) : std::next(next);
		mappings_ -= ended;
	}
}

bool Memory::unmap(uint32_t client, Range addresses, const CommandPointer &command)
{
	if (addresses.empty())
		return true;
	if (!has_room())
		return false;
	Space &space = spaces_[client];
	cut(space, addresses);
	space[addresses.begin] = {addresses.end, nullptr, 0, command, ++ends_};
	mappings_++;
	retire(client, addresses, ends_);
	return true;
}

void Memory::free(const BlockPointer &block, const CommandPointer &command, bool in_stream)
{
	block->freed = command;
	block->is_freed_in_stream = in_stream;
	block->ended = ++ends_;
	/* Later accesses only need to be compared with the free. */
	count(*block);
	block->shadow.clear();
	retire(command->client, {block->address, block->address + block->bytes}, ends_);
	freed_.push_back(block->number);
	if (freed_.size() <= MAX_FREED)
		return;
	auto found = blocks_.find(freed_.front());
	freed_.pop_front();
	if (found != blocks_.end() && found->second->freed)
		blocks_.erase(found);
}

std::vector<Piece> Memory::pieces(uint32_t client, Range addresses) const
{
	std::vector<Piece> found;
	auto space = spaces_.find(client);
	if (space == spaces_.end() || addresses.empty())
		return found;
	auto next = space->second.upper_bound(addresses.begin);
	if (next != space->second.begin())
		--next;
	for (; next != space->second.end() && next->first < addresses.end; ++next) {
		const Mapping &mapping = next->second;
		const Range part{std::max(next->first, addresses.begin),
				 std::min(mapping.end, addresses.end)};
		if (!part.empty())
			found.push_back({mapping.block, part, mapping.to_offset, mapping.unmapped});
	}
	return found;
}

/* Replaces the moment of a free or an unmap by one that is ordered after everything before @seen. */
static void learn(CommandPointer &end, const std::shared_ptr<const Clock> &seen)
{
	if (!end)
		return;
	auto known = std::make_shared<Command>(*end);
	known->moment.seen = seen;
	end = std::move(known);
}

void Memory::reset_history(const std::shared_ptr<const Clock> &seen)
{
	for (auto &[number, block] : blocks_) {
		block->shadow.reset_history();
		learn(block->freed, seen);
	}
	for (auto &[client, space] : spaces_) {
		for (auto &[begin, mapping] : space) {
			learn(mapping.unmapped, seen);
			/* A mapping may refer to an old block whose number was given to a new block. */
			if (mapping.block && mapping.block->shadow.cells() > 1)
				mapping.block->shadow.reset_history();
		}
	}
}

Shadow::Counters Memory::counters() const
{
	Shadow::Counters sum = gone_;
	for (const auto &[number, block] : blocks_) {
		sum.undecided += block->shadow.counters().undecided;
		sum.forgotten += block->shadow.counters().forgotten;
	}
	return sum;
}

} // namespace san
