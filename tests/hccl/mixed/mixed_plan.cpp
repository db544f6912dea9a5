// SPDX-License-Identifier: MIT
/**
 * DOC: rounds of calls on several streams and communicators
 */
#include "mixed_plan.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <sstream>

#include "hccl/hccl_types.h"

namespace hccl_mixed {

static const char *const NAMES[] = {
	"AllReduce",	 "Reduce",	   "Broadcast", "AllGather", "AllGatherV",
	"ReduceScatter", "ReduceScatterV", "Scatter",	"AlltoAll",  "AlltoAllV",
	"Barrier",	 "Send",	   "Batch",	"Group",
};
static_assert(std::size(NAMES) == static_cast<size_t>(Kind::COUNT));

std::string describe(const Call &call)
{
	std::ostringstream text;
	text << NAMES[static_cast<size_t>(call.kind)] << "(communicator " << call.comm << ", root "
	     << call.root << ", count " << call.count << ", op " << call.op << ", streams";
	for (const uint32_t stream : call.streams)
		text << " " << stream;
	text << ")";
	return text.str();
}

std::vector<Members> make_comms(uint32_t ranks)
{
	Members all(ranks);
	std::iota(all.begin(), all.end(), 0);
	std::vector<Members> comms{all, Members(all.rbegin(), all.rend())};
	if (ranks < 3)
		return comms;
	Members some;
	for (uint32_t rank = 0; rank < ranks; rank += 2)
		some.push_back(rank);
	comms.push_back(some);
	return comms;
}

namespace {

class Maker {
public:
	Maker(uint64_t seed, uint32_t number) : random_(seed * 1000003 + number) {}

	uint32_t below(uint64_t limit) { return static_cast<uint32_t>(random_() % limit); }

	/* Elements of one part of @parts. */
	uint64_t count(uint32_t parts)
	{
		static constexpr uint64_t COUNTS[] = {1, 2, 16, 1000, 8191, 20000, 70000, MOST};
		return below(4) == 0 ? 0 : std::min(COUNTS[below(std::size(COUNTS))], MOST / parts);
	}

private:
	std::mt19937_64 random_;
};

bool is_message(Kind kind)
{
	return kind == Kind::SEND || kind == Kind::BATCH || kind == Kind::GROUP;
}

/* Whether the call has an effect on the orders of messages. */
bool has_messages(Kind kind)
{
	return is_message(kind) || kind == Kind::SCATTER || kind == Kind::ALL_TO_ALL ||
	       kind == Kind::ALL_TO_ALL_V;
}

bool uses(const Call &call, uint32_t rank, uint32_t stream)
{
	return call.streams[rank] == stream || call.others[rank] == stream;
}

/* Whether a rank may make the second call first. */
bool may_change(const Call &first, const Call &second, uint32_t rank)
{
	if (uses(second, rank, first.streams[rank]) || uses(second, rank, first.others[rank]))
		return false;
	if (first.comm != second.comm)
		return true;
	const bool are_collective = !is_message(first.kind) && !is_message(second.kind);
	return !are_collective && !(has_messages(first.kind) && has_messages(second.kind));
}

Call make_call(Maker &maker, const std::vector<Members> &comms)
{
	static constexpr uint32_t OPS[] = {HCCL_REDUCE_SUM, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN};
	Call call{};
	/* Messages as often as collective calls. */
	call.kind = static_cast<Kind>(maker.below(2) == 0
					      ? static_cast<uint32_t>(Kind::SEND) + maker.below(3)
					      : maker.below(static_cast<uint32_t>(Kind::SEND)));
	call.comm = maker.below(comms.size());
	const auto ranks = static_cast<uint32_t>(comms[call.comm].size());
	call.root = maker.below(ranks);
	call.count = maker.count(ranks);
	call.op = OPS[maker.below(std::size(OPS))];
	call.salt = maker.below(1000);
	const bool has_pairs = call.kind == Kind::ALL_TO_ALL_V;
	for (uint32_t i = 0; i < (has_pairs ? ranks * ranks : ranks); i++)
		call.counts.push_back(maker.count(ranks));
	for (size_t rank = 0; rank < comms[0].size(); rank++) {
		call.streams.push_back(maker.below(STREAMS));
		/* A rank sends to itself in one batch. */
		call.others.push_back(call.kind == Kind::GROUP && call.root != 0
					      ? maker.below(STREAMS)
					      : call.streams.back());
	}
	return call;
}

} // namespace

Round make_round(uint64_t seed, uint32_t number, const std::vector<Members> &comms)
{
	Maker maker(seed, number);
	Round round;
	for (uint32_t left = 3 + maker.below(10); left > 0; left--)
		round.calls.push_back(make_call(maker, comms));
	for (uint32_t rank = 0; rank < comms[0].size(); rank++) {
		std::vector<uint32_t> turn(round.calls.size());
		std::iota(turn.begin(), turn.end(), 0);
		for (uint32_t at = 0; at + 1 < turn.size(); at++) {
			if (maker.below(2) == 0 &&
			    may_change(round.calls[turn[at]], round.calls[turn[at + 1]], rank))
				std::swap(turn[at], turn[at + 1]);
		}
		round.turns.push_back(std::move(turn));
	}
	return round;
}

static uint64_t sum(const std::vector<uint64_t> &counts)
{
	return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

/* Elements that @from has for @to. */
static uint64_t between(const Call &call, uint32_t ranks, uint32_t from, uint32_t to)
{
	return call.counts[from * ranks + to];
}

uint64_t sends(const Call &call, uint32_t ranks, uint32_t rank)
{
	uint64_t all = 0;
	switch (call.kind) {
	case Kind::BARRIER:
		return 0;
	case Kind::ALL_GATHER_V:
		return call.counts[rank];
	case Kind::REDUCE_SCATTER_V:
		return sum(call.counts);
	case Kind::REDUCE_SCATTER:
	case Kind::ALL_TO_ALL:
		return call.count * ranks;
	case Kind::SCATTER:
		return rank == call.root ? call.count * ranks : 0;
	case Kind::ALL_TO_ALL_V:
		for (uint32_t to = 0; to < ranks; to++)
			all += between(call, ranks, rank, to);
		return all;
	default:
		return call.count;
	}
}

static int32_t value(const Call &call, uint32_t rank, uint64_t at)
{
	return static_cast<int32_t>((at * 7 + rank * 311 + call.salt * 13 + at / 509) % 10007);
}

std::vector<int32_t> sent_data(const Call &call, uint32_t ranks, uint32_t rank)
{
	std::vector<int32_t> data(sends(call, ranks, rank));
	for (uint64_t at = 0; at < data.size(); at++)
		data[at] = value(call, rank, at);
	return data;
}

static void add(std::vector<int32_t> &data, const Call &call, uint32_t from, uint64_t first,
		uint64_t count)
{
	for (uint64_t at = first; at < first + count; at++)
		data.push_back(value(call, from, at));
}

static std::vector<int32_t> reduced(const Call &call, uint32_t ranks, uint64_t first,
				    uint64_t count)
{
	std::vector<int32_t> data(count);
	for (uint64_t i = 0; i < count; i++) {
		int32_t result = value(call, 0, first + i);
		for (uint32_t rank = 1; rank < ranks; rank++) {
			const int32_t other = value(call, rank, first + i);
			result = call.op == HCCL_REDUCE_SUM   ? result + other
				 : call.op == HCCL_REDUCE_MAX ? std::max(result, other)
							      : std::min(result, other);
		}
		data[i] = result;
	}
	return data;
}

/* What comes of each rank in the calls whose ranks have data for all others. */
static std::vector<int32_t> gathered(const Call &call, uint32_t ranks, uint32_t rank)
{
	std::vector<int32_t> data;
	for (uint32_t from = 0; from < ranks; from++) {
		uint64_t first = 0;
		if (call.kind == Kind::ALL_GATHER) {
			add(data, call, from, 0, call.count);
		} else if (call.kind == Kind::ALL_GATHER_V) {
			add(data, call, from, 0, call.counts[from]);
		} else if (call.kind == Kind::ALL_TO_ALL) {
			add(data, call, from, rank * call.count, call.count);
		} else {
			for (uint32_t to = 0; to < rank; to++)
				first += between(call, ranks, from, to);
			add(data, call, from, first, between(call, ranks, from, rank));
		}
	}
	return data;
}

std::vector<int32_t> wanted_data(const Call &call, uint32_t ranks, uint32_t rank)
{
	std::vector<int32_t> data;
	uint64_t first = 0;
	switch (call.kind) {
	case Kind::BARRIER:
		return {};
	case Kind::ALL_REDUCE:
		return reduced(call, ranks, 0, call.count);
	case Kind::REDUCE:
		return rank == call.root ? reduced(call, ranks, 0, call.count) : data;
	case Kind::REDUCE_SCATTER:
		return reduced(call, ranks, rank * call.count, call.count);
	case Kind::REDUCE_SCATTER_V:
		for (uint32_t to = 0; to < rank; to++)
			first += call.counts[to];
		return reduced(call, ranks, first, call.counts[rank]);
	case Kind::BROADCAST:
		add(data, call, call.root, 0, call.count);
		return data;
	case Kind::SCATTER:
		add(data, call, call.root, rank * call.count, call.count);
		return data;
	case Kind::SEND:
		if (ranks > 1 && rank == (call.root + 1) % ranks)
			add(data, call, call.root, 0, call.count);
		return data;
	case Kind::BATCH:
	case Kind::GROUP:
		add(data, call, (rank + ranks - call.root) % ranks, 0, call.count);
		return data;
	default:
		return gathered(call, ranks, rank);
	}
}

} // namespace hccl_mixed
