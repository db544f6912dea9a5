// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace drv {

/**
 * class FirstFit - places in order, each with a size; finds the first one that is large enough.
 *
 * A treap whose nodes know the largest size below them, so that everything is logarithmic in the number
 * of places, whatever their order. Context: the caller's lock.
 */
class FirstFit {
public:
	/** struct Place - where, and how much there is. */
	struct Place {
		uint64_t key = 0;
		uint64_t size = 0; /* 0: there is none */
	};

	FirstFit() { nodes_.emplace_back(); }

	/** insert() - a place that is not there yet. */
	void insert(uint64_t key, uint64_t size);

	/** erase() - takes a place out, if it is there. */
	void erase(uint64_t key);

	/** resize() - a place that is there has another size; 0 is one too. */
	void resize(uint64_t key, uint64_t size) { resize(root_, key, size); }

	/** first() - the first place of at least @size, from @from on; size 0 when there is none. */
	Place first(uint64_t size, uint64_t from = 0) const
	{
		const Node &found = nodes_[first(root_, size, from)];
		return {found.key, found.size};
	}

	/** at() - the place with just this key, before() - the last one before it. */
	Place at(uint64_t key) const;
	Place before(uint64_t key) const;

	/** largest() - size of the largest place, 0 when there is none. */
	uint64_t largest() const { return nodes_[root_].largest; }

	bool empty() const { return root_ == NONE; }

private:
	static constexpr uint32_t NONE = 0; /* a node that is nowhere, of size 0 */

	struct Node {
		uint64_t key = 0;
		uint64_t size = 0;
		uint64_t largest = 0;
		uint32_t left = NONE;
		uint32_t right = NONE;
		uint32_t rank = 0; /* random; the highest is on top */
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
