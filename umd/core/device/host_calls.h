// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/sync/mutex.h"
#include "call_listener.h"
#include "umd/core/task/host_function.h"

namespace umd {

/**
 * class HostCalls - runs the host functions of streams and graphs on its own thread, which the first
 * function starts, or hands them to a thread of the program. A second thread runs HostWork.
 */
class HostCalls {
public:
	/** using HandOver - hands @function to a thread of the program. @token: the stream waits until
	 * finish() gets it; 0 if it does not wait. Return: false if the stream has no such thread any
	 * more. */
	using HandOver = bool (*)(const HostFunction &function, uint64_t token);

	HostCalls(drv::Device &device, HandOver hand_over)
		: device_(device), hand_over_(hand_over), listener_(device, "unpu-callback", 0),
		  worker_(device, "unpu-host-work", END_OF_WORK)
	{
	}

	/** add() - registers a function. Allocates memory only if more functions than ever before are
	 * registered at once. Return: the call number for a HOST_CALL packet. */
	base::Result<uint64_t> add(const HostFunction &function);
	/** remove() - Return: false if it was not registered any more. */
	bool remove(uint64_t call);

	/** added() - how many functions were registered so far, for drop(). */
	uint64_t added();

	/** drop() - removes the functions that @stream will not call because its tasks were dropped.
	 * @before: an earlier result of added(); functions registered later stay */
	void drop(uint64_t stream, uint64_t before);

	/** known() - how many functions are registered. */
	size_t known();

	/** finish() - lets the stream that waits for @token continue; 0 is ignored. Context: any thread. */
	void finish(uint64_t token) { listener_.finish(token); }

	/** ready() - starts the thread of HostWork, unless it runs. Return: NO_RESOURCE, DEVICE_LOST. */
	base::Status ready();

	/** submit() - submits a packet on the channel of HostWork. The packet must neither block nor wait.
	 * Context: any thread, after ready(). Return: its fence; DEVICE_LOST. */
	base::Result<drv::Fence> submit(const unpu_packet &packet)
	{
		return worker_.submit(packet);
	}

	/** take_over() - runs HostWork that is brief on the calling thread, which polls.
	 * Return: whether there was some. hand_back() - the calling thread polls no more.
	 * Context: as those of CallListener, after ready(). */
	bool take_over();
	void hand_back() { worker_.hand_back(); }

	/** stop() - as CallListener::stop(). */
	void stop(const std::function<void()> &waiting)
	{
		listener_.stop(waiting);
		worker_.stop();
	}

private:
	/* The bit of call numbers that makes worker_ run the call. */
	static constexpr uint64_t IS_WORK = uint64_t{1} << 31;
	/* The bit of call numbers that a polling thread may run. */
	static constexpr uint64_t IS_BRIEF = uint64_t{1} << 30;
	/* The call that ends worker_; the number before it ends the thread of FaultWatch. */
	static constexpr uint64_t END_OF_WORK = UNPU_CALL_FAULT - 2;

	struct Place {
		HostFunction function;
		bool is_known;
		/* use count; it is a part of the call number, so that no number is reused */
		uint32_t uses;
		uint32_t next;	 /* next free place, counted from 1 */
		uint64_t number; /* position in the order of all add() calls */
	};

	base::Status start() REQUIRES(mutex_);
	base::Status start_worker() REQUIRES(mutex_);
	HostFunction claim(uint64_t call);
	void run(uint64_t call, uint64_t cookie, uint64_t token);
	void work(const CallEntry &entry);
	void call_here(const HostFunction &function, uint64_t cookie, uint64_t token);
	Place *find(uint64_t call) REQUIRES(mutex_);
	bool forget(uint64_t call) REQUIRES(mutex_);

	drv::Device &device_;
	const HandOver hand_over_;
	/* Also held while the thread starts, so that it starts only once. */
	base::Mutex mutex_{"HostCalls::mutex_", base::HeldOver::ANSWERS};
	std::vector<Place> places_
		/* a call number consists of a place, counted from 1, and its use count */
		GUARDED_BY(mutex_);
	uint32_t free_ GUARDED_BY(mutex_) = 0;
	uint64_t added_ GUARDED_BY(mutex_) = 0;
	CallListener listener_;
	CallListener worker_;
};

} // namespace umd
