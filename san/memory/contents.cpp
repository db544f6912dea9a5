// SPDX-License-Identifier: MIT
/**
 * DOC: contents of pinned memory
 *
 * Documentation/adr/0291-contents-of-host-memory.rst says who may write memory that a copy uses.
 */
#include "san/memory/contents.h"

#include <algorithm>

namespace san {

bool Contents::is_after_opaque(const Command &copy, const Moment &host) const
{
	return std::any_of(opaque_.begin(), opaque_.end(), [&](const Step &step) {
		return !step.only_tells && happens_before(step.moment, copy.moment) &&
		       !happens_before(step.moment, host);
	});
}

/* Whether a command may write the source of the copy. Such a command is one whose end the host did not know
 * at the call, or one that the judge does not know completely. */
bool Contents::may_be_written(const Command &copy, const Moment &host, const Operand &source) const
{
	const Range range = Shape::of(source).bounds();
	uint64_t known = 0;
	bool is_found = false;
	for (const Piece &piece : memory_.pieces(copy.client, range)) {
		if (!piece.block || piece.block->freed)
			return true;
		const Shadow &shadow = piece.block->shadow;
		shadow.unordered(piece.offsets(), host, [&](const Touch &touch, Range) {
			is_found |= touch.use != Use::READ && touch.command->number != copy.number;
		});
		if (is_found || shadow.has_lost())
			return true;
		known += piece.addresses.end - piece.addresses.begin;
	}
	return known != range.end - range.begin;
}

void Contents::begin(const CommandPointer &copy, const Moment &host,
		     const std::vector<Operand> &operands, bool is_held, uint64_t graph)
{
	if (copies_.size() >= bounds_.compared) {
		unjudged_++;
		return;
	}
	bool is_sure =
		!is_held && !has_lost_steps_ && unknown_.empty() && !is_after_opaque(*copy, host);
	std::vector<Operand> sources;
	for (const Operand &operand : operands) {
		if (operand.access != Access::READ)
			continue;
		is_sure = is_sure && !may_be_written(*copy, host, operand);
		sources.push_back(operand);
	}
	unjudged_ += !is_sure;
	copies_[copy->number] = {copy, graph, std::move(sources), is_held, is_sure, false};
}

void Contents::note_teller(uint32_t client, const Moment &moment)
{
	if (opaque_.size() < bounds_.compared)
		opaque_.push_back({client, moment, true});
	else
		has_lost_steps_ = true;
}

bool Contents::may_tell(const Moment &moment) const
{
	return has_lost_steps_ ||
	       std::any_of(opaque_.begin(), opaque_.end(),
			   [&](const Step &step) { return happens_before(moment, step.moment); });
}

CommandPointer Contents::find(uint64_t number) const
{
	const auto found = copies_.find(number);
	return found == copies_.end() || found->second.is_held ? nullptr : found->second.command;
}

void Contents::note_reported(uint64_t number)
{
	if (auto found = copies_.find(number); found != copies_.end())
		found->second.is_reported = true;
}

/*
 * When a wait for the copy ended, its source differed from the source at the call. That is no mistake if a
 * later command wrote it, or if the host wrote it after a later command had told it that the copy has ended.
 */
bool Contents::is_judged_after(const Copy &copy, const Record &record, const Moment &host) const
{
	if (may_tell(copy.command->moment))
		return false;
	return std::all_of(
		record.operands.begin(), record.operands.end(), [&](const Operand &changed) {
			const Range range = Shape::of(changed).bounds();
			auto is_of = [&](const Operand &source) {
				const Range whole = Shape::of(source).bounds();
				return whole.begin <= range.begin && range.end <= whole.end;
			};
			return std::any_of(copy.sources.begin(), copy.sources.end(), is_of) &&
			       !may_be_written(*copy.command, host, changed);
		});
}

Contents::Mistake Contents::end(const Record &record, const Moment &host,
				const std::function<bool(const Moment &)> &is_known)
{
	auto found = copies_.find(record.object);
	if (found == copies_.end())
		return {};
	const Copy copy = found->second;
	copies_.erase(found);
	const bool is_sure = copy.is_sure || (record.flags & COMPARED_TARGET);
	bool is_mistake = is_sure && !copy.is_reported && !record.operands.empty() &&
			  copy.command->client == record.client;
	if (is_mistake && (record.flags & COMPARED_AFTER))
		is_mistake = !is_known(copy.command->moment) && is_judged_after(copy, record, host);
	return is_mistake ? Mistake{copy.command, copy.graph} : Mistake{};
}

void Contents::reset_history(std::set<std::pair<uint32_t, uint32_t>> unknown)
{
	unjudged_ += copies_.size();
	unknown_ = std::move(unknown);
	has_lost_steps_ = false;
	opaque_.clear();
	copies_.clear();
}

} // namespace san
