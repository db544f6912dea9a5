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
		return happens_before(step.moment, copy.moment) &&
		       !happens_before(step.moment, host);
	});
}

/* Whether a command may write the source whose end the host did not know at the call, or of which the judge does not
 * know all. */
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
		     const std::vector<Operand> &operands, bool is_held)
{
	if (copies_.size() >= bounds_.compared) {
		unjudged_++;
		return;
	}
	bool is_sure =
		!is_held && !has_lost_steps_ && unknown_.empty() && !is_after_opaque(*copy, host);
	for (const Operand &operand : operands) {
		if (is_sure && operand.access == Access::READ)
			is_sure = !may_be_written(*copy, host, operand);
	}
	unjudged_ += !is_sure;
	copies_[copy->number] = {copy, is_sure, false};
}

void Contents::note_reported(uint64_t number)
{
	if (auto found = copies_.find(number); found != copies_.end())
		found->second.is_reported = true;
}

CommandPointer Contents::end(const Record &record)
{
	auto found = copies_.find(record.object);
	if (found == copies_.end())
		return nullptr;
	const Copy copy = found->second;
	copies_.erase(found);
	const bool is_sure = copy.is_sure || (record.flags & COMPARED_TARGET);
	const bool is_mistake = is_sure && !copy.is_reported && !record.operands.empty() &&
				copy.command->client == record.client;
	return is_mistake ? copy.command : nullptr;
}

void Contents::forget_past(std::set<std::pair<uint32_t, uint32_t>> unknown)
{
	unjudged_ += copies_.size();
	unknown_ = std::move(unknown);
	has_lost_steps_ = false;
	opaque_.clear();
	copies_.clear();
}

} // namespace san
