// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <utility>
#include <vector>

#include "base/sync/mutex.h"
#include "call_listener.h"
#include "umd/core/process/process.h"

namespace umd {

struct LastFault;

/** struct FaultInfo - a task that failed. */
struct FaultInfo {
	uint32_t device = 0;
	uint32_t stream = 0;
	uint32_t task = 0;
	uint32_t thread = 0; /* kernel thread id of the thread that launched it */
	base::Status status = base::Status::OK;
	uint64_t cookie = 0;	       /* cookie of the packet */
	drv::Device *opened = nullptr; /* valid until the call returns */
};

/** class FaultCallbacks - functions of the program that are called for failed tasks. */
class FaultCallbacks {
public:
	static FaultCallbacks &get() { return Process::own<FaultCallbacks>(); }

	using Callback = std::function<void(const FaultInfo &)>;

	/** set() - sets the single function of the older API call; an empty function removes it. */
	void set(Callback callback);

	/** add() - does nothing if @key was added already. */
	void add(const void *key, Callback callback);

	/** remove() - does not wait for calls that run. */
	void remove(const void *key);

	bool empty();

	/** call() - Context: no lock is held while they run. */
	void call(const FaultInfo &info);

private:
	base::Mutex mutex_{"FaultCallbacks::mutex_"};
	Callback single_ GUARDED_BY(mutex_);
	std::vector<std::pair<const void *, Callback>> many_ GUARDED_BY(mutex_);
};

/**
 * class FaultWatch - receives the failed tasks of one device and calls FaultCallbacks. It has its own
 * thread, because host functions may block theirs for long.
 */
class FaultWatch {
public:
	/** @index: the number that the program uses for @device. @last: receives each fault. */
	FaultWatch(drv::Device &device, int32_t index, LastFault &last);

	/** start() - starts the thread unless it runs. Return: NO_RESOURCE, DEVICE_LOST. */
	base::Status start();

	/** flush() - waits until all faults that the device has reported so far are handled.
	 * @ends: ends the wait when it becomes true. A function of the program that this call waits for
	 * may destroy the failed stream, which sets it.
	 * Context: no lock held; returns at once if the thread was not started, and on that thread. */
	void flush(const std::atomic<bool> &ends);

	/** stop() - as CallListener::stop(). */
	void stop() { listener_.stop(); }

private:
	void handle(const CallEntry &entry);

	drv::Device &device_;
	const int32_t index_;
	LastFault &last_;
	CallListener listener_;
};

/** fault_status() - the status to report for a packet that failed with @status: KERNEL_TRAP for a memory or
 * operand fault of an operator, else @status. */
base::Status fault_status(base::Status status, uint64_t cookie);

} // namespace umd
