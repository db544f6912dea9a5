// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/mutex.h"

namespace fw {

/** class WakeEvent - eventfd that wakes a thread that waits for its queue. Context: any thread. */
class WakeEvent {
public:
	/** init() - opens the eventfd. Return: NO_RESOURCE. */
	base::Status init();
	void poke() const;
	int fd() const { return event_.get(); }

private:
	base::Fd event_;
};

/** class PokesAtEnd - the queues that have registered a file or a segment with the kernel. When the object
 * is destroyed, their threads are woken, so that they release the registration. Context: any thread. */
class PokesAtEnd {
public:
	PokesAtEnd() = default;
	~PokesAtEnd();
	PokesAtEnd(const PokesAtEnd &) = delete;
	PokesAtEnd &operator=(const PokesAtEnd &) = delete;

	void add(const std::shared_ptr<const WakeEvent> &poke);

private:
	base::Mutex mutex_{"PokesAtEnd::mutex_"};
	std::vector<std::weak_ptr<const WakeEvent>> pokes_ GUARDED_BY(mutex_);
};

} // namespace fw
