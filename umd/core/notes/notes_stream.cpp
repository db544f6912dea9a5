// SPDX-License-Identifier: MIT
/**
 * DOC: notes of streams, commands and host functions
 */
#include <algorithm>
#include <cstring>

#include "drv/packet/cookie.h"
#include "host_guard.h"
#include "kernel_operands.h"
#include "notes.h"
#include "umd/core/handle/held.h"
#include "umd/core/memory/side.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/process/call.h"
#include "umd/core/task/box.h"
#include "umd/core/task/host_function.h"
#include "umd/core/task/task.h"
#include "work.h"

namespace umd::recorder {

using san::Kind;

CopyShape shape_of(const Box &box)
{
	return {reinterpret_cast<uint64_t>(box.dst),
		box.dst_pitch,
		box.dst_slice,
		reinterpret_cast<uint64_t>(box.src),
		box.src_pitch,
		box.src_slice,
		box.width,
		box.height,
		box.depth};
}

static uint16_t flags_of(const Recorder &recorder, const Stream &stream)
{
	if (recorder.orders_default())
		return stream.is_default    ? san::STREAM_LEGACY
		       : stream.takes_turns ? 0
					    : san::STREAM_NON_BLOCKING;
	return stream.is_default ? san::STREAM_DEFAULT : 0;
}

/* Two threads may both make a number for the same stream; then only one of the numbers is used. */
uint32_t stream_number(Stream &stream)
{
	uint32_t number = stream.traced.load();
	Recorder *recorder = Recorder::get();
	if (number != 0 || !recorder) [[likely]]
		return number;
	const uint32_t fresh = recorder->next_stream();
	const bool has_legacy = recorder->orders_default();
	recorder->write(
		{.kind = Kind::STREAM_CREATE,
		 .flags = flags_of(*recorder, stream),
		 .stream = fresh,
		 .object = has_legacy ? recorder->number_of(stream.context->handle.now()) : 0,
		 .bytes = static_cast<uint64_t>(stream.context->state->index),
		 .value = uint64_t{stream.id} + 1,
		 .label = stream.is_default ? recorder->label("default stream") : 0});
	return stream.traced.compare_exchange_strong(number, fresh) ? fresh : number;
}

/* Whether the host may read what the command writes, because the destination is not device memory. @here: the
 * context that is searched first */
static bool is_for_host(const Operands &operands, const Context *here)
{
	for (size_t i = 0; i < operands.count(); i++) {
		const Operand &operand = operands[i];
		if (operand.role == Role::DESTINATION &&
		    side_of(reinterpret_cast<void *>(operand.address), here) == Side::HOST)
			return true;
	}
	return false;
}

/* @label: 0: use the name of the call */
static Entry begin_command(Stream &stream, uint16_t call, const Work &work,
			   const Operands &operands, uint16_t flags, uint64_t number = 0,
			   uint32_t label = 0)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	flags = static_cast<uint16_t>(flags | CallNotes::mine().command_flags);
	if (operands.flags() & san::COMMAND_COPY && is_for_host(operands, stream.context))
		flags |= san::COMMAND_TO_HOST;
	number = number != 0 ? number : recorder->next_number();
	label = label != 0 ? label : recorder->call_label(call);
	write_work(*recorder, work, operands, {number, san::HOST, label, stream.context});
	return recorder->reserve({.kind = Kind::COMMAND,
				  .flags = flags,
				  .stream = stream_number(stream),
				  .object = number,
				  .label = label},
				 &operands);
}

/* The device later reports what the kernel has accessed, by the number of the command. */
static Entry begin_kernel(Stream &stream, uint16_t call, const void *words, size_t bytes,
			  uint16_t flags)
{
	struct unpu_kernel_launch head {};
	memcpy(&head, words, std::min(bytes, sizeof(head)));
	Recorder *recorder = Recorder::get();
	const auto image = KernelImages::get().find(stream.context->device(), head.image);
	Operands operands;
	uint32_t label = 0;
	if (image && recorder) {
		add_kernel_operands(operands, *image, words, bytes);
		label = kernel_label(*recorder, *image, head.entry);
	}
	flags |= san::COMMAND_OPAQUE;
	const Work work{san::WorkClass::KERNEL, nullptr, 0, head.blocks};
	return begin_command(stream, call, work, operands, flags, head.observer, label);
}

/* Whether the packet uses memory that its operands do not list, because it reads addresses from memory. */
static bool is_opaque(const unpu_packet &packet, uint16_t call)
{
	return packet.opcode == UNPU_OP_OPERATOR &&
	       static_cast<Call>(call) == Call::MEMCPY_INDIRECT;
}

Entry begin_packet(Stream &stream, const unpu_packet &packet, const void *page, size_t bytes,
		   uint16_t flags, uint64_t number)
{
	HostGuard::note(stream, packet);
	if (packet.opcode == UNPU_OP_VALUE_WRITE)
		return begin_word_signal(stream, packet);
	if (packet.opcode == UNPU_OP_VALUE_WAIT)
		return begin_word_await(stream, packet);
	const uint16_t call = drv::decode_cookie(packet.cookie).call;
	if (packet.opcode == UNPU_OP_KERNEL)
		return begin_kernel(stream, call, page, bytes, flags);
	Operands operands;
	if (!operands.add_packet(packet, page, bytes))
		return {};
	if (is_opaque(packet, call))
		flags |= san::COMMAND_OPAQUE;
	return begin_command(stream, call, work_of(packet, page, bytes), operands, flags, number);
}

static Entry begin_box(Stream &stream, const Box &box, uint16_t call, bool is_now)
{
	HostGuard::open_box(box);
	if (is_now)
		HostGuard::know_stream(stream);
	Operands operands;
	operands.add_box(shape_of(box));
	uint16_t flags = is_now ? san::COMMAND_RETURNED : 0;
	/* The call reads a pageable source before it returns; the rest of the copy may happen later. */
	if (is_now && CallNotes::mine().stages_sources && side_of(box.src) == Side::HOST &&
	    side_of(box.dst) != Side::HOST) {
		operands.stage(0);
		flags = 0;
	}
	return begin_command(stream, call, {san::WorkClass::COPY}, operands, flags);
}

static Entry begin_fill(Stream &stream, uint64_t dst, uint64_t bytes, uint16_t call)
{
	Operands operands;
	operands.add_fill(dst, bytes);
	return begin_command(stream, call, {san::WorkClass::FILL}, operands, 0);
}

static Entry begin_host(const Operands &operands, const char *call)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	const uint16_t to_host =
		operands.flags() & san::COMMAND_COPY && is_for_host(operands, nullptr)
			? san::COMMAND_TO_HOST
			: 0;
	return recorder->reserve({.kind = Kind::HOST_ACCESS,
				  .flags = to_host,
				  .object = recorder->next_number(),
				  .label = recorder->label(call)},
				 &operands);
}

static Entry begin_host_copy(const Box &box, const char *call)
{
	HostGuard::open_box(box);
	if (!is_on()) [[likely]]
		return {};
	Operands operands;
	operands.add_box(shape_of(box));
	return begin_host(operands, call);
}

static Entry begin_host_fill(uint64_t dst, uint64_t bytes, const char *call)
{
	HostGuard::open();
	if (!is_on()) [[likely]]
		return {};
	Operands operands;
	operands.add_fill(dst, bytes);
	return begin_host(operands, call);
}

/* Where the call is one inside of another one, the host may know more than the trace says. */
static void note_stream(Kind kind, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || CallNotes::mine().is_quiet)
		return HostGuard::open();
	if (kind != Kind::BLOCKED)
		HostGuard::know_stream(stream);
	recorder->write({.kind = kind, .stream = stream_number(stream)});
}

static void note_dropped(Stream &stream)
{
	HostGuard::open();
	HostGuard::tell();
	Recorder *recorder = Recorder::get();
	if (recorder && !CallNotes::mine().is_quiet)
		recorder->write({.kind = Kind::STREAM_SYNC,
				 .flags = san::DROPPED,
				 .stream = stream_number(stream)});
}

/* Makes an event in the trace that exists only for these two records. */
static void note_order(Stream &from, Stream &to)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return;
	const uint64_t event = recorder->next_number();
	recorder->write({.kind = Kind::EVENT_CREATE,
			 .object = event,
			 .value = san::EVENT_SNAPSHOT,
			 .label = recorder->label("made by the library")});
	HostGuard::follow(Kind::EVENT_RECORD, event, from);
	HostGuard::follow(Kind::EVENT_WAIT, event, to);
	recorder->write(
		{.kind = Kind::EVENT_RECORD, .stream = stream_number(from), .object = event});
	recorder->write({.kind = Kind::EVENT_WAIT, .stream = stream_number(to), .object = event});
	recorder->write({.kind = Kind::EVENT_DESTROY, .object = event});
}

static void note_handle_order(uint64_t from, Stream &to)
{
	if (!is_on()) [[likely]]
		return;
	const Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(from));
	if (stream)
		note_order(*stream, to);
}

static void note_stream_end(Stream &stream, bool waits)
{
	HostGuard::open();
	HostGuard::tell();
	Recorder *recorder = Recorder::get();
	const uint32_t number = recorder ? stream.traced.exchange(0) : 0;
	if (number != 0)
		recorder->write({.kind = Kind::STREAM_DESTROY,
				 .flags = waits ? san::WAITS : uint16_t{0},
				 .stream = number});
}

static void note_context_wait()
{
	Recorder *recorder = Recorder::get();
	if (recorder && !CallNotes::mine().is_quiet)
		recorder->write({.kind = Kind::BLOCKED});
}

/* Whether this is the only context of the process. */
static bool is_only(const Context &context)
{
	uint32_t others = 0;
	Context::table().for_each([&](const Context &other) { others += &other != &context; });
	return others == 0;
}

/* A stream without a number has no work in the trace, so it is skipped. The wait also covers destroyed
 * streams that had work left. A DEVICE_SYNC record says that; it is possible if there is only one context, or
 * if the trace has the contexts of streams. */
static void note_context(Context &context)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || CallNotes::mine().is_quiet)
		return;
	if (is_only(context))
		return recorder->write({.kind = Kind::DEVICE_SYNC});
	if (recorder->orders_default())
		return recorder->write({.kind = Kind::DEVICE_SYNC,
					.object = recorder->number_of(context.handle.now())});
	std::vector<uint32_t> numbers;
	{
		std::lock_guard lock(context.mutex);
		for (const Stream *stream : context.streams)
			numbers.push_back(stream->traced.load());
	}
	for (uint32_t number : numbers) {
		if (number != 0)
			recorder->write({.kind = Kind::STREAM_SYNC, .stream = number});
	}
}

static Entry begin_callback(Stream &stream, HostFunction &function, uint16_t call)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	function.traced = recorder->next_number();
	return recorder->reserve({.kind = Kind::CALLBACK,
				  .flags = static_cast<uint16_t>(function.holds ? san::BLOCKS : 0),
				  .stream = stream_number(stream),
				  .object = function.traced,
				  .label = recorder->call_label(call)});
}

static Entry begin_host_task(Stream &stream, GraphTask &task)
{
	HostGuard::note_teller(stream);
	const uint16_t call = drv::decode_cookie(task.packet.cookie).call;
	Box box{};
	unpu_fill fill{};
	if (task.kind == TaskKind::HOST)
		return begin_callback(stream, task.host, call);
	if (task.kind == TaskKind::HOST_COPY && copied_box(task, box))
		return begin_box(stream, box, call, false);
	if (task.kind == TaskKind::HOST_FILL)
		HostGuard::open();
	if (task.kind == TaskKind::HOST_FILL && filled_range(task, fill))
		return begin_fill(stream, fill.dst, fill.bytes, call);
	return {};
}

static void note_callback(Kind kind, uint64_t number)
{
	HostGuard::tell();
	Recorder *recorder = Recorder::get();
	if (recorder && number != 0)
		recorder->write({.kind = kind, .object = number});
}

static uint64_t next_command()
{
	Recorder *recorder = Recorder::get();
	return recorder ? recorder->next_number() : 0;
}

void observe_streams()
{
	observer.stream_number.fill(stream_number);
	observer.begin_box.fill(begin_box);
	observer.begin_host_copy.fill(begin_host_copy);
	observer.begin_host_fill.fill(begin_host_fill);
	observer.note_stream.fill(note_stream);
	observer.note_dropped.fill(note_dropped);
	observer.note_stream_end.fill(note_stream_end);
	observer.note_context_wait.fill(note_context_wait);
	observer.note_context.fill(note_context);
	observer.begin_host_task.fill(begin_host_task);
	observer.note_callback.fill(note_callback);
	observer.note_order.fill(note_order);
	observer.note_handle_order.fill(note_handle_order);
	observer.next_command.fill(next_command);
	observer.site.fill(site_now);
}

} // namespace umd::recorder
