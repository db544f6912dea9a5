// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/os/shm.h"

namespace fwd {

/** class ServiceManager - connection to the service manager that started the process, if it asked for
 * notifications. */
class ServiceManager {
public:
	/* Connects at once, because the sandbox allows no new sockets later. */
	ServiceManager();

	/** notify() - sends @state: lines as in sd_notify(3), for example "READY=1". Does nothing without
	 * a service manager. */
	void notify(const std::string &state) const;

private:
	base::Fd socket_;
};

} // namespace fwd
