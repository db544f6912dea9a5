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
 * struct Operation - one asynchronous operation, done once. Its owner fills it in and starts it; the
 * loop calls done() at its end. The operation and the data that it points to must live until the turn
 * of the loop that called done() has ended.
 */
struct Operation {
	enum class Kind {
		ACCEPT, /* accept a connection at @fd; the result is its descriptor */
		/* receive a message at @fd into @message; the result is its size in bytes, 0 at the end */
		RECEIVE,
		/* wait until @fd is readable: a signalfd, or a pidfd whose process has ended */
		READABLE,
		TIMER, /* wait until the monotonic clock has reached @deadline_ns */
	};

	Kind kind = Kind::READABLE;
	int fd = -1;
	msghdr *message = nullptr;
	uint64_t deadline_ns = 0;
	/* done() - @result is not negative, or -errno; -ECANCELED after cancel(). */
	std::function<void(int result)> done;

	bool is_pending = false;   /* private to the loop: set between start() and done() */
	bool is_cancelled = false; /* private to the loop */
	__kernel_timespec when{};  /* private to the loop */
};

/** class EventLoop - event loop of the daemon's control thread. Context: that thread. */
class EventLoop {
public:
	enum class Wish { ANY, URING, POLL };

	/** create() - makes a loop over io_uring if the kernel allows that, else over poll.
	 * @why_not: receives the reason if the loop uses poll though @wish does not ask for poll
	 * Return: NOT_SUPPORTED when @wish cannot be fulfilled. */
	static base::Result<std::unique_ptr<EventLoop>> create(Wish wish, std::string &why_not);
	virtual ~EventLoop() = default;

	virtual const char *name() const = 0;

	/** start() - begins an operation that is not pending. */
	virtual void start(Operation &operation) = 0;

	/** cancel() - ends an operation early; a later turn() still calls done(). */
	virtual void cancel(Operation &operation) = 0;

	/** turn() - waits until an operation has ended and calls done() of all that have.
	 * Return: INTERNAL when the kernel rejects the wait. */
	virtual base::Status turn() = 0;
};

/** create_uring_loop(), create_poll_loop() - the two implementations. */
base::Result<std::unique_ptr<EventLoop>> create_uring_loop(std::string &why_not);
base::Result<std::unique_ptr<EventLoop>> create_poll_loop();

} // namespace fwd
