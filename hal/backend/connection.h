// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "base/os/socket.h"
#include "base/sync/mutex.h"

namespace hal {

/** class Connection - a socket to a firmware in another process. */
class Connection {
public:
	/** to() - connects to the socket at @path.
	 * @why: receives a sentence when that fails
	 * Return: INVALID_DEVICE, NO_PERMISSION, NO_RESOURCE. */
	static base::Result<std::unique_ptr<Connection>> to(const std::string &path,
							    std::string &why);

	explicit Connection(base::Fd socket) : socket_(std::move(socket)) {}

	/** call() - sends a request and receives its reply.
	 * @parcel: the request with its descriptors; becomes the reply
	 * Context: any thread, one call at a time.
	 * Return: the reply's status; VERSION_MISMATCH with the reply in @parcel; NO_RESOURCE without
	 * room for descriptors; DEVICE_LOST when none comes in time. */
	base::Status call(base::Parcel &parcel);

	/** expect_start() - the other side has yet to start, so the first call waits longer. Context: before it.
	 * Without analysis: no other thread has the connection yet. */
	void expect_start() NO_THREAD_SAFETY_ANALYSIS { is_starting_ = true; }

	/** shut() - shuts the connection down for both sides. */
	void shut();

	/** watch() - ends the connection when @process (a pidfd) exits. The socket alone is not enough: the
	 * kernel may keep it open for a while after the exit. */
	void watch(base::Fd process) { process_ = std::move(process); }

	/** process() - a copy of that pidfd; invalid if it is not known. */
	base::Fd process() const { return process_.duplicate(); }

	/** open() - whether the other side is connected. One system call, or some more under signals. */
	bool open() const;

private:
	bool replied(uint64_t deadline_ns) const;

	base::Mutex mutex_{"Connection::mutex_"}; /* held during a call: one at a time */
	bool is_starting_ GUARDED_BY(mutex_) = false;
	base::Fd socket_;
	base::Fd process_; /* invalid: not known */
};

} // namespace hal
