// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "entry.h"

namespace drv {
struct Fence;
} // namespace drv

namespace umd {

class Graph;
struct GraphTask;
struct Stream;

} // namespace umd

namespace umd::recorder {

/** class GraphRecord - what the recorder knows about an executable graph. The graph owns it. */
class GraphRecord {
public:
	virtual ~GraphRecord() = default;

	/** class Launch - the records of one launch. */
	class Launch {
	public:
		virtual ~Launch() = default;

		/** publish_task() - publishes the records of a launch that is task number @task of its
		 * stream. */
		virtual void publish_task(uint64_t task) = 0;
		/** keep() - called when the launch is submitted. @fence: its end */
		virtual void keep(const drv::Fence &fence) = 0;
	};

	/** begin_launch() - @is_kept: the caller will call Launch::keep() */
	virtual std::unique_ptr<Launch> begin_launch(Stream &stream, uint16_t call,
						     bool is_kept) const = 0;

	/** follow() - orders the next launch after all launches of @old so far. */
	virtual void follow(const GraphRecord &old) const = 0;

	/** begin_update() - @task replaces the task of a node. @stream: the stream in whose order the change
	 * is made; nullptr: at once, for later launches */
	virtual Entry begin_update(const Graph &part, uint32_t node, const GraphTask &task,
				   Stream *stream) = 0;
};

} // namespace umd::recorder
