// SPDX-License-Identifier: MIT
/**
 * DOC: Wake-ups of storage threads
 *
 * An idle storage thread sleeps in the kernel until its eventfd is written.
 */
#include "wake_event.h"

#include <algorithm>

#include <sys/eventfd.h>

#include "base/os/calls/transfers.h"

namespace fw {

base::Status WakeEvent::init()
{
	event_ = base::Fd(eventfd(0, EFD_CLOEXEC));
	return event_.valid() ? base::Status::OK : base::Status::NO_RESOURCE;
}

void WakeEvent::poke() const
{
	uint64_t one = 1;
	/* The write fails only if the counter is full; the thread has been woken then. */
	ssize_t written = base::calls::write(event_.get(), &one, sizeof(one));
	(void)written;
}

PokesAtEnd::~PokesAtEnd()
{
	for (const auto &known : pokes_) {
		if (const auto poke = known.lock())
			poke->poke();
	}
}

void PokesAtEnd::add(const std::shared_ptr<const WakeEvent> &poke)
{
	const std::lock_guard lock(mutex_);
	std::erase_if(pokes_, [](const auto &known) { return known.expired(); });
	if (std::none_of(pokes_.begin(), pokes_.end(),
			 [&](const auto &known) { return known.lock() == poke; }))
		pokes_.push_back(poke);
}

} // namespace fw
