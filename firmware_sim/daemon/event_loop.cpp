// SPDX-License-Identifier: MIT
/**
 * DOC: Event loop
 *
 * Chooses between io_uring and poll. A sandbox may forbid io_uring, by seccomp or by the sysctl
 * kernel.io_uring_disabled, and an old kernel may lack an operation; create() detects both by trying.
 */
#include "event_loop.h"

namespace fwd {

using base::Result;
using base::Status;

Result<std::unique_ptr<EventLoop>> EventLoop::create(Wish wish, std::string &why_not)
{
	if (wish != Wish::POLL) {
		auto loop = create_uring_loop(why_not);
		if (loop || wish == Wish::URING)
			return loop;
	}
	return create_poll_loop();
}

} // namespace fwd
