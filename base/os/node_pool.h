// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace base {

/**
 * class NodePool - memory for the nodes of a large std::map. It takes and returns whole blocks, which the
 * allocator maps one by one, so that the kernel gets the pages of freed nodes back. All nodes have one size.
 * Context: one thread at a time, for example under the lock of the map. Outlives its nodes.
 */
class NodePool {
public:
	static constexpr size_t BLOCK_BYTES = size_t{256} << 10;

	NodePool() = default;
	~NodePool();
	NodePool(const NodePool &) = delete;
	NodePool &operator=(const NodePool &) = delete;

	/** take() - @bytes: the size of all nodes. Throws std::bad_alloc. */
	void *take(size_t bytes);

	/** give() - frees @node, and its block if that has no other one. */
	void give(void *node);

	/** blocks() - number of blocks that the pool has. One without nodes may be among them. */
	size_t blocks() const { return blocks_; }

private:
	struct Free {
		Free *next;
	};
	struct Block {
		Block *next, *previous; /* in the ring of blocks that have room */
		Free *free;
		size_t used;
		size_t fresh; /* offset of the memory that was never a node */
	};

	static Block &block_of(void *node);
	void add_block();
	void link(Block &block);
	void unlink(Block &block);
	void free_block(Block &block);

	Block *room_ = nullptr; /* the ring */
	size_t blocks_ = 0;
	size_t node_bytes_ = 0;
};

/** class PoolAllocator - lets a container of nodes use a pool. */
template <class T> class PoolAllocator {
public:
	using value_type = T;

	explicit PoolAllocator(NodePool &pool) : pool_(&pool) {}
	template <class U> PoolAllocator(const PoolAllocator<U> &other) : pool_(&other.pool()) {}

	T *allocate(size_t) { return static_cast<T *>(pool_->take(sizeof(T))); }
	void deallocate(T *node, size_t) { pool_->give(node); }
	NodePool &pool() const { return *pool_; }
	bool operator==(const PoolAllocator &) const = default;

private:
	NodePool *pool_;
};

} // namespace base
