// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"

namespace fw {

/**
 * class Discarder - closes sockets of refused connections in processes that end. Unread messages
 * may hold descriptors whose close blocks, such as a lingering TCP socket; the kernel does not linger for a
 * process that ends. Context: one thread.
 */
class Discarder {
public:
	/** start() - forks the process that forks the others. It ends with this process.
	 * Context: this process has no other thread. Return: NO_RESOURCE. */
	base::Status start();

	/** discard() - passes @socket on, to be closed. Return: false if that fails. */
	bool discard(base::Fd &socket) const;

private:
	base::Fd to_;
	base::Fd went_; /* a byte for each socket that this process has closed */
};

} // namespace fw
