// SPDX-License-Identifier: MIT
/**
 * DOC: Captures of models
 *
 * A capture creates the model: at its end the graph becomes executable. Only such captures have task groups
 * and conditional tasks. The tasks of a group are updated together. Another capture records the model of a
 * conditional task while this capture is under way.
 */
#include <fmt/format.h>

#include "capture.h"
#include "drv/packet/cookie.h"
#include "umd/core/device/open_device.h"
#include "umd/core/graph/graph_draw.h"
#include "umd/core/model/condition.h"
#include "umd/core/model/model_end.h"
#include "umd/core/model/model_task.h"
#include "umd/core/model/task_group.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

static Status check_origin(Stream &stream)
{
	if (stream.is_default)
		return set_error(Status::CAPTURE_IMPLICIT,
				 "the default stream can't be captured; create a stream for it");
	if (stream.flags & (STREAM_CPU_SCHEDULE | STREAM_DEVICE_USE_ONLY))
		return set_error(
			Status::INTERNAL,
			"streams made with $STREAM_CPU_SCHEDULE or $STREAM_DEVICE_USE_ONLY can't "
			"be captured; create one without them");
	if (capture_of(stream))
		return refuse_for_capture(stream.context->notes, Status::STREAM_CAPTURED,
					  "the stream captures already; end that capture first",
					  subject_of(stream));
	return Status::OK;
}

void Capture::start(Stream &stream, Model &model, CaptureMode mode)
{
	static constexpr CaptureRules RULES = {true, true, false, nullptr};
	model.capture = new Capture(stream, mode, RULES, *model.graph, &model);
}

Status Capture::begin(Stream &stream, CaptureMode mode)
{
	std::unique_lock held(TaskSink::mutex);
	TRY(check_origin(stream));
	auto model = TRY(make_model(*stream.context));
	start(stream, *model, mode);
	return Status::OK;
}

Status Capture::begin_inside(Stream &stream, Model &model, CaptureMode mode)
{
	std::unique_lock held(TaskSink::mutex);
	TRY(check_origin(stream));
	if (!model.parent)
		return set_error(
			Status::INVALID_ARGUMENT,
			"modelRI is not a model from $model_add_cond_task; pass one that it made");
	if (!model.top().capture)
		return set_error(Status::INVALID_ARGUMENT,
				 "the capture that modelRI belongs to has ended; capture it again "
				 "from $model_capture_begin on");
	if (model.context != stream.context)
		return set_error(
			Status::MODEL_CONTEXT,
			"modelRI belongs to another context than the stream; use a stream of "
			"that context");
	if (model.capture || model.graph->size() > 0)
		return set_error(Status::INVALID_ARGUMENT,
				 "something was captured into modelRI already; each model of "
				 "$model_add_cond_task takes one capture");
	for (Model *outer = model.parent; outer; outer = outer->parent)
		outer->inner_captures++;
	start(stream, model, mode);
	return Status::OK;
}

Result<Capture *> Capture::of(Stream &stream)
{
	Capture *capture = capture_of(stream);
	if (capture && capture->model_)
		return capture;
	return set_error(Status::NOT_CAPTURING,
			 "the stream is not capturing; call $model_capture_begin first");
}

Status Capture::begin_group(Stream &stream)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (member.group.is_open)
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
	if (!member.group.is_open)
		return refuse(Status::TASK_GROUP,
			      "no task group is open on the stream; call "
			      "$model_capture_task_grp_begin first",
			      &stream);
	Group group = std::exchange(member.group, {});
	if (group.is_broken)
		return refuse(Status::TASK_GROUP_BROKEN,
			      "a task that is no operator was given to the stream while the group "
			      "was open; the group can't be used",
			      &stream);
	return make_task_group(*model_, std::move(group.nodes));
}

Status Capture::add_condition(Stream &stream, const Condition &condition, unpu_cond_kind kind,
			      uint32_t count, std::vector<Model *> &models)
{
	TRY(check_valid(&stream, nullptr));
	Member &member = members_.at(&stream);
	if (member.group.is_open)
		return add(stream, {});
	if (&condition.model->top() != &model_->top())
		return refuse(Status::INVALID_ARGUMENT,
			      "the condition belongs to another model than the stream captures; "
			      "make one for this model",
			      &stream);
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::CONDITION));
	uint32_t node =
		graph_.add_cond(kind, condition.va, count, cookie, member.stream, member.frontier);
	for (uint32_t i = 0; i < count; i++) {
		auto made = TRY(make_model(context_));
		Model &inner = *made;
		inner.making.reset();
		inner.graph = &graph_.body(node, i);
		inner.parent = model_;
		model_->inner.push_back(&inner);
		models.push_back(&inner);
	}
	member.frontier.assign(1, node);
	member.last_record = -1;
	return Status::OK;
}

Status Capture::check_open() const
{
	if (model_->inner_captures > 0)
		return set_error(Status::SUB_CAPTURING,
				 "a capture into a model that a conditional task runs is still "
				 "open; end it first");
	for (const auto &[stream, member] : members_) {
		if (member.group.is_open)
			return set_error(
				Status::TASK_GROUP,
				fmt::format("a task group is still open on stream {}; call "
					    "$model_capture_task_grp_end before the end",
					    stream->id));
	}
	return Status::OK;
}

void Capture::finish()
{
	base::BiasedGuard guard(model_->lock);
	Model::Members members;
	for (const auto &[stream, member] : members_)
		members.push_back(stream->handle);
	model_->members = std::make_shared<const Model::Members>(std::move(members));
	model_->streams = static_cast<uint32_t>(members_.size());
}

/* The model stays in the capturing state until this function returns. Context: no lock held. */
static Status load_model(Model &model, OpenDevice &open)
{
	auto exec = GraphExec::create(open, std::move(model.making));
	if (exec && !debug_folder().empty())
		(void)(*exec)->keep_times();
	/* The inner models come first, before the outer model is ready. So the lock of the outer model is not
	 * held together with theirs. */
	if (exec)
		for_inner(model, [](Model &inner) {
			base::BiasedGuard guard(inner.lock);
			inner.state = Model::State::READY;
		});
	base::BiasedGuard guard(model.lock);
	if (!exec) {
		model.graph = nullptr;
		return exec.status();
	}
	model.exec = exec.take();
	model.state = Model::State::READY;
	return Status::OK;
}

/* Adds the first refused call to the error message of a failed capture, and draws the graph if UNPU_DEBUG
 * asks for that. */
Status Capture::explain(Status status)
{
	std::string first = contexts_.front()->notes.take(this);
	if (status == Status::OK)
		return status;
	std::string text;
	if (!first.empty())
		text = "the first call that was refused because of the capture: " + first;
	const std::string folder = debug_folder();
	if (!folder.empty() && !(model_ && !model_->graph)) {
		std::string path = draw_broken_capture(folder, graph_, origin_id_, first);
		if (!path.empty())
			text += (text.empty() ? "" : "; ") + ("the graph so far is in " + path);
	}
	return text.empty() ? status : set_error(status, text);
}

/* Ends the captures inside this one: the graph that they would become a part of is gone. */
void Capture::drop_inside(Model &model)
{
	std::vector<Capture *> orphans;
	for_inner(model, [&](Model &inner) {
		if (inner.capture)
			orphans.push_back(inner.capture);
	});
	for (Capture *orphan : orphans) {
		orphan->dissolve(false);
		delete orphan;
	}
}

Status Capture::end(Stream &stream, Model **model)
{
	std::unique_lock held(TaskSink::mutex);
	TRY(of(stream));
	bool over;
	Status status = check_end(stream, over);
	if (!over)
		return status;
	Capture *capture = capture_of(stream);
	if (status == Status::OK)
		capture->finish();
	(void)capture->explain(status);
	Model &made = *capture->model_;
	if (status != Status::OK)
		drop_inside(made);
	capture->dissolve(status == Status::OK);
	delete capture;
	const bool is_inner = made.parent != nullptr;
	if (status != Status::OK && is_inner)
		made.top().capture->invalidate("a capture inside it failed");
	/* Releases the lock of captures first, so that other captures do not wait while the device
	 * loads the graph. */
	held.unlock();
	if (status == Status::OK && !is_inner)
		status = load_model(made, *stream.context->open);
	if (status != Status::OK && !is_inner)
		drop_model(made);
	if (model)
		*model = status == Status::OK ? &made : nullptr;
	return status;
}

} // namespace umd
