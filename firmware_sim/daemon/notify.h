// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/shm.h"

namespace fwd {

/** class ServiceManager - who started the process, if it is one that wants to be told. */
class ServiceManager {
public:
	/* Connects: in a sandbox there are no new sockets. */
	ServiceManager();

	/** tell() - @state: lines as sd_notify(3) has them, "READY=1". Nothing where no manager asked. */
	void tell(const std::string &state) const;

private:
	base::Fd socket_;
};

} // namespace fwd
