// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "firmware_sim/client/client.h"
#include "firmware_sim/core/core.h"
#include "uapi/regs.h"

namespace fw {

/** struct ClientSnapshot - how far a client is described. */
struct ClientSnapshot {
	/* The graphs that are listed, in the order of their numbers. */
	static constexpr size_t GRAPHS_MOST = 1024;

	uint64_t session = 0;
	uint32_t channel = 0;			   /* the next one */
	uint32_t graph = 0;			   /* the next one has at least this number */
	std::map<uint32_t, uint32_t> waiters = {}; /* of semaphores, that were seen */
	uint64_t packets = 0;			   /* of the channels that were seen */
	nlohmann::ordered_json json = {};
};

/** struct DeviceView - the parts of a device that a snapshot describes. Context: under the step token. */
struct DeviceView {
	const Core &core;
	const unpu_bar &bar;
	bool is_sleeping;
	uint32_t kicks;
	uint64_t busy_ns;
};

/** describe() - the device without its clients. Objects describe themselves: Client, Channel, Graph. */
nlohmann::ordered_json describe(const DeviceView &device);

} // namespace fw
