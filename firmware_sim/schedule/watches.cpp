// SPDX-License-Identifier: MIT
/**
 * DOC: Watches
 *
 * Waits for a word in memory. The device checks the words that it writes at once. It finds stores of
 * the host by polling, with an interval that doubles from 10 us to 1 ms.
 */
#include "watches.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/os/mapped.h"
#include "base/sync/ordering.h"
#include "token_work.h"
#include "tuning.h"
#include "uapi/operator.h"

namespace fw {

using base::Status;

/* The most words that one call reads. */
static constexpr unsigned LOOK_MOST = 1024;

template <class Word, class Signed> static bool met(Word word, const unpu_value_wait &wait)
{
	auto value = static_cast<Word>(wait.value);
	switch (wait.op) {
	case UNPU_VALUE_GE:
		return static_cast<Signed>(word - value) >= 0;
	case UNPU_VALUE_EQ:
		return word == value;
	case UNPU_VALUE_AND:
		return (word & value) != 0;
	default:
		return static_cast<Word>(~(word | value)) != 0;
	}
}

bool value_met(const std::byte *word, const unpu_value_wait &wait)
{
	if (wait.bytes == sizeof(uint32_t))
		return met<uint32_t, int32_t>(
			base::load_acquire(*reinterpret_cast<const uint32_t *>(word)), wait);
	return met<uint64_t, int64_t>(base::load_acquire(*reinterpret_cast<const uint64_t *>(word)),
				      wait);
}

Translation Watches::translate(const Watch &watch)
{
	return watch.mmu->translate(watch.wait.address, watch.wait.bytes, UNPU_ACCESS_READ);
}

/* Keeps what the MMU has just translated. */
void Watches::keep(Watch &watch)
{
	watch.place = watch.mmu->hold(watch.wait.address, watch.wait.bytes).place();
	const auto place = watch.place.lock();
	watch.epoch = place->segment->is_clients ? 0 : watch.mmu->epoch();
}

/* Whether the word is still mapped and meets the condition. The next look() finds out that it is gone. */
bool Watches::met(const std::byte *word, const Watch &watch)
{
	const auto held = watch.place.lock();
	const base::UnmapGuard guard;
	return held && value_met(word, watch.wait) && !guard.has_lost(word);
}

void Watches::add(Waiter &waiter, Mmu &mmu, const unpu_value_wait &wait, const std::byte *word)
{
	unpu_assert(!waiter.parked_in);
	waiter.parked_in = this;
	waiter.wanted = reinterpret_cast<uint64_t>(word);
	waiter.place = ++waits_;
	Watch watch{&waiter, &mmu, 0, wait, {}};
	keep(watch);
	entries_.emplace(Key{word, waiter.place}, std::move(watch));
	interval_ns_ = tuning::FIRST_LOOK_NS;
	next_ns_ = base::deadline_after(interval_ns_);
}

Watches::Entries::const_iterator Watches::find(const Waiter &waiter) const
{
	return entries_.find({reinterpret_cast<const std::byte *>(waiter.wanted), waiter.place});
}

Wait Watches::describe(const Waiter &waiter) const
{
	const Watch &watch = find(waiter)->second;
	uint64_t value = 0;
	/* The word may have been unmapped since the last look(). */
	Translation word = translate(watch);
	if (word.status == Status::OK)
		memcpy(&value, word.data, watch.wait.bytes);
	return {0, watch.wait.address, watch.wait.value, value};
}

void Watches::unpark(Waiter &waiter)
{
	if (waiter.parked_in != this)
		return;
	entries_.erase(find(waiter));
	waiter.parked_in = nullptr;
	if (entries_.empty())
		next_ns_ = base::NO_DEADLINE;
}

Watches::Entries::iterator Watches::wake(Entries::iterator entry, Status status, uint64_t address)
{
	Waiter *waiter = entry->second.waiter;
	auto next = entries_.erase(entry);
	waiter->parked_in = nullptr;
	waiter->woken(status, address, 0);
	return next;
}

void Watches::wrote(const Written &written)
{
	if (entries_.empty() || !written.data)
		return;
	/* The first word that may reach into the range starts up to 7 bytes before it. */
	auto entry = entries_.upper_bound({written.data - sizeof(uint64_t), UINT64_MAX});
	unsigned left = LOOK_MOST;
	while (entry != entries_.end() && entry->first.first < written.data + written.bytes) {
		if (left == 0) {
			/* look() checks the rest. */
			look_on(entry->first);
			break;
		}
		left--;
		const Watch &watch = entry->second;
		bool touched = entry->first.first + watch.wait.bytes > written.data;
		if (touched && met(entry->first.first, watch))
			entry = wake(entry, Status::OK, 0);
		else
			++entry;
	}
	note_token_work("watched words", 0, LOOK_MOST - left);
	if (entries_.empty())
		next_ns_ = base::NO_DEADLINE;
}

/* Makes the next look() begin at @key, as soon as possible. */
void Watches::look_on(const Key &key)
{
	next_ = key;
	next_ns_ = base::now_ns();
}

void Watches::look()
{
	unsigned left = LOOK_MOST;
	for (auto entry = entries_.lower_bound(next_); entry != entries_.end();) {
		if (left == 0) {
			look_on(entry->first);
			return note_token_work("watched words", 0, LOOK_MOST);
		}
		left--;
		const Watch &watch = entry->second;
		if (watch.epoch != watch.mmu->epoch()) {
			Translation word = translate(watch);
			if (word.status != Status::OK) {
				entry = wake(entry, word.status, word.address);
				continue;
			}
			if (word.data != entry->first.first) {
				/* The address is now mapped to other memory: wait on that. */
				Watch moved = watch;
				entry = entries_.erase(entry);
				add(*moved.waiter, *moved.mmu, moved.wait, word.data);
				continue;
			}
			keep(entry->second);
		}
		entry = met(entry->first.first, watch) ? wake(entry, Status::OK, 0)
						       : std::next(entry);
	}
	next_ = Key{};
	interval_ns_ = std::min(interval_ns_ * 2, tuning::LAST_LOOK_NS);
	next_ns_ = entries_.empty() ? base::NO_DEADLINE : base::deadline_after(interval_ns_);
}

} // namespace fw
