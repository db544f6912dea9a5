// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <sys/types.h>

namespace bench {

/** class Daemon - a firmware-sim that listens for as long as the object lives. */
class Daemon {
public:
	/** Daemon() - starts it and waits until it can be attached to; ends the program if it can't. */
	Daemon();
	~Daemon();
	Daemon(const Daemon &) = delete;
	Daemon &operator=(const Daemon &) = delete;

	/** device() - the device string of its clients. */
	std::string device() const { return "unix:" + socket_; }

	/** process() - its id. */
	pid_t process() const { return process_; }

private:
	std::string folder_;
	std::string socket_;
	pid_t process_ = -1;
};

} // namespace bench
