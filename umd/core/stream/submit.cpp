// SPDX-License-Identifier: MIT
/**
 * DOC: Submits
 *
 * How a task is submitted to a stream. First the gate's waits are posted, then the task goes into the
 * channel; if the ring is full, the submit waits. If the stream captures or collects, its sink takes the task
 * instead.
 */
#include "base/hot_path.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "stream.h"
#include "stream_failure.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/handle/stay.h"
#include "umd/core/notes/comparison.h"
#include "umd/core/notes/target_guard.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/process/call.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/notes.h"
#include "umd/core/task/task.h"

#include <fmt/format.h>

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

static bool is_own(const Stream &stream, const Fence &fence)
{
	return stream.channel && fence.sem == stream.channel->timeline();
}

void add_gate(Stream &stream, const Fence &fence)
{
	if (is_own(stream, fence))
		return;
	const drv::Device &device = stream.context->device();
	std::lock_guard lock(stream.gate_mutex);
	stream.gate.take(stream.turn, device);
	stream.gate.add(fence, device);
	stream.attention |= Stream::GATED;
	if (stream.channel)
		stream.context->device().note_unsettled(*stream.channel);
}

void add_turn(Stream &stream, const Fence &fence)
{
	if (is_own(stream, fence))
		return;
	std::lock_guard lock(stream.gate_mutex);
	stream.turn.add(fence, stream.context->device());
	stream.attention |= Stream::GATED;
}

/* Submits waits for @fences, and drops each from the set. Return: as post_gate(). */
static Status post_waits(Stream &stream, FenceSet &fences) REQUIRES(stream.gate_mutex)
{
	drv::Device &device = stream.context->device();
	drv::Channel &channel = *stream.channel;
	Status status = Status::OK;
	fences.take_while([&](const Fence &fence) {
		if (device.done(fence))
			return true;
		auto packet = drv::order_packet(
			drv::cookie_call(static_cast<uint8_t>(Call::EXECUTE_MODEL)), fence.sem,
			fence.value);
		status = channel.post(packet, nullptr, 0, channel.aborts()).status();
		return status == Status::OK;
	});
	return status;
}

static void note_passed(Stream &stream) REQUIRES(stream.gate_mutex)
{
	if (stream.gate.is_empty() && stream.turn.is_empty())
		stream.attention &= ~Stream::GATED;
}

/* Another thread that submits also takes the lock, so its task can't overtake the gate's wait packets. */
Status post_gate(Stream &stream)
{
	std::lock_guard lock(stream.gate_mutex);
	const Status status = post_waits(stream, stream.gate);
	note_passed(stream);
	return status;
}

Status post_turn(Stream &stream)
{
	std::lock_guard lock(stream.gate_mutex);
	Status status = post_waits(stream, stream.turn);
	if (status == Status::OK)
		status = post_waits(stream, stream.gate);
	note_passed(stream);
	return status;
}

/* Context: the caller has a Stay at the stream. */
static Status wait_for_slots(Stream &stream, uint32_t packets = 1)
{
	Status status = stream.channel->wait_for_room(packets);
	if (stream.ends.load())
		return stream_gone(stream);
	return status == Status::OK ? status : device_failed(stream.context->device(), status);
}

Status pass_gate(Stream &stream)
{
	Status status = post_turn(stream);
	if (status == Status::NOT_READY) {
		const Stay stay(stream);
		if (!stay.welcome())
			return stream_gone(stream);
		do {
			TRY(wait_for_slots(stream));
			status = post_turn(stream);
		} while (status == Status::NOT_READY);
	}
	return status == Status::OK ? status : device_failed(stream.context->device(), status);
}

static void add_left(Stream &stream, FenceSet &from, FenceSet &fences) REQUIRES(stream.gate_mutex)
{
	const drv::Device &device = stream.context->device();
	(void)from.for_each([&](const Fence &fence) {
		fences.add(fence, device);
		return true;
	});
}

void append_tail(Stream &stream, FenceSet &fences)
{
	if (stream.attention.load() & Stream::GATED && post_gate(stream) != Status::OK) {
		std::lock_guard lock(stream.gate_mutex);
		add_left(stream, stream.gate, fences);
	}
	fences.add(stream.channel->last(), stream.context->device());
}

void append_turn(Stream &stream, FenceSet &fences)
{
	if (stream.attention.load() & Stream::GATED && post_turn(stream) != Status::OK) {
		std::lock_guard lock(stream.gate_mutex);
		add_left(stream, stream.turn, fences);
	}
	append_tail(stream, fences);
}

static inline void note_launch(const Stream &stream, const Fence &fence)
{
	if (!stream.is_default)
		ThreadState::mine().last_launch =
			static_cast<uint32_t>(stream.channel->task_number(fence));
}

/* Slow path of post(): the ring is full, so it waits for room first. */
[[gnu::noinline]] static Result<Fence> post_later(Stream &stream, const unpu_packet &packet,
						  const void *page, size_t bytes, uint32_t aborts)
{
	const Stay stay(stream);
	if (!stay.welcome())
		return stream_gone(stream);
	for (;;) {
		TRY(wait_for_slots(stream));
		auto fence = stream.channel->post(packet, page, bytes, aborts);
		if (fence)
			note_launch(stream, *fence);
		else if (fence.status() == Status::NOT_READY)
			continue;
		else
			(void)device_failed(stream.context->device(), fence.status());
		return fence;
	}
}

[[gnu::noinline]] static Result<Fence> post_attentively(Stream &stream, const unpu_packet &packet,
							const void *page, size_t bytes);

/* Inlined into each call that submits, as the hot path. */
[[gnu::always_inline]] static inline Result<Fence> post(Stream &stream, const unpu_packet &packet,
							const void *page, size_t bytes)
{
	if (stream.attention.load() != 0) [[unlikely]]
		return post_attentively(stream, packet, page, bytes);
	const uint32_t aborts = stream.channel->aborts();
	auto fence = stream.channel->post(packet, page, bytes, aborts);
	if (!fence) [[unlikely]] {
		if (fence.status() == Status::NOT_READY)
			return post_later(stream, packet, page, bytes, aborts);
		return device_failed(stream.context->device(), fence.status());
	}
	note_launch(stream, *fence);
	return fence;
}

static Result<Fence> post_one(Stream &stream, const unpu_packet &packet, const void *page,
			      size_t bytes)
{
	const uint32_t aborts = stream.channel->aborts();
	auto fence = stream.channel->post(packet, page, bytes, aborts);
	if (fence)
		note_launch(stream, *fence);
	else if (fence.status() == Status::NOT_READY)
		return post_later(stream, packet, page, bytes, aborts);
	else
		return device_failed(stream.context->device(), fence.status());
	return fence;
}

/* A packet, and those that follow it at once. */
static Result<Fence> post_group(Stream &stream, const Submission &one,
				std::span<const unpu_packet> next)
{
	const uint32_t aborts = stream.channel->aborts();
	for (;;) {
		auto fence = try_submit_group(stream, one, next, aborts);
		if (fence.status() != Status::NOT_READY)
			return fence;
		TRY(wait_for_room(stream, static_cast<uint32_t>(1 + next.size())));
	}
}

static Result<Fence> post_detour(Stream &stream, recorder::Detour &detour)
{
	Result<Fence> fence = Fence();
	detour.read();
	for (const Submission &one : detour.packets()) {
		fence = detour.group().empty() ? post_one(stream, one.packet, one.page, one.bytes)
					       : post_group(stream, one, detour.group());
		if (!fence)
			return fence;
	}
	detour.keep(*fence);
	return fence;
}

/* The stream's work is recorded. */
static Result<Fence> post_watched(Stream &stream, const unpu_packet &packet, const void *page,
				  size_t bytes)
{
	uint16_t flags = 0;
	/* Their operation is told of as a whole. */
	if (is_collective(drv::decode_cookie(packet.cookie).call)) {
		recorder::TargetGuard::open();
		return post_one(stream, packet, page, bytes);
	}
	const auto detour = recorder::Detour::begin(stream, packet, page, flags);
	/* It reads its source, which may be the target of an earlier copy. */
	if (detour)
		recorder::TargetGuard::open();
	const uint64_t guarded = detour ? 0 : recorder::TargetGuard::number_for(stream, packet);
	recorder::Entry entry = recorder::begin_packet(stream, packet, page, bytes, flags,
						       detour ? detour->number() : guarded);
	auto fence = detour ? post_detour(stream, *detour) : post_one(stream, packet, page, bytes);
	if (!fence)
		return fence;
	entry.publish_task(stream.channel->task_number(*fence));
	recorder::TargetGuard::hold(guarded, stream, packet, *fence);
	return fence;
}

/* Slow path of post(): a bit of the stream's attention is set. */
static Result<Fence> post_attentively(Stream &stream, const unpu_packet &packet, const void *page,
				      size_t bytes)
{
	TRY(begin_submit(stream));
	return stream.attention.load() & Stream::WATCHED ? post_watched(stream, packet, page, bytes)
							 : post_one(stream, packet, page, bytes);
}

Result<Fence> submit_page(Stream &stream, const unpu_packet &packet, const void *page, size_t bytes)
{
	return post(stream, packet, page, bytes);
}

Result<Fence> submit(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	return post(stream, packet, op, op ? sizeof(*op) : 0);
}

Status begin_submit(Stream &stream)
{
	if (stream.attention.load() == 0) [[likely]]
		return Status::OK;
	TRY(check_accepts(stream));
	return stream.attention.load() & Stream::GATED ? pass_gate(stream) : Status::OK;
}

static inline Result<Fence> note_try(Stream &stream, const Result<Fence> &fence)
{
	if (fence) [[likely]]
		note_launch(stream, *fence);
	else if (fence.status() != Status::NOT_READY)
		return device_failed(stream.context->device(), fence.status());
	return fence;
}

Result<Fence> try_submit(Stream &stream, const Submission &one, uint32_t aborts)
{
	return note_try(stream, stream.channel->post(one.packet, one.page, one.bytes, aborts));
}

Result<Fence> try_submit_group(Stream &stream, const Submission &one,
			       std::span<const unpu_packet> next, uint32_t aborts)
{
	return note_try(stream,
			stream.channel->post_group(one.packet, one.page, one.bytes, next, aborts));
}

Status wait_for_room(Stream &stream, uint32_t packets)
{
	const Stay stay(stream);
	if (!stay.welcome())
		return stream_gone(stream);
	return wait_for_slots(stream, packets);
}

/* Inlined into the two callers, of which one is hot. */
[[gnu::always_inline]] static inline Status post_tensor(Stream &stream, const unpu_packet &packet,
							std::span<const uint64_t> words,
							Fence *posted)
{
	const uint32_t aborts = stream.channel->aborts();
	for (;;) {
		const auto fence =
			note_try(stream, stream.channel->post_pages(packet, words.data(),
								    words.size_bytes(), aborts));
		if (fence && posted) [[unlikely]]
			*posted = *fence;
		if (fence.status() != Status::NOT_READY) [[likely]]
			return fence.status();
		TRY(wait_for_room(stream, drv::Channel::slots_for(words.size_bytes())));
	}
}

[[gnu::noinline]] static Status post_watched_tensor(Stream &stream, const unpu_packet &packet,
						    std::span<const uint64_t> words, Fence *posted)
{
	auto entry = recorder::begin_packet(stream, packet, words.data(), words.size_bytes());
	Fence fence;
	TRY(post_tensor(stream, packet, words, &fence));
	entry.publish_task(stream.channel->task_number(fence));
	if (posted)
		*posted = fence;
	return Status::OK;
}

/* The stream has no sink. */
static Status submit_tensor(Stream &stream, const unpu_packet &packet,
			    std::span<const uint64_t> words, Fence *posted = nullptr)
{
	if (stream.attention.load() != 0) [[unlikely]] {
		TRY(begin_submit(stream));
		if (stream.attention.load() & Stream::WATCHED)
			return post_watched_tensor(stream, packet, words, posted);
	}
	return post_tensor(stream, packet, words, posted);
}

Status enqueue_tensor(Stream &stream, const unpu_packet &packet, std::span<const uint64_t> words)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		GraphTask task = graph_task(packet, nullptr);
		task.tensor = std::make_shared<std::vector<uint64_t>>(words.begin(), words.end());
		if (auto status = offer_task(stream, task))
			return *status;
	}
	return submit_tensor(stream, packet, words);
}

Status enqueue_tensor(Stream &stream, const unpu_packet &packet,
		      const std::shared_ptr<const std::vector<uint64_t>> &words, Fence *fence)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		GraphTask task = graph_task(packet, nullptr);
		task.tensor = words;
		if (auto status = offer_task(stream, task))
			return *status;
	}
	return submit_tensor(stream, packet, *words, fence);
}

std::optional<Status> offer_task(Stream &stream, const GraphTask &task)
{
	if (stream.sink.is_empty()) [[likely]]
		return std::nullopt;
	std::unique_lock lock(TaskSink::mutex);
	if (TaskSink *sink = stream.sink.get())
		return sink->take(stream, task);
	return std::nullopt;
}

/* Not inlined: otherwise each call of enqueue() would save registers for it. */
[[gnu::noinline]] static Status enqueue_to_sink(Stream &stream, const unpu_packet &packet,
						const unpu_operator *op)
{
	if (auto status = offer_task(stream, graph_task(packet, op)))
		return *status;
	return post(stream, packet, op, op ? sizeof(*op) : 0).status();
}

HOT_PATH Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	if (!stream.sink.is_empty()) [[unlikely]]
		return enqueue_to_sink(stream, packet, op);
	return post(stream, packet, op, op ? sizeof(*op) : 0).status();
}

Status enqueue_noted(Stream &stream, const unpu_packet &packet, recorder::Entry &entry)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		TRY(enqueue_to_sink(stream, packet, nullptr));
		entry.publish();
		return Status::OK;
	}
	const auto fence = post(stream, packet, nullptr, 0);
	if (!fence)
		return fence.status();
	entry.publish_task(stream.channel->task_number(*fence));
	return Status::OK;
}

} // namespace umd
