// SPDX-License-Identifier: MIT
/**
 * DOC: processes that have ended
 */
#include "ended_children.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <signal.h>

#include "base/clock.h"
#include "base/sync/ordering.h"
#include "san/trace/record.h"

namespace umd::recorder {

/* The client number in the name of a trace file; 0 if it is no such name. */
static uint32_t client_of(const std::string &name)
{
	constexpr uint32_t MOST = 1u << (32 - san::PROCESS_BITS);
	uint32_t process = 0;
	uint32_t program = 0;
	if (name.size() < 8 || name.compare(name.size() - 8, 8, ".unpusan") != 0)
		return 0;
	const int found = sscanf(name.c_str(), "%u.%u.", &process, &program);
	if (found < 1 || process == 0 || san::process_of(process) != process || program >= MOST)
		return 0;
	return process | program << san::PROCESS_BITS;
}

static bool is_gone(uint32_t client)
{
	return kill(static_cast<pid_t>(san::process_of(client)), 0) != 0 && errno == ESRCH;
}

void EndedChildren::find()
{
	std::error_code failed;
	for (std::filesystem::directory_iterator at(folder_, failed), end; !failed && at != end;
	     at.increment(failed)) {
		const uint32_t client = client_of(at->path().filename().string());
		if (client != 0 && client != own_ && !told_.contains(client))
			alive_.insert(client);
	}
}

std::set<uint32_t> EndedChildren::take_gone()
{
	std::set<uint32_t> gone;
	for (const uint32_t client : alive_)
		if (is_gone(client))
			gone.insert(client);
	for (const uint32_t client : gone)
		alive_.erase(client);
	told_.insert(gone.begin(), gone.end());
	base::store_relaxed(watched_, alive_.size() <= MOST_AT_ONCE
					      ? static_cast<uint32_t>(alive_.size())
					      : uint32_t{0});
	return gone;
}

void EndedChildren::look(uint64_t now_ns, const std::function<void(uint32_t client)> &found)
{
	constexpr uint64_t FACTOR = 20; /* the searches may take at most 1/FACTOR of the time */
	/* The longest time between two looks. A process that starts and is killed between two looks is found
	 * late. */
	constexpr uint64_t MOST_NS = 10 * base::NS_PER_MS;
	if (now_ns < base::load_relaxed(next_ns_) && base::load_relaxed(watched_) == 0) [[likely]]
		return;
	std::set<uint32_t> gone;
	{
		std::lock_guard lock(mutex_);
		const bool is_due = now_ns >= base::load_relaxed(next_ns_);
		if (is_due)
			find();
		gone = take_gone();
		const uint64_t took_ns = base::now_ns() - now_ns;
		if (is_due)
			base::store_relaxed(
				next_ns_,
				now_ns + std::clamp(FACTOR * took_ns, base::NS_PER_MS, MOST_NS));
	}
	for (const uint32_t client : gone)
		found(client);
}

} // namespace umd::recorder
