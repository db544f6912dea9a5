// SPDX-License-Identifier: MIT
/**
 * DOC: Reducing dependencies
 *
 * The nodes are divided into chains; in a chain each node follows the one before it. A vector clock tells,
 * for each chain, the last node that is known to be done when a node begins. A dependency is implied if the
 * clock of another dependency has passed it already. The number of columns of a clock and the memory of all
 * clocks are bounded; a dependency that the clocks do not cover stays.
 */
#include "graph_reduce.h"

#include <algorithm>

namespace umd {

namespace {

constexpr uint32_t COLUMNS_MAX = 64;
constexpr size_t WORDS_MAX = size_t{1} << 24;

class Reducer {
public:
	Reducer(std::span<FlatNode> flats, std::span<uint32_t> after, uint32_t begin, uint32_t end)
		: flats_(flats), after_(after), begin_(begin), end_(end)
	{
	}

	void run()
	{
		if (!has_joins())
			return;
		make_chains();
		columns_ = std::min<uint32_t>(static_cast<uint32_t>(tails_.size()), COLUMNS_MAX);
		clocks_.assign(columns_, 0);
		clock_of_.assign(end_ - begin_, 0);
		merged_.resize(columns_);
		for (uint32_t node = begin_; node < end_; node++)
			visit(node);
	}

private:
	struct Spot {
		uint32_t chain;
		uint32_t place; /* position in the chain, from 1 */
	};

	Spot &spot(uint32_t node) { return spots_[node - begin_]; }
	uint32_t *list(uint32_t node) { return after_.data() + flats_[node].first_after; }

	/* Only a node that follows several nodes can have a dependency that another one implies. */
	bool has_joins() const
	{
		for (uint32_t node = begin_; node < end_; node++) {
			if (flats_[node].afters > 1)
				return true;
		}
		return false;
	}

	void make_chains()
	{
		spots_.resize(end_ - begin_);
		for (uint32_t node = begin_; node < end_; node++) {
			uint32_t count = flats_[node].afters;
			spot(node) = {static_cast<uint32_t>(tails_.size()), 1};
			for (uint32_t i = 0; i < count; i++) {
				Spot before = spot(list(node)[i]);
				if (tails_[before.chain] != list(node)[i])
					continue;
				spot(node) = {before.chain, before.place + 1};
				break;
			}
			if (spot(node).place == 1)
				tails_.push_back(node);
			else
				tails_[spot(node).chain] = node;
		}
		latest_.assign(tails_.size(), 0);
	}

	void visit(uint32_t node)
	{
		uint32_t count = flats_[node].afters;
		if (count == 0)
			return;
		uint32_t first = list(node)[0];
		if (count == 1 && spot(first).chain == spot(node).chain) {
			clock_of_[node - begin_] = clock_of_[first - begin_];
			return;
		}
		std::fill(merged_.begin(), merged_.end(), 0);
		for (uint32_t i = 0; i < count; i++) {
			const uint32_t *clock =
				clocks_.data() +
				size_t{clock_of_[list(node)[i] - begin_]} * columns_;
			for (uint32_t c = 0; c < columns_; c++)
				merged_[c] = std::max(merged_[c], clock[c]);
		}
		if (count > 1)
			filter(node, count);
		for (uint32_t i = 0; i < flats_[node].afters; i++) {
			Spot before = spot(list(node)[i]);
			if (before.chain < columns_)
				merged_[before.chain] =
					std::max(merged_[before.chain], before.place);
		}
		if (clocks_.size() + columns_ > WORDS_MAX)
			return; /* a zero clock, which every node starts with */
		clock_of_[node - begin_] = static_cast<uint32_t>(clocks_.size() / columns_);
		clocks_.insert(clocks_.end(), merged_.begin(), merged_.end());
	}

	/* Removes from a node's list each dependency that a clock, or a later node of the same chain,
	 * implies. */
	void filter(uint32_t node, uint32_t count)
	{
		uint32_t *after = list(node);
		for (uint32_t i = 0; i < count; i++) {
			Spot before = spot(after[i]);
			latest_[before.chain] = std::max(latest_[before.chain], before.place);
		}
		uint32_t kept = 0;
		for (uint32_t i = 0; i < count; i++) {
			Spot before = spot(after[i]);
			bool implied =
				latest_[before.chain] > before.place ||
				(before.chain < columns_ && merged_[before.chain] >= before.place);
			touched_.push_back(before.chain);
			if (!implied)
				after[kept++] = after[i];
		}
		flats_[node].afters = kept;
		for (uint32_t chain : touched_)
			latest_[chain] = 0;
		touched_.clear();
	}

	const std::span<FlatNode> flats_;
	const std::span<uint32_t> after_;
	const uint32_t begin_;
	const uint32_t end_;
	uint32_t columns_ = 0;
	std::vector<Spot> spots_;
	std::vector<uint32_t> tails_;	 /* last node of each chain so far */
	std::vector<uint32_t> clock_of_; /* of each node; the first clock is all zeros */
	std::vector<uint32_t> clocks_;
	std::vector<uint32_t> merged_;
	std::vector<uint32_t> latest_; /* for each chain, its latest node in one list */
	std::vector<uint32_t> touched_;
};

} // namespace

void reduce_edges(std::span<FlatNode> flats, std::span<uint32_t> after, uint32_t begin,
		  uint32_t end)
{
	Reducer(flats, after, begin, end).run();
}

} // namespace umd
