// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that a worker may keep
 *
 * Code of the client runs in the process of the worker. It can take a descriptor when the process gets one, and fill
 * the file again after the client has destroyed it. So such memory counts against the client's quota until the
 * process has ended. It ends when it may keep much, or the client lacks what it may keep.
 */
#include "supervisor.h"

namespace fw {

void Workers::Supervisor::keep(Charge kept, uint64_t bytes)
{
	const std::lock_guard lock(mutex_);
	if (is_inline_ || quota_bytes_ == 0 || is_leaving_ || !(is_busy_ || link_.is_running()))
		return;
	kept_.push_back(std::move(kept));
	kept_bytes_ += bytes;
	link_.wake();
}

/* KEPT_PART: when a client has destroyed this part of its quota, its process is ended as soon as no kernel
 * runs; that takes milliseconds. The other limits are a multiple of the quota and a number of files: beyond
 * them the process is ended even if kernels run. */
static constexpr uint64_t KEPT_PART = 8, KEPT_TIMES = 2;
static constexpr size_t KEPT_FILES = 65536;

bool Workers::Supervisor::take_back()
{
	const std::lock_guard lock(mutex_);
	if (kept_bytes_ == 0 || posted_ != 0 || is_leaving_)
		return false;
	is_short_ = true;
	link_.wake();
	return true;
}

/* Ends a process that may keep much memory that the client has destroyed. Return: whether the lock was released. */
bool Workers::Supervisor::renew(Workers &workers)
{
	bool any = false;
	if (posted_ != 0) {
		any = kept_bytes_ > KEPT_TIMES * quota_bytes_ || kept_.size() > KEPT_FILES;
		if (any)
			end_process(workers);
	} else if ((is_short_ || kept_bytes_ > quota_bytes_ / KEPT_PART) && link_.is_running()) {
		is_busy_ = any = true;
		is_open_ = false;
		{
			const base::Unlocked unlocked(mutex_);
			link_.end();
		}
		is_busy_ = false;
	}
	if (!link_.is_running()) {
		kept_.clear();
		kept_bytes_ = 0;
		is_short_ = false;
	}
	return any;
}

} // namespace fw
