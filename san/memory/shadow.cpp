// SPDX-License-Identifier: MIT
/**
 * DOC: which accesses a byte remembers
 *
 * The shadow applies the rule of fast race detectors to ranges. An older access is dropped if it is ordered
 * before a newer one, and if the newer one conflicts with everything that the older one conflicts with.
 * Accesses may be recorded late: the accesses of a host function are known only when it runs, and its stream
 * may have more work by then. So two accesses race if neither of them happens before the other.
 */
#include "san/memory/shadow.h"

#include <algorithm>

namespace san {

/* Whether @b can replace @a: @b conflicts with everything that @a conflicts with, on every byte of @a. */
static bool stands_for(const Touch &b, const Touch &a)
{
	const bool uses = b.use == a.use || (b.use != Use::READ && b.use != Use::REDUCE);
	/* A write that may have skipped the byte can't replace one that has certainly written it. */
	const bool certain = !b.is_partial || a.is_partial;
	const bool covers = !b.shape || (a.shape && (a.shape == b.shape || *a.shape == *b.shape));
	return uses && certain && covers;
}

static bool is_after(const Touch &b, const Touch &a)
{
	return happens_before(a.command->moment, b.command->moment);
}

size_t Shadow::lower(uint64_t begin) const
{
	auto found = std::partition_point(segments_.begin(), segments_.end(),
					  [&](const Segment &s) { return s.range.end <= begin; });
	return static_cast<size_t>(found - segments_.begin());
}

void Shadow::split(uint64_t place)
{
	const size_t i = lower(place);
	if (i == segments_.size() || segments_[i].range.begin >= place)
		return;
	Segment head = segments_[i];
	count(1 + head.touches.size());
	head.range.end = place;
	segments_[i].range.begin = place;
	segments_.insert(segments_.begin() + static_cast<ptrdiff_t>(i), std::move(head));
}

/* Splits and adds segments, so that @range begins and ends at borders of segments and has no hole. */
void Shadow::cover(Range range)
{
	if (segments_.size() > MAX_SEGMENTS) {
		/* Forgetting an access causes no false finding, it can only miss one. */
		counters_.forgotten += segments_.size();
		const Range whole{segments_.front().range.begin, segments_.back().range.end};
		segments_.assign(1, Segment{whole, {}, true});
		count(1 - cells_);
	}
	split(range.begin);
	split(range.end);
	uint64_t place = range.begin;
	for (size_t i = lower(range.begin); place < range.end; i++) {
		const bool hole = i == segments_.size() || segments_[i].range.begin > place;
		if (hole) {
			const uint64_t next =
				i == segments_.size() ? range.end : segments_[i].range.begin;
			segments_.insert(segments_.begin() + static_cast<ptrdiff_t>(i),
					 Segment{{place, std::min(next, range.end)}, {}, true});
			count(1);
		}
		place = segments_[i].range.end;
	}
}

/* Merges equal neighbouring segments in and around @range. */
void Shadow::merge(Range range)
{
	size_t kept = lower(range.begin);
	kept = kept > 0 ? kept - 1 : 0;
	size_t next = kept + 1;
	for (; next < segments_.size() && segments_[next].range.begin <= range.end; next++) {
		Segment &before = segments_[kept];
		Segment &segment = segments_[next];
		if (before.range.end == segment.range.begin &&
		    before.is_defined == segment.is_defined && before.touches == segment.touches) {
			before.range.end = segment.range.end;
			count(0 - (1 + segment.touches.size()));
		} else if (++kept != next) {
			segments_[kept] = std::move(segment);
		}
	}
	if (kept + 1 < next)
		segments_.erase(segments_.begin() + static_cast<ptrdiff_t>(kept + 1),
				segments_.begin() + static_cast<ptrdiff_t>(next));
}

void Shadow::judge(const Segment &segment, const Touch &touch, const Found &found)
{
	for (const Touch &older : segment.touches) {
		if (!conflicts(older.use, touch.use) || is_after(touch, older) ||
		    is_after(older, touch))
			continue;
		Overlap both = Overlap::YES;
		if (older.shape && touch.shape)
			both = overlap(*older.shape, *touch.shape, segment.range);
		else if (older.shape || touch.shape)
			both = overlap(older.shape ? *older.shape : *touch.shape, segment.range);
		counters_.undecided += both == Overlap::UNDECIDED;
		if (both == Overlap::YES)
			found(older, segment.range);
	}
}

void Shadow::remember(Segment &segment, const Touch &touch)
{
	for (const Touch &other : segment.touches) {
		const bool newer = !is_after(touch, other) || other.command == touch.command;
		if (newer && is_after(other, touch) && stands_for(other, touch))
			return;
	}
	count(0 - std::erase_if(segment.touches, [&](const Touch &other) {
		      return is_after(touch, other) && stands_for(touch, other);
	      }));
	if (segment.touches.size() >= MAX_TOUCHES) {
		segment.touches.erase(segment.touches.begin());
		counters_.forgotten++;
		count(size_t{0} - 1);
	}
	segment.touches.push_back(touch);
	count(1);
}

void Shadow::access(Range range, const Touch &touch, const Found &found)
{
	cover(range);
	for (size_t i = lower(range.begin); i < segments_.size(); i++) {
		Segment &segment = segments_[i];
		if (segment.range.begin >= range.end)
			break;
		judge(segment, touch, found);
		if (!touch.shape || touch.shape->meets(segment.range))
			remember(segment, touch);
	}
	merge(range);
}

void Shadow::unordered(Range range, const Moment &moment, const Found &found) const
{
	for (size_t i = lower(range.begin); i < segments_.size(); i++) {
		const Segment &segment = segments_[i];
		if (segment.range.begin >= range.end)
			break;
		for (const Touch &touch : segment.touches) {
			if (!happens_before(touch.command->moment, moment))
				found(touch, segment.range);
		}
	}
}

void Shadow::reset(Range range, bool defined)
{
	cover(range);
	for (size_t i = lower(range.begin); i < segments_.size(); i++) {
		if (segments_[i].range.begin >= range.end)
			break;
		count(0 - segments_[i].touches.size());
		segments_[i].touches.clear();
		segments_[i].is_defined = defined;
	}
	merge(range);
}

void Shadow::clear()
{
	segments_ = {};
	counters_ = {};
	forgotten_past_ = 0;
	count(0 - cells_);
}

void Shadow::reset_history()
{
	const Counters counters{counters_.undecided, counters_.forgotten + cells_};
	clear();
	counters_ = counters;
	forgotten_past_ = counters.forgotten;
}

void Shadow::define(Range range, bool defined)
{
	cover(range);
	for (size_t i = lower(range.begin); i < segments_.size(); i++) {
		if (segments_[i].range.begin >= range.end)
			break;
		segments_[i].is_defined = defined;
	}
	merge(range);
}

std::vector<Range> Shadow::undefined(Range range) const
{
	std::vector<Range> parts;
	for (size_t i = lower(range.begin); i < segments_.size(); i++) {
		const Segment &segment = segments_[i];
		if (segment.range.begin >= range.end)
			break;
		if (!segment.is_defined)
			parts.push_back({std::max(segment.range.begin, range.begin),
					 std::min(segment.range.end, range.end)});
	}
	return parts;
}

} // namespace san
