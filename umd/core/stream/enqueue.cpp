// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks of streams
 *
 * A task goes into the stream's channel. If the stream captures or collects, its sink takes the task instead.
 */
#include "base/hot_path.h"
#include "post.h"
#include "umd/core/process/error.h"
#include "umd/core/record/entry.h"
#include "umd/core/task/task.h"

namespace umd {

using base::Status;

std::optional<Status> offer_task(Stream &stream, const GraphTask &task)
{
	if (stream.sink.is_empty()) [[likely]]
		return std::nullopt;
	std::unique_lock lock(TaskSink::mutex);
	if (TaskSink *sink = stream.sink.get())
		return sink->take(stream, task);
	return std::nullopt;
}

Status enqueue_graph(Stream &stream, const Graph &graph)
{
	std::unique_lock lock(TaskSink::mutex);
	if (TaskSink *sink = stream.sink.get())
		return sink->take_graph(stream, graph);
	return set_error(Status::NOT_SUPPORTED,
			 "another thread has ended the capture of the stream meanwhile; launch the "
			 "task again");
}

/* Not inlined: otherwise each call of enqueue() would save registers for it. */
[[gnu::noinline]] static Status enqueue_to_sink(Stream &stream, const unpu_packet &packet,
						const unpu_operator *op)
{
	if (auto status = offer_task(stream, graph_task(packet, op)))
		return *status;
	return submit(stream, packet, op).status();
}

HOT_PATH Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	if (!stream.sink.is_empty()) [[unlikely]]
		return enqueue_to_sink(stream, packet, op);
	return post(stream, {packet, op, op ? sizeof(*op) : 0}).status();
}

Status enqueue_noted(Stream &stream, const unpu_packet &packet, recorder::Entry &entry)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		TRY(enqueue_to_sink(stream, packet, nullptr));
		entry.publish();
		return Status::OK;
	}
	const auto fence = TRY(post(stream, {packet}));
	entry.publish_task(stream.channel->task_number(fence));
	return Status::OK;
}

static Submission tensor_submission(const unpu_packet &packet, std::span<const uint64_t> words)
{
	return {packet, words.data(), words.size_bytes(), {}, true};
}

Status enqueue_tensor(Stream &stream, const unpu_packet &packet, std::span<const uint64_t> words)
{
	if (!stream.sink.is_empty()) [[unlikely]]
		return enqueue_tensor(
			stream, packet,
			std::make_shared<std::vector<uint64_t>>(words.begin(), words.end()));
	return post(stream, tensor_submission(packet, words)).status();
}

Status enqueue_tensor(Stream &stream, const unpu_packet &packet,
		      const std::shared_ptr<const std::vector<uint64_t>> &words, drv::Fence *fence)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		GraphTask task = graph_task(packet, nullptr);
		task.tensor = words;
		if (auto status = offer_task(stream, task))
			return *status;
	}
	const auto posted = post(stream, tensor_submission(packet, *words));
	if (posted && fence)
		*fence = *posted;
	return posted.status();
}

} // namespace umd
