// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "san/order/clock.h"

namespace san {

/** struct Command - what a report tells about one command: who submitted it, where, and when. */
struct Command {
	Moment moment;
	uint64_t number = 0; /* the recorder's number of the command */
	uint32_t client = 0;
	uint32_t stream = 0; /* HOST: the host itself */
	uint32_t label = 0;
	uint32_t site = 0;
	uint64_t order = 0; /* place in the trace */
	uint64_t task = 0;  /* its number in the stream, plus 1; 0: not known */
	/* For a node of a graph: label of the launch that runs it. 0: the graph is only being made. */
	uint32_t launch_label = 0;
	uint32_t launch_site = 0;
	bool allocates = false; /* it allocates memory in the order of its stream */
};

using CommandPointer = std::shared_ptr<const Command>;

} // namespace san
