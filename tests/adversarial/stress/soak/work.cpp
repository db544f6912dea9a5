// SPDX-License-Identifier: MIT
/*
 * DOC: Shapes of plain work
 */
#include "soak_shape.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace soak {

/* A long copy is cut into pieces for engines and helping threads; small tasks follow behind it. The
 * thread waits for the copy alone and only queries the rest. */
void copy_and_query(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const size_t big = seat.draw(4, 16) << 20;
	const Memory from(seat, big);
	const Memory to(seat, big);
	const Memory small(seat, 4096);
	const Stream stream(seat);
	const Stream follower(seat);
	const Event copied(seat);
	if (!from || !to || !small || !stream || !follower || !copied)
		return;

	for (int i = 0; i < 10 && !seat.stops(); i++) {
		SOAK_TRY(aclrtMemcpyAsync(to.get(), big, from.get(), big,
					  ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		SOAK_TRY(aclrtRecordEvent(copied, stream));
		SOAK_TRY(aclrtStreamWaitEvent(follower, copied));
		for (uint64_t k = seat.draw(1, 60); k > 0; k--) {
			SOAK_TRY(aclrtMemsetAsync(small.get(), 4096, 1, 4096, stream));
			SOAK_TRY(aclrtMemsetAsync(small.get(), 4096, 2, 64, follower));
		}
		SOAK_TRY(aclrtSynchronizeEvent(copied));
		if (!await_stream(seat, stream) || !await_stream(seat, follower))
			return;
	}
}

/* Waits with a limit beside long work come back in time, and say that it was the limit. */
void wait_with_limits(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const size_t big = seat.draw(1, 32) << 20;
	const Memory from(seat, big);
	const Memory to(seat, big);
	const Stream busy(seat);
	const Stream stream(seat);
	const Stream setter(seat);
	const Event flag(seat, Event::Kind::FLAG);
	if (!from || !to || !busy || !stream || !setter || !flag)
		return;

	SOAK_TRY(aclrtStreamWaitEvent(stream, flag));
	for (int i = 0; i < 20; i++)
		SOAK_TRY(aclrtMemcpyAsync(to.get(), big, from.get(), big,
					  ACL_MEMCPY_DEVICE_TO_DEVICE, busy));
	for (int i = 0; i < 3; i++) {
		const aclError code = aclrtSynchronizeStreamWithTimeout(
			stream, static_cast<int32_t>(seat.draw(1, 30)));
		if (code != ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
			SOAK_TRY(code);
		if (code == ACL_SUCCESS)
			seat.expect(false, "a stream whose flag is not set was complete");
	}
	SOAK_TRY(aclrtRecordEvent(flag, setter));
	SOAK_TRY(aclrtSynchronizeStream(stream));
	SOAK_TRY(aclrtSynchronizeStream(busy));
}

/* Events of each kind order two streams; the thread queries and recreates them. */
void use_events(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const Memory memory(seat, 64 << 10);
	const Stream first(seat);
	const Stream second(seat);
	if (!memory || !first || !second)
		return;

	for (int i = 0; i < 50 && !seat.stops(); i++) {
		const auto value = static_cast<unsigned char>(seat.draw(0, 255));
		const Event begin(seat, Event::Kind::TIME);
		const Event end(seat, seat.draw(0, 1) ? Event::Kind::TIME : Event::Kind::SNAPSHOT);
		if (!begin || !end)
			return;
		SOAK_TRY(aclrtRecordEvent(begin, first));
		SOAK_TRY(aclrtMemsetAsync(memory.get(), memory.bytes(),
					  static_cast<unsigned char>(~value), memory.bytes(),
					  first));
		SOAK_TRY(aclrtRecordEvent(end, first));
		SOAK_TRY(aclrtStreamWaitEvent(second, end));
		SOAK_TRY(aclrtMemsetAsync(memory.get(), memory.bytes(), value, memory.bytes(),
					  second));
		SOAK_TRY(aclrtRecordEvent(begin, second));
		aclrtEventRecordedStatus status;
		SOAK_TRY(aclrtQueryEventStatus(begin, &status));
		SOAK_TRY(aclrtSynchronizeEvent(begin));
		SOAK_TRY(aclrtSynchronizeStream(second));
		if (!holds_only(seat, memory, value))
			return;
	}
}

/* Streams come and go with work in them. */
void make_streams(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const Memory memory(seat, 64 << 10);
	if (!memory)
		return;

	for (int i = 0; i < 30 && !seat.stops(); i++) {
		Stream stream(seat);
		if (!stream)
			return;
		for (uint64_t k = seat.draw(0, 20); k > 0; k--)
			SOAK_TRY(aclrtMemsetAsync(memory.get(), memory.bytes(), 7, memory.bytes(),
						  stream));
		if (seat.draw(0, 3) == 0)
			SOAK_TRY(aclrtDestroyStreamForce(stream.release()));
		else if (seat.draw(0, 1))
			SOAK_TRY(aclrtSynchronizeStream(stream));
		else if (seat.draw(0, 3) == 0)
			SOAK_TRY(synchronise_device(-1, ACL_SUCCESS));
	}
}

/* Synchronous copies, back and forth, with their results checked. */
void copy_now(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	const size_t bytes = seat.draw(0, 1) ? seat.draw(1, 4096) : seat.draw(1, 4) << 20;
	const Memory memory(seat, bytes);
	if (!memory)
		return;

	for (int i = 0; i < 40 && !seat.stops(); i++) {
		const auto value = static_cast<unsigned char>(seat.draw(0, 255));
		const std::vector<unsigned char> host(bytes, value);
		SOAK_TRY(aclrtMemcpy(memory.get(), bytes, host.data(), bytes,
				     ACL_MEMCPY_HOST_TO_DEVICE));
		if (!holds_only(seat, memory, value))
			return;
		SOAK_TRY(aclrtMemset(memory.get(), bytes, value ^ 1, bytes));
		if (!holds_only(seat, memory, value ^ 1))
			return;
	}
}

namespace {

struct Functions;

struct Call {
	Functions *work;
	unsigned number;
};

struct Functions {
	std::atomic<unsigned> next{0};
	std::atomic<bool> is_ordered{true};
	std::array<Call, 20> calls;
};

/* A round that fails leaves functions in its stream. They may run after the round has ended. */
void keep_for_the_process(std::shared_ptr<Functions> work)
{
	static std::mutex mutex;
	/* Never destroyed: a host function may still run when the process ends. */
	static auto &kept = *new std::vector<std::shared_ptr<Functions>>;
	const std::lock_guard lock(mutex);
	kept.push_back(std::move(work));
}

void note_call(void *data)
{
	const auto *call = static_cast<const Call *>(data);
	uint32_t devices;

	if (call->work->next.fetch_add(1) != call->number)
		call->work->is_ordered = false;
	/* A host function may ask for what needs no device. */
	(void)aclrtGetDeviceCount(&devices);
}

} // namespace

/* Host functions of a stream run in its order, between its tasks. */
void run_host_functions(Seat &seat)
{
	const auto work = std::make_shared<Functions>();
	if (seat.has_misuse())
		keep_for_the_process(work);
	const DeviceUse device(seat);
	if (!device)
		return;
	const Memory memory(seat, 4096);
	const Stream stream(seat);
	if (!memory || !stream)
		return;

	for (unsigned i = 0; i < work->calls.size(); i++) {
		work->calls[i] = {work.get(), i};
		SOAK_TRY(aclrtMemsetAsync(memory.get(), 4096, 3, 4096, stream));
		SOAK_TRY(aclrtLaunchHostFunc(stream, note_call, &work->calls[i]));
	}
	SOAK_TRY(aclrtSynchronizeStream(stream));
	seat.expect(work->next == work->calls.size() && work->is_ordered,
		    "host functions did not run once each, in order");
}

} // namespace soak
