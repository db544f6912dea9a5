// SPDX-License-Identifier: MIT
/**
 * DOC: Capture
 *
 * While a stream captures, its tasks become nodes of a graph. A member stream has a frontier: the
 * nodes that its next task follows. A record notes the frontier of its stream. A wait adds the record's
 * frontier to that of the waiting stream, which joins the capture by the wait. At the end every stream
 * that joined must have come back: its last task is a record that a stream in the capture waits for, and
 * the origin waits for one of these records.
 */
#include "capture.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sync/mutex.h"
#include "drv/packet/cookie.h"
#include "umd/core/graph/graph_draw.h"
#include "umd/core/model/condition.h"
#include "umd/core/model/model_end.h"
#include "umd/core/model/task_group.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

std::vector<Capture *> &Capture::all()
{
	struct List {
		std::vector<Capture *> all;
	};
	return Process::own<List>().all;
}

static uint64_t next_id()
{
	static uint64_t last;
	return ++last;
}

Capture::Capture(Stream &origin, CaptureMode mode, const CaptureRules &rules, Graph &graph,
		 Model *model)
	: CaptureSink(mode), origin_(&origin), origin_handle_(origin.handle), origin_id_(origin.id),
	  context_(*origin.context), rules_(rules), id_(next_id()), graph_(graph), model_(model)
{
	members_[&origin].id = origin.id;
	origin.sink.set(this);
	enter(context_);
	all().push_back(this);
}

/* A stream of @context is a member. */
void Capture::enter(Context &context)
{
	if (std::find(contexts_.begin(), contexts_.end(), &context) != contexts_.end())
		return;
	contexts_.push_back(&context);
	context.captures.push_back(this);
	context.capture_count++;
}

/* A stream of @context was a member. */
void Capture::exit(Context &context)
{
	if (any_member([&](const Stream &stream) { return stream.context == &context; }))
		return;
	std::erase(contexts_, &context);
	std::erase(context.captures, this);
	if (--context.capture_count == 0)
		context.notes.clear();
}

void Capture::begin_into(Stream &stream, CaptureMode mode, const CaptureRules &rules, Graph &graph,
			 uint64_t tag, std::vector<uint32_t> after, Closed closed)
{
	auto *capture = new Capture(stream, mode, rules, graph, nullptr);
	capture->tag_ = tag;
	capture->closed_ = std::move(closed);
	capture->frontier(stream) = std::move(after);
}

Status Capture::refuse(Status status, std::string sentence, const Stream *stream,
		       const Event *event) const
{
	return refuse_for_capture(contexts_.front()->notes, status, std::move(sentence),
				  subject_of(stream, event));
}

void Capture::invalidate(std::string why)
{
	if (valid_)
		why_ = std::move(why);
	valid_ = false;
}

Status Capture::check_valid(const Stream *stream, const Event *event) const
{
	if (valid_)
		return Status::OK;
	return refuse(Status::CAPTURE_INVALIDATED, "the capture was invalidated: " + why_, stream,
		      event);
}

Status Capture::add(Stream &stream, const GraphTask &task)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (member.group.is_open && !is_operator(task)) {
		member.group.is_broken = true;
		return refuse(Status::TASK_KIND,
			      "a task group is open on the stream, and only operators can be in "
			      "one; call $model_capture_task_grp_end first",
			      &stream);
	}
	uint32_t node = graph_.add(task, member.stream, member.frontier);
	if (rules_.home)
		graph_.set_home(node, rules_.home(stream, task));
	member.frontier.assign(1, node);
	member.last_record = -1;
	if (member.group.is_open)
		member.group.nodes.push_back(node);
	if (model_)
		ThreadState::mine().last_task = {model_->handle, node};
	return Status::OK;
}

Status Capture::add_child(Stream &stream, const Graph &child, uint8_t label)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	uint32_t node = graph_.add_child(child, member.stream, member.frontier);
	graph_.set_label(node, label);
	member.frontier.assign(1, node);
	member.last_record = -1;
	return Status::OK;
}

Status Capture::take_graph(Stream &stream, const Graph &graph)
{
	/* A group refuses what is no operator. */
	return members_.at(&stream).group.is_open ? add(stream, {}) : add_child(stream, graph, 0);
}

uint32_t Capture::last_node(Stream &stream) const
{
	const auto &frontier = members_.at(&stream).frontier;
	return frontier.empty() ? Graph::NONE : frontier.back();
}

Status Capture::check_joined() const
{
	bool origin_reached = members_.size() == 1;
	for (const auto &[stream, member] : members_) {
		if (stream == origin_)
			continue;
		if (member.last_record < 0)
			return set_error(
				Status::CAPTURE_UNJOINED,
				fmt::format("stream {} joined the capture, but its last task is "
					    "not an event record that leads back to stream {}; "
					    "record an event in it and let that stream wait for it",
					    stream->id, origin_id_));
		const Record &record = records_[static_cast<size_t>(member.last_record)];
		if (!record.is_waited)
			return set_error(Status::CAPTURE_UNJOINED,
					 fmt::format("stream {} joined the capture, but no stream "
						     "waits for its last event record; let the "
						     "stream that began the capture wait for it",
						     stream->id));
		origin_reached = origin_reached || record.is_waited_by_origin;
	}
	if (origin_reached)
		return Status::OK;
	return set_error(Status::CAPTURE_UNJOINED,
			 fmt::format("no stream that joined the capture returned to stream {}; let "
				     "that stream wait for an event that they record",
				     origin_id_));
}

void Capture::clear_frontier(Stream &stream, const std::vector<uint32_t> &kept)
{
	std::vector<uint32_t> &frontier = this->frontier(stream);
	for (uint32_t node : frontier) {
		if (std::find(kept.begin(), kept.end(), node) == kept.end())
			released_.insert(node);
	}
	frontier.clear();
}

/* @before: flags of the nodes that the origin's next task follows */
Status Capture::check_before(const Member &member, const std::vector<bool> &before) const
{
	for (uint32_t node : member.frontier) {
		if (!before[node] && graph_.live(node))
			return set_error(
				Status::CAPTURE_UNJOINED,
				fmt::format("stream {} joined the capture, but its last task does "
					    "not lead back to stream {}; record an event after it "
					    "and wait for it there",
					    member.id, origin_id_));
	}
	return Status::OK;
}

/* Checks that the origin's next task follows every node of each member's frontier, directly or through other
 * nodes. Dependencies that the program itself has removed from the graph or from a frontier still count. */
Status Capture::check_back() const
{
	std::vector<bool> before(graph_.size());
	std::vector<uint32_t> open = members_.at(origin_).frontier;
	open.insert(open.end(), released_.begin(), released_.end());
	while (!open.empty()) {
		uint32_t node = open.back();
		open.pop_back();
		if (before[node] || !graph_.live(node))
			continue;
		before[node] = true;
		auto after = graph_.after(node);
		open.insert(open.end(), after.begin(), after.end());
		for (auto cut = cuts_.lower_bound({node, 0});
		     cut != cuts_.end() && cut->first == node; ++cut)
			open.push_back(cut->second);
	}
	for (const auto &[stream, member] : members_)
		TRY(check_before(member, before));
	for (const Member &member : gone_)
		TRY(check_before(member, before));
	return Status::OK;
}

/* Return: why the capture can't end, or why it ends with a failure. @over: out, whether it ends */
Status Capture::check_end(Stream &stream, bool &over)
{
	Capture *capture = capture_of(stream);
	over = false;
	if (!capture)
		return set_error(Status::NOT_CAPTURING,
				 "the stream is not capturing; begin a capture first");
	if (!capture->origin_) {
		over = true;
		return capture->check_ended();
	}
	if (capture->origin_ != &stream)
		return set_error(
			Status::CAPTURE_UNMATCHED,
			fmt::format("the stream joined the capture of stream {}; end it there",
				    capture->origin_id_));
	over = capture->rules_.stranger_ends;
	if (capture->mode() != CaptureMode::RELAXED &&
	    capture->thread() != std::this_thread::get_id())
		return set_error(Status::CAPTURE_WRONG_THREAD,
				 "another thread began the capture, and its mode is not RELAXED; "
				 "end it in that thread");
	over = true;
	return capture->check_ended();
}

/* Return: why the capture fails; OK if its graph is complete. */
Status Capture::check_ended() const
{
	if (!valid_)
		return set_error(Status::CAPTURE_INVALIDATED,
				 "the capture was invalidated: " + why_);
	if (model_)
		TRY(check_open());
	return rules_.back_by_record ? check_joined() : check_back();
}

/* Sends the stream's tasks to its own sink again. */
static void leave_capture(Stream &stream)
{
	stream.sink.set(nullptr);
	choose_sink(stream);
}

/* The members and the events leave the capture. */
void Capture::dissolve(bool complete)
{
	for (auto &[stream, member] : members_)
		leave_capture(*stream);
	for (Event *event : events_) {
		std::lock_guard guard(event->mutex);
		event->capture = nullptr;
	}
	if (model_) {
		for (Model *outer = model_->parent; outer; outer = outer->parent)
			outer->inner_captures--;
		model_->capture = nullptr;
	}
	for (Context *context : contexts_) {
		std::erase(context->captures, this);
		if (--context->capture_count == 0)
			context->notes.clear();
	}
	std::erase(all(), this);
	if (closed_)
		closed_(complete);
}

Status Capture::end_into(Stream &stream)
{
	bool over;
	Status status = check_end(stream, over);
	if (!over)
		return status;
	Capture *capture = capture_of(stream);
	if (capture->model_)
		return set_error(Status::NOT_CAPTURING,
				 "the stream captures a model of another interface; end the "
				 "capture by that interface");
	(void)capture->explain(status);
	capture->dissolve(status == Status::OK);
	delete capture;
	return status;
}

void Capture::leave(Stream &stream)
{
	if (model_ || members_.size() == 1) {
		drop(*this);
		return;
	}
	gone_.push_back(std::move(members_.at(&stream)));
	members_.erase(&stream);
	leave_capture(stream);
	exit(*stream.context);
	/* A new stream may get the same address, so the records must not keep it. */
	for (Record &record : records_) {
		if (record.stream == &stream)
			record.stream = nullptr;
	}
	if (origin_ != &stream)
		return;
	origin_ = nullptr;
	invalidate(fmt::format("stream {}, which began it, was destroyed", origin_id_));
}

void Capture::drop(Capture &capture)
{
	Model *model = capture.model_;
	if (model)
		drop_inside(*model);
	capture.dissolve(false);
	delete &capture;
	if (model && model->parent)
		model->top().capture->invalidate("a capture inside it was dropped");
	else if (model)
		drop_model(*model);
}

} // namespace umd
