// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host_function.h"
#include "uapi/operator.h"
#include "uapi/packet.h"
#include "umd/core/process/opcode.h"

namespace umd {

struct DeviceState;

/** using TensorWords - the descriptor of a tensor operator (uapi/tensor.h), a KernelWords, or a note for the trace. */
using TensorWords = std::shared_ptr<const std::vector<uint64_t>>;

/** struct NodePlacement - where a node runs, and the contexts that it needs, by their handles. */
struct NodePlacement {
	DeviceState *device = nullptr; /* nullptr: any device */
	uint64_t context = 0;	       /* the context in which the node was made */
	/* the context that owns the memory that the node writes; 0: unknown or none */
	uint64_t to_owner = 0;
	/* the context that owns the memory that the node reads; 0: unknown or none */
	uint64_t from_owner = 0;

	bool operator==(const NodePlacement &) const = default;
};

/** struct GraphTask - the task of a node. @packet: its cookie has no channel and no index */
struct GraphTask {
	TaskKind kind = TaskKind::OTHER;
	unpu_packet packet{};
	const unpu_operator *op = nullptr; /* the operator, if the packet needs one; it is copied */
	/* descriptor of a TENSOR or KERNEL packet; for an EMPTY task: its note for the trace */
	TensorWords tensor;
	HostFunction host;  /* the host function, if calls_host() is true */
	uint64_t event = 0; /* handle of the event, for RECORD, WAIT and the flag tasks */
	NodePlacement home; /* set by an API whose graphs may use several devices */
};

/** calls_host() - whether the device calls a function of the host for a task of @kind. */
inline bool calls_host(TaskKind kind)
{
	return kind == TaskKind::HOST || kind == TaskKind::HOST_COPY || kind == TaskKind::HOST_FILL;
}

/** work_task() - makes a HOST_COPY or HOST_FILL task. @call: the call in its cookie */
GraphTask work_task(TaskKind kind, uint16_t call, std::shared_ptr<const HostWork> work);

/** graph_task() - makes the task of a packet that needs no host function and no event. */
GraphTask graph_task(const unpu_packet &packet, const unpu_operator *op);

/** record_task(), wait_task() - make RECORD and WAIT tasks.
 * @stamped: the record also takes a time stamp */
GraphTask record_task(uint64_t cookie, uint64_t event, bool stamped);
GraphTask wait_task(uint64_t cookie, uint64_t event);

} // namespace umd
