// SPDX-License-Identifier: MIT
/**
 * DOC: Prefault
 *
 * The kernel allocates and clears a page at the first access, which takes longer than most work on it. New
 * memory is accessed soon, so a background thread touches it first. It works in small pieces, because a
 * free waits for the current piece.
 */
#include "prefault.h"

#include <algorithm>

#include "base/clock.h"
#include "base/os/machine.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "hal/topology.h"

namespace drv {

static constexpr uint64_t PIECE_BYTES = uint64_t{256} << 10;
static constexpr int NICE = 10;

Prefault::~Prefault()
{
	{
		std::lock_guard lock(mutex_);
		ranges_.clear();
	}
	if (thread_.joinable())
		thread_.join();
}

void Prefault::add(std::byte *start, uint64_t bytes)
{
	bytes = std::min(bytes, most_bytes_);
	if (!start || bytes < LEAST_BYTES)
		return;
	std::lock_guard lock(mutex_);
	ranges_.push_back({start, bytes, true});
	if (running_)
		return;
	if (thread_.joinable())
		thread_.join();
	auto thread = base::start_thread("unpu-prefault", [this] { work(); });
	running_ = thread.status() == base::Status::OK;
	if (running_)
		thread_ = thread.take();
	else
		ranges_.clear();
}

void Prefault::forget(std::byte *start, uint64_t bytes)
{
	std::unique_lock lock(mutex_);
	std::erase_if(ranges_, [&](const Range &range) { return range.meets(start, bytes); });
	/* A running thread without ranges is about to end: wait for that too. */
	while (piece_.meets(start, bytes) || (running_ && ranges_.empty())) {
		uint32_t seen = base::load_acquire(pieces_);
		lock.unlock();
		base::futex_wait(pieces_, seen, base::deadline_after(base::NS_PER_S), false);
		lock.lock();
	}
	if (!running_ && thread_.joinable())
		thread_.join();
}

uint64_t Prefault::done_bytes()
{
	std::lock_guard lock(mutex_);
	return done_bytes_;
}

/* Whether the host has enough free memory for the rest of the range. The program may never use the memory,
 * and other processes must not lack it. The lock is released during the query. */
bool Prefault::affordable()
{
	const bool more = !ranges_.empty() && ranges_.front().start == piece_.start + piece_.bytes;
	const uint64_t bytes = piece_.bytes + (more ? ranges_.front().bytes : 0);
	bool much;
	{
		const base::Unlocked unlocked(mutex_);
		much = bytes > base::available_memory_bytes() / 4;
	}
	/* The lock was released meanwhile, so forget() may have removed the range. */
	if (much && more && !ranges_.empty() &&
	    ranges_.front().start == piece_.start + piece_.bytes)
		ranges_.pop_front();
	return !much;
}

bool Prefault::take(Range &piece)
{
	if (ranges_.empty())
		return false;
	Range &range = ranges_.front();
	piece = {range.start, std::min(range.bytes, PIECE_BYTES), range.is_fresh};
	range.is_fresh = false;
	range.start += piece.bytes;
	range.bytes -= piece.bytes;
	if (range.bytes == 0)
		ranges_.pop_front();
	return true;
}

void Prefault::work()
{
	base::lower_priority(base::nice_value(), NICE);
	std::unique_lock lock(mutex_);
	while (take(piece_)) {
		const Range now = piece_;
		if (!now.is_fresh || affordable()) {
			lock.unlock();
			bool good = hal::populate(now.start, now.bytes) == base::Status::OK;
			lock.lock();
			if (good)
				done_bytes_ += now.bytes;
			else
				ranges_.clear();
		}
		piece_ = {};
		base::fetch_add(pieces_, uint32_t{1});
		base::futex_wake_all(pieces_, false);
	}
	/* The lock is still held, so the next add() sees that the thread ends, and starts a new thread. */
	running_ = false;
	base::fetch_add(pieces_, uint32_t{1});
	base::futex_wake_all(pieces_, false);
}

} // namespace drv
