// SPDX-License-Identifier: MIT
/**
 * DOC: Capture
 *
 * While a stream captures, its tasks become nodes of a graph. A member stream has a frontier: the
 * nodes its next task follows. A record notes the frontier of its stream, a wait adds a record's
 * frontier to that of the waiting stream, which joins the capture by it. At the end every stream
 * that joined must have come back: its last task is a record that somebody in the capture waits
 * for, and the origin waits for one of them.
 */
#include "umd/capture.h"

#include <algorithm>

#include <fmt/format.h>

#include "drv/cookie.h"
#include "umd/capture_notes.h"
#include "umd/condition.h"
#include "umd/error.h"
#include "umd/graph_draw.h"
#include "umd/runtime.h"
#include "umd/task_group.h"

namespace umd {

using base::Result;
using base::Status;

std::unique_lock<std::mutex> Capture::lock()
{
	static constinit std::mutex mutex;
	return std::unique_lock(mutex);
}

Capture::Capture(Stream &origin, Model &model, CaptureMode mode)
	: origin_(origin), context_(*origin.context), model_(model), mode_(mode),
	  thread_(std::this_thread::get_id())
{
	members_.emplace(&origin, Member{});
}

Status Capture::refuse(Status status, std::string sentence, const Stream *stream,
		       const Event *event) const
{
	return refuse_for_capture(context_, status, std::move(sentence), stream, event);
}

static Status check_origin(Stream &stream)
{
	if (stream.is_default)
		return set_error(Status::CAPTURE_IMPLICIT,
				 "the default stream can't be captured; create a stream for it");
	if (stream.flags & (STREAM_CPU_SCHEDULE | STREAM_DEVICE_USE_ONLY))
		return set_error(Status::INTERNAL, "streams made with ACL_STREAM_CPU_SCHEDULE or "
						   "ACL_STREAM_DEVICE_USE_ONLY can't be captured");
	if (stream.capture.load())
		return refuse_for_capture(*stream.context, Status::STREAM_CAPTURED,
					  "the stream captures already", &stream);
	return Status::OK;
}

Status Capture::start(Stream &stream, Model &model, CaptureMode mode)
{
	auto *capture = new Capture(stream, model, mode);
	model.capture = capture;
	stream.capture = capture;
	stream.context->captures.push_back(capture);
	stream.context->capture_count++;
	return Status::OK;
}

Status Capture::begin(Stream &stream, CaptureMode mode)
{
	auto held = lock();
	TRY(check_origin(stream));
	auto model = make_model(*stream.context);
	if (!model)
		return model.status();
	return start(stream, **model, mode);
}

Status Capture::begin_inside(Stream &stream, Model &model, CaptureMode mode)
{
	auto held = lock();
	TRY(check_origin(stream));
	if (!model.parent)
		return set_error(Status::INVALID_ARGUMENT,
				 "modelRI is not a model from aclmdlRIAddCondTask");
	if (!model.top().capture)
		return set_error(Status::INVALID_ARGUMENT,
				 "the capture that modelRI belongs to has ended");
	if (model.context != stream.context)
		return set_error(Status::MODEL_CONTEXT,
				 "modelRI belongs to another context than the stream");
	if (model.capture || model.graph->size() > 0)
		return set_error(Status::INVALID_ARGUMENT,
				 "something was captured into modelRI already");
	for (Model *outer = model.parent; outer; outer = outer->parent)
		outer->inner_captures++;
	return start(stream, model, mode);
}

Result<Capture *> Capture::of(Stream &stream)
{
	if (Capture *capture = stream.capture.load())
		return capture;
	return set_error(Status::NOT_CAPTURING,
			 "the stream is not capturing; call aclmdlRICaptureBegin first");
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
	if (member.group.open && task.kind != TaskKind::OPERATOR) {
		member.group.broken = true;
		return refuse(Status::TASK_KIND,
			      "a task group is open on the stream, and only operators can be in "
			      "one; call aclmdlRICaptureTaskGrpEnd first",
			      &stream);
	}
	uint32_t node = graph().add(task, member.stream, member.frontier);
	member.frontier.assign(1, node);
	member.last_record = -1;
	if (member.group.open)
		member.group.nodes.push_back(node);
	Runtime::thread().last_task = {model_.handle, node};
	return Status::OK;
}

uint32_t Capture::last_node(Stream &stream) const
{
	const auto &frontier = members_.at(&stream).frontier;
	return frontier.empty() ? Graph::NONE : frontier.back();
}

Status Capture::begin_group(Stream &stream)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (member.group.open)
		return refuse(Status::TASK_GROUP,
			      "a task group is open on the stream already; groups don't nest",
			      &stream);
	member.group = {true, false, {}};
	return Status::OK;
}

Result<TaskGroup *> Capture::end_group(Stream &stream)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (!member.group.open)
		return refuse(Status::TASK_GROUP,
			      "no task group is open on the stream; call "
			      "aclmdlRICaptureTaskGrpBegin first",
			      &stream);
	Group group = std::exchange(member.group, {});
	if (group.broken)
		return refuse(Status::TASK_GROUP_BROKEN,
			      "a task that is no operator was given to the stream while the group "
			      "was open; the group can't be used",
			      &stream);
	return make_task_group(model_, std::move(group.nodes));
}

Status Capture::add_condition(Stream &stream, const Condition &condition, unpu_cond_kind kind,
			      uint32_t count, std::vector<Model *> &models)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (member.group.open)
		return add(stream, {});
	if (&condition.model->top() != &model_.top())
		return refuse(Status::INVALID_ARGUMENT,
			      "the condition belongs to another model than the stream captures",
			      &stream);
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::CONDITION));
	uint32_t node =
		graph().add_cond(kind, condition.va, count, cookie, member.stream, member.frontier);
	for (uint32_t i = 0; i < count; i++) {
		auto made = make_model(context_);
		if (!made)
			return made.status();
		Model &inner = **made;
		inner.making.reset();
		inner.graph = &graph().body(node, i);
		inner.parent = &model_;
		model_.inner.push_back(&inner);
		models.push_back(&inner);
	}
	member.frontier.assign(1, node);
	member.last_record = -1;
	return Status::OK;
}

Status Capture::check_open() const
{
	if (model_.inner_captures > 0)
		return set_error(Status::SUB_CAPTURING,
				 "a capture into a model that a conditional task runs is still "
				 "open; end it first");
	for (const auto &[stream, member] : members_) {
		if (member.group.open)
			return set_error(
				Status::TASK_GROUP,
				fmt::format("a task group is still open on stream {}; call "
					    "aclmdlRICaptureTaskGrpEnd before the end",
					    stream->id));
	}
	return Status::OK;
}

Status Capture::check_joined() const
{
	bool origin_reached = members_.size() == 1;
	for (const auto &[stream, member] : members_) {
		if (stream == &origin_)
			continue;
		if (member.last_record < 0)
			return set_error(
				Status::CAPTURE_UNJOINED,
				fmt::format(
					"stream {} joined the capture, but its last task is not "
					"an event record that leads back to stream {}",
					stream->id, origin_.id));
		const Record &record = records_[static_cast<size_t>(member.last_record)];
		if (!record.waited)
			return set_error(
				Status::CAPTURE_UNJOINED,
				fmt::format("stream {} joined the capture, but no stream waits for "
					    "its last event record",
					    stream->id));
		origin_reached = origin_reached || record.waited_by_origin;
	}
	if (origin_reached)
		return Status::OK;
	return set_error(
		Status::CAPTURE_UNJOINED,
		fmt::format("no stream that joined the capture returned to stream {}", origin_.id));
}

Status Capture::finish()
{
	TRY(check_valid(nullptr, nullptr));
	TRY(check_open());
	TRY(check_joined());
	std::lock_guard guard(model_.mutex);
	for (const auto &[stream, member] : members_)
		model_.members.push_back(stream->handle);
	model_.streams = static_cast<uint32_t>(members_.size());
	if (!model_.parent) {
		auto exec = GraphExec::create(*context_.state, std::move(model_.making));
		if (!exec) {
			model_.graph = nullptr;
			return exec.status();
		}
		model_.exec = exec.take();
		if (!debug_folder().empty())
			(void)model_.exec->keep_times();
		for_inner(model_, [](Model &inner) { inner.state = Model::State::READY; });
		model_.state = Model::State::READY;
	}
	return Status::OK;
}

/* Adds to the sentence of a failed end what went wrong first, and draws the graph if asked to. */
Status Capture::explain(Status status)
{
	std::string first = context_.notes.take(this);
	if (status == Status::OK)
		return status;
	std::string text;
	if (!first.empty())
		text = "the first call that was refused because of the capture: " + first;
	const std::string folder = debug_folder();
	if (!folder.empty() && model_.graph) {
		std::string path = draw_broken_capture(folder, *model_.graph, origin_.id, first);
		if (!path.empty())
			text += (text.empty() ? "" : "; ") + ("the graph so far is in " + path);
	}
	return text.empty() ? status : set_error(status, text);
}

/* Every member is an ordinary stream again, every event an ordinary event. */
void Capture::dissolve()
{
	for (auto &[stream, member] : members_)
		stream->capture = nullptr;
	for (Event *event : events_) {
		std::lock_guard guard(event->mutex);
		event->capture = nullptr;
	}
	for (Model *outer = model_.parent; outer; outer = outer->parent)
		outer->inner_captures--;
	model_.capture = nullptr;
	std::erase(context_.captures, this);
	if (--context_.capture_count == 0)
		context_.notes.clear();
}

Status Capture::end(Stream &stream, Model **model)
{
	auto held = lock();
	Capture *capture = stream.capture.load();
	if (!capture)
		return of(stream).status();
	if (&capture->origin_ != &stream)
		return set_error(
			Status::CAPTURE_UNMATCHED,
			fmt::format("the stream joined the capture of stream {}; end it there",
				    capture->origin_.id));
	Status status = Status::OK;
	if (capture->mode_ != CaptureMode::RELAXED &&
	    capture->thread_ != std::this_thread::get_id())
		status = set_error(Status::CAPTURE_WRONG_THREAD,
				   "another thread began the capture, and its mode is not RELAXED");
	if (status == Status::OK)
		status = capture->finish();
	(void)capture->explain(status);
	Model &made = capture->model_;
	/* Captures inside this one have nothing to go into any more. */
	std::vector<Stream *> orphans;
	if (status != Status::OK)
		for_inner(made, [&](Model &inner) {
			if (inner.capture)
				orphans.push_back(&inner.capture->origin_);
		});
	capture->dissolve();
	delete capture;
	for (Stream *orphan : orphans) {
		Capture *inner = orphan->capture.load();
		inner->dissolve();
		delete inner;
	}
	if (status != Status::OK && made.parent)
		made.top().capture->invalidate("a capture inside it failed");
	else if (status != Status::OK)
		drop_model(made);
	if (model)
		*model = status == Status::OK ? &made : nullptr;
	return status;
}

} // namespace umd
