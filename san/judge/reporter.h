// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "judge_options.h"
#include "san/judge/finding.h"
#include "san/memory/block.h"
#include "san/order/actors.h"
#include "san/order/events.h"

namespace san {

using Events = std::unordered_map<uint64_t, Event>;

/**
 * class Reporter - turns the observations of the other parts of the judge into findings.
 *
 * It keeps the texts of the trace, and searches the marks of both streams for the missing edge.
 */
class Reporter {
public:
	using Sink = std::function<void(const Finding &)>;

	Reporter(Sink sink, const Actors &actors, const Events &events, const Options &options)
		: sink_(std::move(sink)), actors_(actors), events_(events), options_(options)
	{
	}

	void name(uint64_t number, std::string text);
	const std::string &text(uint32_t number) const;
	/** stream_text() - names a stream by the id that the API gives it or gave it. */
	std::string stream_text(uint32_t client, uint32_t number) const;
	std::string stream_text(const Stream &stream) const
	{
		return stream_text(stream.client, stream.number);
	}
	std::string event_text(uint64_t number) const;

	/** at() - " at " and the place of a site; empty if the site is unknown. */
	std::string at(uint32_t site) const;

	/** race() - reports two unordered accesses of @block. */
	void race(Rule rule, const Touch &later, const Touch &earlier, const Block *block,
		  Range bytes);

	/** call() - reports a mistake of one command. @earlier: the call to which it refers, or nullptr. */
	void call(Rule rule, const Command &later, const Command *earlier,
		  const Block *block = nullptr, Range bytes = {});

	/** reset_early() - reports a reset of an event that a wait may still need. */
	void reset_early(const Command &wait, const Command &reset, uint64_t event);

	/** unwritten() - reports that @command reads @bytes of @block, of which @parts were never written. */
	void unwritten(const Command &command, const Block &block, Range bytes,
		       const std::vector<Range> &parts);

	/** freed() - reports that @command frees memory that @user may still use. */
	void freed(Rule rule, const Command &command, const Command &user, const Block &block,
		   Range bytes);

	/** changed() - reports that the host changed memory that a copy in flight reads or writes, or read
	 * memory that such a copy writes.
	 * @parts: how many parts of the memory. @flags: bits of CompareFlag. @by_host: what the host did
	 * @host: the access of the host if it was seen, or nullptr; its site may be unknown */
	void changed(const Touch &copy, const Block &block, Range bytes, size_t parts,
		     uint16_t flags, Access by_host, const Command *host);

	/** overrun() - reports an access that ends in the slack of the block. @bytes: the part of the access
	 * that is in the block */
	void overrun(const Touch &access, const Block &block, Range bytes);
	/** goes_on() - reports an access that begins in @piece and ends behind its block. @other: the next block that
	 * the access enters; nullptr: none. @end: the address behind its last byte */
	void goes_on(const Touch &access, const Piece &piece, const Block *other, uint64_t end);
	/** beyond_tensor() - reports a kernel that accessed @bytes of the block, beyond the size that it gave
	 * its tensor. */
	void beyond_tensor(const Touch &access, const Block &block, Range bytes);

	/** deadlock() - reports a deadlock. @circle: a sentence for each wait of the circle. */
	void deadlock(const Command &waiter, std::vector<std::string> circle);

	uint64_t found() const { return found_; }

private:
	Side side(const Command &command) const;
	void set_host_sides(Finding &finding, const Touch &copy, const Command *host,
			    bool is_read) const;
	std::string repair(Rule rule, const Command &later, const Command *earlier) const;
	void set_memory(Finding &finding, const Block *block, Range bytes) const;
	Hint missing_path(const Command &later, const Command &earlier) const;
	void explain(Finding &finding, const Command &later, const Command &earlier) const;
	void emit(Finding &&finding);
	void too_long(Rule rule, const Touch &access, const Block &block, Range bytes,
		      std::string order);
	bool is_repeat(Rule rule, const Command &later, uint32_t later_role, const Command *earlier,
		       uint32_t earlier_role);

	Sink sink_;
	const Actors &actors_;
	const Events &events_;
	const Options &options_;
	size_t name_bytes_ = 0;
	std::unordered_map<uint64_t, std::string> names_;
	uint64_t found_ = 0;
	/* calls, operands and sites of a finding -> its number */
	std::map<std::array<uint32_t, 7>, uint64_t> known_;
};

/** process_text() - the process of a client, such as " of process 12". */
std::string process_text(uint32_t client);

} // namespace san
