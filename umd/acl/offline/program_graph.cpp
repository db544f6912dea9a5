// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs of programs
 *
 * The launches of a program become the nodes of a graph, one after the other. A choice becomes a conditional node, and
 * each of its branches a graph inside it. The loaded graph has the nodes of all graphs in a row: first those outside
 * of any branch, then those of each branch in the order of their conditional nodes.
 */
#include "program_graph.h"

#include <algorithm>

namespace umd {

using base::Result;
using base::Status;
using models::Choice;
using models::Program;

namespace {

/* struct Piece - one node. @index: of the launch, the choice or the task behind them @region: the graph in which it is
 */
struct Piece {
	enum class Kind : uint8_t { LAUNCH, CHOICE, REST };

	Kind kind;
	uint32_t index;
	uint32_t region;
};

/* struct Region - launches that are one graph. @choice: the first one that may begin there */
struct Region {
	uint32_t begin, end;
	size_t choice;
};

/* class Pieces - all nodes of the graph of a program, in the order of their numbers. */
class Pieces {
public:
	Pieces(const Program &program, size_t rest) : program_(program)
	{
		regions_.push_back({0, static_cast<uint32_t>(program.launches.size()), 0});
		for (uint32_t r = 0; r < regions_.size(); r++) {
			add_region(r);
			for (uint32_t i = 0; r == 0 && i < rest; i++)
				pieces_.push_back({Piece::Kind::REST, i, 0});
		}
	}

	const std::vector<Piece> &list() const { return pieces_; }
	const std::vector<Region> &regions() const { return regions_; }

private:
	/* Of choices that begin at one launch, the outer one is first. Those inside it are in regions of their own. */
	void add_region(uint32_t r)
	{
		const Region region = regions_[r];
		const auto &choices = program_.choices;
		size_t next = region.choice;
		for (uint32_t k = region.begin; k < region.end;) {
			next = behind(next, k);
			if (next == choices.size() || choices[next].first != k) {
				pieces_.push_back({Piece::Kind::LAUNCH, k++, r});
				continue;
			}
			const Choice &choice = choices[next];
			pieces_.push_back({Piece::Kind::CHOICE, static_cast<uint32_t>(next), r});
			regions_.push_back({choice.first, choice.middle, next + 1});
			if (choice.middle != choice.end)
				regions_.push_back({choice.middle, choice.end,
						    behind(next + 1, choice.middle)});
			k = choice.end;
		}
	}

	/* behind() - the first choice from @at on that begins at launch @k or later. */
	size_t behind(size_t at, uint32_t k) const
	{
		while (at < program_.choices.size() && program_.choices[at].first < k)
			at++;
		return at;
	}

	const Program &program_;
	std::vector<Region> regions_;
	std::vector<Piece> pieces_;
};

} // namespace

ProgramGraph build_graph(const Program &program, const ProgramTasks &tasks)
{
	const Pieces pieces(program, tasks.rest.size());
	ProgramGraph made;
	made.graph = std::make_unique<Graph>();
	made.spots.resize(program.launches.size());
	std::vector<Graph *> parts{made.graph.get()};
	std::vector<std::vector<uint32_t>> last(pieces.regions().size());
	for (const Piece &piece : pieces.list()) {
		Graph &part = *parts[piece.region];
		std::vector<uint32_t> &after = last[piece.region];
		uint32_t node = 0;
		if (piece.kind == Piece::Kind::CHOICE) {
			const Choice &choice = program.choices[piece.index];
			const uint32_t count = choice.middle == choice.end ? 1 : 2;
			node = part.add_cond(UNPU_COND_IF,
					     tasks.word(program.buffers[choice.buffer]), count,
					     tasks.cookie, 0, after);
			for (uint32_t i = 0; i < count; i++)
				parts.push_back(&part.body(node, i));
		} else if (piece.kind == Piece::Kind::LAUNCH) {
			node = part.add(tasks.launch(piece.index), 0, after);
			made.spots[piece.index] = {&part, node};
		} else {
			node = part.add(tasks.rest[piece.index], 0, after);
			if (piece.index == 0)
				made.rest = node;
		}
		after = {node};
	}
	return made;
}

std::vector<uint32_t> launch_numbers(const Program &program)
{
	const Pieces pieces(program, 0);
	std::vector<uint32_t> numbers(program.launches.size());
	for (uint32_t number = 0; number < pieces.list().size(); number++)
		if (const Piece &piece = pieces.list()[number]; piece.kind == Piece::Kind::LAUNCH)
			numbers[piece.index] = number;
	return numbers;
}

std::vector<uint32_t> node_numbers(const Program &program, size_t rest, uint32_t other)
{
	const Pieces pieces(program, rest);
	std::vector<uint32_t> numbers;
	for (const Piece &piece : pieces.list())
		numbers.push_back(
			piece.kind == Piece::Kind::LAUNCH   ? program.launches[piece.index].node
			: piece.kind == Piece::Kind::CHOICE ? program.choices[piece.index].node
							    : other);
	return numbers;
}

Status walk_program(const Program &program,
		    const std::function<Result<bool>(const Choice &)> &choose,
		    const std::function<Status(size_t)> &launch)
{
	struct Jump {
		uint32_t from, to;
	};
	std::vector<Jump>
		jumps; /* behind first branches that are taken; the innermost one is last */
	size_t next = 0;
	for (uint32_t k = 0;;) {
		if (!jumps.empty() && jumps.back().from == k) {
			k = jumps.back().to;
			jumps.pop_back();
			continue;
		}
		while (next < program.choices.size() && program.choices[next].first < k)
			next++;
		if (next < program.choices.size() && program.choices[next].first == k) {
			const Choice &choice = program.choices[next++];
			const bool is_first = TRY(choose(choice));
			if (is_first)
				jumps.push_back({choice.middle, choice.end});
			else
				k = choice.middle;
			continue;
		}
		if (k >= program.launches.size())
			return Status::OK;
		TRY(launch(k++));
	}
}

} // namespace umd
