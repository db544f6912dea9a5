// SPDX-License-Identifier: MIT
/*
 * DOC: Pool of nodes, tested
 *
 * Nodes do not overlap. The pool allocates a block when it needs one, and frees each empty block
 * but one.
 */
#include "base/os/node_pool.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace {

constexpr size_t BYTES = 208;
constexpr size_t EACH = base::NodePool::BLOCK_BYTES / BYTES - 1; /* in a block, at least */

class NodePools : public testing::Test {
protected:
	~NodePools() override { EXPECT_LE(pool.blocks(), 1u); }

	void take(size_t count)
	{
		for (; count != 0; count--)
			nodes_.push_back(static_cast<char *>(pool.take(BYTES)));
	}

	/* Gives the last nodes back. */
	void give(size_t count)
	{
		for (; count != 0; count--) {
			pool.give(nodes_.back());
			nodes_.pop_back();
		}
	}

	base::NodePool pool;
	std::vector<char *> nodes_;
};

TEST_F(NodePools, GiveBlocksBack)
{
	take(10 * EACH);
	EXPECT_GE(pool.blocks(), 9u);
	EXPECT_LE(pool.blocks(), 10u);
	give(10 * EACH);
	EXPECT_EQ(pool.blocks(), 1u);
}

TEST_F(NodePools, KeepTheBlockAtALimit)
{
	take(1);
	while (pool.blocks() == 1)
		take(1);
	for (int i = 0; i < 3; i++) {
		give(1);
		EXPECT_EQ(pool.blocks(), 2u) << "it has no node, but the other one has no room";
		take(1);
		EXPECT_EQ(pool.blocks(), 2u);
	}
	give(nodes_.size());
}

TEST_F(NodePools, GiveNodesThatDoNotOverlap)
{
	std::mt19937 random(1);
	for (size_t round = 0; round < 6; round++) {
		take(2 * EACH);
		for (size_t i = 0; i < nodes_.size(); i++)
			memset(nodes_[i], static_cast<int>(i % 251), BYTES);
		for (size_t i = 0; i < nodes_.size(); i++) {
			const auto wanted = static_cast<char>(i % 251);
			ASSERT_TRUE(std::all_of(nodes_[i], nodes_[i] + BYTES,
						[&](char c) { return c == wanted; }));
		}
		std::shuffle(nodes_.begin(), nodes_.end(), random);
		give(EACH);
	}
	give(nodes_.size());
}

TEST_F(NodePools, AreForMaps)
{
	using Map =
		std::map<int, long, std::less<>, base::PoolAllocator<std::pair<const int, long>>>;
	Map map{Map::allocator_type(pool)};
	for (int i = 0; i < 100000; i++)
		map[i] = i;
	EXPECT_GT(pool.blocks(), 10u);
	for (int i = 0; i < 100000; i++)
		EXPECT_EQ(map.erase(i), 1u);
	EXPECT_EQ(pool.blocks(), 1u);
}

} // namespace
