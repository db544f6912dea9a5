// SPDX-License-Identifier: MIT
/**
 * DOC: Copies and fills
 *
 * The addresses of a copy tell its direction. The host makes synchronous copies through its own mapping of
 * device memory, without waiting. Asynchronous copies are packets, unless the device cannot reach one end.
 */
#include "copy.h"

#include <bit>

#include <fmt/format.h>

#include "base/hot_path.h"
#include "base/os/mapped.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "host_copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/device/visitors.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/memory/released.h"
#include "umd/core/memory/vmm.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/stream/stream_tail.h"
#include "umd/core/stream/unsafe_call.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

Status prefetch(Stream &stream, const void *address, uint64_t bytes, const ManagedPlace &place)
{
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::PREFETCH));
	TRY(enqueue(stream, drv::nop_packet(cookie)));
	return ManagedMemory::get().prefetch(address, bytes, place);
}

/* Source and destination of a copy that the host makes. */
struct Ends {
	HostView to;
	HostView from;
};

/* Calls @move with both ends, whose devices stay open meanwhile.
 * Context: the caller holds the context or the stream of the copy, so that the addresses keep their
 * meaning. */
template <class Move>
static Status at_ends(const Context &context, void *dst, uint64_t dst_bytes, const void *src,
		      uint64_t src_bytes, const Move &move)
{
	Ends ends;
	TRY(view_range(context, "dst", dst, dst_bytes, UNPU_ACCESS_WRITE, ends.to));
	TRY(view_range(context, "src", src, src_bytes, UNPU_ACCESS_READ, ends.from));
	return move(ends);
}

static Box line_box(void *dst, const void *src, uint64_t bytes)
{
	return {dst, bytes, bytes, src, bytes, bytes, bytes, 1, 1};
}

static Status move_between(const Context &context, void *dst, const void *src, uint64_t bytes)
{
	return at_ends(context, dst, bytes, src, bytes, [&](const Ends &ends) {
		return move_bytes(ends.to, 0, ends.from, 0, bytes);
	});
}

Status copy_now(const ContextHold &context, const char *call, void *dst, const void *src,
		uint64_t bytes)
{
	TRY(check_unsafe(*context, call));
	auto entry = recorder::observer.begin_host_copy(line_box(dst, src, bytes), call);
	TRY(move_between(*context, dst, src, bytes));
	entry.publish();
	return Status::OK;
}

Status copy_box_now(const ContextHold &context, const char *call, const Box &box)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(check_unsafe(*context, call));
	TRY(reaches_of(box, dst_bytes, src_bytes));
	auto entry = recorder::observer.begin_host_copy(box, call);
	TRY(at_ends(*context, box.dst, dst_bytes, box.src, src_bytes,
		    [&](const Ends &ends) { return copy_rows(box, ends.to, ends.from); }));
	entry.publish();
	return Status::OK;
}

static Status refuse_pageable(Stream &stream, const CopyRules &rules)
{
	if (capturing(stream))
		return refuse_for_capture(stream.context->notes, Status::CAPTURE_PAGEABLE,
					  "an asynchronous copy in a capture needs memory from "
					  "$malloc_host or $malloc at both ends",
					  subject_of(stream));
	TRY(check_accepts(stream));
	if (rules.captures_pageable)
		return Status::OK;
	Status status = check_unsafe(*stream.context, "$memcpy_async with pageable memory");
	return status == Status::CAPTURE_MODE ? Status::CAPTURE_BLOCK_ASYNC : status;
}

/* Appends a copy that the host makes when the stream reaches it. */
static Status enqueue_host_copy(Stream &stream, const Box &box, Call call)
{
	auto work = TRY(host_copy(box));
	return launch_work(stream, work_task(TaskKind::HOST_COPY, static_cast<uint16_t>(call),
					     std::move(work)));
}

/* Waits for the stream, then copies on the host. A stream that collects tasks has no work to wait for:
 * the host copies while the model is being built. */
static Status copy_on_host(Stream &stream, const Box &box, Call call, const CopyRules &rules)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	const HazardGuard stay(stream);
	if (!stay.alive())
		return set_error(Status::INVALID_HANDLE,
				 "the stream ended before the copy began; keep the stream until "
				 "its copies have ended");
	const bool is_captured = rules.captures_pageable && capturing(stream);
	if (!is_captured)
		TRY(refuse_pageable(stream, rules));
	if (!is_captured && !collects(stream)) {
		drv::Fence tail;
		/* The copy has to wait for everything that a task of the stream would wait for. */
		TRY(stream_tail(stream));
		TRY(drain_stream(stream, base::NO_DEADLINE, hal::WaitWay::BRIEF, tail));
		TRY(report_stop(stream));
	}
	recorder::Entry entry;
	if (!is_captured && !collects(stream))
		entry = recorder::observer.begin_box(stream, box, static_cast<uint16_t>(call),
						     true);
	TRY(at_ends(*stream.context, box.dst, dst_bytes, box.src, src_bytes, [&](const Ends &ends) {
		return is_captured ? enqueue_host_copy(stream, box, call)
				   : copy_rows(box, ends.to, ends.from);
	}));
	entry.publish();
	return Status::OK;
}

static bool in_device(drv::Device &device, const void *address, uint64_t bytes, uint32_t access,
		      Place &place)
{
	return device.reaches(number(address), bytes, place, access);
}

static Status refuse_host_to_host(const void *dst, const void *src)
{
	if (side_of(dst) != Side::HOST || side_of(src) != Side::HOST)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 "an asynchronous copy from host memory to host memory is not supported; "
			 "use $memcpy or memcpy");
}

/* enum class Way - how a copy is made. */
enum class Way {
	DEVICE, /* the device makes it, by a packet */
	/* the host makes it when the stream reaches it: for registered memory, and memory of another
	 * device */
	ORDER,
	NOW, /* the host makes it during the call */
};

/* struct Reach - what the device can do with one end. */
struct Reach {
	bool is_here = false;	    /* the device can access it */
	bool is_registered = false; /* otherwise: its owner registered it for any device */
	bool is_beside = false;	    /* otherwise: it is device memory of another device */
	bool is_device = false;	    /* it is device memory */
};

static Status look_at(const Context &context, const char *name, const void *address, uint64_t bytes,
		      uint32_t access, Reach &reach)
{
	drv::Device &device = context.device();
	Place place;
	reach.is_here = in_device(device, address, bytes, access, place);
	reach.is_device = place == Place::DEVICE;
	if (reach.is_here)
		return Status::OK;
	/* Memory beside a registered range is ordinary memory. */
	if (place != Place::OUTSIDE && !device.space().adopted(number(address)))
		return refuse_range(name, address, bytes);
	TRY(ReleasedMemory::check(name, address));
	reach.is_registered = is_registered(address, bytes, access);
	reach.is_beside = !reach.is_registered &&
			  Visitors::get().visits(*context.open, address, bytes, access);
	reach.is_device = reach.is_beside;
	return Status::OK;
}

/* Whether the host makes the copy when the stream reaches it, and not during the call. */
static bool keeps(const Reach &reach)
{
	return reach.is_here || reach.is_registered || reach.is_beside;
}

/* Checks that memory is of the kind that the program claims. It applies to ordinary memory that the device
 * can't access, and to memory of another device. */
static Status check_claim(const char *name, const void *address, uint64_t bytes, Claim claim,
			  const Reach &reach)
{
	if (claim == Claim::NOTHING || reach.is_here || reach.is_registered)
		return Status::OK;
	Place place;
	const DeviceHold other = Devices::get().locate(address, place);
	const bool is_ordinary = !other || other->space().adopted(number(address));
	if (!is_ordinary || (claim == Claim::MAPPED && base::is_mapped(number(address), bytes)))
		return Status::OK;
	return refuse_range(name, address, bytes);
}

static Result<Way> choose_way(const Context &context, const Box &box, const CopyRules &rules)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	Reach dst;
	Reach src;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	TRY(look_at(context, "dst", box.dst, dst_bytes, UNPU_ACCESS_WRITE, dst));
	TRY(look_at(context, "src", box.src, src_bytes, UNPU_ACCESS_READ, src));
	TRY(check_claim("dst", box.dst, dst_bytes, rules.dst, dst));
	TRY(check_claim("src", box.src, src_bytes, rules.src, src));
	if (!dst.is_device && !src.is_device && !rules.allows_both_host)
		TRY(refuse_host_to_host(box.dst, box.src));
	if (dst.is_here && src.is_here)
		return Way::DEVICE;
	return keeps(dst) && keeps(src) ? Way::ORDER : Way::NOW;
}

/* The API function of the copy; @kind if the rules name none. */
static inline Call call_of(const CopyRules &rules, Call kind)
{
	return rules.call == Call::OTHER ? kind : rules.call;
}

static Status enqueue_copy(Stream &stream, void *dst, const void *src, uint64_t bytes, Call call)
{
	auto cookie = drv::cookie_call(static_cast<uint16_t>(call));
	return enqueue(stream, drv::copy_packet(cookie, number(dst), number(src), bytes));
}

/* Whether the device can make a copy, if the addresses alone decide it. */
static inline bool surely_device(const Stream &stream, const void *dst, const void *src,
				 uint64_t bytes)
{
	Place to;
	Place from;
	const drv::Memory &memory = stream.context->device().memory();
	return memory.knows(number(dst), bytes, to) && memory.knows(number(src), bytes, from) &&
	       (to == Place::DEVICE || from == Place::DEVICE);
}

/* The host makes the copy. */
static Status copy_beside(Stream &stream, Way way, const Box &box, Call call,
			  const CopyRules &rules)
{
	return way == Way::ORDER ? enqueue_host_copy(stream, box, call)
				 : copy_on_host(stream, box, call, rules);
}

Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes,
		  const CopyRules &rules)
{
	const Call call = call_of(rules, Call::MEMCPY_ASYNC);
	if (surely_device(stream, dst, src, bytes)) [[likely]]
		return enqueue_copy(stream, dst, src, bytes, call);
	const Box box = line_box(dst, src, bytes);
	auto way = TRY(choose_way(*stream.context, box, rules));
	if (way == Way::DEVICE)
		return enqueue_copy(stream, dst, src, bytes, call);
	return copy_beside(stream, way, box, call, rules);
}

/* The most bytes that are staged for a running stream. For a larger copy the call waits for the stream, and
 * then copies. */
static constexpr uint64_t MOST_STAGED = uint64_t{64} << 20;

/* Whether the program itself can write what is at @address. */
static bool is_written_by_host(const void *address, const Context *here)
{
	if (side_of(address, here) != Side::DEVICE)
		return true;
	const auto mapped = VirtualMemory::get().mapped(address);
	return mapped && mapped->is_host;
}

Status copy_staged(Stream &stream, void *dst, const void *src, uint64_t bytes)
{
	if (side_of(dst, stream.context) == Side::HOST || !is_written_by_host(src, stream.context))
		return copy_async(stream, dst, src, bytes);
	Reach to;
	HostView from;
	TRY(look_at(*stream.context, "dst", dst, bytes, UNPU_ACCESS_WRITE, to));
	TRY(view_range(*stream.context, "src", src, bytes, UNPU_ACCESS_READ, from));
	if (bytes > MOST_STAGED && stream.sink.is_empty())
		return copy_on_host(stream, line_box(dst, src, bytes), Call::MEMCPY_ASYNC, {});
	auto work = TRY(staged_copy(dst, from, bytes));
	return launch_work(stream,
			   work_task(TaskKind::HOST_FILL, static_cast<uint8_t>(Call::MEMCPY_ASYNC),
				     std::move(work)));
}

/* A longer copy has a packet of its own, so that several engines can share it. */
static constexpr uint64_t LISTED_BYTES = uint64_t{64} << 10;

Status MoveList::add(const Move &move)
{
	if (move.bytes == 0)
		return Status::OK;
	bool device = surely_device(stream_, move.dst, move.src, move.bytes);
	if (!device) {
		auto way = TRY(
			choose_way(*stream_.context, line_box(move.dst, move.src, move.bytes), {}));
		device = way == Way::DEVICE;
	}
	if (!device || move.bytes > LISTED_BYTES) {
		/* The host copies after the earlier work of the stream, so that work is submitted first. */
		TRY(flush());
		return copy_async(stream_, move.dst, move.src, move.bytes, {.call = call_});
	}
	list_.entries[list_.count++] = {number(move.dst), number(move.src), move.bytes};
	return list_.count == UNPU_COPY_LIST_MAX ? flush() : Status::OK;
}

Status MoveList::flush()
{
	auto cookie = drv::cookie_call(static_cast<uint16_t>(call_));
	const unpu_copy_entry &first = list_.entries[0];
	Status status = Status::OK;
	if (list_.count == 1) {
		status = enqueue(stream_,
				 drv::copy_packet(cookie, first.dst, first.src, first.bytes));
	} else if (list_.count > 1) {
		list_.kind = UNPU_OPERATOR_COPY_LIST;
		const auto op = std::bit_cast<unpu_operator>(list_);
		status = enqueue(stream_, drv::operator_packet(cookie, 0), &op);
	}
	list_ = {};
	return status;
}

static Box operator_box(const unpu_operator &op)
{
	const unpu_operand &to = op.operands[0];
	const unpu_operand &from = op.operands[1];
	Box box = line_box(reinterpret_cast<void *>(to.address),
			   reinterpret_cast<const void *>(from.address),
			   static_cast<uint64_t>(op.dims[2]));
	box.depth = static_cast<uint64_t>(op.dims[0]);
	box.height = static_cast<uint64_t>(op.dims[1]);
	box.dst_slice = static_cast<uint64_t>(to.strides[0]);
	box.dst_pitch = static_cast<uint64_t>(to.strides[1]);
	box.src_slice = static_cast<uint64_t>(from.strides[0]);
	box.src_pitch = static_cast<uint64_t>(from.strides[1]);
	return box;
}

bool copied_box(const GraphTask &task, Box &box)
{
	if (task.host.work)
		return find_copied(*task.host.work, box);
	if (task.packet.opcode == UNPU_OP_COPY) {
		const unpu_copy &copy = task.packet.copy;
		box = line_box(reinterpret_cast<void *>(copy.dst),
			       reinterpret_cast<const void *>(copy.src), copy.bytes);
		return true;
	}
	/* Other operators copy elements of tensors. */
	if (!task.op || task.op->kind != UNPU_OPERATOR_COPY || task.op->ndim != 3)
		return false;
	box = operator_box(*task.op);
	return true;
}

bool filled_range(const GraphTask &task, unpu_fill &fill)
{
	if (task.host.work)
		return find_filled(*task.host.work, fill);
	fill = task.packet.fill;
	return task.packet.opcode == UNPU_OP_FILL;
}

/* Makes a task in which the host copies. It can copy whatever the calling thread could copy now. */
static Status host_task(Context &context, const Box &box, Call call, GraphTask &task)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	TRY(at_ends(context, box.dst, dst_bytes, box.src, src_bytes,
		    [](const Ends &) { return Status::OK; }));
	auto work = TRY(host_copy(box));
	task = work_task(TaskKind::HOST_COPY, static_cast<uint16_t>(call), std::move(work));
	return Status::OK;
}

Status box_task(Context &context, const Box &box, const CopyRules &rules, GraphTask &task,
		unpu_operator &op)
{
	auto way = TRY(choose_way(context, box, rules));
	if (way != Way::DEVICE)
		return host_task(context, box, call_of(rules, Call::MEMCPY_ASYNC), task);
	if (box.height == 1 && box.depth == 1) {
		auto cookie =
			drv::cookie_call(static_cast<uint8_t>(call_of(rules, Call::MEMCPY_ASYNC)));
		task = graph_task(
			drv::copy_packet(cookie, number(box.dst), number(box.src), box.width),
			nullptr);
		return Status::OK;
	}
	auto cookie = drv::cookie_call(static_cast<uint8_t>(call_of(rules, Call::MEMCPY_BOX)));
	op = box_operator(box);
	task = graph_task(drv::operator_packet(cookie, 0), &op);
	return Status::OK;
}

Status copy_box_async(Stream &stream, const Box &box, const CopyRules &rules)
{
	const Call call = call_of(rules, Call::MEMCPY_BOX);
	auto way = TRY(choose_way(*stream.context, box, rules));
	if (way != Way::DEVICE)
		return copy_beside(stream, way, box, call, rules);
	unpu_operator op = box_operator(box);
	auto cookie = drv::cookie_call(static_cast<uint16_t>(call));
	return enqueue(stream, drv::operator_packet(cookie, 0), &op);
}

static Status check_word(drv::Device &device, const char *name, const void *word)
{
	Place place;
	if (number(word) % sizeof(uint64_t) == 0 &&
	    in_device(device, word, sizeof(uint64_t), UNPU_ACCESS_READ, place))
		return Status::OK;
	TRY(ReleasedMemory::check(name, word));
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} is {}; it must be the address of an 8-byte word of device "
				     "memory, aligned to 8 bytes",
				     name, fmt::ptr(word)));
}

Status copy_indirect(Stream &stream, const IndirectCopy &copy)
{
	drv::Device &device = stream.context->device();
	const void *words[] = {copy.dst_word, copy.src_word, copy.bytes_word};
	static constexpr const char *NAMES[] = {"dst", "src", "desc"};
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_COPY_INDIRECT;
	op.noperands = copy.bytes_word ? 3 : 2;
	op.scalar_bits = copy.bytes_word ? 0 : copy.bytes;
	op.parameters[0] = copy.dst_offset;
	op.parameters[1] = copy.src_offset;
	for (unsigned i = 0; i < op.noperands; i++) {
		TRY(check_word(device, NAMES[i], words[i]));
		op.operands[i].address = number(words[i]);
		op.operands[i].dtype = UNPU_DTYPE_I64;
		op.operands[i].access = UNPU_ACCESS_READ;
	}
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_INDIRECT));
	return enqueue(stream, drv::operator_packet(cookie, 0), &op);
}

Status fill_now(const ContextHold &context, const char *call, void *dst, uint64_t bytes,
		uint32_t pattern, uint32_t width)
{
	TRY(check_unsafe(*context, call));
	HostView to;
	TRY(view_range(*context, "devPtr", dst, bytes, UNPU_ACCESS_WRITE, to));
	auto entry = recorder::observer.begin_host_fill(number(dst), bytes, call);
	TRY(fill_bytes(to, bytes, pattern, width));
	entry.publish();
	return Status::OK;
}

bool takes_fills(Context &context, const void *dst, uint64_t bytes)
{
	Place place;
	return in_device(context.device(), dst, bytes, UNPU_ACCESS_WRITE, place) ||
	       is_registered(dst, bytes, UNPU_ACCESS_WRITE);
}

Status fill_task(Context &context, void *dst, uint64_t bytes, uint32_t pattern, uint32_t width,
		 GraphTask &task, Call named)
{
	const auto call = static_cast<uint8_t>(named);
	Reach reach;
	TRY(look_at(context, "devPtr", dst, bytes, UNPU_ACCESS_WRITE, reach));
	if (!reach.is_here && !reach.is_registered)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("devPtr {} is not memory of the device, nor from "
					     "$malloc_host, nor registered",
					     fmt::ptr(dst)));
	if (reach.is_here)
		task = graph_task(drv::fill_packet(drv::cookie_call(call), number(dst), bytes,
						   pattern, width),
				  nullptr);
	else
		task = work_task(TaskKind::HOST_FILL, call, host_fill(dst, bytes, pattern, width));
	return Status::OK;
}

HOT_PATH Status fill_async(Stream &stream, void *dst, uint64_t bytes, uint32_t pattern,
			   uint32_t width, Call call)
{
	Place place;
	if (in_device(stream.context->device(), dst, bytes, UNPU_ACCESS_WRITE, place)) [[likely]] {
		auto cookie = drv::cookie_call(static_cast<uint16_t>(call));
		return enqueue(stream,
			       drv::fill_packet(cookie, number(dst), bytes, pattern, width));
	}
	GraphTask task;
	TRY(fill_task(*stream.context, dst, bytes, pattern, width, task, call));
	/* Another thread may have registered the memory meanwhile. */
	return calls_host(task.kind) ? launch_work(stream, task) : enqueue(stream, task.packet);
}

} // namespace umd
