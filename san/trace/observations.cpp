// SPDX-License-Identifier: MIT
/**
 * DOC: observed accesses of commands
 *
 * When a program launches a kernel, the trace lists the allocations that the kernel may access. What the
 * kernel really accessed is known only later, so a later record tells it.
 */
#include "san/trace/observations.h"

#include <algorithm>

namespace san {

/* How many runs of a graph node are examined. Later runs rarely access other bytes. */
static constexpr size_t MOST_RUNS = 64;

Observations::Observations(std::span<const char> bytes) : reader_(bytes)
{
	while (reader_.next(found_)) {
		if (found_.kind == Kind::OBSERVED)
			places_.push_back({found_.object, reader_.place()});
	}
	std::sort(places_.begin(), places_.end());
	reader_ = Reader(bytes);
}

/* Collects the accesses of all runs of a node. Bytes that only some runs have accessed are marked as partial,
 * because the next run may not access them. */
std::vector<Operand> Observations::gather(uint64_t number)
{
	std::vector<Operand> observed;
	std::vector<size_t> seen; /* by operand: in how many runs it was seen */
	size_t runs = 0;
	auto at = std::lower_bound(places_.begin(), places_.end(), Place{number, 0});
	for (; at != places_.end() && at->number == number; ++at) {
		reader_.seek(at->place);
		if (!reader_.next(found_) || (found_.value == 0 && runs++ == MOST_RUNS))
			break;
		for (Operand &operand : found_.operands) {
			const auto known = std::find(observed.begin(), observed.end(), operand);
			const auto place = static_cast<size_t>(known - observed.begin());
			if (known != observed.end())
				seen[place]++;
			else if (observed.size() < MAX_OPERANDS) {
				observed.push_back(std::move(operand));
				seen.push_back(1);
			}
		}
	}
	runs = std::min(runs, MOST_RUNS);
	for (size_t i = 0; i < observed.size(); i++) {
		if (seen[i] < runs)
			observed[i].flags |= OPERAND_PARTIAL | OPERAND_SCRATCH;
	}
	return observed;
}

/* The address after the last byte of the operand. */
static uint64_t end_of(const Operand &operand)
{
	uint64_t end = operand.address + operand.run;
	for (const Dimension &dimension : operand.dimensions)
		end += (dimension.count - 1) * static_cast<uint64_t>(dimension.stride);
	return end;
}

static bool meets(const Operand &operand, const std::vector<Operand> &others)
{
	return std::any_of(others.begin(), others.end(), [&](const Operand &other) {
		return other.address < end_of(operand) && operand.address < end_of(other);
	});
}

/* Replaces the operands of a command by the observed ones. The worker does not observe accesses through plain
 * pointers, by which kernels read parameters. So the command keeps an operand that it may read, unless an
 * access to that memory was observed. It loses operands that it may only write, because kernels rarely write
 * through plain pointers. */
void Observations::apply(Record &record)
{
	const bool is_node = record.kind == Kind::GRAPH_NODE || record.kind == Kind::GRAPH_UPDATE;
	const uint64_t number = is_node ? record.address : record.object;
	if (places_.empty() || (!is_node && record.kind != Kind::COMMAND))
		return;
	const std::vector<Operand> observed = gather(number);
	if (observed.empty())
		return;
	std::erase_if(record.operands, [&](const Operand &operand) {
		return (operand.flags & OPERAND_PARTIAL) == 0 || operand.access != Access::READ ||
		       meets(operand, observed);
	});
	record.operands.insert(record.operands.end(), observed.begin(), observed.end());
}

} // namespace san
