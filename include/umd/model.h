// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <vector>

#include "base/result.h"
#include "drv/fence.h"
#include "umd/context.h"
#include "umd/device_state.h"

namespace umd {

struct Stream;

/** struct Model - a captured graph. */
struct Model {
	enum class State { CAPTURING, READY, BROKEN };

	uint64_t handle = 0;

	std::mutex mutex; /* protects the following */
	Context *context = nullptr;
	uint64_t context_handle = 0; /* tells whether @context is still the same */
	DeviceRef device;
	State state = State::CAPTURING;
	uint32_t graph = 0; /* the firmware's id; 0 for an empty graph */
	uint32_t nodes = 0;
	std::vector<uint64_t> members; /* handles of the streams that took part */
	std::vector<uint64_t> calls;   /* host functions the graph calls */
	drv::Fence last;	       /* of the latest execution */
};

/** execute_model() - appends one execution to @stream.
 * Return: MODEL_CAPTURED, MODEL_CONTEXT, MODEL_NOT_READY, STREAM_CAPTURED. */
base::Status execute_model(Model &model, Stream &stream);

/** destroy_model() - Return: MODEL_CAPTURED; MODEL_RUNNING when it still runs after 10 seconds. */
base::Status destroy_model(Model &model);

} // namespace umd
