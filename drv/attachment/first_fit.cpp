// SPDX-License-Identifier: MIT
/**
 * DOC: First fit
 *
 * A treap: a search tree by key and a heap by random rank. So its expected depth is logarithmic for any order
 * of insertions.
 */
#include "first_fit.h"

#include <algorithm>

namespace drv {

uint32_t FirstFit::take(uint64_t key, uint64_t size)
{
	/* xorshift: good enough for ranks, and deterministic. */
	random_ ^= random_ << 13;
	random_ ^= random_ >> 17;
	random_ ^= random_ << 5;
	const Node made{key, size, size, NONE, NONE, random_};
	if (free_.empty()) {
		nodes_.push_back(made);
		return static_cast<uint32_t>(nodes_.size() - 1);
	}
	uint32_t node = free_.back();
	free_.pop_back();
	nodes_[node] = made;
	return node;
}

void FirstFit::update(uint32_t node)
{
	Node &at = nodes_[node];
	at.largest = std::max({at.size, nodes_[at.left].largest, nodes_[at.right].largest});
}

/* All keys of @left are less than all keys of @right. */
uint32_t FirstFit::merge(uint32_t left, uint32_t right)
{
	if (left == NONE || right == NONE)
		return left == NONE ? right : left;
	if (nodes_[left].rank > nodes_[right].rank) {
		nodes_[left].right = merge(nodes_[left].right, right);
		update(left);
		return left;
	}
	nodes_[right].left = merge(left, nodes_[right].left);
	update(right);
	return right;
}

/* Nodes with keys less than @key go to @left, the others to @right. */
void FirstFit::split(uint32_t node, uint64_t key, uint32_t &left, uint32_t &right)
{
	if (node == NONE) {
		left = right = NONE;
		return;
	}
	Node &at = nodes_[node];
	if (at.key < key) {
		split(at.right, key, at.right, right);
		left = node;
	} else {
		split(at.left, key, left, at.left);
		right = node;
	}
	update(node);
}

void FirstFit::insert(uint64_t key, uint64_t size)
{
	uint32_t made = take(key, size);
	uint32_t left;
	uint32_t right;
	split(root_, key, left, right);
	root_ = merge(merge(left, made), right);
}

void FirstFit::erase(uint64_t key)
{
	uint32_t left;
	uint32_t middle;
	uint32_t right;
	split(root_, key, left, middle);
	split(middle, key + 1, middle, right);
	root_ = merge(left, right);
	if (middle != NONE)
		free_.push_back(middle);
}

void FirstFit::resize(uint32_t node, uint64_t key, uint64_t size)
{
	if (node == NONE)
		return;
	Node &at = nodes_[node];
	if (at.key == key)
		at.size = size;
	else
		resize(key < at.key ? at.left : at.right, key, size);
	update(node);
}

/* At each node at most one of the two subtrees is searched without success, so this stays logarithmic. */
uint32_t FirstFit::first(uint32_t node, uint64_t size, uint64_t from) const
{
	const Node &at = nodes_[node];
	if (node == NONE || at.largest < size)
		return NONE;
	if (at.key >= from) {
		uint32_t found = first(at.left, size, from);
		if (found != NONE)
			return found;
		if (at.size >= size)
			return node;
	}
	return first(at.right, size, from);
}

FirstFit::Entry FirstFit::at(uint64_t key) const
{
	uint32_t node = root_;
	while (node != NONE && nodes_[node].key != key)
		node = key < nodes_[node].key ? nodes_[node].left : nodes_[node].right;
	return {nodes_[node].key, nodes_[node].size};
}

FirstFit::Entry FirstFit::before(uint64_t key) const
{
	uint32_t best = NONE;
	for (uint32_t node = root_; node != NONE;) {
		const Node &at = nodes_[node];
		if (at.key < key)
			best = node;
		node = at.key < key ? at.right : at.left;
	}
	return {nodes_[best].key, nodes_[best].size};
}

} // namespace drv
