// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "judge_options.h"
#include "san/judge/reporter.h"
#include "san/memory/block.h"
#include "san/memory/contents.h"
#include "san/trace/record.h"

namespace san {

/** Shadows - the shadow of each block, by the number of the block. */
using Shadows = std::unordered_map<uint64_t, Shadow>;

/** class Accesses - judges the memory accesses of commands and hosts. */
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
	 * @flags: bits of CommandFlag; COMMAND_COPY carries undefined bytes along.
	 * @gone: the rule to report if the memory of an operand was freed.
	 */
	void run(const CommandPointer &command, const std::vector<Operand> &operands,
		 uint16_t flags, Rule gone = Rule::UAF);

	/** run_apart() - judges only against accesses in @shadows. All races are reported as GRAPH-RACE. */
	void run_apart(const CommandPointer &command, const std::vector<Operand> &operands,
		       Shadows &shadows);

	/** allocate() - the lifetime of the block begins with @command, which is in a stream or is a call of
	 * the host. */
	void allocate(const BlockPointer &block, const CommandPointer &command, bool in_stream,
		      bool defined);

	/** enum class End - how the use of a range ends. */
	enum class End { FREE, FREE_IN_STREAM, UNMAP };

	/** end() - @command frees the range, or its client unmaps it (other clients may keep their mappings).
	 * An access that is not ordered before this uses freed memory. @range: offsets in the block */
	void end(const Block &block, Range range, const CommandPointer &command, End how);

	/** changed() - reports that the host changed or read memory of a copy in flight. @ranges: the bytes
	 * that the host used
	 * @flags: bits of CompareFlag. @host: as in Reporter::changed() */
	void changed(const CommandPointer &copy, const std::vector<Operand> &ranges, uint16_t flags,
		     const Command *host = nullptr);

	/** forgotten() - how many accesses and races were dropped because of the bounds on memory. */
	uint64_t forgotten() const { return forgotten_; }

	/** unknown() - how many operands were in memory unknown to the trace. */
	uint64_t unknown() const { return unknown_; }

private:
	/* struct Pair - an older access that is unordered with the judged one, and the bytes that both
	 * use. */
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
	std::vector<Pair> pairs_;  /* unordered accesses found for the judged command */
	Shadows *apart_ = nullptr; /* argument of run_apart() */
	bool is_gone_ = false;	   /* a use of freed memory was already reported for the command */
	uint64_t unknown_ = 0;
	uint64_t forgotten_ = 0;
};

} // namespace san
