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

/** struct ClientSnapshot - a partial description of a client, and its progress. */
struct ClientSnapshot {
	/* The graphs that are listed, in the order of their numbers. */
	static constexpr size_t GRAPHS_MOST = 1024;

	uint64_t session = 0;
	uint32_t channel = 0;			   /* index of the next channel */
	uint32_t graph = 0;			   /* lowest number of the next graph */
	std::map<uint32_t, uint32_t> waiters = {}; /* by semaphore: number of waiters seen so far */
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
