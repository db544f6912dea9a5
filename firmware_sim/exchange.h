// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "fw/device.h"

namespace fw {

/** class Exchange - see fw/device.h. Context: any thread. */
class Exchange {
public:
	Exchange();

	/** instance() - tells this firmware from every other; never 0. */
	uint64_t instance() const { return instance_; }

private:
	const uint64_t instance_;
};

} // namespace fw
