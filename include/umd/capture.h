// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "umd/context.h"
#include "umd/event.h"
#include "umd/graph_builder.h"
#include "umd/model.h"
#include "umd/stream.h"

namespace umd {

/**
 * class Capture - one capture under way: who takes part, which events carry its dependencies, and
 * the graph so far. Context: every function wants Capture::lock() held.
 */
class Capture {
public:
	/** lock() - the one lock of all captures in the process; captures are not a hot path. */
	static std::unique_lock<std::mutex> lock();

	/** begin() - @stream becomes the origin of a new capture. */
	static base::Status begin(Stream &stream, CaptureMode mode);

	/** end() - ends the capture of @stream. @model: the result, or nullptr on failure. */
	static base::Status end(Stream &stream, Model **model);

	Capture(Stream &origin, Model &model, CaptureMode mode);

	/** add() - appends a task of a member stream. */
	base::Status add(Stream &stream, const unpu_packet &packet, const unpu_operator *op);

	/** record() - @event now means: what @stream has captured so far. */
	base::Status record(Event &event, Stream &stream);

	/** join() - tasks that @stream captures from now on follow the event's record. A stream that
	 * does not capture yet becomes a member. */
	base::Status join(Event &event, Stream &stream);

	/** invalidate() - the capture can only fail from now on; the first reason is kept. */
	void invalidate(std::string why);

	/** drop_event() - the event goes away. */
	void drop_event(Event &event);

	bool valid() const { return valid_; }
	CaptureMode mode() const { return mode_; }
	std::thread::id thread() const { return thread_; }
	Model &model() { return model_; }
	Context &context() { return context_; }
	Stream &origin() { return origin_; }

	/** add_call() - remembers a host function the graph will call. */
	void add_call(uint64_t call) { calls_.push_back(call); }

private:
	struct Member {
		uint32_t stream = 0;		/* number in order of joining */
		std::vector<uint32_t> frontier; /* nodes the next task follows */
		int64_t last_record = -1;	/* the record that was its last task, or -1 */
	};

	struct Record {
		Stream *stream;
		std::vector<uint32_t> frontier;
		bool waited = false;
		bool waited_by_origin = false;
	};

	base::Status check_joined() const;
	base::Status finish();
	void dissolve();

	Stream &origin_;
	Context &context_;
	Model &model_;
	const CaptureMode mode_;
	const std::thread::id thread_;
	bool valid_ = true;
	std::string why_;
	GraphBuilder graph_;
	std::unordered_map<Stream *, Member> members_;
	std::vector<Record> records_;
	std::vector<Event *> events_;
	std::vector<uint64_t> calls_;
};

} // namespace umd
