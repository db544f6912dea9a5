// SPDX-License-Identifier: MIT
/**
 * DOC: random programs of collective calls
 */
#include "random_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>

#include "oracle.h"

namespace hccl_random {

static const char *const NAMES[] = {
	"AllReduce",	 "Reduce",	   "Broadcast", "AllGather",	 "AllGatherV",
	"ReduceScatter", "ReduceScatterV", "Scatter",	"AlltoAll",	 "AlltoAllV",
	"AlltoAllVC",	 "Barrier",	   "Send",	"BatchSendRecv", "Group",
};
static_assert(std::size(NAMES) == static_cast<size_t>(Kind::COUNT));

const char *kind_name(Kind kind)
{
	return NAMES[static_cast<size_t>(kind)];
}

bool reduces(Kind kind)
{
	return kind == Kind::ALL_REDUCE || kind == Kind::REDUCE || kind == Kind::REDUCE_SCATTER ||
	       kind == Kind::REDUCE_SCATTER_V;
}

std::string describe(const Case &one)
{
	std::ostringstream text;
	text << kind_name(one.kind) << "(type " << one.type << ", op " << one.op << ", root "
	     << one.root << ", count " << one.count;
	for (const uint64_t count : one.counts)
		text << " " << count;
	text << ", gap " << one.gap << (one.is_in_place ? ", in place" : "");
	if (one.is_captured)
		text << ", launched " << one.launches << " times";
	text << ", stream " << one.stream << ", salt " << one.salt << ")";
	return text.str();
}

namespace {

class Maker {
public:
	Maker(uint64_t seed, uint64_t most) : random_(seed), most_(most) {}

	uint64_t below(uint64_t limit) { return random_() % limit; }
	bool chance(uint64_t of) { return below(of) == 0; }

	/* Bytes: none, few, sizes around those at which schedules change, and any. */
	uint64_t size()
	{
		static constexpr uint64_t EDGES[] = {64,      32 << 10, 64 << 10, 1 << 20,
						     2 << 20, 8 << 20,	16 << 20, 64 << 20};
		if (chance(16))
			return 0;
		if (chance(4)) {
			const uint64_t edge = EDGES[below(std::size(EDGES))];
			return std::min(most_, edge - 16 + below(33));
		}
		const double bits = std::log2(static_cast<double>(most_));
		const double at = static_cast<double>(below(1000)) / 1000 * bits;
		return static_cast<uint64_t>(std::exp2(at));
	}

private:
	std::mt19937_64 random_;
	const uint64_t most_;
};

bool has_pairs(Kind kind)
{
	return kind == Kind::ALL_TO_ALL_V || kind == Kind::ALL_TO_ALL_VC || kind == Kind::BATCH ||
	       kind == Kind::GROUP;
}

/* How many parts of @count elements the largest buffer has. */
uint64_t parts_of(Kind kind, uint32_t ranks)
{
	switch (kind) {
	case Kind::ALL_REDUCE:
	case Kind::REDUCE:
	case Kind::BROADCAST:
	case Kind::SEND:
		return 1;
	default:
		return ranks;
	}
}

bool may_be_in_place(Kind kind)
{
	return kind == Kind::ALL_REDUCE || kind == Kind::ALL_GATHER ||
	       kind == Kind::REDUCE_SCATTER || kind == Kind::ALL_TO_ALL;
}

Case make_case(Maker &maker, const Plan &plan)
{
	static const HcclReduceOp OPS[] = {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX,
					   HCCL_REDUCE_MIN};
	Case one{};
	one.kind = static_cast<Kind>(maker.below(static_cast<uint64_t>(Kind::COUNT)));
	const auto &types =
		reduces(one.kind) ? hccl_test::reduced_types() : hccl_test::copied_types();
	one.type = types[maker.below(types.size())];
	one.op = OPS[maker.below(std::size(OPS))];
	one.root = static_cast<uint32_t>(maker.below(plan.ranks));
	const uint64_t elements = maker.size() / hccl_test::width(one.type);
	one.count =
		(elements + parts_of(one.kind, plan.ranks) - 1) / parts_of(one.kind, plan.ranks);
	const bool has_parts = one.kind == Kind::ALL_GATHER_V || one.kind == Kind::REDUCE_SCATTER_V;
	const uint64_t numbers = has_pairs(one.kind) ? uint64_t{plan.ranks} * plan.ranks
				 : has_parts	     ? plan.ranks
						     : 0;
	for (uint64_t i = 0; i < numbers; i++)
		one.counts.push_back(maker.chance(3) ? 0 : maker.below(2 * one.count + 1));
	one.gap = one.kind == Kind::ALL_TO_ALL_VC || maker.chance(2) ? 0 : maker.below(70);
	one.is_in_place = may_be_in_place(one.kind) && maker.chance(2);
	one.is_captured = maker.chance(6);
	/* What is in place changes its input. */
	one.launches = one.is_captured && !one.is_in_place && one.kind != Kind::BROADCAST
			       ? 1 + static_cast<uint32_t>(maker.below(3))
			       : 1;
	one.stream = static_cast<uint32_t>(maker.below(2));
	one.salt = static_cast<uint32_t>(maker.below(1000));
	one.ends_turn = maker.chance(3);
	return one;
}

} // namespace

/* The order between a graph's launch and calls on another stream is the program's: a turn with a graph has one
 * stream. */
static void give_graphs_one_stream(std::vector<Case> &cases)
{
	for (size_t first = 0; first < cases.size();) {
		size_t last = first;
		bool has_graph = false;
		for (bool ends = false; last < cases.size() && !ends; last++) {
			has_graph |= cases[last].is_captured;
			ends = cases[last].ends_turn;
		}
		for (; first < last; first++)
			cases[first].stream = has_graph ? 0 : cases[first].stream;
	}
}

Plan make_plan(uint64_t seed, bool is_one, uint64_t most)
{
	static constexpr uint32_t BUFFERS[] = {0, 1, 2, 8};
	Maker maker(seed, most);
	Plan plan{};
	plan.seed = seed;
	plan.ranks = 1 + static_cast<uint32_t>(maker.below(16));
	plan.processes =
		is_one ? 1
		       : 1 + static_cast<uint32_t>(maker.below(std::min<uint32_t>(plan.ranks, 6)));
	plan.by_init_all = is_one && maker.chance(2);
	plan.buffer_mb = BUFFERS[maker.below(std::size(BUFFERS))];
	for (uint64_t left = 6 + maker.below(12); left > 0; left--)
		plan.cases.push_back(make_case(maker, plan));
	plan.cases.back().ends_turn = true;
	give_graphs_one_stream(plan.cases);
	return plan;
}

uint64_t part_start(const Case &one, const std::vector<uint64_t> &counts, uint32_t of)
{
	return std::accumulate(counts.begin(), counts.begin() + of, uint64_t{0}) + of * one.gap;
}

std::vector<uint64_t> row_of(const Plan &plan, const Case &one, uint32_t rank)
{
	const auto first = one.counts.begin() + rank * plan.ranks;
	return {first, first + plan.ranks};
}

std::vector<uint64_t> column_of(const Plan &plan, const Case &one, uint32_t rank)
{
	std::vector<uint64_t> column;
	for (uint32_t from = 0; from < plan.ranks; from++)
		column.push_back(one.counts[from * plan.ranks + rank]);
	return column;
}

static uint64_t total(const Case &one, const std::vector<uint64_t> &counts)
{
	return part_start(one, counts, static_cast<uint32_t>(counts.size()));
}

uint64_t send_elements(const Plan &plan, const Case &one, uint32_t rank)
{
	switch (one.kind) {
	case Kind::BARRIER:
		return 0;
	case Kind::ALL_GATHER_V:
		return one.counts[rank];
	case Kind::REDUCE_SCATTER:
	case Kind::ALL_TO_ALL:
		return one.count * plan.ranks;
	case Kind::SCATTER:
		return rank == one.root ? one.count * plan.ranks : 0;
	case Kind::REDUCE_SCATTER_V:
		return total(one, one.counts);
	case Kind::ALL_TO_ALL_V:
	case Kind::ALL_TO_ALL_VC:
	case Kind::BATCH:
	case Kind::GROUP:
		return total(one, row_of(plan, one, rank));
	case Kind::SEND:
		return rank == one.root ? one.count : 0;
	default:
		return one.count;
	}
}

uint64_t receive_elements(const Plan &plan, const Case &one, uint32_t rank)
{
	switch (one.kind) {
	case Kind::BARRIER:
	case Kind::BROADCAST:
		return 0;
	case Kind::REDUCE:
		return rank == one.root ? one.count : 0;
	case Kind::ALL_GATHER:
	case Kind::ALL_TO_ALL:
		return one.count * plan.ranks;
	case Kind::ALL_GATHER_V:
		return total(one, one.counts);
	case Kind::REDUCE_SCATTER_V:
		return one.counts[rank];
	case Kind::ALL_TO_ALL_V:
	case Kind::ALL_TO_ALL_VC:
	case Kind::BATCH:
	case Kind::GROUP:
		return total(one, column_of(plan, one, rank));
	case Kind::SEND:
		return rank == (one.root + 1) % plan.ranks && plan.ranks > 1 ? one.count : 0;
	default:
		return one.count;
	}
}

} // namespace hccl_random
