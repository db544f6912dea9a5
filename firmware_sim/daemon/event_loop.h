// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <linux/time_types.h>
#include <sys/socket.h>

#include "base/result.h"

namespace fwd {

/**
 * struct Operation - one thing the loop does, once: its owner fills it in, starts it, and is told by
 * done(). It must not go away, nor what it points to, before the turn of the loop in which that was.
 */
struct Operation {
	enum class Kind {
		ACCEPT,	 /* a connection at @fd; the result is its descriptor */
		RECEIVE, /* a message at @fd into @message; the result is its bytes, 0 at the end */
		READABLE, /* @fd can be read: a signalfd, or a pidfd whose process has ended */
		TIMER,	  /* @deadline_ns of the monotonic clock has come */
	};

	Kind kind = Kind::READABLE;
	int fd = -1;
	msghdr *message = nullptr;
	uint64_t deadline_ns = 0;
	/* done() - @result is not negative, or -errno; -ECANCELED after cancel(). */
	std::function<void(int result)> done;

	bool pending = false;	  /* the loop's: between start() and done() */
	bool cancelled = false;	  /* the loop's */
	__kernel_timespec when{}; /* the loop's */
};

/** class EventLoop - what the daemon's one control thread waits in. Context: that thread. */
class EventLoop {
public:
	enum class Wish { ANY, URING, POLL };

	/** create() - io_uring where the kernel allows it, else poll.
	 * @why_not: why it is not io_uring, when it is not and nobody asked for poll
	 * Return: NOT_SUPPORTED when what was asked for can't be had. */
	static base::Result<std::unique_ptr<EventLoop>> create(Wish wish, std::string &why_not);
	virtual ~EventLoop() = default;

	virtual const char *name() const = 0;

	/** start() - begins an operation that is not pending. */
	virtual void start(Operation &operation) = 0;

	/** cancel() - ends an operation soon: done() comes all the same, in a later turn(). */
	virtual void cancel(Operation &operation) = 0;

	/** turn() - waits until something has ended and tells its owners.
	 * Return: INTERNAL when the kernel does not take it. */
	virtual base::Status turn() = 0;
};

/** create_uring_loop(), create_poll_loop() - the two there are. */
base::Result<std::unique_ptr<EventLoop>> create_uring_loop(std::string &why_not);
base::Result<std::unique_ptr<EventLoop>> create_poll_loop();

} // namespace fwd
