// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "umd/core/process/error.h"

namespace umd {

/**
 * class NamedCallbacks - functions that a program registered under names. Context: any thread; no lock
 * is held while they run.
 */
template <class Callback> class NamedCallbacks {
public:
	/** add() - Return: INVALID_ARGUMENT for a name that is empty or taken, sets the error message.. */
	base::Status add(const char *name, Callback callback)
	{
		if (*name == '\0')
			return set_error(base::Status::INVALID_ARGUMENT,
					 "regName is empty; each callback needs a name of its own");
		std::lock_guard lock(mutex_);
		if (find(name) != entries_.end())
			return set_error(base::Status::INVALID_ARGUMENT,
					 std::string("regName \"") + name +
						 "\" has a callback already; remove it with a NULL "
						 "callback first");
		entries_.emplace_back(name, std::move(callback));
		return base::Status::OK;
	}

	/** remove() - Return: INVALID_ARGUMENT for a name without a callback. */
	base::Status remove(const char *name)
	{
		std::lock_guard lock(mutex_);
		auto found = find(name);
		if (found == entries_.end())
			return set_error(
				base::Status::INVALID_ARGUMENT,
				std::string("regName \"") + name +
					"\" has no callback; remove one that is registered");
		entries_.erase(found);
		return base::Status::OK;
	}

	/** call_all() - calls @call with each callback, in the order of registration. */
	template <class F> void call_all(F call)
	{
		std::vector<Entry> entries;
		{
			std::lock_guard lock(mutex_);
			if (entries_.empty())
				return;
			entries = entries_;
		}
		for (const Entry &entry : entries)
			call(entry.second);
	}

private:
	using Entry = std::pair<std::string, Callback>;

	auto find(const char *name) REQUIRES(mutex_)
	{
		auto at = entries_.begin();
		while (at != entries_.end() && at->first != name)
			++at;
		return at;
	}

	base::Mutex mutex_{"NamedCallbacks::mutex_"};
	std::vector<Entry> entries_ GUARDED_BY(mutex_);
};

} // namespace umd
