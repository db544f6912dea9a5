// SPDX-License-Identifier: MIT
/**
 * DOC: Operations
 *
 * What all calls have in common: the checks, the note in the call log, the order among the streams of a communicator,
 * and the failure of a call that was submitted in part.
 */
#include "operation.h"

#include <algorithm>

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "emitter.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/event/event.h"
#include "umd/core/notes/collective_entries.h"
#include "umd/core/object/graph.h"
#include "umd/core/record/observer.h"
#include "umd/hccl/comm/comms.h"
#include "umd/hccl/comm/order_guarantees.h"
#include "umd/hccl/comm/relay.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Status;

HcclResult Operation::begin(Collective call, HcclComm comm, aclrtStream stream)
{
	call_ = call;
	comm_ = Comms::get().find(comm);
	if (!comm_)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	stream_ = TRY(find_stream(stream, true));
	if (!comm_->device().is(*stream_->context->open))
		return refuse(HCCL_E_PARA, fmt::format("stream is of device {}, and communicator "
						       "{} was made on device {}, "
						       "or that device was reset since",
						       stream_->context->state->index,
						       comm_->name(), comm_->device_index()));
	std::string why;
	comm_->look_at_device();
	const HcclResult failed = comm_->failure(&why);
	return failed == HCCL_SUCCESS
		       ? failed
		       : refuse(failed, "the communicator has failed before: " + why);
}

HcclResult Operation::check_type(const char *name, HcclDataType type, uint64_t &bytes) const
{
	bytes = element_bytes(type);
	if (bytes != 0)
		return HCCL_SUCCESS;
	if (type == HCCL_DATA_TYPE_INT128)
		return refuse(HCCL_E_NOT_SUPPORT,
			      fmt::format("{} is INT128, which is not supported; pass twice the "
					  "count of INT64, where nothing is reduced",
					  name));
	return refuse(HCCL_E_PARA, fmt::format("{} is {}, which is no type of enum HcclDataType",
					       name, static_cast<int>(type)));
}

HcclResult Operation::check_root(const char *name, uint32_t rank) const
{
	if (rank < ranks())
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA,
		      fmt::format("{} is {}; the communicator has {} ranks", name, rank, ranks()));
}

void Operation::note_use(uint64_t address, uint64_t bytes, uint32_t access)
{
	if (recorder::is_on() && bytes != 0) [[unlikely]]
		uses_.push_back({address, bytes, access == UNPU_ACCESS_WRITE});
}

HcclResult Operation::check_buffer(const char *name, const void *address, uint64_t count,
				   uint64_t bytes, uint32_t access)
{
	TRY(check_extent(name, address, count, bytes, access));
	note_use(reinterpret_cast<uint64_t>(address), count * bytes, access);
	return HCCL_SUCCESS;
}

HcclResult Operation::check_extent(const char *name, const void *address, uint64_t count,
				   uint64_t bytes, uint32_t access) const
{
	if (count == 0)
		return HCCL_SUCCESS;
	if (!address)
		return refuse_null(name);
	drv::Place place;
	if (count <= UINT64_MAX / bytes &&
	    stream_->context->device().reaches(reinterpret_cast<uint64_t>(address), count * bytes,
					       place, access))
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA,
		      fmt::format("{}: the {} elements of {} bytes from {} are not inside one live "
				  "allocation "
				  "that device {} may use",
				  name, count, bytes, fmt::ptr(address), comm_->device_index()));
}

HcclResult Operation::refuse_difference(const CallNote &own, const Difference &found,
					const char *what)
{
	const std::string text = difference_text(what, rank(), own, found);
	comm_->fail(HCCL_E_PARA, text, true);
	return refuse(HCCL_E_PARA, fmt::format("communicator {}: {}", comm_->name(), text));
}

HcclResult Operation::note(const CallNote *call, const std::vector<Message> &messages,
			   PendingCall &pending)
{
	Difference found;
	if (call && comm_->relay())
		comm_->relay()->tell_call(*call);
	if (call && comm_->call_log.note_call(rank(), *call, found))
		return refuse_difference(*call, found, "collective call");
	pending.number = call ? found.number : 0;
	pending.note = call ? *call : CallNote{};
	if (!call)
		pending.note.call = static_cast<uint64_t>(call_);
	if (!call && messages.size() == 1)
		pending.note = messages[0].note;
	for (const Message &message : messages) {
		if (comm_->relay())
			comm_->relay()->tell_message(message.rank, message.is_send, message.note);
		if (comm_->call_log.note_message(rank(), message.rank, message.is_send,
						 message.note, found))
			return refuse_difference(message.note, found, "message");
		pending.messages.push_back({message.rank, message.is_send, found.number});
	}
	return call ? refuse_left() : HCCL_SUCCESS;
}

/* Refuses the call if a rank has left before it did its part. If a rank has crashed, others leave because of
 * it, so the message names the crashed rank. */
HcclResult Operation::refuse_left()
{
	for (const bool is_lost : {true, false}) {
		for (uint32_t other = 0; other < ranks(); other++) {
			if (!comm_->call_log.has_left(other) ||
			    comm_->call_log.is_lost(other) != is_lost ||
			    comm_->call_log.calls(other) >= comm_->call_log.calls(rank()))
				continue;
			const Introduction &who = comm_->member(other);
			const std::string text =
				is_lost ? fmt::format("rank {} has ended: process {}, device {}",
						      other, who.pid, who.device)
					: fmt::format("rank {} destroyed the communicator after {} "
						      "collective calls",
						      other, comm_->call_log.calls(other));
			comm_->fail(HCCL_E_REMOTE, text, true);
			return refuse(HCCL_E_REMOTE,
				      fmt::format("communicator {}: {}", comm_->name(), text));
		}
	}
	return HCCL_SUCCESS;
}

static OrderSet orders_of(bool is_collective, const std::vector<Message> &messages)
{
	OrderSet found;
	found[COLLECTIVE_ORDER] = is_collective;
	for (const Message &message : messages) {
		if (message.bytes != 0)
			found.set(message.is_send ? order_to(message.rank)
						  : order_from(message.rank));
	}
	return found;
}

template <class Orders, class Do>
static void each_of(const OrderSet &set, Orders &orders, Do action)
{
	for (size_t i = set._Find_first(); i < set.size(); i = set._Find_next(i))
		action(orders[i]);
}

/* The stream of a capture in progress. Return: an empty hold if the capture has ended. */
static Held<Stream> stream_of(const Order::Captured &place)
{
	const auto *streams = Process::find<Stream::Table>();
	if (!streams)
		return {};
	Held<Stream> stream(*streams, reinterpret_cast<const void *>(place.stream));
	return stream && stream->sink.get() == place.sink ? std::move(stream) : Held<Stream>();
}

/* If both streams belong to one capture, makes the next task follow the present tasks of the earlier
 * stream. */
Status Operation::follow_captured(const Order &order)
{
	const TaskSink *sink = stream_->sink.get();
	const auto place = std::find_if(order.captured.begin(), order.captured.end(),
					[&](const auto &each) { return each.sink == sink; });
	if (place == order.captured.end() || place->stream == stream_->serial)
		return Status::OK;
	const auto earlier = stream_of(*place);
	if (!earlier)
		return Status::OK;
	auto event = TRY(create_event(*stream_->context, EventMode::EX, EVENT_SYNC));
	Status status = record_event(*event, *earlier);
	if (status == Status::OK)
		status = wait_event(*event, *stream_, 0);
	(void)destroy_event(*event, Event::table().pointer(*event));
	return status;
}

/* Makes the stream's next task follow the last operations of these orders. */
Status Operation::follow(const OrderSet &orders)
{
	Status status = Status::OK;
	each_of(orders, comm_->orders, [&](const Order &order) {
		if (stream_->sink.get())
			status = status == Status::OK ? follow_captured(order) : status;
		else if (!stream_->context->device().done(order.fence))
			add_gate(*stream_, order.fence);
	});
	return status;
}

/* Records the operation, which has packets, as the last operation of these orders. */
void Operation::pass(const OrderSet &orders)
{
	const TaskSink *sink = stream_->sink.get();
	each_of(orders, comm_->orders, [&](Order &order) {
		if (!sink) {
			order.fence = stream_->channel->last();
			return;
		}
		std::erase_if(order.captured, [&](const Order::Captured &each) {
			return each.sink == sink || !stream_of(each);
		});
		order.captured.push_back({sink, stream_->serial});
	});
}

/* What the trace records for the operation. Its packets are not recorded. */
recorder::CollectiveNote Operation::promised(const CallNote *call,
					     const std::vector<Message> &messages) const
{
	recorder::CollectiveNote note;
	const OrderGuarantees guarantees(comm_->entrance());
	note.call = static_cast<uint16_t>(call_);
	note.computes = is_reduction(call_);
	note.uses = uses_;
	for (const Message &message : messages) {
		if (message.bytes != 0)
			guarantees.add_message(message.rank, message.is_send, !call, note);
	}
	if (call && !is_exchange(call_))
		guarantees.add_call(*call, note);
	return note;
}

Status Operation::note_in_capture(const recorder::CollectiveNote &note)
{
	GraphTask task = graph_task(drv::nop_packet(drv::cookie_call(static_cast<uint16_t>(call_))),
				    nullptr);
	task.tensor = std::make_shared<const std::vector<uint64_t>>(note.words());
	return offer_task(*stream_, task).value_or(Status::OK);
}

/* Records in the trace that the operation runs after the last operations of these orders. */
void Operation::note_orders(const OrderSet &orders) const
{
	const uint64_t own = OrderGuarantees(comm_->entrance()).end_of(*stream_, 0).latch;
	std::vector<uint64_t> told{own};
	each_of(orders, comm_->orders, [&](const Order &order) {
		if (std::find(told.begin(), told.end(), order.point.latch) != told.end())
			return;
		told.push_back(order.point.latch);
		recorder::note_point_passed(order.point, *stream_);
	});
}

/* Records the end of this operation, so that the trace can order later operations after it. */
void Operation::note_end(const OrderSet &orders)
{
	const OrderGuarantees guarantees(comm_->entrance());
	const recorder::StreamPoint point = guarantees.end_of(*stream_, ++comm_->recorded);
	recorder::note_point_reached(point, *stream_);
	each_of(orders, comm_->orders, [&](Order &order) { order.point = point; });
}

/* Submits the packets. Under a capture the call is not pending, because the stream does not run it. */
Status Operation::emit(const Plan &plan, const std::vector<Message> &messages, PendingCall pending,
		       const OrderSet &orders)
{
	const bool is_captured = stream_->sink.get() != nullptr;
	const bool is_collective = pending.number != 0;
	drv::Device &device = stream_->context->device();
	if (!is_captured) {
		pending.stream = stream_->id;
		pending.before = stream_->channel->last();
		pending.last = {pending.before.sem, UINT64_MAX};
		comm_->pending.begin(std::move(pending),
				     [&](const drv::Fence &fence) { return device.done(fence); });
	}
	const bool is_counted = is_captured && is_collective;
	/* The emitter calls this lambda while the lock is held. clang's thread safety analysis can't see
	 * that. */
	Emitter emitter(*comm_, *stream_, call_, orders,
			[&]() NO_THREAD_SAFETY_ANALYSIS { return follow(orders); });
	Status status = is_counted ? emitter.count(comm_->seats().begins()) : Status::OK;
	if (status == Status::OK)
		status = plan(emitter);
	if (status == Status::OK)
		status = emitter.exchange(messages, Lane::MESSAGE);
	if (status == Status::OK && is_counted)
		status = emitter.count(comm_->seats().ends());
	if (status == Status::OK)
		status = emitter.flush();
	if (!is_captured)
		comm_->pending.finish(stream_->channel->last());
	if (emitter.has_begun())
		pass(orders);
	return status;
}

/* Does the work of emit() in a process that records a trace. */
Status Operation::emit_recorded(const Plan &plan, const std::vector<Message> &messages,
				PendingCall pending, const recorder::CollectiveNote &note,
				const OrderSet &orders)
{
	if (stream_->sink.get()) {
		TRY(note_in_capture(note));
		return emit(plan, messages, std::move(pending), orders);
	}
	const bool is_empty = note.uses.empty() && note.signals.empty() && note.waits.empty();
	if (!is_empty)
		note_orders(orders);
	auto entries = recorder::CollectiveEntries::begin(*stream_, note);
	TRY(emit(plan, messages, std::move(pending), orders));
	entries.publish();
	if (!is_empty)
		note_end(orders);
	return Status::OK;
}

HcclResult Operation::submit(const CallNote *call, const Plan &plan,
			     const std::vector<Message> &messages)
{
	std::lock_guard lock(comm_->mutex);
	if (comm_->has_ended)
		return refuse(
			HCCL_E_PARA,
			fmt::format(
				"communicator {} was destroyed; HcclCommInitRootInfo makes another",
				comm_->name()));
	if (comm_->is_suspended)
		return refuse(HCCL_E_SUSPENDING,
			      fmt::format("communicator {} is suspended; call HcclCommResume",
					  comm_->name()));
	PendingCall pending;
	Status status = comm_->inject(base::FaultRule::Call::COLLECTIVE);
	TRY(note(call, messages, pending));
	const OrderSet orders = orders_of(call != nullptr, messages);
	const TaskSink *sink = stream_->sink.get();
	comm_->is_captured = comm_->is_captured || sink;
	if (sink && status == Status::OK)
		status = comm_->count_launches();
	if (status == Status::OK)
		status = recorder::is_on() ? emit_recorded(plan, messages, std::move(pending),
							   promised(call, messages), orders)
					   : emit(plan, messages, std::move(pending), orders);
	if (status == Status::OK)
		return HCCL_SUCCESS;
	/* If another rank has failed the communicator in the meantime, the slots were withdrawn. Then its
	 * failure is the cause. */
	std::string why;
	const HcclResult failed = comm_->failure(&why);
	if (failed != HCCL_SUCCESS)
		return refuse(failed, why);
	/* The communicator fails, because other ranks would wait for the packets that were not submitted. */
	comm_->fail(hccl_result(status),
		    fmt::format("rank {} could not submit {}", rank(), collective_name(call_)),
		    true);
	return hccl_result(status);
}

HcclResult Operation::collect(const CallNote &note, const Plan &plan,
			      const std::vector<Message> &messages)
{
	return submit(&note, plan, messages);
}

HcclResult Operation::exchange(const Plan &plan, const std::vector<Message> &messages)
{
	return submit(nullptr, plan, messages);
}

} // namespace umd
