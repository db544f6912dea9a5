// SPDX-License-Identifier: MIT
/**
 * DOC: Host functions
 *
 * The device posts a call into the call queue, and the stream waits. The runtime's callback thread runs the
 * function and then tells the device that it has returned. If the program has subscribed a thread of its own
 * to the stream, the callback thread hands the function to that thread.
 *
 * Work of the runtime itself, such as copies of pageable memory, has a second thread: a function of the
 * program may block until another stream has done such a copy. A bit of the call number tells which thread
 * answers an entry.
 */
#include "host_calls.h"

#include <algorithm>

#include "drv/device.h"
#include "host_target.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;

/* The number of functions that one stream can hold; start() reserves the memory for them. */
static constexpr size_t FUNCTIONS = 1024;

Status HostCalls::start()
{
	places_.reserve(FUNCTIONS);
	return listener_.start([this](const CallEntry &entry) {
		/* FaultWatch handles fault reports, and their numbers have the bit too. */
		if (!(entry.call & IS_WORK))
			run(entry.call, entry.cookie, entry.token);
	});
}

Status HostCalls::start_worker()
{
	return worker_.start([this](const CallEntry &entry) {
		if (entry.call & IS_WORK && entry.call < END_OF_WORK)
			work(entry);
	});
}

Status HostCalls::ready()
{
	std::lock_guard lock(mutex_);
	return start_worker();
}

bool HostCalls::take_over()
{
	return worker_.take_over([](const CallEntry &entry) {
		return entry.call < END_OF_WORK && (entry.call & IS_WORK) != 0 &&
		       (entry.call & IS_BRIEF) == 0;
	});
}

Result<uint64_t> HostCalls::add(const HostFunction &function)
{
	std::lock_guard lock(mutex_);
	TRY(function.work ? start_worker() : start());
	if (free_ == 0) {
		places_.push_back({});
		free_ = static_cast<uint32_t>(places_.size());
	}
	uint32_t number = free_;
	Place &place = places_[number - 1];
	free_ = place.next;
	place = {function, true, place.uses + 1, 0, added_++};
	const uint64_t kind = function.work ? IS_WORK : 0;
	const uint64_t brief = function.work && function.work->is_brief() ? IS_BRIEF : 0;
	return uint64_t{place.uses} << 32 | kind | brief | number;
}

HostCalls::Place *HostCalls::find(uint64_t call)
{
	const auto number = static_cast<uint32_t>(call & ~(IS_WORK | IS_BRIEF));
	if (number == 0 || number > places_.size())
		return nullptr;
	Place &place = places_[number - 1];
	return place.is_known && place.uses == call >> 32 ? &place : nullptr;
}

bool HostCalls::forget(uint64_t call)
{
	Place *place = find(call);
	if (!place)
		return false;
	place->is_known = false;
	place->function.work.reset();
	place->next = free_;
	free_ = static_cast<uint32_t>(call & ~(IS_WORK | IS_BRIEF));
	return true;
}

bool HostCalls::remove(uint64_t call)
{
	std::lock_guard lock(mutex_);
	return forget(call);
}

uint64_t HostCalls::added()
{
	std::lock_guard lock(mutex_);
	return added_;
}

void HostCalls::drop(uint64_t stream, uint64_t before)
{
	std::vector<HostFunction> dropped;
	std::unique_lock lock(mutex_);
	for (size_t i = 0; i < places_.size(); i++) {
		const Place &place = places_[i];
		if (!place.is_known || place.function.is_permanent ||
		    place.function.stream != stream || place.number >= before)
			continue;
		dropped.push_back(place.function);
		forget(uint64_t{place.uses} << 32 | (i + 1));
	}
	lock.unlock();
	for (const HostFunction &function : dropped)
		run_dropped(function);
}

size_t HostCalls::known()
{
	std::lock_guard lock(mutex_);
	return static_cast<size_t>(std::count_if(
		places_.begin(), places_.end(), [](const Place &place) { return place.is_known; }));
}

void HostCalls::call_here(const HostFunction &function, uint64_t cookie, uint64_t token)
{
	uint16_t attachment = device_.hal().attachment();
	hal::Device::acquire_host_work();
	if (hal::trace::on())
		hal::trace::put(UNPU_TRACE_CALL_BEGIN, attachment, cookie, 0, token);
	ThreadState::mine().is_in_host_function = true;
	/* A function of a graph has the stream of the capture, which may be another one. */
	ThreadState::mine().host_stream =
		function.is_permanent ? ThreadState::SOME_STREAM : function.stream;
	recorder::observer.note_callback(san::Kind::CALLBACK_BEGIN, function.traced);
	function.fn(function.args);
	recorder::observer.note_callback(san::Kind::CALLBACK_END, function.traced);
	ThreadState::mine().host_stream = 0;
	ThreadState::mine().is_in_host_function = false;
	if (hal::trace::on())
		hal::trace::put(UNPU_TRACE_CALL_END, attachment, cookie, 0, token);
	hal::Device::release_host_work();
}

/* The function of a call that the device has posted; empty if it was removed. */
HostFunction HostCalls::claim(uint64_t call)
{
	HostFunction function;
	std::lock_guard lock(mutex_);
	const Place *place = find(call);
	if (place)
		function = place->function;
	if (!function.is_permanent)
		forget(call);
	return function;
}

void HostCalls::work(const CallEntry &entry)
{
	const HostFunction function = claim(entry.call);
	const uint16_t attachment = device_.hal().attachment();
	Status status = Status::OK;
	hal::Device::acquire_host_work();
	if (hal::trace::on())
		hal::trace::put(UNPU_TRACE_CALL_BEGIN, attachment, entry.cookie, 0, entry.token);
	if (function.work)
		status = function.work->run();
	if (hal::trace::on())
		hal::trace::put(UNPU_TRACE_CALL_END, attachment, entry.cookie, 0, entry.token);
	hal::Device::release_host_work();
	worker_.finish(entry.token, status);
}

void HostCalls::run(uint64_t call, uint64_t cookie, uint64_t token)
{
	const HostFunction function = claim(call);
	bool handed = false;
	if (function.fn && function.by != HostFunction::By::RUNTIME) {
		handed = hand_over_(function, function.holds ? token : 0) && function.holds;
	} else if (function.fn) {
		call_here(function, cookie, token);
	}
	if (!handed)
		finish(token);
}

} // namespace umd
