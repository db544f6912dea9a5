// SPDX-License-Identifier: MIT
/**
 * DOC: Fault reports
 *
 * If the program wants to know of failed tasks, the device posts an entry for each of them to the call
 * queue, beside the host functions. A thread of the watch reads that queue and answers these entries, so
 * that the device can reuse them. A synchronisation that is about to report a failure first waits until the
 * program's callback has run.
 */
#include "fault_watch.h"

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "umd/core/process/call.h"
#include "umd/core/task/collective_failure.h"

namespace umd {

using base::Status;

/* The longest time for which a synchronisation waits for a callback of the program. */
static constexpr uint64_t LONGEST_FLUSH_NS = 10 * base::NS_PER_S;
/* The call that ends the thread; no host function has this number. */
static constexpr uint64_t END_OF_WATCH = UNPU_CALL_FAULT - 1;

void FaultCallbacks::set(Callback callback)
{
	std::lock_guard lock(mutex_);
	single_ = std::move(callback);
}

void FaultCallbacks::add(const void *key, Callback callback)
{
	std::lock_guard lock(mutex_);
	for (const auto &entry : many_) {
		if (entry.first == key)
			return;
	}
	many_.emplace_back(key, std::move(callback));
}

void FaultCallbacks::remove(const void *key)
{
	std::lock_guard lock(mutex_);
	std::erase_if(many_, [&](const auto &entry) { return entry.first == key; });
}

bool FaultCallbacks::empty()
{
	std::lock_guard lock(mutex_);
	return !single_ && many_.empty();
}

void FaultCallbacks::call(const FaultInfo &info)
{
	std::unique_lock lock(mutex_);
	Callback single = single_;
	auto many = many_;
	lock.unlock();
	if (single)
		single(info);
	for (const auto &entry : many)
		entry.second(info);
}

Status fault_status(Status status, uint64_t cookie)
{
	bool fault = status == Status::MMU_FAULT || status == Status::ACCESS_FAULT ||
		     status == Status::BAD_OPERATOR;
	bool operation = is_operator(drv::decode_cookie(cookie).call);
	return fault && operation ? Status::KERNEL_TRAP : status;
}

FaultWatch::FaultWatch(drv::Device &device, int32_t index, LastFault &last)
	: device_(device), index_(index), last_(last), listener_(device, "unpu-fault", END_OF_WATCH)
{
}

Status FaultWatch::start()
{
	auto tell = [this] { return device_.control({.report_faults = true}); };
	return listener_.start([this](const CallEntry &entry) { handle(entry); }, tell);
}

void FaultWatch::flush(const std::atomic<bool> &ends)
{
	listener_.catch_up(LONGEST_FLUSH_NS, ends);
}

/* An overflow is not a fault, and a program that stops a task knows about it. */
static bool worth_telling(Status status)
{
	return status != Status::OVERFLOW && status != Status::CHANNEL_STOPPED;
}

void FaultWatch::handle(const CallEntry &entry)
{
	if (entry.call != UNPU_CALL_FAULT)
		return;
	listener_.finish(entry.token);
	if (!worth_telling(entry.status))
		return;
	uint64_t index = drv::decode_cookie(entry.cookie).index;
	drv::Source source = device_.find_source(entry.timeline, index);
	FaultInfo info;
	info.device = static_cast<uint32_t>(index_);
	info.stream = source.channel;
	info.task = static_cast<uint32_t>(index);
	info.thread = source.thread;
	const drv::Failure failure =
		collective_failure({entry.status, entry.cookie, entry.address, 0});
	info.status = fault_status(failure.status, entry.cookie);
	info.cookie = entry.cookie;
	info.opened = &device_;
	{
		std::lock_guard lock(last_.mutex);
		last_.status = info.status;
		last_.address = entry.address;
	}
	FaultCallbacks::get().call(info);
}

} // namespace umd
