// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/os/socket.h"
#include "base/sync/mutex.h"

namespace hal {

/** class Connection - a socket to a firmware in another process. */
class Connection {
public:
	/** to() - connects to the socket at @path.
	 * @why: receives an error message on failure
	 * Return: INVALID_DEVICE, NO_PERMISSION, NO_RESOURCE. */
	static base::Result<std::unique_ptr<Connection>> to(const std::string &path,
							    std::string &why);

	explicit Connection(base::Fd socket) : socket_(std::move(socket)) {}

	/** call() - sends a request and receives its reply.
	 * @message: the request with its descriptors; the call replaces it by the reply
	 * Context: any thread, one call at a time.
	 * Return: the reply's status; VERSION_MISMATCH with the reply in @message; NO_RESOURCE if this process
	 * has no room for descriptors; DEVICE_LOST if no reply comes in time. */
	base::Status call(base::FdMessage &message);

	/** expect_start() - makes the first call wait longer, because the other side still has to start.
	 * Context: before the first call. No thread-safety analysis: no other thread has the connection
	 * yet. */
	void expect_start() NO_THREAD_SAFETY_ANALYSIS { is_starting_ = true; }

	/** shut() - shuts the connection down for both sides. */
	void shut();

	/** watch() - ends the connection when the process of @process, a pidfd, exits. The socket alone does
	 * not show it: the kernel may keep it open for a while after the exit. */
	void watch(base::Fd process) { process_ = std::move(process); }

	/** process() - a copy of the pidfd of the firmware's process; invalid if the process is not known. */
	base::Fd process() const { return process_.duplicate(); }

	/** peer_limits() - the limits of the firmware's process that are low, with a "; " before each; "" if
	 * there are none, or if /proc does not tell. */
	std::string peer_limits() const;

	/** open() - whether the other side is connected. It costs one system call, and a few more if signals
	 * interrupt it. */
	bool open() const;

	/** is_silent() - whether the other side has not answered a call in time. */
	bool is_silent() const { return is_silent_.load(); }

private:
	bool replied(uint64_t deadline_ns) const;

	/* a thread holds it during a call, so only one call runs at a time */
	base::Mutex mutex_{"Connection::mutex_"};
	bool is_starting_ GUARDED_BY(mutex_) = false;
	std::atomic<bool> is_silent_{false};
	base::Fd socket_;
	/* pidfd of the firmware's process; invalid if the process is not known */
	base::Fd process_;
};

} // namespace hal
