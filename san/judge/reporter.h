// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "san/judge/finding.h"
#include "san/judge/options.h"
#include "san/memory/block.h"
#include "san/order/actors.h"
#include "san/order/events.h"

namespace san {

using Events = std::unordered_map<uint64_t, Event>;

/**
 * class Reporter - makes findings of what the parts of the judge see.
 *
 * It has the texts of the trace, and looks into the marks of both streams for the edge that is missing.
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
	/** stream_text() - by the id that the API gives it, or gave it. */
	std::string stream_text(uint32_t client, uint32_t number) const;
	std::string stream_text(const Stream &stream) const
	{
		return stream_text(stream.client, stream.number);
	}
	std::string event_text(uint64_t number) const;

	/** at() - " at " and the place of a site; empty where the site is unknown. */
	std::string at(uint32_t site) const;

	/** race() - two accesses of @block without an order between them. */
	void race(Rule rule, const Touch &later, const Touch &earlier, const Block *block,
		  Range bytes);

	/** call() - a mistake of one command, with the call that it refers to, or nullptr. */
	void call(Rule rule, const Command &later, const Command *earlier,
		  const Block *block = nullptr, Range bytes = {});

	/** freed() - @command frees memory that @user may still use. */
	void freed(Rule rule, const Command &command, const Command &user, const Block &block,
		   Range bytes);

	/** changed() - the host changed memory that a copy in flight reads or writes, or read memory that it writes.
	 * @parts: how many parts of it. @flags: of CompareFlag. @by_host: what the host did */
	void changed(const Touch &copy, const Block &block, Range bytes, size_t parts,
		     uint16_t flags, Access by_host);

	/** overrun() - an access ends in the slack of the block. @bytes: all of the access that is in the block */
	void overrun(const Touch &access, const Block &block, Range bytes);
	/** beyond_tensor() - the @bytes of the block are behind the size that a kernel gave its tensor. */
	void beyond_tensor(const Touch &access, const Block &block, Range bytes);

	/** deadlock() - @circle: the waits of the circle, in words. */
	void deadlock(const Command &waiter, std::vector<std::string> circle);

	uint64_t found() const { return found_; }

private:
	Side side(const Command &command) const;
	void set_memory(Finding &finding, const Block *block, Range bytes) const;
	Hint missing_path(const Command &later, const Command &earlier) const;
	void explain(Finding &finding, const Command &later, const Command &earlier) const;
	void emit(Finding &&finding);
	void too_long(const Touch &access, const Block &block, Range bytes, std::string order);
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

/** process_text() - " of process 12", of a client. */
std::string process_text(uint32_t client);

} // namespace san
