// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "uapi/packet.h"
#include "umd/core/memory/side.h"
#include "umd/core/recorder/recorder.h"

namespace umd::recorder {

/** struct Work - what a command is, for a model of time. Its WORK record has the bytes of its operands, too. */
struct Work {
	san::WorkClass what = san::WorkClass::NONE;
	const char *name =
		nullptr;    /* a literal: what is computed; nullptr: the label of the command */
	uint32_t dtype = 0; /* type of the arithmetic, enum unpu_dtype; 0: none */
	uint64_t operations = 0; /* of a kernel: its blocks */
};

/** work_of() - what the device does for a packet.
 * @page: the operator, list or descriptor of the packet, with @bytes bytes; or nullptr */
Work work_of(const unpu_packet &packet, const void *page, size_t bytes);

/** struct WorkPlace - the command that a WORK record describes. */
struct WorkPlace {
	uint64_t object = 0;	       /* number of the command, or of the graph */
	uint32_t node = san::HOST;     /* node of the graph */
	uint32_t label = 0;	       /* label of the command */
	const Context *here = nullptr; /* the context whose memory is searched first */
};

/** write_work() - writes the WORK record of a command, which comes before the record of the command. */
void write_work(Recorder &recorder, const Work &work, const Operands &operands,
		const WorkPlace &place);

} // namespace umd::recorder
