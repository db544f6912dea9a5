// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "firmware_sim/client/client.h"
#include "firmware_sim/core/core.h"
#include "uapi/regs.h"

namespace fw {

/** struct DeviceView - the parts of a device that a snapshot describes. Context: under the step token. */
struct DeviceView {
	const Core &core;
	const unpu_bar &bar;
	const std::vector<std::unique_ptr<Client>> &clients;
	bool is_sleeping;
	uint32_t kicks;
	uint64_t busy_ns;
};

/** describe() - the whole device. Objects describe themselves: Client, Channel, Graph. */
nlohmann::ordered_json describe(const DeviceView &device);

} // namespace fw
