// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace drv {

/**
 * class FirstFit - an ordered set of places, each with a size; finds the first place of a minimum size.
 *
 * A treap whose nodes store the largest size of their subtree, so that all operations are logarithmic in the
 * number of places. Context: the caller's lock.
 */
class FirstFit {
public:
	/** struct Entry - a position and a size. */
	struct Entry {
		uint64_t key = 0;
		uint64_t size = 0; /* 0: no such place exists */
	};

	FirstFit() { nodes_.emplace_back(); }

	/** insert() - adds a place. @key: not in the set yet */
	void insert(uint64_t key, uint64_t size);

	/** erase() - removes a place if it exists. */
	void erase(uint64_t key);

	/** resize() - changes the size of an existing place; 0 is allowed. */
	void resize(uint64_t key, uint64_t size) { resize(root_, key, size); }

	/** first() - the first place with key >= @from and at least @size; size 0 if there is none. */
	Entry first(uint64_t size, uint64_t from = 0) const
	{
		const Node &found = nodes_[first(root_, size, from)];
		return {found.key, found.size};
	}

	/** at() - the place with this key, before() - the last place with a smaller key. */
	Entry at(uint64_t key) const;
	Entry before(uint64_t key) const;

	/** largest() - size of the largest place, 0 when there is none. */
	uint64_t largest() const { return nodes_[root_].largest; }

	bool empty() const { return root_ == NONE; }

private:
	static constexpr uint32_t NONE = 0; /* sentinel node of size 0 */

	struct Node {
		uint64_t key = 0;
		uint64_t size = 0;
		uint64_t largest = 0;
		uint32_t left = NONE;
		uint32_t right = NONE;
		uint32_t rank = 0; /* a random number; a node has a higher rank than its children */
	};

	uint32_t take(uint64_t key, uint64_t size);
	void update(uint32_t node);
	uint32_t merge(uint32_t left, uint32_t right);
	void split(uint32_t node, uint64_t key, uint32_t &left, uint32_t &right);
	void resize(uint32_t node, uint64_t key, uint64_t size);
	uint32_t first(uint32_t node, uint64_t size, uint64_t from) const;

	std::vector<Node> nodes_;
	std::vector<uint32_t> free_;
	uint32_t root_ = NONE;
	uint32_t random_ = 0x9e3779b9;
};

} // namespace drv
