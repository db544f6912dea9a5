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

#include "drv/channel/cookie.h"
#include "drv/channel/packets.h"
#include "umd/core/capture/capture_notes.h"
#include "umd/core/device/devices.h"
#include "umd/core/handle/stay.h"
#include "umd/core/handle/unsafe_call.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream_failure.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

static uint64_t number(const void *address)
{
	return reinterpret_cast<uint64_t>(address);
}

static Side side_in(drv::Device &device, Place place, const void *address)
{
	if (place == Place::OUTSIDE)
		return Side::HOST;
	if (place == Place::DEVICE)
		return Side::DEVICE;
	const drv::Chunk *chunk = device.space().find(number(address));
	return chunk && chunk->managed ? Side::MANAGED : Side::HOST;
}

Side side_of(const void *address, const Context *here)
{
	Place place = here ? here->device().space().place(number(address)) : Place::OUTSIDE;
	if (place != Place::OUTSIDE)
		return side_in(here->device(), place, address);
	Devices &devices = Devices::get();
	const DeviceHold device = here ? devices.locate_beside(*here->open, address, place)
				       : devices.locate(address, place);
	return device ? side_in(*device, place, address) : Side::HOST;
}

/* Source and destination of a copy that the host makes. */
struct Ends {
	HostView to;
	HostView from;
};

/* Calls @move with both ends, whose devices stay open meanwhile.
 * Context: the context or the stream that it is done for is held, so that its addresses are what the
 * caller took them for. */
template <class Move>
static Status at_ends(const Context &context, void *dst, uint64_t dst_bytes, const void *src,
		      uint64_t src_bytes, const Move &move)
{
	Ends ends;
	TRY(view_range(context, "dst", dst, dst_bytes, UNPU_ACCESS_WRITE, ends.to));
	TRY(view_range(context, "src", src, src_bytes, UNPU_ACCESS_READ, ends.from));
	return move(ends);
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
	return move_between(*context, dst, src, bytes);
}

/* The number of bytes from the first byte of a box to the end of its last row. Return: false if that
 * exceeds the address space. */
static bool reach_of(const Box &box, const void *start, uint64_t pitch, uint64_t slice,
		     uint64_t &bytes)
{
	uint64_t rows;
	uint64_t slices;
	uint64_t end;
	return !__builtin_mul_overflow(pitch, box.height - 1, &rows) &&
	       !__builtin_mul_overflow(slice, box.depth - 1, &slices) &&
	       !__builtin_add_overflow(rows, slices, &bytes) &&
	       !__builtin_add_overflow(bytes, box.width, &bytes) &&
	       !__builtin_add_overflow(bytes, number(start), &end) && end <= INT64_MAX;
}

static Status reaches_of(const Box &box, uint64_t &dst_bytes, uint64_t &src_bytes)
{
	if (reach_of(box, box.dst, box.dst_pitch, box.dst_slice, dst_bytes) &&
	    reach_of(box, box.src, box.src_pitch, box.src_slice, src_bytes))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} rows of {} bytes at these pitches leave the address space",
				     box.height, box.width));
}

static Status copy_rows(const Box &box, const Ends &ends)
{
	for (uint64_t slice = 0; slice < box.depth; slice++) {
		for (uint64_t row = 0; row < box.height; row++)
			TRY(move_bytes(ends.to, slice * box.dst_slice + row * box.dst_pitch,
				       ends.from, slice * box.src_slice + row * box.src_pitch,
				       box.width));
	}
	return Status::OK;
}

Status copy_box_now(const ContextHold &context, const char *call, const Box &box)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(check_unsafe(*context, call));
	TRY(reaches_of(box, dst_bytes, src_bytes));
	return at_ends(*context, box.dst, dst_bytes, box.src, src_bytes,
		       [&](const Ends &ends) { return copy_rows(box, ends); });
}

/* A capture cannot record a copy that the host makes. */
static Status refuse_pageable(Stream &stream)
{
	if (capturing(stream))
		return refuse_for_capture(stream.context->notes, Status::CAPTURE_PAGEABLE,
					  "an asynchronous copy in a capture needs memory from "
					  "$malloc_host or $malloc at both ends",
					  subject_of(stream));
	TRY(check_accepts(stream));
	Status status = check_unsafe(*stream.context, "$memcpy_async with pageable memory");
	return status == Status::CAPTURE_MODE ? Status::CAPTURE_BLOCK_ASYNC : status;
}

/* Waits for the stream, then copies on the host. A stream that collects tasks has no work to wait for:
 * the host copies while the model is being built. */
template <class Copy> static Status copy_on_host(Stream &stream, const Copy &copy)
{
	const Stay stay(stream);
	if (!stay.welcome())
		return set_error(Status::INVALID_HANDLE, "the stream ended before the copy began");
	TRY(refuse_pageable(stream));
	if (!collects(stream)) {
		drv::Fence tail;
		TRY(drain_stream(stream, base::NO_DEADLINE, true, tail));
		TRY(report_stop(stream));
	}
	return copy();
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

/* Whether the device can make a copy. Return: false if the host has to; an error if neither can. */
static Result<bool> choose_device(Stream &stream, void *dst, uint64_t dst_bytes, const void *src,
				  uint64_t src_bytes, bool both_host)
{
	drv::Device &device = stream.context->device();
	Place to;
	Place from;
	bool dst_here = in_device(device, dst, dst_bytes, UNPU_ACCESS_WRITE, to);
	bool src_here = in_device(device, src, src_bytes, UNPU_ACCESS_READ, from);
	if (to != Place::DEVICE && from != Place::DEVICE && !both_host)
		TRY(refuse_host_to_host(dst, src));
	if (to != Place::OUTSIDE && !dst_here)
		return refuse_range("dst", dst, dst_bytes);
	if (from != Place::OUTSIDE && !src_here)
		return refuse_range("src", src, src_bytes);
	return dst_here && src_here;
}

static Status enqueue_copy(Stream &stream, void *dst, const void *src, uint64_t bytes)
{
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_ASYNC));
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

Status copy_async(Stream &stream, void *dst, const void *src, uint64_t bytes, bool both_host)
{
	if (surely_device(stream, dst, src, bytes)) [[likely]]
		return enqueue_copy(stream, dst, src, bytes);
	auto device = choose_device(stream, dst, bytes, src, bytes, both_host);
	if (!device)
		return device.status();
	if (*device)
		return enqueue_copy(stream, dst, src, bytes);
	return copy_on_host(stream, [&] { return move_between(*stream.context, dst, src, bytes); });
}

/* A longer copy has a packet of its own, so that several engines can share it. */
static constexpr uint64_t LISTED_BYTES = uint64_t{64} << 10;

Status MoveList::add(const Move &move)
{
	if (move.bytes == 0)
		return Status::OK;
	bool device = surely_device(stream_, move.dst, move.src, move.bytes);
	if (!device) {
		auto reached =
			choose_device(stream_, move.dst, move.bytes, move.src, move.bytes, false);
		if (!reached)
			return reached.status();
		device = *reached;
	}
	if (!device || move.bytes > LISTED_BYTES) {
		/* The host copies now, after the stream's earlier work. */
		TRY(flush());
		return copy_async(stream_, move.dst, move.src, move.bytes);
	}
	list_.entries[list_.count++] = {number(move.dst), number(move.src), move.bytes};
	return list_.count == UNPU_COPY_LIST_MAX ? flush() : Status::OK;
}

Status MoveList::flush()
{
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_BATCH));
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

static unpu_operator box_operator(const Box &box)
{
	const uint64_t slices[] = {box.dst_slice, box.src_slice};
	const uint64_t pitches[] = {box.dst_pitch, box.src_pitch};
	const uint64_t starts[] = {number(box.dst), number(box.src)};
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_COPY;
	op.ndim = 3;
	op.noperands = 2;
	op.dims[0] = static_cast<int64_t>(box.depth);
	op.dims[1] = static_cast<int64_t>(box.height);
	op.dims[2] = static_cast<int64_t>(box.width);
	for (unsigned i = 0; i < 2; i++) {
		unpu_operand &operand = op.operands[i];
		operand.address = starts[i];
		operand.dtype = UNPU_DTYPE_U8;
		operand.access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		operand.strides[0] = static_cast<int64_t>(slices[i]);
		operand.strides[1] = static_cast<int64_t>(pitches[i]);
		operand.strides[2] = 1;
	}
	return op;
}

Status box_task(drv::Device &device, const Box &box, GraphTask &task, unpu_operator &op)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	Place place;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	if (!in_device(device, box.dst, dst_bytes, UNPU_ACCESS_WRITE, place))
		return refuse_range("dst", box.dst, dst_bytes);
	if (!in_device(device, box.src, src_bytes, UNPU_ACCESS_READ, place))
		return refuse_range("src", box.src, src_bytes);
	if (box.height == 1 && box.depth == 1) {
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_ASYNC));
		task = graph_task(
			drv::copy_packet(cookie, number(box.dst), number(box.src), box.width),
			nullptr);
		return Status::OK;
	}
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_BOX));
	op = box_operator(box);
	task = graph_task(drv::operator_packet(cookie, 0), &op);
	return Status::OK;
}

Status copy_box_async(Stream &stream, const Box &box, bool both_host)
{
	uint64_t dst_bytes = 0;
	uint64_t src_bytes = 0;
	TRY(reaches_of(box, dst_bytes, src_bytes));
	auto device = choose_device(stream, box.dst, dst_bytes, box.src, src_bytes, both_host);
	if (!device)
		return device.status();
	if (*device) {
		unpu_operator op = box_operator(box);
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMCPY_BOX));
		return enqueue(stream, drv::operator_packet(cookie, 0), &op);
	}
	return copy_on_host(stream, [&] {
		return at_ends(*stream.context, box.dst, dst_bytes, box.src, src_bytes,
			       [&](const Ends &ends) { return copy_rows(box, ends); });
	});
}

static Status check_word(drv::Device &device, const char *name, const void *word)
{
	Place place;
	if (number(word) % sizeof(uint64_t) == 0 &&
	    in_device(device, word, sizeof(uint64_t), UNPU_ACCESS_READ, place))
		return Status::OK;
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
	return fill_bytes(to, bytes, pattern, width);
}

Status fill_async(Stream &stream, void *dst, uint64_t bytes, uint32_t pattern, uint32_t width)
{
	Place place;
	if (!in_device(stream.context->device(), dst, bytes, UNPU_ACCESS_WRITE, place))
		return place == Place::OUTSIDE
			       ? set_error(
					 Status::INVALID_ARGUMENT,
					 fmt::format(
						 "devPtr {} is not memory of the device, nor from "
						 "$malloc_host",
						 fmt::ptr(dst)))
			       : refuse_range("devPtr", dst, bytes);
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::MEMSET_ASYNC));
	return enqueue(stream, drv::fill_packet(cookie, number(dst), bytes, pattern, width));
}

} // namespace umd
