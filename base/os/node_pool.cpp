// SPDX-License-Identifier: MIT
/**
 * DOC: Pool of nodes
 *
 * The address of a block is a multiple of its size, so the address of a node shows where its block begins.
 * Blocks with room form a ring, and a new node is taken from the block that was used last. The pool keeps one
 * empty block, so that a map that gains and loses one node again and again does not map and unmap a block
 * each time.
 */
#include "node_pool.h"

#include <cstdint>
#include <new>

namespace base {

static constexpr std::align_val_t ALIGNMENT{NodePool::BLOCK_BYTES};

NodePool::~NodePool()
{
	if (room_)
		free_block(*room_);
}

NodePool::Block &NodePool::block_of(void *node)
{
	return *reinterpret_cast<Block *>(reinterpret_cast<uintptr_t>(node) & ~(BLOCK_BYTES - 1));
}

void NodePool::link(Block &block)
{
	block.next = room_ ? room_ : &block;
	block.previous = room_ ? room_->previous : &block;
	block.next->previous = block.previous->next = &block;
	room_ = &block;
}

void NodePool::unlink(Block &block)
{
	block.previous->next = block.next;
	block.next->previous = block.previous;
	if (room_ == &block)
		room_ = block.next == &block ? nullptr : block.next;
}

void NodePool::add_block()
{
	void *memory = ::operator new(BLOCK_BYTES, ALIGNMENT);
	constexpr size_t FIRST = 64; /* the maximum alignment of nodes */
	link(*new (memory) Block{nullptr, nullptr, nullptr, 0, FIRST});
	static_assert(sizeof(Block) <= FIRST);
	blocks_++;
}

void NodePool::free_block(Block &block)
{
	unlink(block);
	::operator delete(&block, ALIGNMENT);
	blocks_--;
}

void *NodePool::take(size_t bytes)
{
	node_bytes_ = bytes;
	if (!room_)
		add_block();
	Block &block = *room_;
	void *node = block.free;
	if (block.free) {
		block.free = block.free->next;
	} else {
		node = reinterpret_cast<std::byte *>(&block) + block.fresh;
		block.fresh += bytes;
	}
	block.used++;
	if (!block.free && block.fresh + bytes > BLOCK_BYTES)
		unlink(block);
	return node;
}

void NodePool::give(void *node)
{
	Block &block = block_of(node);
	const bool was_full = !block.free && block.fresh + node_bytes_ > BLOCK_BYTES;
	block.free = new (node) Free{block.free};
	block.used--;
	if (was_full)
		link(block);
	else if (block.used == 0 && block.next != &block)
		free_block(block);
}

} // namespace base
