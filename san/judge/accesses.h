// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "san/judge/options.h"
#include "san/judge/reporter.h"
#include "san/memory/block.h"
#include "san/memory/contents.h"
#include "san/trace/record.h"

namespace san {

/** Shadows by number of block. */
using Shadows = std::unordered_map<uint64_t, Shadow>;

/** class Accesses - judges what commands and hosts do with memory. */
class Accesses {
public:
	Accesses(const Actors &actors, Memory &memory, Contents &contents, Reporter &reporter,
		 const Options &options)
		: actors_(actors), memory_(memory), contents_(contents), reporter_(reporter),
		  options_(options)
	{
	}

	/**
	 * run() - judges all operands of a command, in their order.
	 *
	 * @flags: of CommandFlag; COMMAND_COPY carries undefined bytes along.
	 * @gone: the rule for an operand that is freed.
	 */
	void run(const CommandPointer &command, const std::vector<Operand> &operands,
		 uint16_t flags, Rule gone = Rule::UAF);

	/** run_apart() - judges against @shadows alone, by number of block; all races are GRAPH-RACE. */
	void run_apart(const CommandPointer &command, const std::vector<Operand> &operands,
		       Shadows &shadows);

	/** allocate() - the bytes begin with @command, which has a place in a stream or is the host. */
	void allocate(const BlockPointer &block, const CommandPointer &command, bool in_stream,
		      bool defined);

	/** enum class End - how the use of a range ends. */
	enum class End { FREE, FREE_IN_STREAM, UNMAP };

	/** end() - the range is freed, or is not mapped any more by the client of @command, while other clients may
	 * go on: an access that is not ordered before it uses freed memory. @range: offsets in the block */
	void end(const Block &block, Range range, const CommandPointer &command, End how);

	/** changed() - the host changed or read memory of a copy in flight. @ranges: what it used
	 * @flags: of CompareFlag */
	void changed(const CommandPointer &copy, const std::vector<Operand> &ranges,
		     uint16_t flags);

	/** forgotten() - accesses and races that were not kept for the bounds. */
	uint64_t forgotten() const { return forgotten_; }

	/** unknown() - operands in memory that the trace does not tell of. */
	uint64_t unknown() const { return unknown_; }

private:
	/* struct Pair - an older access without order, and the bytes that both have. */
	struct Pair {
		Touch later;
		Touch earlier;
		Rule rule;
		BlockPointer block;
		Range bytes;
	};

	void operand(const CommandPointer &command, const Operand &operand, Rule gone);
	void use(const Shape &shape, Touch touch, Rule gone);
	void touch(Range addresses, const Shape *shape, const Touch &touch, Rule gone);
	bool is_gone(const Piece &piece, const Touch &touch, Rule gone);
	void note(const Touch &later, const Touch &earlier, const BlockPointer &block, Range bytes);
	bool may_be_told(const Command &earlier, uint32_t client) const;
	void check_defined(const CommandPointer &command, const Operand &operand);
	void check_end(const CommandPointer &command, const Operand &operand);
	void check_tensor(const CommandPointer &command, const Operand &operand);
	void report();
	void define(uint32_t client, Range addresses, bool defined);
	void copy_defined(uint32_t client, const Operand &from, const Operand &to);

	const Actors &actors_;
	Memory &memory_;
	Contents &contents_;
	Reporter &reporter_;
	const Options &options_;
	std::vector<Pair> pairs_;  /* of the command that is judged */
	Shadows *apart_ = nullptr; /* of run_apart() */
	bool is_gone_ = false;	   /* the command was reported to use freed memory */
	uint64_t unknown_ = 0;
	uint64_t forgotten_ = 0;
};

} // namespace san
