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
#include "drv/packets.h"
#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

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

Status Capture::begin(Stream &stream, CaptureMode mode)
{
	auto held = lock();
	if (stream.is_default)
		return set_error(Status::CAPTURE_IMPLICIT,
				 "the default stream can't be captured; create a stream for it");
	if (stream.capture.load())
		return set_error(Status::STREAM_CAPTURED, "the stream captures already");
	Model *model = Runtime::get().models.create();
	if (!model)
		return set_error(Status::NO_RESOURCE, "too many models");
	model->context = stream.context;
	model->context_handle = stream.context->handle;
	model->device = DeviceRef(*stream.context->state);
	model->state = Model::State::CAPTURING;
	model->graph = model->nodes = 0;
	model->members.clear();
	model->calls.clear();
	model->last = {};
	auto *capture = new Capture(stream, *model, mode);
	stream.capture = capture;
	stream.context->captures.push_back(capture);
	stream.context->capture_count++;
	return Status::OK;
}

void Capture::invalidate(std::string why)
{
	if (valid_)
		why_ = std::move(why);
	valid_ = false;
}

Status Capture::add(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	if (!valid_)
		return set_error(Status::CAPTURE_INVALIDATED,
				 "the capture was invalidated: " + why_);
	Member &member = members_.at(&stream);
	unpu_packet node = packet;
	node.cookie |= drv::cookie_place(drv::COOKIE_GRAPH, graph_.size());
	uint32_t index = graph_.add(node, op, member.stream, member.frontier);
	member.frontier.assign(1, index);
	member.last_record = -1;
	return Status::OK;
}

Status Capture::record(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	if (event.capture.load() && event.capture.load() != this) {
		invalidate("an event of another capture was recorded in it");
		event.capture.load()->invalidate(
			"one of its events was recorded in another capture");
		return set_error(Status::CAPTURE_CONFLICT,
				 "event belongs to another capture; both captures "
				 "are invalid now");
	}
	if (event.is_flag()) {
		if (!(event.flags & EVENT_EXTERNAL))
			return set_error(
				Status::NOT_SUPPORTED,
				"events made by aclrtCreateEventWithFlag can be captured only with "
				"ACL_EVENT_EXTERNAL");
		event.in_graph = true;
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::RECORD_EVENT));
		return add(stream, drv::signal_packet(cookie, event.flag_sem, UNPU_SIGNAL_SET, 1),
			   nullptr);
	}
	/* Without the SYNC bit nothing can ever wait for it. */
	if (!(event.flags & EVENT_SYNC))
		return Status::OK;
	if (!event.capture)
		events_.push_back(&event);
	Member &member = members_.at(&stream);
	member.last_record = static_cast<int64_t>(records_.size());
	event.capture = this;
	event.capture_record = static_cast<uint32_t>(records_.size());
	records_.push_back({&stream, member.frontier, false, false});
	return Status::OK;
}

Status Capture::join(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	Capture *mine = stream.capture.load();
	if (stream.is_default)
		return set_error(Status::CAPTURE_IMPLICIT,
				 "the default stream can't wait for an event that is captured");
	if (event.is_flag() && event.flags & EVENT_EXTERNAL) {
		event.in_graph = true;
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::WAIT_EVENT));
		return add(stream, drv::wait_packet(cookie, event.flag_sem, 1, 0), nullptr);
	}
	if (event.is_flag())
		return set_error(
			Status::NOT_SUPPORTED,
			"events made by aclrtCreateEventWithFlag can be captured only with "
			"ACL_EVENT_EXTERNAL");
	if (!event.capture && !event.record.recorded()) {
		if (event.mode == EventMode::EX)
			return Status::OK;
		return set_error(Status::INVALID_ARGUMENT,
				 "event was never recorded; record it in the "
				 "capture before a stream waits for it");
	}
	if (!event.capture)
		return set_error(
			Status::CAPTURE_DEPENDENCY,
			"event was recorded outside the capture; a graph can't depend on work that "
			"is not part of it");
	if (mine && event.capture.load() != mine) {
		mine->invalidate("a stream of it waited for an event of another capture");
		event.capture.load()->invalidate(
			"one of its events was waited for in another capture");
		return set_error(Status::CAPTURE_CONFLICT,
				 "event and stream belong to different captures; "
				 "both captures are invalid now");
	}
	if (stream.context != &context_)
		return set_error(Status::WRONG_CONTEXT,
				 "stream belongs to another context than the capture");
	if (!valid_)
		return set_error(Status::CAPTURE_INVALIDATED,
				 "the capture was invalidated: " + why_);
	if (!mine) {
		Member joined;
		joined.stream = static_cast<uint32_t>(members_.size());
		members_.emplace(&stream, std::move(joined));
		stream.capture = this;
	}
	Record &record = records_[event.capture_record];
	Member &member = members_.at(&stream);
	if (record.stream != &stream)
		member.last_record = -1;
	member.frontier.insert(member.frontier.end(), record.frontier.begin(),
			       record.frontier.end());
	record.waited = record.waited || record.stream != &stream;
	record.waited_by_origin = record.waited_by_origin || &stream == &origin_;
	return Status::OK;
}

void Capture::drop_event(Event &event)
{
	std::erase(events_, &event);
	event.capture = nullptr;
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
	if (!valid_)
		return set_error(Status::CAPTURE_INVALIDATED,
				 "the capture was invalidated: " + why_);
	TRY(check_joined());
	std::lock_guard guard(model_.mutex);
	for (const auto &[stream, member] : members_)
		model_.members.push_back(stream->handle);
	model_.nodes = graph_.size();
	if (model_.nodes > 0) {
		auto image = graph_.compile();
		auto graph = context_.device().load_graph(image.data(), image.size());
		if (!graph)
			return set_error(graph.status(),
					 fmt::format("the device refused the graph of {} nodes: {}",
						     model_.nodes,
						     base::status_sentence(graph.status())));
		model_.graph = *graph;
	}
	model_.calls = std::move(calls_);
	calls_.clear();
	model_.state = Model::State::READY;
	return Status::OK;
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
	for (uint64_t call : calls_)
		context_.state->calls->remove(call);
	std::erase(context_.captures, this);
	context_.capture_count--;
}

Status Capture::end(Stream &stream, Model **model)
{
	auto held = lock();
	Capture *capture = stream.capture.load();
	if (!capture)
		return set_error(Status::NOT_CAPTURING,
				 "the stream is not capturing; call aclmdlRICaptureBegin first");
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
	Model &made = capture->model_;
	capture->dissolve();
	delete capture;
	if (status != Status::OK)
		Runtime::get().models.destroy(made);
	if (model)
		*model = status == Status::OK ? &made : nullptr;
	return status;
}

} // namespace umd
