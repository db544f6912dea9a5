// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/status.h"
#include "firmware_sim/memory/mmu.h"
#include "firmware_sim/schedule/runner.h"
#include "pieces.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace fw {

class TensorOp;

/** struct Job - one packet's work, checked and translated; an engine needs no other state of the client. */
struct Job {
	unpu_packet packet{};
	unpu_operator op{};		       /* operator of an OPERATOR packet */
	std::array<std::byte *, 4> operands{}; /* COPY: target and source; FILL: target */
	std::array<Hold, 4> held;	       /* the memory that @operands point into */
	uint64_t captured = 0;		       /* see Work::capture */
	/* Computed instead of the packet; owns the Holds of the operands' memory. */
	std::shared_ptr<const TensorOp> tensor;
	/* Executed instead of the packet; owns the Holds of the memory that it touches. */
	std::function<void()> work;
	/* The same in steps, each about as long as a piece. Return: whether a step is left. */
	std::function<bool()> step;
	Waiter *owner = nullptr;
	/* the end of the job wakes no waiter; see Engines::settles() */
	bool is_disowned = false;
	const void *client_queue = nullptr;	/* unit of fair scheduling: the client of the job */
	base::Status status = base::Status::OK; /* valid when the job has finished */
	PieceFault fault{};
	uint64_t failed_unit = 0; /* first unit of the piece that failed */
	uint64_t start_ns = 0;	  /* as the engine noted it */
	uint64_t end_ns = 0;
	uint32_t engine = 0;
	uint32_t client = 0; /* number of the client */
	uint64_t bytes = 0;  /* bytes that it moves, approximately */
	bool is_given_up = false;
};

} // namespace fw
