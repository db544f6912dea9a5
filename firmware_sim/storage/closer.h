// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "firmware_sim/memory/account.h"

namespace fw {

/**
 * class Closer - closes the descriptors that one connection has sent, on a thread of its own: the last close
 * of a file can block, for example in a lingering socket or in a file system that does not answer. So a
 * connection waits only for its own descriptors. The thread starts with the first descriptor and ends when
 * none is left. Context: any thread.
 */
class Closer : public std::enable_shared_from_this<Closer> {
public:
	/** create() - @user: the account to which the thread and the waiting descriptors are charged
	 * @in_any_case: even if the user is at its limit of threads
	 * Return: QUOTA. */
	static base::Result<std::shared_ptr<Closer>> create(std::shared_ptr<Account> user,
							    bool in_any_case = false);

	/** close() - closes a descriptor later. An invalid one is ignored. */
	void close(base::Fd fd);

	/** waiting() - descriptors that are not closed yet. */
	size_t waiting() const;

private:
	struct Entry {
		base::Fd fd;
		Charge descriptor;
	};

	explicit Closer(std::shared_ptr<Account> user) : user_(std::move(user)) {}
	void close_all();

	const std::shared_ptr<Account> user_;
	Charge thread_;
	mutable base::Mutex mutex_{"Closer::mutex_"};
	std::deque<Entry> waiting_
		GUARDED_BY(mutex_); /* the first one is being closed, if the thread runs */
	bool running_ GUARDED_BY(mutex_) = false;
};

} // namespace fw
